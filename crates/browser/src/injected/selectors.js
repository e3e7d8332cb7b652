// Selectors taken apart as far as is needed to know which elements a rule can be about.

const ESCAPED_NUMBER = /\\[0-9a-f]/i;
const PSEUDO_ELEMENT = /::[\w-]+(?:\([^)]*\))?$|:(?:before|after|first-line|first-letter)$/;

/// The parts between commas. Brackets and quotes hold theirs together.
function selectorsIn(list) {
  const parts = [];
  let start = 0;
  eachOutside(list, (letter, at) => {
    if (letter !== ',') return;
    parts.push(list.slice(start, at).trim());
    start = at + 1;
  });
  parts.push(list.slice(start).trim());
  return parts;
}

/// Tells every letter that is in no bracket and no quote.
function eachOutside(text, tell) {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '\\') at += 1;
    else if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '(' || letter === '[') depth += 1;
    else if (letter === ')' || letter === ']') depth -= 1;
    else if (depth === 0) tell(letter, at);
  }
}

/// Pseudo-classes of what a person just points at or writes in: such elements are asked themselves, so these need not be.
const OF_THE_MOMENT = /:(?:hover|active|focus|focus-within|focus-visible|link|visited|any-link)(?![\w-])/g;
const OF_CLASS = /\[\s*class\s*(?:[~|^$*]?=\s*(?:"[^"]*"|'[^']*'|[\w-]+)\s*[is]?\s*)?\]/gi;
const TAKEN_APART = /:(?:not|is|where)\((?:[^()]|\([^()]*\))*\)/g;

/// One rule's selector: what an element must have for it to be about it, and what it depends on beyond that.
class Selector {
  constructor(text, told, isVolatile) {
    this.text = text;
    this.told = told;
    /// Whether it depends on more than elements, such as the width of a box.
    this.isVolatile = isVolatile;
    let start = 0;
    eachOutside(text, (letter, at) => {
      if (/[\s>+~|]/.test(letter)) start = at + 1;
    });
    this.above = text.slice(0, start);
    this.last = text.slice(start);
    this.bare = this.last.replace(/\((?:[^()]|\([^()]*\))*\)/g, '');
    [this.kind, this.name] = ESCAPED_NUMBER.test(this.last) ? ['any', ''] : wantOf(this.bare);
    /// Whether tag and class of an element, and those of what is above it, say all.
    this.isPure = isPlain(this.last) && !/[#[]/.test(this.last.replace(OF_CLASS, '')) && (this.above === '' || /[\w\])*][\s>]+$/.test(this.above));
  }

  /// What must be above an element for the rule to be about it, where more than tags, classes, ids and attributes count for it:
  /// such an element is told apart from its like, so that everything in it is too.
  get marker() {
    const isSimple = this.above === '' || (isPlain(this.above) && !/[+~|\\]/.test(this.above));
    return this.isPure && !isSimple ? this.above.replace(/[\s>]+$/, '') : null;
  }
}

/// Whether nothing but tags, classes, ids and attributes counts.
function isPlain(part) {
  return !part.replace(OF_THE_MOMENT, '').replace(TAKEN_APART, (inner) => (isPlainInside(inner) ? '' : ':')).includes(':');
}

/// Whether what is in brackets is about the element itself, and about no other above or beside it.
function isPlainInside(bracket) {
  return !/[:[#]/.test(bracket.slice(1)) && !/[^\s,(]\s*[\s>+~]\s*[^\s,)>+~]/.test(bracket.slice(bracket.indexOf('(') + 1, -1).trim());
}

/// An id, a class, an attribute or a tag, in this order of preference.
function wantOf(bare) {
  const id = /#((?:\\.|[^\s.#:[\]\\])+)/.exec(bare);
  if (id) return ['id', unescaped(id[1])];
  const named = /\.((?:\\.|[^\s.#:[\]\\])+)/.exec(bare);
  if (named) return ['class', unescaped(named[1])];
  const [attribute] = attributesIn(bare);
  if (attribute !== undefined) return ['attribute', attribute];
  const tag = /^[a-z][\w-]*/i.exec(bare);
  if (tag) return ['tag', tag[0].toLowerCase()];
  return bare.includes(':root') ? ['tag', 'html'] : ['any', ''];
}

/// The names of the attributes that a selector wants.
function attributesIn(text) {
  return Array.from(text.matchAll(/\[\s*((?:\\.|[^\s\]=~|^$*\\])+)/g), ([, name]) => unescaped(name).toLowerCase());
}

function unescaped(name) {
  return name.replace(/\\(.)/g, '$1');
}

/// Tags, classes, ids and attributes that selectors want of what is above an element: with one of these, it matters for others.
class Mentions {
  constructor() {
    this.tags = new Set();
    this.classes = new Set();
    this.ids = new Set();
    this.attributes = new Set();
    /// Whether they may want anything.
    this.isAnybody = false;
  }

  add({ above }) {
    if (above === '') return;
    for (const [, name] of above.matchAll(/\.((?:\\.|[^\s.#:[\](),>+~\\])+)/g)) this.classes.add(asCompared(unescaped(name)));
    for (const [, name] of above.matchAll(/#((?:\\.|[^\s.#:[\](),>+~\\])+)/g)) this.ids.add(asCompared(unescaped(name)));
    for (const name of attributesIn(above)) this.attributes.add(name);
    this.isAnybody ||= ESCAPED_NUMBER.test(above);
    for (const [, name] of above.matchAll(/(?:^|[\s>+~(,])([a-z][\w-]*)/gi)) this.tags.add(name.toLowerCase());
  }

  /// Whether elements of this tag with these classes matter for what is in them.
  has(tag, classes) {
    if (this.tags.has(tag) || this.isAnybody || (classes !== null && this.attributes.has('class'))) return true;
    return classes !== null && this.classes.size > 0 && classesIn(classes).some((name) => this.classes.has(asCompared(name)));
  }

  /// The same for the other attributes of an element.
  hasAttributeOf(el, names) {
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i];
      if (this.attributes.has(name)) return true;
      if (name === 'id' && this.ids.size > 0 && this.ids.has(asCompared(attributeOf(el, 'id')))) return true;
    }
    return false;
  }
}

const classesIn = (classes) => classes.slice(0, ATTRIBUTE_LIMIT).split(HTML_SPACE);

/// In old documents the case of classes and ids doesn't matter.
let isOldDocument = false;

function asCompared(name) {
  return isOldDocument ? name.toLowerCase() : name;
}
