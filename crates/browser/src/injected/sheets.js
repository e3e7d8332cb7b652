// What the style sheets of a tree can do to its elements, told from their rules: only then is it known whom not to ask.

const RULES_LIMIT = 5000;
const NESTING_LIMIT = 10;
const GENERATED = /::?(?:before|after)$/;
/// Selectors that reach out of their own tree, or that are about something we can't ask for.
const REACHING = /:host|::slotted|::part|:scope/;

/// What a rule tells about, each with the properties that say so.
const TOLD_BY = Object.entries({
  cursor: 'cursor', display: 'display', rendering: 'content-visibility', visibility: 'visibility', opacity: 'opacity', filter: 'filter',
  path: 'clip-path', mask: 'mask-image -webkit-mask-image', position: 'position',
  inset: 'top left right bottom inset-inline-start inset-inline-end inset-block-start inset-block-end', clip: 'clip',
  overflow: 'overflow-x overflow-y overflow-inline overflow-block', contain: 'contain', moving: 'transform translate scale rotate offset-path offset-distance zoom',
  holding: 'transform translate scale rotate perspective backdrop-filter will-change', indent: 'text-indent',
  colour: 'color -webkit-text-fill-color', background: 'background-color background-image', size: 'font-size', float: 'float',
  margin: 'margin-left margin-top margin-right margin-bottom margin-inline-start margin-inline-end margin-block-start margin-block-end',
});
const TELLS = Object.fromEntries(TOLD_BY.map(([what], bit) => [what, 1 << bit]));
const TELLS_ALL = (1 << TOLD_BY.length) - 1;

const TELLING_PROPERTIES = new Map([['all', TELLS_ALL], ['animation-name', TELLS_ALL]]);
for (const [what, properties] of TOLD_BY) {
  for (const name of properties.split(' ')) TELLING_PROPERTIES.set(name, (TELLING_PROPERTIES.get(name) ?? 0) | TELLS[what]);
}
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
    /// Whether what is read now depends on more than elements, such as the size of a box.
    this.isVolatile = false;
    /// Whether it may change the case of texts.
    this.mayTransform = false;
    /// Selectors of rules that tell something, with what they want.
    this.telling = [];
    /// The same for elements that get words before or after their own.
    this.generating = [];
    /// What rules tell that reach out of the tree.
    this.toldOutside = 0;
  }

  giveUp() {
    this.isUnknown = true;
    this.mayTransform = true;
  }

  take(other) {
    if (other.isUnknown) this.giveUp();
    this.mayTransform ||= other.mayTransform;
    this.toldOutside |= other.toldOutside;
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
  const wasVolatile = summary.isVolatile;
  summary.isVolatile ||= told !== 0 && OF_EACH.test(style.cssText);
  for (const selector of selectorsIn(selectors)) {
    if (REACHING.test(selector)) summary.toldOutside |= told;
    if (PSEUDO_ELEMENT.test(selector)) {
      if (generates && GENERATED.test(selector)) {
        const host = selector.replace(GENERATED, '');
        addRule(summary, 'generating', /(?:^|[\s>+~])$/.test(host) ? `${host}*` : host);
      } else if (generates || REACHING.test(selector)) addRule(summary, 'generating', '*');
    } else if (told !== 0) addRule(summary, 'telling', REACHING.test(selector) ? '*' : selector, told);
  }
  summary.isVolatile = wasVolatile;
}
/// Values that may differ between elements that are alike.
const OF_EACH = /\b(?:attr|sibling-index|sibling-count|random|random-item|if)\(/;

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
    const bits = TELLING_PROPERTIES.get(name) ?? 0;
    if ((told & bits) !== bits && !isSilent(name, bits, read(style, name))) told |= bits;
  }
  return told;
}

/// A margin tells something only if it pulls an element out of its place.
function isSilent(name, bits, value) {
  // Where a variable is part of a shorthand, nothing can be read of its parts.
  if (value === '') return false;
  return bits === TELLS.margin ? !/[-(]/.test(value) : SILENT.get(name)?.has(value) ?? false;
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

  /// The selectors of those that tell this.
  telling(what) {
    const lists = [[this.any], this.byTag.values(), this.byClass.values(), this.byId.values(), this.byAttribute.values()];
    return lists.flatMap((list) => [...list]).flat().filter((rule) => rule.told & what).map((rule) => rule.text);
  }

  get wantsAttributes() {
    return this.byId.size > 0 || this.byAttribute.size > 0;
  }

  /// Those that may be about an element because of one of its other attributes.
  isAboutAttributes(el, names) {
    if (!this.wantsAttributes) return false;
    for (let i = 0; i < names.length; i += 1) {
      const name = names[i];
      const isAbout = (rule) => matches(el, rule.text);
      if (this.byAttribute.get(name)?.some(isAbout)) return true;
      if (name === 'id' && this.byId.get(asCompared(attributeOf(el, 'id')))?.some(isAbout)) return true;
    }
    return false;
  }

  /// Those that may be about elements of this tag with these classes, as far as tag and classes say.
  of(tag, classes) {
    const found = [...this.any, ...(this.byTag.get(tag) ?? [])];
    if (classes !== null) {
      for (const rule of this.byAttribute.get('class') ?? NO_NAMES) found.push(rule);
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
