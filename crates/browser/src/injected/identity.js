// What an element is and leads to, so that what was looked at can be told from what has come in its place.

/// The same that the walker writes of a control, as far as it tells one from another.
function identityRecordOf(el) {
  const tag = tagOf(el);
  const role = roleOf(el);
  const attributes = {};
  readAttributes({ el, names: namesOf(el) }, attributes);
  if (tag === 'input' && el instanceof HTMLInputElement && el.type !== 'text') attributes.k = el.type;
  const pressed = el instanceof HTMLLabelElement ? controlOfLabel(el) : null;
  if (pressed !== null && isButton(pressed)) attributes.lb = buttonRecord(pressed);
  const base = baseOf(document);
  return { tag: exactly(tag, TOKEN_LIMIT), role, name: nameOf(el, role).toWellFormed(), sent: sentBy(el), base, attributes };
}

/// Addresses are told as they are written, so what they stand on counts where there is one.
function identityText({ tag, role, name, sent, base, attributes: { h, k, n, fa, fm, lb } }) {
  return JSON.stringify([tag, role, name, sent, h, h === undefined ? null : base, k, n, fa, fm, lb]);
}

/// What an element of a look was; null for one that only the accessibility tree had.
function identityAtLook(look, index) {
  const record = look.controls[index];
  if (record === undefined) return null;
  const [tag, role] = look.kinds[record[0]];
  const attributes = record[7] ?? {};
  const sent = look.ownSent.get(index) ?? look.sent[attributes.f] ?? null;
  return identityText({ tag, role, name: record[1], sent, base: look.base, attributes });
}

const methodOfForm = getterOf(HTMLFormElement.prototype, 'method');
const actionOfForm = getterOf(HTMLFormElement.prototype, 'action');
const FORM_OF = [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].map((kind) => ({
  kind, form: getterOf(kind.prototype, 'form'),
}));
const controlOfLabel = getterOf(HTMLLabelElement.prototype, 'control');
const SENDERS = [HTMLButtonElement, HTMLInputElement].map((kind) => ({
  kind, method: getterOf(kind.prototype, 'formMethod'), action: getterOf(kind.prototype, 'formAction'),
}));

/// The form that a control is a part of.
const formOf = (el) => FORM_OF.find(({ kind }) => el instanceof kind)?.form(el) ?? null;

/// How and where the form of a control is sent by it, or by the button that a label presses; null without a form.
function sentBy(labelled) {
  const el = labelled instanceof HTMLLabelElement ? controlOfLabel(labelled) : labelled;
  if (el === null || (el !== labelled && !isButton(el))) return null;
  const form = formOf(el);
  return form === null ? null : sentByForm(form, el);
}

/// The same for all that a form has no other word of. An action that is not written is the page's own address, which pages change
/// while they are used.
function sentByForm(form, el = null) {
  const own = SENDERS.find(({ kind }) => el instanceof kind);
  const isWritten = (name) => own !== undefined && (attributeOf(el, name) ?? '').trim() !== '';
  const method = isWritten('formmethod') ? own.method(el) : methodOfForm(form);
  const written = (attributeOf(form, 'action') ?? '').trim() === '' ? '' : actionOfForm(form);
  return JSON.stringify([method, isWritten('formaction') ? own.action(el) : written]);
}

/// The controls of a look that are sent otherwise than their forms say.
function ownSentOf({ controls, elements }) {
  const own = new Map();
  for (let i = 0; i < controls.length; i += 1) {
    const attributes = controls[i][7];
    if (attributes !== undefined && (attributes.fa ?? attributes.fm ?? attributes.lb) !== undefined) own.set(i, sentBy(elements[i]));
  }
  return own;
}

/// What Enter in a field presses, as it is now.
function pressedByEnter(el) {
  const form = formOf(el);
  return form === null ? null : JSON.stringify(pressedByEnterIn(form));
}

/// The same as it was at a look.
function pressedByEnterAtLook(look, index) {
  return look.pressed[look.controls[index]?.[7]?.f] ?? null;
}

/// What has come in the place of an element that is in the page no more: the only one that is the same in the same place, says
/// the same around it, and was not there before. Null where that is not sure.
function successorOf(gone, identity, look) {
  if (identity === null) return null;
  const twins = look.controls.filter((_, index) => identityAtLook(look, index) === identity);
  if (twins.length !== 1) return null;
  forgetAll();
  const tag = tagOf(gone);
  const known = new Set(look.elements);
  let found = null;
  for (const el of allOfTag(tag)) {
    if (identityText(identityRecordOf(el)) !== identity) continue;
    if (found !== null || known.has(el)) return null;
    found = el;
  }
  return found !== null && standsWhere(found, gone) ? found : null;
}
const CANDIDATES_LIMIT = 2000;

/// The elements of a tag in all trees; none where nobody knows all of them.
function allOfTag(tag) {
  const selector = CSS.escape(tag);
  const { trees, areAll } = knownTrees();
  const found = [];
  for (const tree of areAll ? trees : []) {
    const inside = allIn(tree, selector);
    for (let i = 0; i < inside.length && found.length < CANDIDATES_LIMIT; i += 1) found.push(inside[i]);
  }
  return found;
}

/// Whether an element stands as the one that is gone stood: what was taken out of the page with that one had the same tags, and
/// said the same. Of one that was taken out by itself nothing is known but itself.
function standsWhere(el, gone) {
  const around = parentOf(gone);
  if (around === null || kindOf(around) !== ELEMENT) return false;
  let [now, then] = [el, gone];
  for (let steps = 0; steps < ANCESTORS_LIMIT; steps += 1) {
    const [above, before] = [parentOf(now), parentOf(then)];
    if (before === null || kindOf(before) !== ELEMENT) break;
    if (above === null || kindOf(above) !== ELEMENT || !isLabelledAlike(above, before)) return false;
    [now, then] = [above, before];
  }
  return wordsIn(now) === wordsIn(then);
}

function isLabelledAlike(one, other) {
  return tagOf(one) === tagOf(other) && LABELLING.every((name) => attributeOf(one, name) === attributeOf(other, name));
}
const LABELLING = ['role', 'aria-label', 'title'];

function wordsIn(el) {
  return tidyBeginningOf(textContentOf(el)).trim();
}
