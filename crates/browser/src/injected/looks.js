// What the style sheets of one tree do: to how its elements are drawn, and to their names.

/// How many elements, and for how long in all, are asked for generated content where the sheets can't tell which have
/// any: each answer costs the browser a search through all of their rules.
const GUESSES_LIMIT = 400;
const GUESSES_MS = 30;
/// Elements other than custom ones that may hold a shadow root.
const HOSTS = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));

/// Elements that are drawn in ways of their own.
const STYLED = '[style]';
const INERT = '[inert]';
const TRANSFORMED = '[style*="text-transform" i]';

const findInDocument = uncurried(Document.prototype.querySelector);
const findInFragment = uncurried(DocumentFragment.prototype.querySelector);

let looksByRoot = new WeakMap();
/// The trees that are in it.
let rootsWithLooks = [];

/// To be called when a new look begins: sheets may have come and gone.
function forgetLooks() {
  looksByRoot = new WeakMap();
  rootsWithLooks = [];
  isOldDocument = document.compatMode === 'BackCompat';
}

const summariesOf = (root) => sheetsOf(root).map(summaryOf);

/// Whether no sheet has come or gone, and none has more or fewer rules. Pages that change them so are told by nobody.
function areSheetsKnown() {
  return rootsWithLooks.every((root) => {
    const { summaries } = looksByRoot.get(root);
    const now = summariesOf(root);
    return now.length === summaries.length && now.every((one, i) => one === summaries[i]);
  });
}

/// Brings what is known up to this moment where the sheets are what they were.
function refreshLooks() {
  for (const root of rootsWithLooks) {
    noteTheMoment(root);
    Object.assign(looksByRoot.get(root), { guesses: 0, guessedMs: 0 });
  }
}

/// What the sheets of an element's tree can do.
function looksOf(el) {
  return looksIn(rootOf(el));
}

function looksIn(root) {
  let looks = looksByRoot.get(root);
  if (looks === undefined) looksByRoot.set(root, looks = new Looks(root));
  return looks;
}

class Looks {
  constructor(root) {
    rootsWithLooks.push(root);
    noteTheMoment(root);
    const summary = new Summary(0);
    this.summaries = summariesOf(root);
    for (const one of this.summaries) summary.take(one);
    this.isUnknown = summary.isUnknown;
    /// What rules for the host, the slotted and the like tell, which are in other trees.
    this.toldOutside = summary.isUnknown ? TELLS_ALL : summary.toldOutside;
    const around = root instanceof ShadowRoot ? looksOf(root.host) : null;
    const isMarked = findIn(root, `${INERT},${TRANSFORMED}`) !== null;
    /// Whether texts may be drawn in other letters. That is inherited from outside.
    this.mayTransform = summary.mayTransform || (around?.mayTransform ?? false) || (isMarked && findIn(root, TRANSFORMED) !== null);
    /// Whether parts of the page may be switched off, here or around.
    this.mayBeInert = (around?.mayBeInert ?? false) || (isMarked && findIn(root, INERT) !== null);
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
    this.pointing = null;
    this.wantsIds = this.mentions.ids.size > 0 || this.book.byId.size > 0 || this.mentions.attributes.has('id') || this.book.byAttribute.has('id');
    this.wantsAttributes = this.wantsIds || this.mentions.attributes.size > 0 || this.book.byAttribute.size > 0;
    /// By tag, and by list of classes.
    this.unclassed = new Map();
    this.classed = new Map();
  }

  /// What is known of all elements of this tag and with these classes.
  kindOf(tag, classes) {
    let kinds = this.unclassed;
    if (classes !== null) {
      kinds = this.classed.get(tag);
      if (kinds === undefined) this.classed.set(tag, kinds = new Map());
    }
    const key = classes ?? tag;
    let kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, kind = this.newKind(tag, classes));
    return kind;
  }

  newKind(tag, classes) {
    return new Kind(this.book.of(tag, classes), this.generating.of(tag, classes), this.mentions.has(tag, classes), drawnApart(tag));
  }

  /// Whether something in an element may have a pointer of its own, or none.
  mayPointIn(el) {
    this.pointing ??= [STYLED, ...this.book.telling(TELLS.cursor)].join();
    return this.isUnknown || queryFirst(el, this.pointing) !== null;
  }

  /// Whether rules are about an element, or about what is in it, because of other attributes than its class.
  isAboutAttributes(el, names) {
    if (!this.wantsAttributes) return false;
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i];
      if (name === 'id' ? this.wantsIds : this.mentions.attributes.has(name) || this.book.byAttribute.has(name)) {
        return this.mentions.hasAttributeOf(el, names) || this.book.isAboutAttributes(el, names);
      }
    }
    return false;
  }
}

/// Whether elements of a tag may hold a shadow root.
function mayHost(tag) {
  return HOSTS.has(tag) || tag.includes('-');
}

function findIn(root, selector) {
  if (root instanceof Document) return findInDocument(root, selector);
  return root instanceof DocumentFragment ? findInFragment(root, selector) : null;
}

/// Whether names are read as if style sheets added no words to them.
let withoutGenerated = false;

/// Whether words may stand before or after those of an element.
function mayHaveGenerated(el, looks) {
  if (withoutGenerated) return false;
  const tag = tagOf(el);
  if (tag === 'q') return true;
  if (looks.generating.isEmpty && !looks.isUnknown) return false;
  if (looks.kindOf(tag, attributeOf(el, 'class')).addsWordsTo(el)) return true;
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
  const isBox = !isPartOfLine(style) || content.startsWith('url(');
  joined.isBroken ||= isBox;
  join(joined, text, false);
  joined.isBroken = isBox;
}

function isPartOfLine(style) {
  const isInFlow = !/absolute|fixed/.test(read(style, 'position')) && read(style, 'float') === 'none';
  return boxOfDisplay(read(style, 'display'), isInFlow) === 'line';
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
