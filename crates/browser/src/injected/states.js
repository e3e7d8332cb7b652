// How elements are drawn, asked once for all that must be alike: those that the same rules are about, in parents that are alike.
// Whatever has a style of its own, is being moved or pointed at, or stands under sheets that can't be read is asked itself.

/// Elements that the browser's own sheet draws in ways of their own.
const DRAWN_APART = new Map([
  ['a', TELLS.pointer | TELLS.ink], ['label', TELLS.pointer], ['mark', TELLS.ink], ['font', TELLS.ink],
  ...'button canvas details fieldset img legend marquee meter progress rp select slot summary svg textarea'.split(' ').map((tag) => [tag, TELLS_ALL]),
]);
/// Elements that it draws by what their attributes say.
const DRAWN_BY_ATTRIBUTES = new Set('area audio dialog embed iframe input object option video'.split(' '));
const MOST_CONDITIONS = 24;
/// Fainter than this can't be read.
const FAINT = 0.06;
const HIDING_FILTER = /opacity\((?:0|0?\.0\d*|[0-5]%)\)/;

/// Elements of one tag and class, with the rules that may be about them.
class Kind {
  constructor(rules, isMentioned, told) {
    const pure = rules.filter((rule) => rule.isPure);
    const others = rules.filter((rule) => !rule.isPure);
    this.conditions = others.map((rule) => rule.text);
    this.joined = others.length ? this.conditions.join(',') : null;
    this.told = pure.reduce((all, rule) => all | rule.told, told);
    this.toldInAll = others.reduce((all, rule) => all | rule.told, this.told);
    this.isTouched = isMentioned || this.told !== 0;
    this.isVolatile = rules.some((rule) => rule.isVolatile);
  }

  /// Which of the rules that depend on more than tag and class are about an element, as a number; -1 for too many to tell.
  conditionsOf(el) {
    if (this.joined === null || !matches(el, this.joined)) return 0;
    if (this.conditions.length > MOST_CONDITIONS) return -1;
    let met = 0;
    for (let i = 0; i < this.conditions.length; i += 1) if (matches(el, this.conditions[i])) met |= 1 << i;
    return met;
  }
}

/// One way to be drawn. What it is, is read from the first element that is drawn so, and only when somebody asks.
class State {
  constructor(above, el, tag, told) {
    this.above = above;
    this.el = el;
    /// Whether its children may look different from one another without a mark: shown and folded ones, slotted ones.
    this.singlesOut = tag === 'details' || tag === 'slot';
    /// What may be other than inherited.
    this.told = told;
    this.plain = null;
    this.touched = null;
    this.known = null;
    this.seen = undefined;
    this.moved = undefined;
    this.lost = undefined;
  }

  get style() {
    return this.once('style', () => getComputedStyle(this.el));
  }

  /// Keeps what was found out.
  once(key, ask) {
    this.known ??= new Map();
    let value = this.known.get(key);
    if (value === undefined) {
      value = ask();
      this.known.set(key, value);
    }
    return value;
  }

  ask(property) {
    return this.once(property, () => read(this.style, property));
  }

  /// The state of an element in one of this state that no rule is about.
  plainBelow(el, tag) {
    this.plain ??= new Map();
    let state = this.plain.get(tag);
    if (state === undefined) this.plain.set(tag, state = new State(this, el, tag, 0));
    return state;
  }

  /// The same for one that these rules are about.
  touchedBelow(el, tag, kind, met) {
    this.touched ??= new Map();
    let ofKind = this.touched.get(kind);
    if (ofKind === undefined) this.touched.set(kind, ofKind = new Map());
    let state = ofKind.get(met);
    if (state === undefined) ofKind.set(met, state = new State(this, el, tag, met === 0 ? kind.told : kind.toldInAll));
    return state;
  }

  get isPointer() {
    return this.told & TELLS.pointer ? this.ask('cursor') === 'pointer' : this.above.isPointer;
  }

  get display() {
    return this.ask('display');
  }

  get position() {
    return this.told & TELLS.place ? this.ask('position') : 'static';
  }

  get overflowX() {
    return this.told & TELLS.place ? this.ask('overflow-x') : 'visible';
  }

  get overflowY() {
    return this.told & TELLS.place ? this.ask('overflow-y') : 'visible';
  }

  /// Whether there is a box for it at all.
  get isRendered() {
    if (!(this.told & TELLS.painted)) return this.above.isRendered;
    return this.once('isRendered', () => isShown(this.el) || (this.display === 'contents' && this.above.isRendered));
  }

  get isVisible() {
    return this.told & TELLS.painted ? this.ask('visibility') === 'visible' : this.above.isVisible;
  }

  get opacity() {
    if (!(this.told & TELLS.painted)) return this.above.opacity;
    return this.once('opacityInAll', () => this.above.opacity * Number.parseFloat(this.ask('opacity')));
  }

  /// Whether something is laid over it that leaves nothing to see.
  get isVeiled() {
    if (!(this.told & TELLS.painted)) return this.above.isVeiled;
    return this.once('isVeiled', () => this.above.isVeiled || HIDING_FILTER.test(this.ask('filter')) || EMPTY_PATH.test(this.ask('clip-path')));
  }

  /// Whether what it paints itself can be seen, wherever it is.
  get isSeen() {
    return this.seen ??= this.isRendered && this.isVisible && this.opacity > FAINT && !this.isVeiled;
  }

  /// Whether it, or something above it, was taken from its place in the flow, so that it may be anywhere.
  get isMoved() {
    return this.moved ??= this.above.isMoved || ((this.told & TELLS.place) !== 0 && this.isMovedItself());
  }

  isMovedItself() {
    const { position } = this;
    if (position !== 'static' && (position !== 'relative' || this.ask('left') !== '0px' || this.ask('top') !== '0px')) return true;
    if (this.ask('text-indent') !== '0px' || this.ask('margin-left').startsWith('-') || this.ask('margin-top').startsWith('-')) return true;
    return ['transform', 'translate', 'scale'].some((property) => this.ask(property) !== 'none');
  }

  /// Whether even what is fixed stays inside of it.
  get holdsFixed() {
    if (!(this.told & TELLS.place)) return false;
    return this.once('holdsFixed', () =>
      ['transform', 'translate', 'scale', 'rotate', 'filter', 'perspective', 'backdrop-filter'].some((property) => this.ask(property) !== 'none') ||
      this.clipsByContainment || /transform|perspective|filter/.test(this.ask('will-change')));
  }

  get clipsByContainment() {
    return (this.told & TELLS.place) !== 0 && /paint|strict|content/.test(this.ask('contain'));
  }

  /// The colour behind text in it; null where there is a picture.
  get background() {
    if (!(this.told & TELLS.ink)) return this.above.background;
    return this.once('background', () => {
      const colour = colourOf(this.ask('background-color'));
      if (this.ask('background-image') !== 'none') return PICTURE;
      return colour.alpha < 0.5 ? this.above.background : colour;
    });
  }

  /// Whether text in it is too small to see, or has the colour of what it stands on, or none. Over a picture nobody can tell.
  get isCamouflaged() {
    return this.lost ??= this.told & TELLS.ink ? this.isLostItself() : this.above.isCamouflaged;
  }

  isLostItself() {
    if (Number.parseFloat(this.ask('font-size')) < SPECK) return true;
    const { background } = this;
    return background !== PICTURE && isLost(colourOf(this.ask('-webkit-text-fill-color')), background);
  }

  /// How it stands in a line: as part of it, as a box of its own in it, or as a block.
  get box() {
    return this.once('box', () => boxOfStyle(this.style));
  }

  get isBlockInFlow() {
    return this.once('isBlockInFlow', () => BLOCKS.has(this.display) && isInFlow(this.style));
  }
}

const PICTURE = Object.freeze({ red: 0, green: 0, blue: 0, alpha: 1 });

/// What is around the page.
const OUTSIDE = Object.freeze({
  isPointer: false, isRendered: true, isVisible: true, opacity: 1, isVeiled: false, isMoved: false, isCamouflaged: false,
  background: Object.freeze({ red: 255, green: 255, blue: 255, alpha: 1 }),
});

const COLOURS = new Map();
const COLOURS_LIMIT = 2000;

function colourOf(text) {
  let colour = COLOURS.get(text);
  if (colour === undefined) {
    if (COLOURS.size > COLOURS_LIMIT) COLOURS.clear();
    COLOURS.set(text, colour = parsedColour(text));
  }
  return colour;
}

/// Colours of other spaces than sRGB keep their numbers: enough to tell same from different.
function parsedColour(text) {
  const numbers = (text.match(/-?[\d.]+(?:e-?\d+)?/g) ?? []).map(Number);
  const [red = 0, green = 0, blue = 0, alpha = 1] = numbers;
  if (text.startsWith('color(srgb')) return { red: red * 255, green: green * 255, blue: blue * 255, alpha };
  // The lightest of these spaces are all white.
  if (/^(?:ok)?l(?:ab|ch)/.test(text)) {
    const light = red * (text.startsWith('ok') ? 255 : 2.55);
    return { red: light, green: light + green, blue: light + blue, alpha };
  }
  return { red, green, blue, alpha };
}

const CLOSE = 8;

function isLost(colour, behind) {
  if (colour.alpha < FAINT) return true;
  return Math.abs(colour.red - behind.red) < CLOSE && Math.abs(colour.green - behind.green) < CLOSE && Math.abs(colour.blue - behind.blue) < CLOSE;
}

let stateByElement = new WeakMap();
/// Elements that are being animated, pointed at or written in.
let ofTheMoment = new Set();
let outermost = null;

/// To be called when a new look begins: everything may have changed.
function forgetStates() {
  stateByElement = new WeakMap();
  ofTheMoment = new Set();
  outermost = new State(OUTSIDE, documentElementOf(document), '', 0);
  for (const animation of animationsOf(document)) if (animation.effect?.target) ofTheMoment.add(animation.effect.target);
  for (const el of allInDocument(document, ':hover,:active,:focus,:focus-within')) ofTheMoment.add(el);
}
const animationsOf = uncurried(Document.prototype.getAnimations);

/// The state of an element in one of the state `above`.
function stateBelow(above, looks, el, tag, markup, names) {
  const isSingle = DRAWN_BY_ATTRIBUTES.has(tag) || (tag === 'a' && !names.includes('href'));
  if (looks.isUnknown || markup & MARKUP.unique || above.singlesOut || isSingle || isHost(el, tag) || ofTheMoment.has(el)) {
    return new State(above, el, tag, TELLS_ALL);
  }
  if (markup & MARKUP.other && (looks.mentions.hasAttributeOf(el, names) || looks.book.isAboutAttributes(el, names))) return new State(above, el, tag, TELLS_ALL);
  const kind = looks.kindOf(tag, markup & MARKUP.class ? attributeOf(el, 'class') : null);
  const met = kind.isVolatile ? -1 : kind.conditionsOf(el);
  if (met === -1) return new State(above, el, tag, TELLS_ALL);
  return met === 0 && !kind.isTouched ? above.plainBelow(el, tag) : above.touchedBelow(el, tag, kind, met);
}

function isHost(el, tag) {
  return (HOSTS.has(tag) || tag.includes('-')) && shadowOf(el) !== null;
}

/// The state of any element.
function stateOf(el) {
  const known = stateByElement.get(el);
  if (known !== undefined) return known;
  const above = drawnParentOf(el);
  const depth = upwards += 1;
  const outer = above !== null && kindOf(above) === ELEMENT && depth < STEPS_UP ? stateOf(above) : outermost;
  upwards -= 1;
  const names = hasAttributes(el) ? attributeNamesOf(el) : NO_NAMES;
  const state = depth < STEPS_UP ? stateBelow(outer, looksOf(el), el, tagOf(el), markupOf(names), names) : new State(outermost, el, tagOf(el), TELLS_ALL);
  stateByElement.set(el, state);
  return state;
}
const STEPS_UP = 200;
let upwards = 0;
