// Reads the DOM through its own prototypes: a form whose fields are called `parentNode` can't answer in its place.

const ATTRIBUTE_LIMIT = 4000;
const HTML_SPACE = /[\t\n\f\r ]+/g;
/// The same without what is a single space anyway.
const UNTIDY_SPACE = /[\t\n\f\r ]{2,}|[\t\n\f\r]/g;

const uncurried = (method) => Function.prototype.call.bind(method);
const getterOf = (prototype, key) => uncurried(Object.getOwnPropertyDescriptor(prototype, key).get);

const attributeOf = uncurried(Element.prototype.getAttribute);
const attributeNamesOf = uncurried(Element.prototype.getAttributeNames);
const hasAttributes = uncurried(Element.prototype.hasAttributes);
const hasAttribute = uncurried(Element.prototype.hasAttribute);
const tagOf = getterOf(Element.prototype, 'localName');
const kindOf = getterOf(Node.prototype, 'nodeType');
const firstChildOf = getterOf(Node.prototype, 'firstChild');
const nextSiblingOf = getterOf(Node.prototype, 'nextSibling');
const firstElementOf = getterOf(Element.prototype, 'firstElementChild');
const nextElementOf = getterOf(Element.prototype, 'nextElementSibling');
const parentOf = getterOf(Node.prototype, 'parentNode');
const rootOf = uncurried(Node.prototype.getRootNode);
const openRootOf = getterOf(Element.prototype, 'shadowRoot');
/// Closed shadow roots that the browser showed us, by their hosts.
const closedRoots = new WeakMap();
let hasClosedRoots = false;
const shadowOf = (el) => openRootOf(el) ?? (hasClosedRoots ? closedRoots.get(el) ?? null : null);
const slotOf = getterOf(Element.prototype, 'assignedSlot');
const textOf = getterOf(CharacterData.prototype, 'data');
const isShown = uncurried(Element.prototype.checkVisibility);
const matches = uncurried(Element.prototype.matches);

const textContentOf = getterOf(Node.prototype, 'textContent');
const queryAll = uncurried(Element.prototype.querySelectorAll);
const baseOf = getterOf(Node.prototype, 'baseURI');
const readyStateOf = getterOf(Document.prototype, 'readyState');
const documentElementOf = getterOf(Document.prototype, 'documentElement');
const activeElementOf = getterOf(Document.prototype, 'activeElement');
const titleOfDocument = getterOf(Document.prototype, 'title');
const byIdInDocument = uncurried(Document.prototype.getElementById);
const byIdInFragment = uncurried(DocumentFragment.prototype.getElementById);
const atPointInDocument = uncurried(Document.prototype.elementFromPoint);
const atPointInShadow = uncurried(ShadowRoot.prototype.elementFromPoint);
const newRange = uncurried(Document.prototype.createRange);
const newTreeWalker = uncurried(Document.prototype.createTreeWalker);

const ELEMENT = 1;
const TEXT = 3;

/// The nodes that the last look went through. What script has met of a page it forgets with the rest of its garbage, and to meet
/// it anew at the next look is dear.
let held = [];
let heldBefore = [];
const HELD_LIMIT = 50000;

function hold(node) {
  if (held.length < HELD_LIMIT) held.push(node);
}

/// To be called when a new look begins.
function forgetHeld() {
  heldBefore = held;
  held = [];
}

/// An attribute that goes into a name, cut before anything reads through it.
function textAttribute(el, name) {
  const value = attributeOf(el, name);
  return value !== null && value.length > ATTRIBUTE_LIMIT ? value.slice(0, ATTRIBUTE_LIMIT) : value;
}

function isHtml(el) {
  return el instanceof HTMLElement;
}

/// The parent in the tree as it is drawn: slots and shadow roots counted in.
function drawnParentOf(el) {
  const slot = slotOf(el);
  if (slot) return slot;
  const parent = parentOf(el);
  return parent instanceof ShadowRoot ? parent.host : parent;
}

/// The children in the tree as it is drawn.
function drawnChildrenOf(el) {
  const root = shadowOf(el);
  if (root) return firstChildOf(root);
  if (tagOf(el) === 'slot' && isHtml(el)) {
    const assigned = el.assignedNodes();
    if (assigned.length) return assigned;
  }
  return firstChildOf(el);
}

/// The next element in the order of the document that is inside `within`.
function elementAfter(el, within) {
  const first = firstElementOf(el);
  if (first !== null) return first;
  for (let at = el; at !== within && at !== null; at = parentOf(at)) {
    const next = nextElementOf(at);
    if (next !== null) return next;
  }
  return null;
}

/// Walks up the drawn tree, a bounded way, until `decide` answers with something.
function findAbove(el, decide) {
  let at = drawnParentOf(el);
  for (let steps = 0; at && kindOf(at) === ELEMENT && steps < 60; steps += 1) {
    const found = decide(at);
    if (found !== undefined) return found;
    at = drawnParentOf(at);
  }
  return undefined;
}

function isEditingHost(el) {
  const value = attributeOf(el, 'contenteditable');
  if (value === null || !isHtml(el)) return false;
  const mode = value.slice(0, 20).toLowerCase();
  return mode === '' || mode === 'true' || mode === 'plaintext-only';
}

/// Whether the keyboard can reach it, as far as markup tells.
function isFocusable(el) {
  const tabindex = attributeOf(el, 'tabindex');
  if (tabindex !== null && /^[\t\n\f\r ]*[-+]?[0-9]/.test(tabindex.slice(0, 40))) return true;
  switch (tagOf(el)) {
    case 'a':
    case 'area':
      return hasAttribute(el, 'href') || hasAttribute(el, 'xlink:href');
    case 'button':
    case 'input':
    case 'select':
    case 'textarea':
      return isHtml(el) && !matches(el, ':disabled');
    case 'summary':
      return isSummaryOfDetails(el);
    case 'iframe':
      return true;
    case 'audio':
    case 'video':
      return hasAttribute(el, 'controls');
    default:
      return isEditingHost(el);
  }
}

function isSummaryOfDetails(el) {
  const parent = parentOf(el);
  if (!(parent instanceof HTMLDetailsElement)) return false;
  for (let child = firstChildOf(parent); child; child = nextSiblingOf(child)) {
    if (kindOf(child) === ELEMENT && tagOf(child) === 'summary') return child === el;
  }
  return false;
}

/// The element of this id in the same tree.
function elementById(root, id) {
  if (root instanceof Document) return byIdInDocument(root, id);
  return root instanceof DocumentFragment ? byIdInFragment(root, id) : null;
}

/// What a press at this point of the viewport would meet, as seen from one tree.
function elementAt(root, x, y) {
  return root instanceof ShadowRoot ? atPointInShadow(root, x, y) : atPointInDocument(document, x, y);
}

/// The innermost element that keys go to.
function focusedElement() {
  let at = activeElementOf(document);
  for (let steps = 0; at && steps < 20; steps += 1) {
    const inner = shadowOf(at)?.activeElement;
    if (!inner) break;
    at = inner;
  }
  return at;
}
