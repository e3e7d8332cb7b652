// What the style sheets of one tree do: to how its elements are drawn, and to their names.

/// How many elements, and for how long in all, are asked for generated content where the sheets can't tell which have
/// any: each answer costs the browser a search through all of their rules.
const GUESSES_LIMIT = 400;
const GUESSES_MS = 30;
/// Elements other than custom ones that may hold a shadow root.
const HOSTS = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));

const findInDocument = uncurried(Document.prototype.querySelector);
const findInFragment = uncurried(DocumentFragment.prototype.querySelector);

let looksByRoot = new WeakMap();

/// To be called when a new look begins: sheets may have come and gone.
function forgetLooks() {
  looksByRoot = new WeakMap();
}

/// What the sheets of an element's tree can do.
function looksOf(el) {
  const root = rootOf(el);
  let looks = looksByRoot.get(root);
  if (looks === undefined) looksByRoot.set(root, looks = new Looks(root));
  return looks;
}

class Looks {
  constructor(root) {
    const summary = new Summary(0);
    for (const sheet of sheetsOf(root)) summary.take(summaryOf(sheet));
    this.isUnknown = summary.isUnknown;
    // What a text looks like is inherited from outside.
    this.mayTransform = summary.mayTransform || (root instanceof ShadowRoot && looksOf(root.host).mayTransform) ||
      findIn(root, '[style*="text-transform" i]') !== null;
    this.guesses = 0;
    this.guessedMs = 0;
    this.book = new RuleBook();
    this.generating = new RuleBook();
    this.mentions = new Mentions();
    for (const rule of summary.telling) {
      this.book.add(rule);
      this.mentions.add(rule);
    }
    for (const rule of summary.generating) {
      this.generating.add(rule);
      this.mentions.add(rule);
    }
    this.kinds = new ByTagAndClass((tag, classes) =>
      new Kind(this.book.of(tag, classes), this.mentions.has(tag, classes), DRAWN_APART.get(tag) ?? 0));
    this.generators = new ByTagAndClass((tag, classes) => new Generator(this.generating.of(tag, classes)));
  }

  kindOf(tag, classes) {
    return this.kinds.get(tag, classes);
  }
}

function findIn(root, selector) {
  if (root instanceof Document) return findInDocument(root, selector);
  return root instanceof DocumentFragment ? findInFragment(root, selector) : null;
}

/// The rules that may add words to elements of one tag and class.
class Generator {
  constructor(rules) {
    this.joined = rules.length ? rules.map((rule) => rule.text).join(',') : null;
    this.isPure = rules.every((rule) => rule.isPure);
  }

  isAbout(el) {
    if (this.joined === null) return false;
    return this.isPure ? stateOf(el).once('generates', () => matches(el, this.joined)) : matches(el, this.joined);
  }
}

/// Something for each tag with each list of classes, made when it is first wanted.
class ByTagAndClass {
  constructor(make) {
    this.make = make;
    this.plain = new Map();
    this.classed = new Map();
  }

  get(tag, classes) {
    let ofTag = this.plain;
    if (classes !== null) {
      ofTag = this.classed.get(tag);
      if (ofTag === undefined) this.classed.set(tag, ofTag = new Map());
    }
    const key = classes ?? tag;
    let made = ofTag.get(key);
    if (made === undefined) ofTag.set(key, made = this.make(tag, classes));
    return made;
  }
}

/// Whether words may stand before or after those of an element.
function mayHaveGenerated(el, looks) {
  const tag = tagOf(el);
  if (tag === 'q') return true;
  if (looks.generating.isEmpty && !looks.isUnknown) return false;
  const kind = looks.generators.get(tag, attributeOf(el, 'class'));
  if (kind.isAbout(el)) return true;
  if (looks.generating.wantsAttributes && hasAttributes(el) && looks.generating.isAboutAttributes(el, attributeNamesOf(el))) return true;
  if (!looks.isUnknown || looks.guesses >= GUESSES_LIMIT || looks.guessedMs >= GUESSES_MS) return false;
  looks.guesses += 1;
  const begun = performance.now();
  const isAny = ['::before', '::after'].some((which) => {
    const { content } = getComputedStyle(el, which);
    return content !== 'none' && content !== 'normal';
  });
  looks.guessedMs += performance.now() - begun;
  return isAny;
}

function addGenerated(el, which, joined) {
  const style = getComputedStyle(el, which);
  const { content } = style;
  if (content === 'none' || content === 'normal' || style.display === 'none' || style.visibility !== 'visible') return;
  const text = generatedText(el, content.slice(0, TEXT_LIMIT));
  if (text === '') return;
  const isBox = boxOfStyle(style) !== 'line' || content.startsWith('url(');
  joined.isBroken ||= isBox;
  join(joined, text, false);
  joined.isBroken = isBox;
}

/// The text of a `content` value; pictures and counters say nothing, except by the text given for them.
function generatedText(el, content) {
  const given = content.match(/ \/ ((?:"(?:\\.|[^"\\])*"|\s|attr\([^)]*\))+)$/);
  const tokens = /"((?:\\.|[^"\\])*)"|attr\(\s*([\w-]+)[^)]*\)|open-quote|close-quote|url\("?[^")]*"?\)/g;
  let text = '';
  for (const [token, quoted, named] of (given ? given[1] : content).matchAll(tokens)) {
    if (quoted !== undefined) text += quoted.replace(/\\(.)/g, '$1');
    else if (named !== undefined) text += textAttribute(el, named) ?? '';
    else if (token === 'open-quote') text += '“';
    else if (token === 'close-quote') text += '”';
  }
  return text;
}
