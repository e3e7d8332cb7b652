// What is painted over texts, so that nobody sees them: opaque boxes that were taken from their places.

/// How many boxes are looked at, and how many texts are measured, at one look.
const COVERS_LIMIT = 300;
const MEASURED_LIMIT = 5000;
/// What a box needs to be opaque.
const SOLID = 0.95;
/// A box may be short of a text by this much: lines are higher than their letters.
const OVERHANG = 1;
/// What has a box painted as one, with all that is in it.
const LAYERED_BY = [
  ['transform', 'none'], ['translate', 'none'], ['rotate', 'none'], ['scale', 'none'], ['filter', 'none'], ['perspective', 'none'],
  ['clip-path', 'none'], ['mask-image', 'none'], ['mix-blend-mode', 'normal'], ['isolation', 'auto'], ['backdrop-filter', 'none'], ['opacity', '1'],
];
const LAYERED_BY_CONTAINMENT = /paint|strict|content|layout/;
const LAYERED_IN_ADVANCE = /transform|opacity|filter|perspective|position|z-index/;

/// Tells whether one of these elements leaves nothing to see of a text in an element. Null if none ever does.
function hiderOf(elements) {
  const covers = [];
  for (const el of elements) {
    const box = rectOf(el);
    if (box.width < SMALLEST_BACKDROP.width || box.height < SMALLEST_BACKDROP.height || stays(el, box)) continue;
    covers.push({ el, box, painted: undefined });
  }
  if (covers.length === 0) return null;
  return (node, el) => {
    RANGE.selectNodeContents(node);
    const rect = RANGE.getBoundingClientRect();
    return covers.some((cover) => isAllWithin(rect, cover.box) && !containsNode(cover.el, el) &&
      isAllWithin(rect, cover.painted ??= paintedSolidly(cover)) && isPaintedOver(cover.el, el));
  };
}

function isAllWithin(rect, box) {
  return rect.width > 0 && box.left <= rect.left + OVERHANG && box.right >= rect.right - OVERHANG &&
    box.top <= rect.top + OVERHANG && box.bottom >= rect.bottom - OVERHANG;
}

/// Whether the page can be scrolled from under an element: what it hides can be brought into sight, unless it fills the window.
function stays(el, { left, top, right, bottom }) {
  if (left <= 0 && top <= 0 && right >= innerWidth && bottom >= innerHeight) return false;
  for (let at = el; at !== null && kindOf(at) === ELEMENT; at = drawnParentOf(at)) {
    const { position } = stateOf(at);
    if (position === 'fixed' || position === 'sticky') return true;
  }
  return false;
}

/// Where nothing behind a cover shines through. Of pictures nobody can tell.
function paintedSolidly({ el, box }) {
  const state = stateOf(el);
  const style = getComputedStyle(el);
  const isWhole = state.isSeen && state.opacity >= SOLID && read(style, 'background-clip') === 'border-box' &&
    (colourOf(read(style, 'background-color')).alpha >= SOLID || isSolidGradient(read(style, 'background-image')));
  return isWhole ? cutOff(el, box) : NOWHERE;
}

function isSolidGradient(image) {
  if (!/^[a-z-]*gradient\(/.test(image)) return false;
  const colours = image.match(/[a-z]+\([^()]*\)/g) ?? [];
  return colours.length > 0 && colours.every((colour) => colourOf(colour).alpha >= SOLID);
}

/// What all that is around an element leaves of its box, or less: what holds it in place may be further out than what cuts off.
function cutOff(el, box) {
  let left = box;
  for (let at = el; at !== null && kindOf(at) === ELEMENT && tagOf(at) !== 'body'; at = drawnParentOf(at)) {
    const style = getComputedStyle(at);
    if (read(style, 'clip-path') !== 'none' || read(style, 'mask-image') !== 'none' || read(style, 'mix-blend-mode') !== 'normal' || read(style, 'clip') !== 'auto') return NOWHERE;
    const isOpen = read(style, 'overflow-x') === 'visible' && read(style, 'overflow-y') === 'visible' && !LAYERED_BY_CONTAINMENT.test(read(style, 'contain'));
    if (at !== el && !isOpen) left = intersection(left, rectOf(at));
  }
  return left;
}

/// Whether a box is painted after the words of an element that is not in it: the layers that both are in say nothing, what comes
/// after them decides. Where nobody can tell it is not.
function isPaintedOver(cover, el) {
  const [over, under] = [layersOf(cover), layersOf(el)];
  let shared = 0;
  while (shared < over.length && shared < under.length && over[shared].el === under[shared].el) shared += 1;
  const [one, other] = [decisive(over, shared), decisive(under, shared)];
  if (one === null) return false;
  if (other === null) return one.z >= 0;
  return one.z === other.z ? comesAfter(one.el, other.el) : one.z > other.z;
}

/// The layer by which something is painted among others: the outermost that holds all that is in it together, else the innermost.
function decisive(layers, from) {
  for (let i = from; i < layers.length; i += 1) if (layers[i].isWhole) return layers[i];
  return layers.length > from ? layers[layers.length - 1] : null;
}

/// The layers that an element is in, outermost first.
function layersOf(el) {
  const layers = [];
  for (let at = el; at !== null && kindOf(at) === ELEMENT; at = drawnParentOf(at)) {
    const layer = layerOf(at);
    if (layer !== null) layers.push(layer);
  }
  return layers.reverse();
}

/// The layer that an element makes, if it makes one.
function layerOf(el) {
  if (matches(el, ON_TOP)) return { el, z: Infinity, isWhole: true };
  const style = getComputedStyle(el);
  const position = read(style, 'position');
  const order = read(style, 'z-index');
  const isPositioned = position !== 'static';
  if (order !== 'auto' && (isPositioned || isFlexible(drawnParentOf(el)))) return { el, z: Number(order), isWhole: true };
  const isWhole = position === 'fixed' || position === 'sticky' || LAYERED_BY.some(([property, none]) => read(style, property) !== none) ||
    LAYERED_BY_CONTAINMENT.test(read(style, 'contain')) || LAYERED_IN_ADVANCE.test(read(style, 'will-change'));
  return isWhole || isPositioned ? { el, z: 0, isWhole } : null;
}

function isFlexible(parent) {
  return parent !== null && kindOf(parent) === ELEMENT && /flex|grid/.test(read(getComputedStyle(parent), 'display'));
}

/// Nobody can tell for elements of different trees.
function comesAfter(el, other) {
  const order = orderOf(other, el);
  return (order & Node.DOCUMENT_POSITION_DISCONNECTED) === 0 && (order & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
const orderOf = uncurried(Node.prototype.compareDocumentPosition);
