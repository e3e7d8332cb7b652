// How elements are drawn, asked once for all that must be alike: those that the same rules are about, in parents that are alike.
// Whatever has a style of its own, is being moved or pointed at, or stands under sheets that can't be read is asked itself.

/// What the browser's own sheet says about form fields, pictures and the like.
const TOLD_BY_BROWSER = TELLS_ALL & ~(TELLS.filter | TELLS.path | TELLS.mask | TELLS.moving | TELLS.holding | TELLS.contain | TELLS.inset | TELLS.clip);
/// Elements that it draws in ways of their own.
const DRAWN_APART = new Map([
  ['a', TELLS.cursor | TELLS.colour], ['label', TELLS.cursor], ['mark', TELLS.colour | TELLS.background], ['font', TELLS.colour | TELLS.size], ['mphantom', TELLS.visibility],
  ...'button canvas details fieldset img legend marquee meter progress rp select slot summary svg textarea'.split(' ').map((tag) => [tag, TOLD_BY_BROWSER]),
]);
/// What the browser itself says about elements of a tag.
function drawnApart(tag) {
  // In old documents tables inherit neither colour nor size.
  return (DRAWN_APART.get(tag) ?? 0) | (isOldDocument && tag === 'table' ? TELLS.colour | TELLS.size : 0);
}

/// Elements that it draws by what their attributes say.
const DRAWN_BY_ATTRIBUTES = new Set('area audio dialog embed iframe input object option video'.split(' '));
const PAINTING = TELLS.display | TELLS.rendering | TELLS.visibility | TELLS.opacity | TELLS.filter | TELLS.path | TELLS.mask;
const PLACING = TELLS.position | TELLS.moving | TELLS.margin | TELLS.indent;
const INKING = TELLS.colour | TELLS.background | TELLS.size;
/// What has a say in where others can be seen.
const BOUNDING = TELLS.position | TELLS.overflow | TELLS.contain | TELLS.holding | TELLS.filter | TELLS.clip;
const MOST_CONDITIONS = 24;
/// Fainter than this can't be read.
const FAINT = 0.06;
const HIDING_FILTER = /opacity\((?:0|0?\.0\d*|[0-5]%)\)/;

/// Whether a path cuts away all there is.
function isEmptyPath(path) {
  if (/^(?:circle|ellipse)\(0(?:px|%)/.test(path)) return true;
  const numbers = (path.match(/-?[\d.]+(?:e-?\d+)?(?=px|%)/g) ?? []).map(Number);
  if (path.startsWith('inset(')) {
    const [top = 0, right = top, bottom = top, left = right] = numbers;
    return !/[1-9]\d*px/.test(path) && (top + bottom >= 100 || left + right >= 100);
  }
  if (!path.startsWith('polygon(')) return false;
  const [xs, ys] = [0, 1].map((odd) => numbers.filter((_, i) => i % 2 === odd));
  return [xs, ys].some((along) => Math.max(...along) - Math.min(...along) === 0);
}

/// Whether a mask lets nothing through.
function isEmptyMask(mask) {
  if (!/^[a-z-]*gradient\(/.test(mask)) return false;
  const colours = mask.match(/[a-z]+\([^()]*\)/g) ?? [];
  return colours.length > 0 && colours.every((colour) => colourOf(colour).alpha < FAINT);
}

/// Elements of one tag and class, with the rules that may be about them.
class Kind {
  constructor(rules, generating, isMentioned, told) {
    this.rules = rules;
    this.conditions = rules.filter((rule) => !rule.isPure).map((rule) => rule.text);
    this.joined = this.conditions.length ? this.conditions.join(',') : null;
    this.told = told;
    this.isTouched = isMentioned || told !== 0 || generating.length > 0 || this.conditions.length < rules.length;
    this.isVolatile = rules.some((rule) => rule.isVolatile);
    /// Rules that may add words before or after.
    this.generating = generating.length ? generating.map((rule) => rule.text).join(',') : null;
    this.isGeneratingPure = generating.every((rule) => rule.isPure);
  }

  /// Whether rules add words to an element.
  addsWordsTo(el) {
    if (this.generating === null) return false;
    if (!this.isGeneratingPure) return matches(el, this.generating);
    return stateOf(el).generates ??= matches(el, this.generating);
  }

  /// What is told about an element of this kind, and so about all that are like it.
  toldOf(el) {
    let { told } = this;
    for (const rule of this.rules) if ((told & rule.told) !== rule.told && matches(el, rule.text)) told |= rule.told;
    return told;
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
    /// What may be other than inherited, or other than nothing.
    this.told = told;
    this.plain = null;
    this.touched = null;
    this.ownStyle = null;
    this.knownDisplay = null;
    this.knownPosition = null;
    this.knownOverflow = null;
    this.knownBox = null;
    this.knownInk = null;
    this.knownBackground = null;
    this.rendered = undefined;
    this.visible = undefined;
    this.sure = undefined;
    this.shows = undefined;
    this.seen = undefined;
    this.moved = undefined;
    this.lifted = undefined;
    this.holds = undefined;
    this.lost = undefined;
    this.points = undefined;
    this.words = undefined;
    this.mereWords = undefined;
    /// Whether rules that say all about tags and classes add words to it.
    this.generates = undefined;
  }

  get style() {
    return this.ownStyle ??= getComputedStyle(this.el);
  }

  ask(property) {
    return read(this.style, property);
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
    if (state === undefined) ofKind.set(met, state = new State(this, el, tag, kind.toldOf(el)));
    return state;
  }

  get isPointer() {
    return this.points ??= this.told & TELLS.cursor ? this.ask('cursor') === 'pointer' : this.above.isPointer;
  }

  get display() {
    return this.knownDisplay ??= this.ask('display');
  }

  get position() {
    return this.told & TELLS.position ? this.knownPosition ??= this.ask('position') : 'static';
  }

  /// What becomes of what is too wide or too high for it.
  get overflow() {
    if (!(this.told & TELLS.overflow)) return OPEN;
    return this.knownOverflow ??= { across: this.ask('overflow-x'), down: this.ask('overflow-y') };
  }

  /// Whether there is a box for it at all.
  get isRendered() {
    if (!(this.told & (TELLS.display | TELLS.rendering))) return this.above.isRendered && this.above.showsContents;
    return this.rendered ??= isShown(this.el) || (this.display === 'contents' && this.above.isRendered);
  }

  /// Whether there is one for what is in it, if there is one for itself.
  get showsContents() {
    return !(this.told & TELLS.rendering) || (this.shows ??= this.ask('content-visibility') !== 'hidden');
  }

  /// Whether no rule at all, about it or about what it is in, might hide what has a box.
  get isSurelyVisible() {
    return this.sure ??= !(this.told & (TELLS.visibility | TELLS.rendering)) && this.above.isSurelyVisible;
  }

  get isVisible() {
    if (!(this.told & TELLS.visibility)) return this.above.isVisible;
    return this.visible ??= this.ask('visibility') === 'visible';
  }

  get opacity() {
    return this.told & TELLS.opacity ? this.above.opacity * Number.parseFloat(this.ask('opacity')) : this.above.opacity;
  }

  /// Whether something is laid over it that leaves nothing to see.
  get isVeiled() {
    return this.above.isVeiled || (this.told & TELLS.filter && HIDING_FILTER.test(this.ask('filter'))) ||
      (this.told & TELLS.path && isEmptyPath(this.ask('clip-path'))) || (this.told & TELLS.mask && isEmptyMask(this.ask('mask-image')));
  }

  /// Whether what it paints itself can be seen, wherever it is.
  get isSeen() {
    if (!(this.told & PAINTING)) return this.above.isSeen && this.above.showsContents;
    return this.seen ??= this.isRendered && this.isVisible && this.opacity > FAINT && !this.isVeiled;
  }

  /// Whether it was taken from its place in the flow, so that it may be anywhere.
  get isMoved() {
    return (this.told & PLACING) !== 0 && (this.moved ??= this.findMoved());
  }

  /// Whether it, or something that it is in, may lie where something else is.
  get isLifted() {
    const unknown = [];
    for (let at = this; at.lifted === undefined; at = at.above) unknown.push(at);
    while (unknown.length) {
      const at = unknown.pop();
      at.lifted = at.above.lifted || at.isMoved;
    }
    return this.lifted;
  }

  /// How far the first line of its text is moved out of it; all the way where that can't be told.
  get indent() {
    if (!(this.told & TELLS.indent)) return 0;
    const indent = this.ask('text-indent');
    if (!/^-?[\d.]+px$/.test(indent)) return Infinity;
    return Math.max(0, -Number.parseFloat(indent) - Number.parseFloat(this.ask('padding-inline-start')));
  }

  findMoved() {
    const { told, position } = this;
    if (position !== 'static' && (position !== 'relative' || (told & TELLS.inset && (this.ask('left') !== '0px' || this.ask('top') !== '0px')))) return true;
    if (this.indent > 0) return true;
    if (told & TELLS.margin && (this.ask('margin-left').startsWith('-') || this.ask('margin-top').startsWith('-'))) return true;
    return (told & TELLS.moving) !== 0 && (MOVERS.some((property) => this.ask(property) !== 'none') || this.ask('zoom') !== '1');
  }

  /// Whether even what is fixed stays inside of it.
  get holdsFixed() {
    if (!(this.told & (TELLS.holding | TELLS.filter | TELLS.contain))) return false;
    return this.holds ??= ['transform', 'translate', 'scale', 'rotate', 'filter', 'perspective', 'backdrop-filter'].some((property) => this.ask(property) !== 'none') ||
      this.clipsByContainment || /transform|perspective|filter/.test(this.ask('will-change'));
  }

  get clipsByContainment() {
    return (this.told & TELLS.contain) !== 0 && /paint|strict|content/.test(this.ask('contain'));
  }

  /// The colour of text in it.
  get ink() {
    if (!(this.told & TELLS.colour)) return this.above.ink;
    return this.knownInk ??= colourOf(this.ask('-webkit-text-fill-color'));
  }

  /// The colour behind text in it, or a picture.
  get background() {
    if (!(this.told & TELLS.background)) return this.above.background;
    return this.knownBackground ??= this.findBackground();
  }

  findBackground() {
    if (this.ask('background-image') !== 'none') return PICTURE;
    const colour = colourOf(this.ask('background-color'));
    return colour.alpha < 0.5 ? this.above.background : colour;
  }

  /// Whether text in it is too small to see, or has the colour of what it stands on, or none. Over a picture nobody can tell.
  get isCamouflaged() {
    return this.lost ??= this.told & INKING ? this.isLostItself() : this.above.isCamouflaged;
  }

  isLostItself() {
    if (Number.parseFloat(this.ask('font-size')) < SPECK) return true;
    const { background, ink } = this;
    if (background === PICTURE || !isLost(ink, background)) return false;
    if (this.ask('text-shadow') !== 'none' || this.ask('-webkit-text-stroke-width') !== '0px' || this.ask('background-clip') === 'text') return false;
    return ink.alpha < FAINT || !liesOverSomething(this.el);
  }

  /// How it stands in a line: as part of it, as a box of its own in it, or as a block.
  get box() {
    return this.knownBox ??= boxOfDisplay(this.display, this.isInFlow);
  }

  /// Whether it adds nothing of its own to the line that it is in.
  get isPlainWords() {
    return this.words ??= this.isRendered && this.isVisible && this.box === 'line';
  }

  /// Whether it is seen as part of its line, and where that line is.
  get isPlain() {
    return this.mereWords ??= !(this.told & UNPLAIN) && this.isSeen && !this.isCamouflaged && this.display === 'inline';
  }

  get isInFlow() {
    const { position } = this;
    return position !== 'absolute' && position !== 'fixed' && (!(this.told & TELLS.float) || this.ask('float') === 'none');
  }

  get isBlockInFlow() {
    return BLOCKS.has(this.display) && this.isInFlow;
  }
}

const MOVERS = ['transform', 'translate', 'scale', 'rotate', 'offset-path'];
const OPEN = Object.freeze({ across: 'visible', down: 'visible' });
const PICTURE = Object.freeze({ red: 0, green: 0, blue: 0, alpha: 1 });

/// What is around the page: paper, and ink as the root has it if no rule says otherwise. A page that likes the dark has some paper
/// of the browser's own, and one in a frame that is not drawn is on none.
function outside(root) {
  const isDrawn = root !== null && isShown(root);
  const style = root === null ? null : getComputedStyle(root);
  const isDark = style !== null && read(style, 'color-scheme').includes('dark');
  return {
    isPointer: false, isRendered: isDrawn, showsContents: true, isSurelyVisible: true, isVisible: true, opacity: 1, isVeiled: false,
    isSeen: isDrawn, isCamouflaged: false, lifted: false,
    ink: style === null ? BLACK : colourOf(read(style, '-webkit-text-fill-color')), background: isDark ? PICTURE : WHITE,
  };
}
const BLACK = Object.freeze({ red: 0, green: 0, blue: 0, alpha: 1 });
const WHITE = Object.freeze({ red: 255, green: 255, blue: 255, alpha: 1 });

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
  const root = documentElementOf(document);
  outermost = new State(outside(root), root, '', 0);
  for (const animation of animationsOf(document)) if (animation.effect?.target) ofTheMoment.add(animation.effect.target);
  // What is written in, and all that it is in: to search for these costs more.
  for (let at = focusedElement(), steps = 0; at && kindOf(at) === ELEMENT && steps < FOCUS_DEPTH; steps += 1, at = drawnParentOf(at)) ofTheMoment.add(at);
}

/// Notes what a person points at, in one tree. Such a tree's uppermost element, or its host, is pointed at, too.
function noteTheMoment(root) {
  const top = root instanceof Document ? documentElementOf(root) : root instanceof ShadowRoot ? root.host : null;
  if (top === null) return;
  // What is around such an element is so itself: where the uppermost one is not, none is.
  const momentary = MOMENTARY.filter((one) => matches(top, one)).join();
  if (momentary !== '') for (const el of allIn(root, momentary)) ofTheMoment.add(el);
}
const MOMENTARY = [':hover', ':active'];
const FOCUS_DEPTH = 500;
const animationsOf = uncurried(Document.prototype.getAnimations);

/// The state of an element in one of the state `above`.
function stateBelow(above, looks, el, tag, markup, names) {
  const isSingle = DRAWN_BY_ATTRIBUTES.has(tag) || (tag === 'a' && !names.includes('href'));
  if (looks.isUnknown || markup & MARKUP.unique || above.singlesOut || isSingle || ofTheMoment.has(el)) return new State(above, el, tag, TELLS_ALL);
  if (markup & MARKUP.other && looks.isAboutAttributes(el, names)) return new State(above, el, tag, TELLS_ALL);
  const kind = looks.kindOf(tag, markup & MARKUP.class ? attributeOf(el, 'class') : null);
  const met = kind.isVolatile ? -1 : kind.conditionsOf(el);
  if (met === -1) return new State(above, el, tag, TELLS_ALL);
  const toldFromInside = mayHost(tag) ? toldByOwnTree(el) : 0;
  if (toldFromInside !== 0) return new State(above, el, tag, kind.toldOf(el) | toldFromInside);
  return met === 0 && !kind.isTouched ? above.plainBelow(el, tag) : above.touchedBelow(el, tag, kind, met);
}

/// Elements that are mere words in a line, as far as their tags tell.
const PLAIN_WORDS = new Set('span code b i em strong tt small var kbd samp u'.split(' '));
/// What is told about words may be their colour and size.
const UNPLAIN = TELLS_ALL & ~(PAINTING | INKING);

/// The state of an element that is seen as mere words in a line, and has nothing but classes. Null for others.
function plainStateBelow(above, looks, el) {
  const names = namesOf(el);
  if (names.length > 1 || (names.length === 1 && names[0] !== 'class')) return null;
  const tag = tagOf(el);
  if (!PLAIN_WORDS.has(tag) || shadowOf(el) !== null) return null;
  const state = stateBelow(above, looks, el, tag, markupOf(names), names);
  return state.isPlain ? state : null;
}

/// Whether all in an element, which is not much, are such.
function holdsPlainParts(el, looks, state) {
  let left = FEW;
  const states = [state];
  for (let part = firstElementOf(el), depth = 0; part !== null;) {
    if ((left -= 1) < 0) return false;
    hold(part);
    const own = plainStateBelow(states[depth], looks, part);
    if (own === null) return false;
    const first = firstElementOf(part);
    if (first !== null) {
      states[depth += 1] = own;
      part = first;
      continue;
    }
    let next = nextElementOf(part);
    while (next === null && depth > 0) {
      part = parentOf(part);
      depth -= 1;
      next = nextElementOf(part);
    }
    part = next;
  }
  return true;
}
const FEW = 8;

/// What the sheets of its own shadow tree say about a host.
function toldByOwnTree(el) {
  const root = shadowOf(el);
  return root === null ? 0 : looksIn(root).toldOutside;
}

/// The state of any element.
function stateOf(el) {
  return stateByElement.get(el) ?? findState(el, namesOf(el), looksOf(el));
}

/// The same for one whose attributes have been read.
function findState(el, names, looks) {
  const above = drawnParentOf(el);
  upwards += 1;
  const isFar = upwards >= STEPS_UP;
  const outer = above !== null && kindOf(above) === ELEMENT && !isFar ? stateOf(above) : outermost;
  upwards -= 1;
  const tag = tagOf(el);
  const state = isFar ? new State(outermost, el, tag, TELLS_ALL) : stateBelow(outer, looks, el, tag, markupOf(names), names);
  stateByElement.set(el, state);
  return state;
}
const STEPS_UP = 200;
let upwards = 0;
