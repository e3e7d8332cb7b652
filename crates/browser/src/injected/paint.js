// What a person could see: judged by what is painted, not by the names of classes.

const rectOf = uncurried(Element.prototype.getBoundingClientRect);

/// Less than this is nothing to see: the usual way to hide text from eyes leaves a pixel of it.
const SPECK = 2;
/// An area is open if all that is in it and was not moved there can be brought into sight.
const NOWHERE = { isOpen: false, left: 0, top: 0, right: 0, bottom: 0 };
const NO_BOUNDS = { reach: NOWHERE, sight: NOWHERE };
const scrollLeftOf = getterOf(Element.prototype, 'scrollLeft');
const scrollTopOf = getterOf(Element.prototype, 'scrollTop');
const scrollWidthOf = getterOf(Element.prototype, 'scrollWidth');
const scrollHeightOf = getterOf(Element.prototype, 'scrollHeight');
const clientWidthOf = getterOf(Element.prototype, 'clientWidth');
const clientHeightOf = getterOf(Element.prototype, 'clientHeight');

function intersection(a, b) {
  return {
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  };
}

/// Whether enough of a box lies within another to be seen.
function meets(rect, clip) {
  return Math.min(rect.right, clip.right) - Math.max(rect.left, clip.left) >= SPECK &&
    Math.min(rect.bottom, clip.bottom) - Math.max(rect.top, clip.top) >= SPECK;
}

/// Whether a box is all within another, also if it reaches further to its sides.
function isWithin(rect, clip, further) {
  return rect.left - further >= clip.left && rect.right + further <= clip.right && rect.top >= clip.top && rect.bottom <= clip.bottom &&
    rect.width >= SPECK && rect.height >= SPECK;
}

/// The area that scrolling can bring into sight, in the coordinates of the viewport.
function reachableArea() {
  const root = documentElementOf(document);
  if (!root) return NOWHERE;
  const width = isCutAcross(root) ? innerWidth : Math.max(root.scrollWidth, innerWidth);
  const height = Math.max(root.scrollHeight, innerHeight);
  const backwards = isTurned(getComputedStyle(root)) ? width - innerWidth : 0;
  const left = -scrollX - backwards;
  const top = -scrollY;
  return { left, top, right: left + width + 1, bottom: top + height + 1, isOpen: true };
}

/// Whether a page lets nothing be scrolled to the side: menus wait there to be drawn in.
function isCutAcross(root) {
  const own = read(getComputedStyle(root), 'overflow-x');
  const { body } = document;
  const overflow = own === 'visible' && body instanceof HTMLBodyElement ? read(getComputedStyle(body), 'overflow-x') : own;
  return overflow === 'hidden' || overflow === 'clip';
}

/// The area that scrolling a container can bring into its box.
function scrollableArea(el, rect, style) {
  const width = scrollWidthOf(el);
  const height = scrollHeightOf(el);
  const flow = read(style, 'flex-direction');
  const isRow = flow === 'row' || flow === 'row-reverse';
  const isReversed = flow.endsWith('reverse') && read(style, 'display').endsWith('flex');
  const isBackwards = isTurned(style) !== (isReversed && isRow);
  const left = rect.left - scrollLeftOf(el) - (isBackwards ? width - clientWidthOf(el) : 0);
  const top = rect.top - scrollTopOf(el) - (isReversed && !isRow ? height - clientHeightOf(el) : 0);
  return { left, top, right: Math.max(left + width, rect.right), bottom: Math.max(top + height, rect.bottom) };
}

/// Whether it begins at the right: by direction, or by columns that go from right to left.
function isTurned(style) {
  return read(style, 'direction') === 'rtl' || /^(?:vertical|sideways)-rl$/.test(read(style, 'writing-mode'));
}

/// Whether one of the usual ways to hide something from eyes alone leaves nothing of a positioned box.
function isClippedAway(style) {
  const clip = read(style, 'clip');
  if (clip !== 'auto' && clip !== '') {
    const [top, right, bottom, left] = (clip.match(/-?[\d.]+/g) ?? []).map(Number);
    if (left !== undefined && (right - left < SPECK || bottom - top < SPECK)) return true;
  }
  return false;
}

/// Style is read by name: the properties of a style object are twice as slow.
const read = uncurried(CSSStyleDeclaration.prototype.getPropertyValue);

/// An element on the way of the walk, with what is known of how it is painted. Whatever costs is asked when it is needed.
class Place {
  constructor() {
    this.begin(null, '', null);
  }

  /// Places are used again and again: there is one for each level of the page.
  begin(el, tag, above) {
    this.el = el;
    this.names = NO_NAMES;
    this.markup = 0;
    this.tag = tag;
    this.above = above;
    this.depth = above === null ? 0 : above.depth + 1;
    this.isMute = above !== null && above.isMute;
    this.isWhole = false;
    this.isFolded = false;
    this.isInControl = above !== null && above.isInControl;
    this.isInline = false;
    this.kind = null;
    this.control = null;
    this.ownRef = 0;
    this.start = 0;
    this.next = null;
    this.list = null;
    this.at = 0;
    this.ownStyle = null;
    this.state = null;
    this.looks = null;
    /// Whether what is in it may belong to another tree.
    this.isBorder = false;
    this.shown = undefined;
    this.viewport = above === null ? null : above.viewport;
    this.ownBounds = null;
    this.ownInside = null;
    this.ownFree = null;
    this.astray = above === null ? false : null;
  }

  get style() {
    return this.ownStyle ??= getComputedStyle(this.el);
  }

  /// Where it can be brought into sight, by scrolling if need be.
  get reach() {
    return this.bounds.reach;
  }

  /// Where it is in sight now.
  get sight() {
    return this.bounds.sight;
  }

  /// Whether what is in it may be out of its reach, because it or something above it was moved there: each text is asked itself.
  get isAstray() {
    const unknown = [];
    for (let at = this; at.astray === null; at = at.above) unknown.push(at);
    while (unknown.length) {
      const at = unknown.pop();
      at.astray = at.above.astray || (at.state.isMoved && !isWithin(rectOf(at.el), at.reach, at.state.indent));
    }
    return this.astray;
  }

  /// Both for itself.
  get bounds() {
    if (this.ownBounds === null) this.findBounds();
    return this.ownBounds;
  }

  /// Both for what is in it.
  get inside() {
    if (this.ownBounds === null) this.findBounds();
    return this.ownInside;
  }

  /// Both for what is positioned in it.
  get free() {
    if (this.ownBounds === null) this.findBounds();
    return this.ownFree;
  }

  /// Both for what is fixed in it.
  get window() {
    let at = this;
    while (at.above !== null && !at.state.holdsFixed) at = at.above;
    return at.above === null ? at.viewport : at.inside;
  }

  /// From the outside in: pages are deeper than functions may call one another.
  findBounds() {
    const unknown = [];
    for (let at = this; at.ownBounds === null; at = at.above) unknown.push(at);
    while (unknown.length) unknown.pop().findOwnBounds();
  }

  findOwnBounds() {
    const { above, state, tag } = this;
    if (!(state.told & BOUNDING)) {
      this.ownBounds = this.ownInside = above.inside;
      this.ownFree = above.free;
      return;
    }
    const { position } = state;
    let bounds = above.inside;
    let { free } = above;
    const isOnTop = this.markup & MARKUP.unique && (tag === 'dialog' || hasAttribute(this.el, 'popover')) && matches(this.el, ON_TOP);
    if (isOnTop) bounds = this.viewport;
    else if (position === 'fixed') bounds = above.window;
    else if (position === 'absolute') bounds = free;
    if ((position === 'absolute' || position === 'fixed') && isClippedAway(this.style)) bounds = NO_BOUNDS;
    const holdsFree = position !== 'static' || state.holdsFixed;
    if (holdsFree) free = bounds;
    this.ownBounds = this.ownInside = bounds;
    this.ownFree = free;
    this.clip(bounds, holdsFree);
  }

  /// What it cuts off, and what scrolling brings back. The overflow of the root and the body is the viewport's.
  clip(bounds, holdsFree) {
    const { state, tag } = this;
    const { across, down } = state.clipsByContainment ? CLOSED : state.overflow;
    // Without a box of its own there is nothing to cut off at.
    if (UNBOXED.has(state.display)) return;
    if ((across === 'visible' && down === 'visible') || tag === 'body' || tag === 'html') return;
    const rect = rectOf(this.el);
    const area = isScrolled(across) || isScrolled(down) ? scrollableArea(this.el, rect, this.style) : rect;
    const { reach, sight } = bounds;
    // What a scroll container hides can be scrolled to, if the container itself can be seen.
    const isThere = !isScrolled(across) && !isScrolled(down) || meets(rect, reach);
    // In a flexible box things may overflow to where no scrolling leads.
    const isAll = !/flex|grid/.test(state.display) &&
      ((isScrolled(across) && isScrolled(down)) || (isWithin(rect, reach, 0) && !isOverflowing(this.el)));
    const inside = { ...reach, isOpen: isAll };
    if (across !== 'visible') [inside.left, inside.right] = isScrolled(across) ? [area.left, area.right] : [Math.max(reach.left, rect.left), Math.min(reach.right, rect.right)];
    if (down !== 'visible') [inside.top, inside.bottom] = isScrolled(down) ? [area.top, area.bottom] : [Math.max(reach.top, rect.top), Math.min(reach.bottom, rect.bottom)];
    this.ownInside = { reach: isThere ? inside : NOWHERE, sight: clippedSight(sight, rect, across, down) };
    if (holdsFree) this.ownFree = this.ownInside;
  }

  /// Whether what it paints itself can be seen, if it has a box. It is asked itself, whatever its like, where that is not sure.
  isShown() {
    return this.shown ??= this.above === null || (this.state.isSeen && (this.state.isSurelyVisible || isShown(this.el, VISIBLE_ONLY) || this.state.display === 'contents'));
  }
}

function isOverflowing(el) {
  return scrollWidthOf(el) > clientWidthOf(el) + 1 || scrollHeightOf(el) > clientHeightOf(el) + 1;
}

const UNBOXED = new Set(['contents', 'inline']);
const CLOSED = Object.freeze({ across: 'hidden', down: 'hidden' });

const ON_TOP = ':popover-open,:modal';
const VISIBLE_ONLY = Object.freeze({ visibilityProperty: true });
const isScrolled = (overflow) => overflow === 'auto' || overflow === 'scroll';

function clippedSight(sight, rect, across, down) {
  return {
    left: across === 'visible' ? sight.left : Math.max(sight.left, rect.left),
    right: across === 'visible' ? sight.right : Math.min(sight.right, rect.right),
    top: down === 'visible' ? sight.top : Math.max(sight.top, rect.top),
    bottom: down === 'visible' ? sight.bottom : Math.min(sight.bottom, rect.bottom),
  };
}
