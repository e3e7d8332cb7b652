// The record of one thing that can be acted on.

const VALUE_LIMIT = 400;
const HREF_LIMIT = 500;
const TOKEN_LIMIT = 80;
const OPTIONS_LIMIT = 20;
const ATTRIBUTES_LIMIT = 60;



const FLAG = {
  visible: 1, inViewport: 1 << 1, disabled: 1 << 2, required: 1 << 3, invalid: 1 << 4, readonly: 1 << 5, focused: 1 << 6,
  covered: 1 << 7, secret: 1 << 16, multiple: 1 << 17, editable: 1 << 18, filled: 1 << 19, submits: 1 << 20, clickableOnly: 1 << 21,
  ariaHidden: 1 << 22, current: 1 << 23, popup: 1 << 24,
};
const SWITCH = { checked: 8, pressed: 10, selected: 12, expanded: 14 };
const OFF = 1;
const ON = 2;
const MIXED = 3;
const TRISTATE = new Map([['false', OFF], ['true', ON], ['mixed', MIXED]]);

/// Inputs whose value is their face, or no text at all.
const FACES = new Set(['button', 'submit', 'reset', 'image', 'checkbox', 'radio']);
const SUBMITS = new Set(['submit', 'image']);

/// What the attributes of a control say: the packed state, and what few controls have.
function readAttributes({ el, names }, record) {
  let state = 0;
  const toggle = (kind, value) => {
    state |= (TRISTATE.get(value) ?? 0) << kind;
  };
  for (let i = 0; i < names.length && i < ATTRIBUTES_LIMIT; i += 1) {
    const name = names[i];
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
      case 'aria-describedby': case 'aria-errormessage': describe(el, name, record); break;
      case 'aria-disabled': if (attributeOf(el, name) === 'true') state |= FLAG.disabled; break;
      case 'aria-required': if (attributeOf(el, name) === 'true') state |= FLAG.required; break;
      case 'aria-readonly': if (attributeOf(el, name) === 'true') state |= FLAG.readonly; break;
      case 'aria-multiselectable': if (attributeOf(el, name) === 'true') state |= FLAG.multiple; break;
      case 'aria-invalid': if (!['', 'false'].includes(attributeOf(el, name))) state |= FLAG.invalid; break;
      case 'aria-current': if (!['', 'false'].includes(attributeOf(el, name))) state |= FLAG.current; break;
      case 'aria-haspopup': if (!['', 'false'].includes(attributeOf(el, name))) state |= FLAG.popup; break;
      case 'aria-checked': toggle(SWITCH.checked, attributeOf(el, name)); break;
      case 'aria-pressed': toggle(SWITCH.pressed, attributeOf(el, name)); break;
      case 'aria-selected': toggle(SWITCH.selected, attributeOf(el, name)); break;
      case 'aria-expanded': toggle(SWITCH.expanded, attributeOf(el, name)); break;
      case 'aria-valuetext': record.v = oneLine(attributeOf(el, name), VALUE_LIMIT); break;
      case 'aria-valuenow': record.v ??= tokenOf(el, name); break;
    }
  }
  return state;
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

/// The text in an element, as far as it is needed: a page may have megabytes of it.
function shortTextOf(el) {
  const walker = newTreeWalker(document, el, NodeFilter.SHOW_TEXT);
  let text = '';
  for (let steps = 0; steps < 50 && text.length < 400 && walker.nextNode(); steps += 1) {
    text += ` ${walker.currentNode.substringData(0, 400)}`;
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
  // What the page itself shows as dots never leaves it.
  const value = el.value;
  if (type === 'password' || read(place.style, '-webkit-text-security') !== 'none') {
    return state | FLAG.secret | (value ? FLAG.filled : 0);
  }
  if (value) record.v = exactly(value, VALUE_LIMIT);
  if (type && el.list) readOptions(el.list.options, record);
  return state;
}

function readSelect(el, record) {
  const options = el.options;
  readOptions(options, record);
  if (el.multiple) {
    const chosen = Array.prototype.slice.call(el.selectedOptions, 0, OPTIONS_LIMIT);
    record.v = oneLine(chosen.map((option) => option.label.slice(0, TOKEN_LIMIT)).join(', '), VALUE_LIMIT);
    return FLAG.multiple;
  }
  const chosen = options[el.selectedIndex];
  if (chosen) record.v = oneLine(chosen.label.slice(0, VALUE_LIMIT), TOKEN_LIMIT);
  return 0;
}

function readOptions(options, record) {
  const count = options.length;
  const shown = [];
  for (let i = 0; i < count && i < OPTIONS_LIMIT; i += 1) shown.push(oneLine(options[i].label.slice(0, VALUE_LIMIT), TOKEN_LIMIT));
  if (shown.length) record.o = shown;
  if (count > shown.length) record.oc = count;
}

const FIELDS = new Set(['input', 'select', 'textarea', 'button']);

/// Everything about a control but its place: the state and what few controls have.
function readControl(place, record, look) {
  const { el, tag } = place;
  let state = readAttributes(place, record);
  if (FIELDS.has(tag) && isHtml(el)) state |= readField(place, record, look.forms);
  else if (tag === 'summary') state |= (parentOf(el).open ? ON : OFF) << SWITCH.expanded;
  else if (isEditingHost(el)) {
    state |= FLAG.editable;
    const text = oneLine(shortTextOf(el), VALUE_LIMIT);
    if (read(place.style, '-webkit-text-security') !== 'none') state |= FLAG.secret | (text ? FLAG.filled : 0);
    else if (text) record.v = text;
  } else if (tag === 'label' && el.control) {
    const { type, checked } = el.control;
    if (type === 'checkbox' || type === 'radio') state |= (checked ? ON : OFF) << SWITCH.checked;
    if (el.control.disabled) state |= FLAG.disabled;
  }
  if (el === look.focused) state |= FLAG.focused;
  return state;
}

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
    const rect = isShown(label, { visibilityProperty: true, opacityProperty: true }) ? rectOf(label) : null;
    if (rect && rect.width >= SPECK && rect.height >= SPECK) return rect;
  }
  return null;
}

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
