// What an element is and leads to, so that what was looked at can be told from what has come in its place.

/// The same that the walker writes of a control, as far as it tells one from another.
function identityRecordOf(el) {
  const tag = tagOf(el);
  const role = roleOf(el);
  const attributes = {};
  readAttributes({ el, tag, names: namesOf(el) }, attributes);
  if (tag === 'input' && el instanceof HTMLInputElement && el.type !== 'text') attributes.k = el.type;
  const { h, k, n, fa } = attributes;
  return { tag: exactly(tag, TOKEN_LIMIT), role, name: nameOf(el, role).toWellFormed(), attributes: { h, k, n, fa } };
}

function identityText({ tag, role, name, attributes: { h, k, n, fa } }) {
  return JSON.stringify([tag, role, name, h ?? null, k ?? null, n ?? null, fa ?? null]);
}

const methodOfForm = getterOf(HTMLFormElement.prototype, 'method');
const actionOfForm = getterOf(HTMLFormElement.prototype, 'action');
const SENDERS = [HTMLButtonElement, HTMLInputElement].map((kind) => ({
  kind, method: getterOf(kind.prototype, 'formMethod'), action: getterOf(kind.prototype, 'formAction'),
}));
const FORM_OF = [HTMLButtonElement, HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement].map((kind) => ({
  kind, form: getterOf(kind.prototype, 'form'),
}));
const controlOfLabel = getterOf(HTMLLabelElement.prototype, 'control');

/// How and where the form of a control would be sent, what the control itself says of that counted in; null without a form. An
/// action that is not written is the page's own address, which pages change while they are used.
function sentBy(labelled) {
  const el = labelled instanceof HTMLLabelElement ? controlOfLabel(labelled) : labelled;
  const form = FORM_OF.find(({ kind }) => el instanceof kind)?.form(el) ?? null;
  if (form === null) return null;
  const own = SENDERS.find(({ kind }) => el instanceof kind);
  const method = own && hasAttribute(el, 'formmethod') ? own.method(el) : methodOfForm(form);
  const written = hasAttribute(form, 'action') ? actionOfForm(form) : '';
  return JSON.stringify([method, own && hasAttribute(el, 'formaction') ? own.action(el) : written]);
}

/// Where the forms of what was taken hold of were to be sent when that was first done after a look.
const sentWhenTaken = new WeakMap();

/// Notes that an element of a look is taken hold of.
function noteSent({ el, look }) {
  if (sentWhenTaken.get(el)?.look !== look) sentWhenTaken.set(el, { look, sent: sentBy(el) });
}

/// Whether its form would still be sent as it was when it was taken hold of.
function isSentAsTaken(el) {
  const taken = sentWhenTaken.get(el);
  return taken === undefined || taken.sent === sentBy(el);
}

/// What an element of a look was; null for one that only the accessibility tree had.
function identityAtLook(look, index) {
  const record = look.controls[index];
  if (record === undefined) return null;
  const [tag, role] = look.kinds[record[0]];
  return identityText({ tag, role, name: record[1], attributes: record[7] ?? {} });
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

/// The elements of a tag in all trees that we know.
function allOfTag(tag) {
  const selector = CSS.escape(tag);
  const found = Array.from(allInDocument(document, selector)).slice(0, CANDIDATES_LIMIT);
  const trees = Array.from(allInDocument(document, MAY_HOST)).map(shadowOf).filter(Boolean);
  for (let i = 0; i < trees.length && found.length < CANDIDATES_LIMIT; i += 1) {
    found.push(...allInFragment(trees[i], selector));
    trees.push(...Array.from(allInFragment(trees[i], MAY_HOST)).map(shadowOf).filter(Boolean));
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
    if (above === null || kindOf(above) !== ELEMENT || tagOf(above) !== tagOf(before)) return false;
    [now, then] = [above, before];
  }
  return wordsIn(now) === wordsIn(then);
}

function wordsIn(el) {
  return tidyBeginningOf(textContentOf(el)).trim();
}
