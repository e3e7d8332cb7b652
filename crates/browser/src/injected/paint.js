// What a person could see: judged by what is painted, not by the names of classes.

const rectOf = uncurried(Element.prototype.getBoundingClientRect);

/// Less than this is nothing to see: the usual way to hide text from eyes leaves a pixel of it.
const SPECK = 2;
const NOWHERE = { left: 0, top: 0, right: 0, bottom: 0 };
const NO_BOUNDS = { reach: NOWHERE, sight: NOWHERE };
const scrollLeftOf = getterOf(Element.prototype, 'scrollLeft');
const scrollTopOf = getterOf(Element.prototype, 'scrollTop');
const scrollWidthOf = getterOf(Element.prototype, 'scrollWidth');
const scrollHeightOf = getterOf(Element.prototype, 'scrollHeight');
const clientWidthOf = getterOf(Element.prototype, 'clientWidth');

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

/// The area that scrolling can bring into sight, in the coordinates of the viewport.
function reachableArea() {
  const root = documentElementOf(document);
  if (!root) return NOWHERE;
  const width = Math.max(root.scrollWidth, innerWidth);
  const height = Math.max(root.scrollHeight, innerHeight);
  const backwards = getComputedStyle(root).direction === 'rtl' ? width - innerWidth : 0;
  const left = -scrollX - backwards;
  const top = -scrollY;
  return { left, top, right: left + width + 1, bottom: top + height + 1 };
}

/// The area that scrolling a container can bring into its box.
function scrollableArea(el, rect, style) {
  const width = scrollWidthOf(el);
  const backwards = read(style, 'direction') === 'rtl' ? width - clientWidthOf(el) : 0;
  const left = rect.left - scrollLeftOf(el) - backwards;
  const top = rect.top - scrollTopOf(el);
  return { left, top, right: Math.max(left + width, rect.right), bottom: Math.max(top + scrollHeightOf(el), rect.bottom) };
}

/// Whether one of the usual ways to hide something from eyes alone leaves nothing of a positioned box.
function isClippedAway(style) {
  const clip = read(style, 'clip');
  if (clip !== 'auto' && clip !== '') {
    const [top, right, bottom, left] = (clip.match(/-?[\d.]+/g) ?? []).map(Number);
    if (left !== undefined && (right - left < SPECK || bottom - top < SPECK)) return true;
  }
  return EMPTY_PATH.test(read(style, 'clip-path'));
}
const EMPTY_PATH = /^(?:inset\((?:[5-9]\d|1\d\d)(?:\.\d+)?%\)|circle\(0(?:px|%))/;

/// Style is read by name: the properties of a style object are twice as slow.
const read = uncurried(CSSStyleDeclaration.prototype.getPropertyValue);
const SEEN = { visibilityProperty: true, opacityProperty: true };

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
    this.isInControl = above !== null && above.isInControl;
    this.isInline = false;
    this.isPointer = false;
    this.kind = null;
    this.control = null;
    this.ownRef = 0;
    this.start = 0;
    this.next = null;
    this.list = null;
    this.at = 0;
    this.habit = null;
    this.habits = null;
    this.ownStyle = null;
    this.shown = undefined;
    this.textShown = undefined;
    this.behind = undefined;
    this.moved = undefined;
    this.window = above === null ? null : above.window;
    this.ownBounds = null;
    this.ownInside = null;
    this.ownFree = null;
  }

  get style() {
    if (this.ownStyle === null) this.ownStyle = getComputedStyle(this.el);
    return this.ownStyle;
  }

  overflow() {
    const { habit } = this;
    if (habit !== null && habit.overflow.isSettled) return habit.overflow.value;
    const overflow = read(this.style, 'overflow-y');
    if (habit !== null) habit.overflow.learn(overflow);
    return overflow;
  }

  position() {
    const { habit } = this;
    if (habit !== null && habit.position.isSettled) return habit.position.value;
    const position = read(this.style, 'position');
    if (habit !== null) habit.position.learn(position);
    return position;
  }

  /// Where it can be brought into sight, by scrolling if need be.
  get reach() {
    return this.bounds.reach;
  }

  /// Where it is in sight now.
  get sight() {
    return this.bounds.sight;
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

  findBounds() {
    const { above, tag } = this;
    const position = this.position();
    let bounds = above.inside;
    let { free } = above;
    if (position !== 'static') {
      if (position === 'fixed') bounds = this.window;
      else if (position === 'absolute') bounds = free;
      if (position !== 'relative' && isClippedAway(this.style)) bounds = NO_BOUNDS;
      free = bounds;
    }
    this.ownBounds = this.ownInside = bounds;
    this.ownFree = free;
    const overflow = this.overflow();
    // The overflow of the root and the body is the viewport's.
    if (overflow === 'visible' || tag === 'body' || tag === 'html') return;
    const rect = rectOf(this.el);
    let { reach } = bounds;
    if (overflow !== 'auto' && overflow !== 'scroll') reach = intersection(reach, rect);
    // What a scroll container hides can be scrolled to, if the container itself can be seen.
    else reach = meets(rect, reach) ? scrollableArea(this.el, rect, this.style) : NOWHERE;
    this.ownInside = { reach, sight: intersection(bounds.sight, rect) };
    if (position !== 'static') this.ownFree = this.ownInside;
  }

  /// Whether what it paints itself can be seen at all.
  isShown() {
    if (this.shown === undefined) {
      this.shown = this.above === null || isShown(this.el, SEEN) ||
        (read(this.style, 'display') === 'contents' && this.above.isShown() && read(this.style, 'visibility') === 'visible');
    }
    return this.shown;
  }

  /// The same for text, where like in what is shown says enough.
  isTextShown() {
    if (this.textShown === undefined) this.textShown = this.isTextShownLikeOthers();
    return this.textShown;
  }

  isTextShownLikeOthers() {
    const { habit, above } = this;
    if (this.shown !== undefined || habit === null || !above.isTextShown()) return this.isShown();
    if (habit.shown.isSettled && habit.shown.value) return true;
    const isSeen = this.isShown();
    habit.shown.learn(isSeen);
    return isSeen;
  }

  /// The nearest colour behind text in it.
  background() {
    let at = this;
    while (at.behind === undefined) {
      const colour = at.above === null ? WHITE : read(at.style, 'background-color');
      if (colour !== CLEAR) at.behind = colour;
      else at = at.above;
    }
    const { behind } = at;
    for (at = this; at.behind === undefined; at = at.above) at.behind = behind;
    return behind;
  }

  /// Whether text in it is too small to see, or has the colour of what it stands on, or none. Over a picture nobody can tell.
  isCamouflaged() {
    if (parseFloat(read(this.style, 'font-size')) < SPECK) return true;
    const colour = read(this.style, '-webkit-text-fill-color');
    const isClear = colour.startsWith('rgba') && colour.endsWith(', 0)');
    if (!isClear && colour !== this.background()) return false;
    for (let at = this; at.above !== null; at = at.above) {
      if (read(at.style, 'background-image') !== 'none') return false;
      if (read(at.style, 'background-color') !== CLEAR) break;
    }
    return true;
  }

  /// Whether a path leaves nothing of it.
  isCutAway() {
    const { habit } = this;
    if (habit !== null && habit.cut.isSettled) return habit.cut.value;
    const isCut = EMPTY_PATH.test(read(this.style, 'clip-path'));
    if (habit !== null) habit.cut.learn(isCut);
    return isCut;
  }

  /// Whether it, or something above it, was taken out of the flow, so that it may be anywhere.
  isMoved() {
    let at = this;
    while (at.moved === undefined) {
      if (at.above === null) at.moved = false;
      else if (at.isMovedItself()) at.moved = true;
      else at = at.above;
    }
    const { moved } = at;
    for (at = this; at.moved === undefined; at = at.above) at.moved = moved;
    return moved;
  }

  isMovedItself() {
    const { habit } = this;
    if (habit !== null && habit.moved.isSettled) return habit.moved.value;
    const isMoved = this.position() !== 'static' || read(this.style, 'text-indent') !== '0px' ||
      (!this.isInline && read(this.style, 'transform') !== 'none');
    if (habit !== null) habit.moved.learn(isMoved);
    return isMoved;
  }
}

const CLEAR = 'rgba(0, 0, 0, 0)';
const WHITE = 'rgb(255, 255, 255)';
