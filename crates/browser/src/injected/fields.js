// What form fields are, what is in them, and where keys go: asked before something is written and after it.

const TEXT_TYPES = new Set(['text', 'search', 'email', 'tel', 'url', 'number', 'password']);
/// Inputs that the browser draws in parts, each of which takes keys of its own.
const DATED_TYPES = new Set(['date', 'time', 'datetime-local', 'month', 'week']);
const TICKED_ROLES = new Set(['checkbox', 'switch', 'menuitemcheckbox', 'radio', 'menuitemradio']);
const RADIO_ROLES = new Set(['radio', 'menuitemradio']);
const EVERY_MINUTE = 60;

const giveFocus = uncurried(HTMLElement.prototype.focus);
const giveFocusForeign = uncurried(SVGElement.prototype.focus);
const send = uncurried(EventTarget.prototype.dispatchEvent);
const newElement = uncurried(Document.prototype.createElement);
const selectionOf = uncurried(Document.prototype.getSelection);
const selectionIn = uncurried(ShadowRoot.prototype.getSelection ?? (() => null));
const setInputValue = uncurried(Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set);

/// The field that an element is, or that it is the label of.
function fieldBehind(el) {
  return tagOf(el) === 'label' && isHtml(el) ? el.control ?? el : el;
}

/// What kind of field an element is, and what goes with that kind.
function field(labelled) {
  const el = fieldBehind(labelled);
  const tag = tagOf(el);
  const role = roleOf(el);
  const told = { kind: 'other', type: '', isMultiple: false, isOff: isSwitchedOff(el), isEditable: false, isList: role === 'listbox' || role === 'combobox' };
  if (el instanceof HTMLSelectElement) return { ...told, kind: 'select', isMultiple: el.multiple, isDrawnOpen: el.multiple || el.size > 1 };
  if (el instanceof HTMLTextAreaElement) return { ...told, kind: 'text', type: 'textarea', isEditable: !el.readOnly };
  if (el instanceof HTMLInputElement) {
    const { type } = el;
    if (type === 'checkbox' || type === 'radio') return { ...told, kind: type, type };
    if (type === 'file') return { ...told, kind: 'file', type, isMultiple: el.multiple };
    if (type === 'range' || type === 'color') return { ...told, kind: type, type };
    if (DATED_TYPES.has(type)) return { ...told, kind: 'dated', type };
    if (TEXT_TYPES.has(type)) return { ...told, kind: 'text', type, isEditable: !el.readOnly, hasSuggestions: Boolean(el.list), isList: role === 'combobox' && !el.list };
    return { ...told, type };
  }
  if (isHtml(el) && isEditableOf(el)) return { ...told, kind: 'rich', isEditable: true, isNested: editingRootOf(el) !== el };
  if (TICKED_ROLES.has(role)) return { ...told, kind: RADIO_ROLES.has(role) ? 'radio' : 'checkbox', type: role };
  if (tag === 'button' || role === 'button') {
    return hasAttribute(el, 'aria-pressed') ? { ...told, kind: 'checkbox', type: 'button' } : told;
  }
  return told;
}

/// The outermost element that is written in together with this one: keys go to it.
function editingRootOf(el) {
  let root = el;
  for (let at = el, steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = parentOf(at)) {
    if (!isHtml(at) || !isEditableOf(at)) break;
    root = at;
  }
  return root;
}

/// Whether something is ticked: `on`, `off` or `mixed`.
function tickOf(labelled) {
  const el = fieldBehind(labelled);
  if (el instanceof HTMLInputElement) return el.indeterminate ? 'mixed' : el.checked ? 'on' : 'off';
  const said = attributeOf(el, 'aria-checked') ?? attributeOf(el, 'aria-pressed');
  return said === 'true' ? 'on' : said === 'mixed' ? 'mixed' : 'off';
}

/// How something is ticked as soon as it is as wanted, or when time is up.
async function awaitTick(el, { wanted, milliseconds }) {
  const deadline = performance.now() + milliseconds;
  while (tickOf(el) !== wanted && performance.now() < deadline) await nextFrame(deadline);
  return tickOf(el);
}

/// Brings keys to an element, and the caret to where it is wanted: over all (`all`), behind all (`end`), or left (`none`).
async function bringKeys(labelled, { caret: wanted }) {
  witnessing.goesOn();
  const el = fieldBehind(labelled);
  const isPart = isHtml(el) && isEditableOf(el) && editingRootOf(el) !== el;
  const before = focusedElement();
  if (!hasKeys(el)) {
    if (isHtml(el)) giveFocus(isPart ? editingRootOf(el) : el, { preventScroll: true });
    else if (el instanceof SVGElement) giveFocusForeign(el, { preventScroll: true });
  }
  if (!hasKeys(el)) return { hasKeys: false, isEmpty: false, by: thiefOfKeys(before) };
  // In a part of an editor there are no keys without a caret.
  const caret = wanted === 'none' && isPart && !isCaretIn(el) ? 'end' : wanted;
  if (caret !== 'none') putCaret(el, caret);
  // Editors learn of a new selection only with the next frame.
  if (caret !== 'none' && !isTyped(el)) await nextFrame();
  const isHeld = hasKeys(el);
  return { hasKeys: isHeld, isEmpty: isEmpty(el), by: isHeld ? null : thiefOfKeys(before) };
}

/// What the page gave the keys to instead, if it did.
function thiefOfKeys(before) {
  const focused = focusedElement();
  if (focused === null || focused === before || ['body', 'html'].includes(tagOf(focused))) return null;
  forgetAll();
  return wordsFor(focused);
}

function isTyped(el) {
  return el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
}

/// Whether keys go to an element: to itself, into it, or, where it is a part of what is written in, to all of that.
function hasKeys(el) {
  const focused = focusedElement();
  if (focused === null) return false;
  if (focused === el || isAbove(el, focused)) return true;
  return isHtml(el) && isEditableOf(el) && focused === editingRootOf(el);
}

function putCaret(el, caret) {
  if (isTyped(el)) {
    if (caret === 'all') return el.select();
    // Some kinds of input have no caret that script may move; a key does it for them.
    try {
      el.setSelectionRange(el.value.length, el.value.length);
    } catch {
      return undefined;
    }
    return undefined;
  }
  if (!isHtml(el) || !isEditableOf(el)) return undefined;
  const selection = selectionAround(el);
  if (caret === 'all') selection.setBaseAndExtent(el, 0, el, el.childNodes.length);
  else selection.setPosition(el, el.childNodes.length);
  return undefined;
}

function selectionAround(el) {
  const root = rootOf(el);
  return (root instanceof ShadowRoot ? selectionIn(root) : null) ?? selectionOf(document);
}

/// Whether what is written goes into an element, as far as the caret decides.
function isCaretIn(el) {
  const { anchorNode, focusNode } = selectionAround(el);
  return anchorNode !== null && focusNode !== null && containsNode(el, anchorNode) && containsNode(el, focusNode);
}

function isEmpty(el) {
  if (isTyped(el)) return el.value === '' && !el.validity.badInput;
  return isHtml(el) && isEditableOf(el) ? writtenIn(el) === '' : false;
}

/// What is written in an editor, without the line that the browser leaves at its end.
function writtenIn(el) {
  return el.innerText.replaceAll('\u00a0', ' ').replace(/\n+$/, '');
}

/// Whether a field holds just this; what it holds does not leave the page.
function holds(labelled, { value }) {
  const el = fieldBehind(labelled);
  const plain = value.replace(/\r\n?/g, '\n');
  const isSame = isTyped(el) ? el.value === plain : writtenIn(el) === plain.replaceAll('\u00a0', ' ');
  return { isSame, isEmpty: isEmpty(el) };
}

/// Whether a value has the form that an input takes, and what of it the input would hold.
function inputTakes(el, { value }) {
  const probe = newElement(document, 'input');
  probe.type = el.type;
  for (const name of ['min', 'max', 'step']) if (hasAttribute(el, name) && el.type === 'range') probe.setAttribute(name, attributeOf(el, name));
  setInputValue(probe, value);
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value));
  const taken = el.type === 'range' ? isNumber && Number(probe.value) === Number(value) : probe.value !== '';
  return { isTaken: el.type === 'color' ? /^#[0-9a-f]{6}$/i.test(value) : taken, value: exactly(probe.value, TOKEN_LIMIT) };
}

/// How a slider stands, and how far a key moves it.
function sliderOf(el) {
  const number = (name, usual) => {
    const value = Number.parseFloat(attributeOf(el, name) ?? '');
    return Number.isFinite(value) ? value : usual;
  };
  const min = number('min', 0);
  const isFree = (attributeOf(el, 'step') ?? '').toLowerCase() === 'any';
  return { value: Number(el.value), min, max: Math.max(min, number('max', 100)), step: isFree ? 0 : Math.max(number('step', 1), 0) || 1 };
}

/// The parts that an input for dates or times is drawn in, in their order: the browser's own language decides.
function partsOfDated(el) {
  const { type } = el;
  const day = ['date', 'datetime-local'].includes(type) ? { year: 'numeric', month: '2-digit', day: '2-digit' } : {};
  const time = ['time', 'datetime-local'].includes(type) ? { hour: '2-digit', minute: '2-digit' } : {};
  const order = (options) => new Intl.DateTimeFormat(undefined, options).formatToParts(new Date(2000, 0, 1)).map((part) => part.type);
  const names = ['year', 'month', 'day', 'hour', 'minute', 'dayPeriod'];
  if (type === 'week') return { parts: ['week', 'year'], months: [] };
  if (type === 'month') {
    const month = new Intl.DateTimeFormat(undefined, { month: 'long' });
    const months = Array.from({ length: 12 }, (_, i) => month.format(new Date(2000, i, 1)));
    return { parts: order({ year: 'numeric', month: 'long' }).filter((part) => names.includes(part)), months };
  }
  const parts = [];
  if (day.year) parts.push(...order(day).filter((part) => names.includes(part)));
  if (time.hour) {
    for (const part of order(time).filter((one) => names.includes(one))) {
      parts.push(part);
      if (part === 'minute') parts.push(...finePartsOf(el));
    }
  }
  return { parts, months: [] };
}

/// Seconds are drawn only where the steps or the value have any.
function finePartsOf(el) {
  const step = Number.parseFloat(attributeOf(el, 'step') ?? '');
  const [, seconds = 0] = /:\d\d:(\d\d(?:\.\d+)?)$/.exec(el.value) ?? [];
  const steps = Number.isFinite(step) && step > 0 ? step : EVERY_MINUTE;
  const hasThousandths = !Number.isInteger(steps) || !Number.isInteger(Number(seconds));
  if (hasThousandths) return ['second', 'thousandth'];
  return steps % EVERY_MINUTE !== 0 || Number(seconds) !== 0 ? ['second'] : [];
}

/// Writes a value without a hand: for what takes no keys. The page hears of it as if it had been chosen.
function writeByScript(el, { value }) {
  witnessing.goesOn();
  setInputValue(el, value);
  send(el, new Event('input', { bubbles: true, composed: true }));
  send(el, new Event('change', { bubbles: true }));
  return true;
}

/// What fields held when they were noted: it stays here.
const noted = new WeakMap();

function stateOfField(labelled) {
  const el = fieldBehind(labelled);
  if (el instanceof HTMLSelectElement) return Array.prototype.map.call(el.selectedOptions, (option) => option.index).join();
  if (el instanceof HTMLInputElement && (el.type === 'checkbox' || el.type === 'radio')) return tickOf(el);
  if (isTyped(el)) return el.value;
  return `${tickOf(el)} ${textContentOf(el)}`;
}

function noteField(el) {
  noted.set(el, stateOfField(el));
  return true;
}

const isFieldChanged = (el) => noted.get(el) !== stateOfField(el);
const hasKeysNow = (el) => hasKeys(fieldBehind(el));
const isOff = (el) => isSwitchedOff(fieldBehind(el));

/// The field itself, for the browser.
function fieldHeld(epoch, index) {
  const { el } = resolve(epoch, index);
  return el === undefined ? null : fieldBehind(el);
}

const fieldTools = {
  noteField, isFieldChanged, hasKeysNow, isOff, fieldHeld,
   field, tickOf, awaitTick, bringKeys, holds, inputTakes, sliderOf, partsOfDated, writeByScript,
};
