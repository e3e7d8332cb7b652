// What style sheets add to names: generated content, and whether texts are transformed.

const RULES_LIMIT = 5000;
const NESTING_LIMIT = 10;
const SELECTORS_LIMIT = 40;
/// How many elements, and for how long in all, are asked for generated content where the sheets can't tell which have
/// any: each answer costs the browser a search through all of their rules.
const GUESSES_LIMIT = 400;
const GUESSES_MS = 30;
const GENERATED = /::?(?:before|after)$/;

const documentSheetsOf = getterOf(Document.prototype, 'styleSheets');
const documentExtrasOf = getterOf(Document.prototype, 'adoptedStyleSheets');
const shadowSheetsOf = getterOf(ShadowRoot.prototype, 'styleSheets');
const shadowExtrasOf = getterOf(ShadowRoot.prototype, 'adoptedStyleSheets');
const findInDocument = uncurried(Document.prototype.querySelector);
const findInFragment = uncurried(DocumentFragment.prototype.querySelector);

/// What a sheet can do, kept between looks: reading thousands of rules is slow.
const summaries = (globalThis.legworkSheets ??= new WeakMap());
let looksByRoot = new WeakMap();

/// To be called when a new look begins: sheets may have come and gone.
function forgetLooks() {
  looksByRoot = new WeakMap();
}

/// What the sheets of an element's tree can do to names.
function looksOf(el) {
  const root = rootOf(el);
  let looks = looksByRoot.get(root);
  if (!looks) {
    looks = readLooks(root);
    looksByRoot.set(root, looks);
  }
  return looks;
}

function readLooks(root) {
  const looks = { mayTransform: false, isGuess: false, guesses: 0, guessedMs: 0, classes: new Set(), classLists: new Map(), selector: null };
  // What a text looks like is inherited from outside.
  if (root instanceof ShadowRoot) looks.mayTransform = looksOf(root.host).mayTransform;
  const selectors = [];
  for (const sheet of sheetsOf(root)) {
    const summary = summaryOf(sheet);
    looks.mayTransform ||= summary.mayTransform;
    looks.isGuess ||= summary.isGuess;
    for (const name of summary.classes) looks.classes.add(name);
    selectors.push(...summary.selectors);
  }
  looks.mayTransform ||= findIn(root, '[style*="text-transform" i]') !== null;
  looks.isGuess ||= selectors.length > SELECTORS_LIMIT;
  looks.selector =
    selectors.slice(0, SELECTORS_LIMIT).filter((selector) => isSelector(root, selector)).join(',') || null;
  return looks;
}

function sheetsOf(root) {
  if (root instanceof Document) return [...documentSheetsOf(root), ...documentExtrasOf(root)];
  return root instanceof ShadowRoot ? [...shadowSheetsOf(root), ...shadowExtrasOf(root)] : [];
}

function findIn(root, selector) {
  if (root instanceof Document) return findInDocument(root, selector);
  return root instanceof DocumentFragment ? findInFragment(root, selector) : null;
}

function isSelector(root, selector) {
  try {
    findIn(root, selector);
    return true;
  } catch {
    return false;
  }
}

function summaryOf(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    // A sheet of another site can't be read, so it may do anything.
    return { mayTransform: true, isGuess: true, classes: new Set(), selectors: [] };
  }
  const known = summaries.get(sheet);
  if (known && known.length === rules.length) return known;
  const summary =
    { length: rules.length, mayTransform: false, isGuess: false, classes: new Set(), selectors: [], rulesLeft: RULES_LIMIT };
  readRules(rules, summary, null, 0);
  summaries.set(sheet, summary);
  return summary;
}

function readRules(rules, summary, around, depth) {
  for (const rule of rules) {
    if ((summary.rulesLeft -= 1) < 0 || depth > NESTING_LIMIT) {
      summary.mayTransform = true;
      summary.isGuess = true;
      return;
    }
    if (rule instanceof CSSImportRule) {
      const inner = rule.styleSheet && summaryOf(rule.styleSheet);
      if (!inner) continue;
      summary.mayTransform ||= inner.mayTransform;
      summary.isGuess ||= inner.isGuess;
      for (const name of inner.classes) summary.classes.add(name);
      summary.selectors.push(...inner.selectors);
      continue;
    }
    const isStyle = rule instanceof CSSStyleRule;
    if (isStyle) readStyleRule(rule, summary, around);
    if (rule.cssRules?.length) readRules(rule.cssRules, summary, isStyle ? nestedSelector(rule, around) : around, depth + 1);
  }
}

function nestedSelector(rule, around) {
  const selector = rule.selectorText;
  if (around === null) return selector;
  return selector.includes('&') ? selector.replaceAll('&', `:is(${around})`) : `:is(${around}) ${selector}`;
}

function readStyleRule(rule, summary, around) {
  const { style } = rule;
  const transform = style.textTransform;
  if (transform !== '' && transform !== 'none') summary.mayTransform = true;
  if (style.content === '' || summary.isGuess) return;
  // A comma inside brackets doesn't part selectors.
  for (const part of nestedSelector(rule, around).split(/,(?![^(]*\))/)) {
    const selector = part.trim();
    if (GENERATED.test(selector)) addHost(selector.replace(GENERATED, '') || '*', summary);
  }
  if (summary.selectors.length > SELECTORS_LIMIT) summary.isGuess = true;
}

/// Remembers which elements a rule is about: by a class that they must have, or by the whole selector.
function addHost(selector, summary) {
  const named = /[^\w\s>+~.#:*-]/.test(selector) ? null : /\.([\w-]+)[^\s>+~]*$/.exec(selector);
  if (named) summary.classes.add(named[1]);
  else summary.selectors.push(/[\s>+~]$/.test(selector) ? `${selector}*` : selector);
}

function mayHaveGenerated(el, looks) {
  if (tagOf(el) === 'q' || isKnownToGenerate(el, looks)) return true;
  if (!looks.isGuess || looks.guesses >= GUESSES_LIMIT || looks.guessedMs >= GUESSES_MS) return false;
  looks.guesses += 1;
  const begun = performance.now();
  const isAny = ['::before', '::after'].some((which) => {
    const { content } = getComputedStyle(el, which);
    return content !== 'none' && content !== 'normal';
  });
  looks.guessedMs += performance.now() - begun;
  return isAny;
}

function isKnownToGenerate(el, looks) {
  if (looks.selector !== null && matches(el, looks.selector)) return true;
  if (looks.classes.size === 0) return false;
  const classes = attributeOf(el, 'class');
  if (!classes) return false;
  let isKnown = looks.classLists.get(classes);
  if (isKnown === undefined) {
    isKnown = classes.slice(0, ATTRIBUTE_LIMIT).split(HTML_SPACE).some((name) => looks.classes.has(name));
    looks.classLists.set(classes, isKnown);
  }
  return isKnown;
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
