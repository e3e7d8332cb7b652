// The record of one thing that can be acted on.

const VALUE_LIMIT = 400;
const HREF_LIMIT = 500;
const TOKEN_LIMIT = 80;
const OPTIONS_LIMIT = 20;
const ATTRIBUTES_LIMIT = 60;

const FLAG = {
  visible: 1, inViewport: 1 << 1, disabled: 1 << 2, required: 1 << 3, invalid: 1 << 4, readonly: 1 << 5, focused: 1 << 6,
  covered: 1 << 7, secret: 1 << 16, multiple: 1 << 17, editable: 1 << 18, filled: 1 << 19, submits: 1 << 20, clickableOnly: 1 << 21,
  current: 1 << 23, popup: 1 << 24,
};
const SWITCH = { checked: 8, pressed: 10, selected: 12, expanded: 14 };
const OFF = 1;
const ON = 2;
const MIXED = 3;
const TRISTATE = new Map([['false', OFF], ['true', ON], ['mixed', MIXED]]);

/// Numbers for what repeats itself: tags with their roles.
class ControlKinds {
  constructor() {
    this.list = [];
    this.numbers = new Map();
  }

  numberOf(tag, role) {
    let ofTag = this.numbers.get(tag);
    if (ofTag === undefined) this.numbers.set(tag, ofTag = new Map());
    let number = ofTag.get(role);
    if (number === undefined) {
      number = this.list.push([exactly(tag, TOKEN_LIMIT), role]) - 1;
      ofTag.set(role, number);
    }
    return number;
  }
}

/// Inputs whose value is their face, or no text at all.
const FACES = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio']);
const SUBMITS = new Set(['submit', 'image']);

/// What tells what a control is for and leads to, however many other attributes it has.
const WEIGHTY_ATTRIBUTES = ['href', 'autocomplete', 'name', 'id', 'placeholder', 'formaction', 'formmethod'];

/// What the attributes of a control say: the packed state, and what few controls have.
function readAttributes({ el, names }, record) {
  let state = 0;
  for (let i = 0; i < names.length && i < ATTRIBUTES_LIMIT; i += 1) state |= readAttribute(el, names[i], record);
  if (names.length > ATTRIBUTES_LIMIT) {
    for (const name of WEIGHTY_ATTRIBUTES) if (hasAttribute(el, name)) readAttribute(el, name, record);
  }
  return state;
}

function readAttribute(el, name, record) {
  switch (name) {
    case 'href': case 'xlink:href': record.h = oneLine(attributeOf(el, name), HREF_LIMIT); break;
    case 'id': record.i = tokenOf(el, name); break;
    case 'name': record.n = tokenOf(el, name); break;
    case 'data-testid': case 'data-test-id': case 'data-test': case 'data-cy': case 'data-qa':
      record.t = tokenOf(el, name);
      break;
    case 'autocomplete': record.a = tokenOf(el, name); break;
    case 'placeholder': record.p = oneLine(attributeOf(el, name), 100); break;
    case 'pattern': record.pt = oneLine(attributeOf(el, name), 100); break;
    case 'min': record.mi = tokenOf(el, name); break;
    case 'max': record.ma = tokenOf(el, name); break;
    case 'minlength': lengthOf(el, name, record, 'ml'); break;
    case 'maxlength': lengthOf(el, name, record, 'mx'); break;
    case 'formaction': record.fa = oneLine(attributeOf(el, name), HREF_LIMIT); break;
    case 'formmethod': record.fm = methodOf(attributeOf(el, name)); break;
    case 'aria-describedby': case 'aria-errormessage': describe(el, name, record); break;
    case 'aria-disabled': return attributeOf(el, name) === 'true' ? FLAG.disabled : 0;
    case 'aria-required': return attributeOf(el, name) === 'true' ? FLAG.required : 0;
    case 'aria-readonly': return attributeOf(el, name) === 'true' ? FLAG.readonly : 0;
    case 'aria-multiselectable': return attributeOf(el, name) === 'true' ? FLAG.multiple : 0;
    case 'aria-invalid': return !['', 'false'].includes(attributeOf(el, name)) ? FLAG.invalid : 0;
    case 'aria-current': return !['', 'false'].includes(attributeOf(el, name)) ? FLAG.current : 0;
    case 'aria-haspopup': return !['', 'false'].includes(attributeOf(el, name)) ? FLAG.popup : 0;
    case 'aria-checked': return toggled(SWITCH.checked, attributeOf(el, name));
    case 'aria-pressed': return toggled(SWITCH.pressed, attributeOf(el, name));
    case 'aria-selected': return toggled(SWITCH.selected, attributeOf(el, name));
    case 'aria-expanded': return toggled(SWITCH.expanded, attributeOf(el, name));
    case 'aria-valuetext': record.v = oneLine(attributeOf(el, name), VALUE_LIMIT); break;
    case 'aria-valuenow': record.v ??= tokenOf(el, name); break;
  }
  return 0;
}

function toggled(kind, value) {
  return (TRISTATE.get(value) ?? 0) << kind;
}

function tokenOf(el, name) {
  return oneLine(attributeOf(el, name), TOKEN_LIMIT);
}

function lengthOf(el, name, record, key) {
  const length = Number.parseInt(attributeOf(el, name), 10);
  if (length >= 0 && length < 2 ** 31) record[key] = length;
}

/// The words that the page itself ties to a control: a hint, or what is wrong with it.
function describe(el, name, record) {
  const root = rootOf(el);
  const ids = attributeOf(el, name).slice(0, 300).split(HTML_SPACE).slice(0, 3);
  const found = ids.map((id) => id && elementById(root, id)).filter((target) => target && isShown(target));
  const words = found.map((target) => oneLine(shortTextOf(target), 150)).filter(Boolean);
  if (words.length) record.d = oneLine(`${record.d ?? ''} ${words.join(' ')}`, 200);
}

/// The text that is seen in an element, as far as it is needed: a page may have megabytes of it.
function shortTextOf(el) {
  const walker = newTreeWalker(document, el, NodeFilter.SHOW_TEXT);
  let text = '';
  let left = LINE_SOURCE_LIMIT;
  for (let steps = 0; steps < STEPS_LIMIT && left > 0 && text.length < VALUE_LIMIT && walker.nextNode(); steps += 1) {
    const parent = parentOf(walker.currentNode);
    if (UNREAD_TAGS.has(tagOf(parent)) || !stateOf(parent).isSeen) continue;
    const part = partOfText(walker.currentNode, 0, left);
    left -= part.length;
    const words = oneLine(part, VALUE_LIMIT);
    if (words !== '') text += ` ${isShownAsDots(parent) ? dotsFor(words) : words}`;
  }
  return text;
}

/// What form fields are and hold, beyond their attributes.
function readField(place, record, forms) {
  const { el, tag } = place;
  let state = 0;
  const form = el.form;
  if (form) record.f = formIndexOf(form, forms);
  if (el.disabled || matches(el, ':disabled')) state |= FLAG.disabled;
  if (el.required) state |= FLAG.required;
  if (matches(el, ':user-invalid')) state |= FLAG.invalid;
  if (tag === 'select') return state | readSelect(el, record);
  if (tag === 'button') return SUBMITS.has(el.type) && form ? state | FLAG.submits : state;
  if (el.readOnly) state |= FLAG.readonly;
  const type = tag === 'input' ? el.type : '';
  if (type && type !== 'text') record.k = type;
  if (type === 'checkbox' || type === 'radio') {
    return state | (el.indeterminate ? MIXED : el.checked ? ON : OFF) << SWITCH.checked;
  }
  if (FACES.has(type)) return SUBMITS.has(type) && form ? state | FLAG.submits : state;
  if (type === 'file') {
    if (el.multiple) state |= FLAG.multiple;
    const names = Array.from(el.files ?? [], (file) => file.name);
    if (names.length) record.v = oneLine(names.join(', '), VALUE_LIMIT);
    return state;
  }
  const value = el.value;
  if (type === 'password' || isDotted(place.style)) return state | keepBack(el, record, value);
  if (value) record.v = exactly(value, VALUE_LIMIT);
  if (type && el.list) readOptions(el.list.options, record);
  return state;
}

function readSelect(el, record) {
  const options = el.options;
  readOptions(options, record);
  if (el.multiple) {
    const chosen = Array.prototype.slice.call(el.selectedOptions, 0, OPTIONS_LIMIT);
    record.v = oneLine(chosen.map((option) => oneLine(option.label, TOKEN_LIMIT)).join(', '), VALUE_LIMIT);
    return FLAG.multiple;
  }
  const chosen = options[el.selectedIndex];
  if (chosen) record.v = oneLine(chosen.label, TOKEN_LIMIT);
  return 0;
}

function readOptions(options, record) {
  const count = options.length;
  const shown = [];
  for (let i = 0; i < count && i < OPTIONS_LIMIT; i += 1) shown.push(oneLine(options[i].label, TOKEN_LIMIT));
  if (shown.length) record.o = shown;
  if (count > shown.length) record.oc = count;
}

/// What the page itself shows as dots never leaves it.
function isDotted(style) {
  return read(style, '-webkit-text-security') !== 'none';
}

function isShownAsDots(el) {
  return isDotted(getComputedStyle(el));
}

const isEditableOf = getterOf(HTMLElement.prototype, 'isContentEditable');

/// Whether the words in an element may have been written by a person.
function isWrittenIn(el) {
  return isHtml(el) && (isEditableOf(el) || tagOf(el) === 'textarea');
}

const TYPED = new Set(['input', 'textarea']);
const SECRET_FIELDS_LIMIT = 50;
/// Fields of this look whose values stay in the page, wherever else in it they are repeated.
let secretFields = [];

/// To be called when a new look begins.
function forgetSecrets() {
  secretFields = [];
}

/// Tells of a secret only whether it is there.
function keepBack(el, record, value) {
  delete record.v;
  if (secretFields.length < SECRET_FIELDS_LIMIT && secretsIn(el).some((text) => text.length >= SECRET_MIN)) secretFields.push(el);
  return FLAG.secret | (value ? FLAG.filled : 0);
}

function secretsIn(el) {
  return TYPED.has(tagOf(el)) ? [el.value, el.defaultValue] : [textContentOf(el)];
}

/// Words of our own in a look: readers take them for what they are.
const OWN_WORDS = new Set(['s', 'k', 'm', 'fm']);
const ADDRESSES = new Set(['u', 'b']);
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]*(?=[/?#]|$)/i;

/// Takes secrets out of the strings of a look while it is written. Null where there are none: it costs.
function withoutSecrets(walk) {
  const mask = maskOf(secretFields.flatMap(secretsIn));
  if (mask === null) return null;
  const own = new Set([walk.groupKinds, ...walk.controlKinds.list]);
  return function told(key, value) {
    if (typeof value !== 'string' || OWN_WORDS.has(key) || own.has(this)) return value;
    // The purpose of a field, not the action of a form.
    if (key === 'a' && !('m' in this)) return value;
    const kept = ADDRESSES.has(key) ? ORIGIN.exec(value)?.[0] ?? '' : '';
    return kept + mask(value.slice(kept.length));
  };
}

/// Attributes that say what a field is, not what is in it.
const TELLING_ATTRIBUTES = new Set(['type', 'autocomplete', 'role']);

/// Reads attributes of an element without the secrets in them.
function attributeTeller(el) {
  const isSecret = isHtml(el) && (TYPED.has(tagOf(el)) ? !FACES.has(el.type) : isEditingHost(el)) && isShownAsDots(el);
  const mask = maskOf([...secretFields, ...isSecret ? [el] : []].flatMap(secretsIn));
  return (name) => {
    const value = attributeOf(el, name);
    if (isSecret && KEEPS_VALUE.has(name)) return MASK;
    return mask === null || TELLING_ATTRIBUTES.has(name) ? value : mask(value.slice(0, LINE_SOURCE_LIMIT));
  };
}
const KEEPS_VALUE = new Set(['value', 'aria-valuetext', 'aria-valuenow']);

const FIELDS = new Set(['input', 'select', 'textarea', 'button']);

/// Everything about a control but its place: the state and what few controls have.
function readControl(place, record, look) {
  const { el, tag } = place;
  let state = readAttributes(place, record);
  if (FIELDS.has(tag) && isHtml(el)) state |= readField(place, record, look.forms);
  else if (tag === 'summary') state |= (parentOf(el).open ? ON : OFF) << SWITCH.expanded;
  else if (place.markup & MARKUP.acts && isEditingHost(el)) {
    state |= FLAG.editable;
    const text = oneLine(shortTextOf(el), VALUE_LIMIT);
    if (isDotted(place.style)) state |= keepBack(el, record, text);
    else if (text) record.v = text;
  } else if (tag === 'label' && el.control) {
    const { type, checked } = el.control;
    if (type === 'checkbox' || type === 'radio') state |= (checked ? ON : OFF) << SWITCH.checked;
    if (el.control.disabled) state |= FLAG.disabled;
    if (isButton(el.control)) state |= readPressed(el.control, record, look.forms);
  }
  if (el === look.focused) state |= FLAG.focused;
  if (place.looks.mayBeInert && isInert(el)) state |= FLAG.disabled;
  return state;
}

/// The button that a label presses: it does what that does, whatever the label says.
function readPressed(button, record, forms) {
  record.lb = buttonRecord(button);
  const { form } = button;
  if (!form) return 0;
  record.f = formIndexOf(form, forms);
  return SUBMITS.has(button.type) ? FLAG.submits : 0;
}

/// Whether the page has switched off the part that an element is in, also from outside of its shadow tree.
function isInert(el) {
  let at = el;
  for (let steps = 0; steps < 20; steps += 1) {
    // A dialog that locks the rest of the page is not locked with it.
    const found = closestOf(at, '[inert],dialog:modal');
    if (found) return hasAttribute(found, 'inert');
    const root = rootOf(at);
    if (!(root instanceof ShadowRoot)) return false;
    at = hostOf(root);
  }
  return false;
}
const hostOf = getterOf(ShadowRoot.prototype, 'host');

/// Where a control is: its own box, or that of what stands in for it.
function placeOf(el, tag) {
  const rect = rectOf(el);
  if (rect.width >= SPECK && rect.height >= SPECK) return rect;
  if (tag === 'area') return areaRectOf(el) ?? rect;
  // An inline link around a floating picture has no height of its own.
  let child = firstChildOf(el);
  for (let steps = 0; child && steps < 5; steps += 1, child = nextSiblingOf(child)) {
    if (kindOf(child) !== ELEMENT) continue;
    const inner = rectOf(child);
    if (inner.width >= SPECK && inner.height >= SPECK) return inner;
  }
  return rect;
}

function areaRectOf(el) {
  const name = el.parentElement?.name;
  const image = name ? queryFirst(documentElementOf(document), `img[usemap="#${CSS.escape(name)}"]`) : null;
  if (!image) return null;
  const { x, y, width, height } = rectOf(image);
  const numbers = (attributeOf(el, 'coords') ?? '').slice(0, 400).split(',').map(Number);
  if (numbers.length < 4 || !numbers.every(Number.isFinite)) return new DOMRect(x, y, width, height);
  const xs = numbers.filter((_, i) => i % 2 === 0);
  const ys = numbers.filter((_, i) => i % 2 === 1);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return new DOMRect(x + left, y + top, Math.max(...xs) - left, Math.max(...ys) - top);
}

/// Inputs that pages hide to draw their own.
const STOOD_IN_FOR = new Set(['checkbox', 'radio', 'file', 'range']);

/// The label that a person sees in the place of an input that the page hides to draw its own.
function standInOf(el, tag) {
  if (tag !== 'input' || !STOOD_IN_FOR.has(el.type) || !isLaidOut(drawnParentOf(el))) return null;
  for (const label of labelsOf(el).slice(0, 3)) {
    const rect = stateOf(label).isSeen ? rectOf(label) : null;
    if (rect && rect.width >= SPECK && rect.height >= SPECK) return rect;
  }
  return null;
}

/// Whether labels stand in for such a control where the page hides it to draw its own.
function hasFaces(control) {
  return tagOf(control) === 'input' && STOOD_IN_FOR.has(control.type);
}

/// A label that is all there is of a control, because the part of the page around the control is not even laid out.
function isFaceOfUnboxed(label) {
  const { control } = label;
  return Boolean(control) && hasFaces(control) && !isShown(control) && !isLaidOut(drawnParentOf(control));
}

function isLaidOut(el) {
  return el === null || kindOf(el) !== ELEMENT || isShown(el) || read(getComputedStyle(el), 'display') === 'contents';
}

/// The largest of the boxes of what goes on in a further line: the middle of all of them may be beside each.
function largestPartOf(el, rect) {
  const parts = partsOf(el);
  if (parts.length < 2) return rect;
  let largest = parts[0];
  for (let i = 1; i < parts.length && i < PARTS_LIMIT; i += 1) {
    if (parts[i].width * parts[i].height > largest.width * largest.height) largest = parts[i];
  }
  return largest;
}
const partsOf = uncurried(Element.prototype.getClientRects);
const PARTS_LIMIT = 20;

/// Whether a press in the middle of what is in sight would go to something else.
function isCovered(el, box) {
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  const root = rootOf(el);
  const hit = elementAt(root, x, y);
  if (!hit || hit === el || containsNode(el, hit)) return false;
  const label = closestOf(hit, 'label');
  if (label && label.control === el) return false;
  if (tagOf(el) === 'area') return false;
  // What is slotted into it, or is its own host, is no stranger.
  let at = hit;
  for (let steps = 0; at && kindOf(at) === ELEMENT && steps < 100; steps += 1, at = drawnParentOf(at)) if (at === el) return false;
  return true;
}
const containsNode = uncurried(Node.prototype.contains);
const closestOf = uncurried(Element.prototype.closest);

/// Whether a control in a box is meant rather than the box: a link, which leads where the box would, or what fills most of it.
function isAround(box, control) {
  if (control === null || !isShown(control, VISIBLE_ONLY)) return false;
  if (tagOf(control) === 'a') return true;
  const [outer, inner] = [rectOf(box), rectOf(control)];
  return inner.width * inner.height * 3 >= outer.width * outer.height;
}
