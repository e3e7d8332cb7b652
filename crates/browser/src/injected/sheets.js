// What the style sheets of a tree can do to its elements, told from their rules: only then is it known whom not to ask.

const RULES_LIMIT = 5000;
const NESTING_LIMIT = 10;
const GENERATED = /::?(?:before|after)$/;
/// Selectors that reach out of their own tree, or that are about something we can't ask for.
const REACHING = /:host|::slotted|::part|:scope/;

/// What a rule tells about: the pointer over an element, whether it is painted, where, in which colours, and how it stands in a line.
const TELLS = { pointer: 1, painted: 2, place: 4, ink: 8, line: 16 };
const TELLS_ALL = 31;

const TELLING_PROPERTIES = new Map([
  ['all', TELLS_ALL], ['cursor', TELLS.pointer], ['display', TELLS.painted | TELLS.line], ['filter', TELLS.painted | TELLS.place],
  ...'visibility opacity content-visibility clip-path mask-image -webkit-mask-image'.split(' ').map((name) => [name, TELLS.painted]),
  ...('overflow-x overflow-y clip backdrop-filter transform translate scale rotate perspective will-change contain text-indent top left ' +
    'right bottom zoom writing-mode direction flex-direction').split(' ').map((name) => [name, TELLS.place]),
  ['position', TELLS.place | TELLS.line], ['float', TELLS.line], ['animation-name', TELLS_ALL], ['-webkit-text-security', TELLS.line],
  ...'color -webkit-text-fill-color background-color background-image font-size'.split(' ').map((name) => [name, TELLS.ink]),
]);
/// These tell something only if they pull it out of its place.
const PULLING = new Set(['margin-left', 'margin-top', 'margin-right', 'margin-bottom', 'margin-inline-start', 'margin-block-start']);
/// What says nothing.
const SILENT = new Map(Object.entries({
  position: new Set(['static']), opacity: new Set(['1']), transform: new Set(['none']), top: new Set(['auto', '0px']),
  left: new Set(['auto', '0px']), right: new Set(['auto', '0px']), bottom: new Set(['auto', '0px']), 'text-indent': new Set(['0px']),
  'background-image': new Set(['none', 'initial']), filter: new Set(['none']), 'animation-name': new Set(['none']), float: new Set(['none']),
}));

const documentSheetsOf = getterOf(Document.prototype, 'styleSheets');
const documentExtrasOf = getterOf(Document.prototype, 'adoptedStyleSheets');
const shadowSheetsOf = getterOf(ShadowRoot.prototype, 'styleSheets');
const shadowExtrasOf = getterOf(ShadowRoot.prototype, 'adoptedStyleSheets');

/// What a sheet can do, kept between looks: reading thousands of rules is slow.
const summaries = new WeakMap();

function sheetsOf(root) {
  if (root instanceof Document) return [...documentSheetsOf(root), ...documentExtrasOf(root)];
  return root instanceof ShadowRoot ? [...shadowSheetsOf(root), ...shadowExtrasOf(root)] : [];
}

class Summary {
  constructor(length) {
    this.length = length;
    this.rulesLeft = RULES_LIMIT;
    /// Whether it may do anything to anybody.
    this.isUnknown = false;
    /// Whether what is read now depends on the size of a box.
    this.isVolatile = false;
    /// Whether it may change the case of texts.
    this.mayTransform = false;
    /// Selectors of rules that tell something, with what they want.
    this.telling = [];
    /// The same for elements that get words before or after their own.
    this.generating = [];
  }

  giveUp() {
    this.isUnknown = true;
    this.mayTransform = true;
  }

  take(other) {
    if (other.isUnknown) this.giveUp();
    this.mayTransform ||= other.mayTransform;
    for (const rule of other.telling) this.telling.push(rule);
    for (const rule of other.generating) this.generating.push(rule);
  }
}

function summaryOf(sheet) {
  let rules;
  try {
    rules = sheet.cssRules;
  } catch {
    // A sheet of another site can't be read.
    const summary = new Summary(0);
    summary.giveUp();
    return summary;
  }
  const known = summaries.get(sheet);
  if (known && known.length === rules.length) return known;
  const summary = new Summary(rules.length);
  readRules(rules, summary, null, 0);
  summaries.set(sheet, summary);
  return summary;
}

function readRules(rules, summary, around, depth) {
  for (const rule of rules) {
    if ((summary.rulesLeft -= 1) < 0 || depth > NESTING_LIMIT) return summary.giveUp();
    if (rule instanceof CSSImportRule) {
      if (rule.styleSheet) summary.take(summaryOf(rule.styleSheet));
      continue;
    }
    // What a scope reaches can't be told from selectors.
    if (isOfType(rule, 'CSSScopeRule')) return summary.giveUp();
    const wasVolatile = summary.isVolatile;
    summary.isVolatile ||= isOfType(rule, 'CSSContainerRule');
    const isStyle = rule instanceof CSSStyleRule;
    if (isStyle) readStyleRule(rule, summary, around);
    else if (isOfType(rule, 'CSSNestedDeclarations')) readDeclarations(rule.style, around ?? '*', summary);
    if (rule.cssRules?.length) readRules(rule.cssRules, summary, isStyle ? nestedSelector(rule, around) : around, depth + 1);
    summary.isVolatile = wasVolatile;
  }
  return undefined;
}

/// For kinds of rules that not every Chromium knows.
function isOfType(rule, name) {
  return typeof globalThis[name] === 'function' && rule instanceof globalThis[name];
}

function nestedSelector(rule, around) {
  const selector = rule.selectorText;
  if (around === null) return selector;
  return selector.includes('&') ? selector.replaceAll('&', `:is(${around})`) : `:is(${around}) ${selector}`;
}

function readStyleRule(rule, summary, around) {
  readDeclarations(rule.style, nestedSelector(rule, around), summary);
}

function readDeclarations(style, selectors, summary) {
  const transform = style.textTransform;
  if (transform !== '' && transform !== 'none') summary.mayTransform = true;
  const generates = style.content !== '';
  const told = toldBy(style);
  if (!generates && told === 0) return;
  for (const selector of selectorsIn(selectors)) {
    if (PSEUDO_ELEMENT.test(selector)) {
      if (generates && GENERATED.test(selector)) {
        const host = selector.replace(GENERATED, '');
        addRule(summary, 'generating', /(?:^|[\s>+~])$/.test(host) ? `${host}*` : host);
      } else if (generates || REACHING.test(selector)) addRule(summary, 'generating', '*');
    } else if (told !== 0) addRule(summary, 'telling', REACHING.test(selector) ? '*' : selector, told);
  }
}

/// A rule whose selector can't be asked may be about anybody.
function addRule(summary, list, text, told = 0) {
  const selector = new Selector(isSelector(text) ? text : '*', told, summary.isVolatile);
  summary[list].push(selector);
  if (selector.marker !== null) addRule(summary, 'telling', selector.marker);
}

function isSelector(selector) {
  try {
    matches(documentElementOf(document), selector);
    return true;
  } catch {
    return false;
  }
}

/// What a rule tells about.
function toldBy(style) {
  let told = 0;
  for (let i = 0; i < style.length; i += 1) {
    const name = style[i];
    if (name.startsWith('--')) return TELLS_ALL;
    const bits = PULLING.has(name) ? TELLS.place : TELLING_PROPERTIES.get(name) ?? 0;
    if ((told & bits) !== bits && !isSilent(name, read(style, name))) told |= bits;
  }
  return told;
}

function isSilent(name, value) {
  return PULLING.has(name) ? !/[-(]/.test(value) : SILENT.get(name)?.has(value) ?? false;
}

/// Rules by what they want.
class RuleBook {
  constructor() {
    this.isEmpty = true;
    this.any = [];
    this.byTag = new Map();
    this.byClass = new Map();
    this.byId = new Map();
    this.byAttribute = new Map();
  }

  add(rule) {
    this.isEmpty = false;
    const { kind, name } = rule;
    if (kind === 'any') this.any.push(rule);
    else if (kind === 'tag') listIn(this.byTag, name).push(rule);
    else if (kind === 'class') listIn(this.byClass, asCompared(name)).push(rule);
    else if (kind === 'id') listIn(this.byId, asCompared(name)).push(rule);
    else listIn(this.byAttribute, name).push(rule);
  }

  get wantsAttributes() {
    return this.byId.size > 0 || this.byAttribute.size > 0;
  }

  /// Those that may be about an element because of one of its other attributes.
  isAboutAttributes(el, names) {
    if (!this.wantsAttributes) return false;
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i];
      const rules = name === 'id' ? this.byId.get(asCompared(attributeOf(el, 'id'))) : this.byAttribute.get(name);
      if (rules?.some((rule) => matches(el, rule.text))) return true;
    }
    return false;
  }

  /// Those that may be about elements of this tag with these classes, as far as tag and classes say.
  of(tag, classes) {
    const found = [...this.any, ...(this.byTag.get(tag) ?? [])];
    if (classes !== null) {
      for (const name of new Set(classesIn(classes))) {
        for (const rule of this.byClass.get(asCompared(name)) ?? NO_NAMES) found.push(rule);
      }
    }
    return found;
  }
}

function listIn(map, key) {
  let list = map.get(key);
  if (list === undefined) map.set(key, list = []);
  return list;
}
