// The role of an element as Chromium's accessibility tree reports it, and whether a person could act on it.

const ROLE_TOKENS = 10;

/// ARIA roles that the tree reports under their own name.
const OWN_NAME_ROLES = new Set((
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment ' +
  'complementary contentinfo definition deletion dialog document emphasis feed figure form generic grid gridcell group heading ' +
  'image insertion link list listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio ' +
  'meter navigation none note option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search ' +
  'searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab ' +
  'table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem graphics-document graphics-object ' +
  'graphics-symbol doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography ' +
  'doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote ' +
  'doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index ' +
  'doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part doc-preface ' +
  'doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc').split(' '));
const ALIAS_ROLES = new Map([['img', 'image'], ['directory', 'list'], ['presentation', 'none']]);

/// Roles that count only inside the right container.
const CONTAINERS = new Map([
  ['option', new Set(['listbox', 'combobox'])],
  ['treeitem', new Set(['tree', 'treeitem'])],
  ['listitem', new Set(['list'])],
]);

/// Roles that may stand between a container and what belongs to it.
const NEUTRAL_ROLES = new Set(['generic', 'none', 'group', 'rowgroup']);

const GLOBAL_STATES = (
  'atomic braillelabel brailleroledescription busy controls current describedby description details dropeffect flowto grabbed ' +
  'hidden keyshortcuts label labelledby live owns relevant roledescription').split(' ').map((name) => `aria-${name}`);

const INPUT_ROLES = new Map(Object.entries({
  button: 'button', submit: 'button', reset: 'button', image: 'button', file: 'button', checkbox: 'checkbox', radio: 'radio',
  date: 'Date', 'datetime-local': 'DateTime', month: 'DateTime', week: 'DateTime', time: 'InputTime', number: 'spinbutton',
  range: 'slider', search: 'searchbox', color: 'ColorWell',
}));
/// Inputs that stay what they are when a list of suggestions is attached.
const LISTLESS_INPUTS = new Set(['button', 'submit', 'reset', 'image', 'file', 'checkbox', 'radio', 'range', 'color', 'password']);

const TAG_ROLES = new Map(Object.entries({
  div: 'generic', span: 'generic', button: 'button', textarea: 'textbox', img: 'image', h1: 'heading', h2: 'heading',
  h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', ul: 'list', ol: 'list', menu: 'list', dir: 'list',
  dl: 'DescriptionList', li: 'listitem', p: 'paragraph', label: 'LabelText', legend: 'Legend', details: 'group',
  fieldset: 'group', address: 'group', hgroup: 'group', optgroup: 'group', option: 'option', meter: 'meter',
  progress: 'progressbar', output: 'status', ruby: 'Ruby', rt: 'RubyAnnotation', audio: 'Audio', video: 'Video',
  dd: 'definition', dfn: 'term', dt: 'term', form: 'form', abbr: 'Abbr', acronym: 'Abbr', article: 'article', code: 'code',
  em: 'emphasis', strong: 'strong', search: 'search', del: 'deletion', s: 'deletion', ins: 'insertion', sub: 'subscript',
  sup: 'superscript', main: 'main', mark: 'mark', nav: 'navigation', dialog: 'dialog', iframe: 'Iframe', frame: 'Iframe',
  blockquote: 'blockquote', caption: 'caption', figcaption: 'Figcaption', figure: 'figure', time: 'time',
  embed: 'EmbeddedObject', object: 'PluginObject', hr: 'separator', canvas: 'Canvas', br: 'LineBreak', wbr: 'LineBreak',
}));

const SECTIONING = new Set(['article', 'aside', 'main', 'nav', 'section']);
const SECTIONING_ROLES = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

const ACTION_ROLES = new Set((
  'button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox textbox searchbox spinbutton ' +
  'slider listbox scrollbar treeitem doc-backlink doc-biblioref doc-glossref doc-noteref').split(' '));

/// The role as `Accessibility.getFullAXTree` says it.
function roleOf(el) {
  const asked = attributeOf(el, 'role');
  if (asked) {
    const role = ariaRoleOf(el, asked);
    if (role !== null && (!CONTAINERS.has(role) || belongs(el, role))) return role;
  }
  return nativeRoleOf(el);
}

/// The role that the page asks for, if it counts; whether it counts where the element stands is another question.
function ariaRoleOf(el, asked) {
  const tokens = asked.slice(0, 300).toLowerCase().split(HTML_SPACE);
  for (let i = 0; i < tokens.length && i < ROLE_TOKENS; i += 1) {
    const token = tokens[i];
    const role = OWN_NAME_ROLES.has(token) ? token : ALIAS_ROLES.get(token);
    if (role === undefined) continue;
    if ((role === 'form' || role === 'region') && !isNamedByAuthor(el)) continue;
    // What can be reached or says more about itself is not mere decoration.
    if (role === 'none') return isFocusable(el) || saysMore(el) ? null : 'none';
    return role;
  }
  return null;
}

function saysMore(el) {
  return GLOBAL_STATES.some((state) => hasAttribute(el, state));
}

function isNamedByAuthor(el) {
  return Boolean(attributeOf(el, 'aria-label') || attributeOf(el, 'aria-labelledby') || attributeOf(el, 'title'));
}

/// Whether elements stand in the right container for their roles.
let belonging = new WeakMap();

/// To be called when a new look begins.
function forgetRoles() {
  belonging = new WeakMap();
}

/// Whether an element stands where its role counts. That may hang on others above it, for which the same is asked: they are
/// judged from the uppermost down, each of them once.
function belongs(el, role) {
  const known = belonging.get(el);
  if (known !== undefined) return known;
  const open = [[el, role], ...openAbove(el)];
  while (open.length) {
    const [at, asked] = open.pop();
    belonging.set(at, isInside(at, CONTAINERS.get(asked)));
  }
  return belonging.get(el);
}

/// The elements above that must be judged first, with the roles that the page asks for.
function openAbove(el) {
  const open = [];
  let at = el;
  while (at !== null) {
    at = findAbove(at, (above) => {
      const asked = attributeOf(above, 'role');
      const role = asked ? ariaRoleOf(above, asked) : null;
      if (!CONTAINERS.has(role)) return NEUTRAL_ROLES.has(roleOf(above)) ? undefined : null;
      if (belonging.has(above)) return null;
      open.push([above, role]);
      return above;
    }) ?? null;
  }
  return open;
}

function isInside(el, containers) {
  return findAbove(el, (above) => {
    const found = roleOf(above);
    if (containers.has(found)) return true;
    return NEUTRAL_ROLES.has(found) ? undefined : false;
  }) === true;
}

function nativeRoleOf(el) {
  if (!isHtml(el)) return foreignRoleOf(el);
  const tag = tagOf(el);
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttribute(el, 'href') || isMarkedClickable(el) ? 'link' : 'generic';
    case 'input':
      return inputRoleOf(el);
    case 'select':
      return el.multiple || el.size > 1 ? 'listbox' : 'combobox';
    case 'summary':
      if (!isSummaryOfDetails(el)) return 'generic';
      return attributeOf(parentOf(el), 'name') ? 'DisclosureTriangleGrouped' : 'DisclosureTriangle';
    case 'section':
      return isNamedByAuthor(el) ? 'region' : 'generic';
    case 'aside':
      return isNamedByAuthor(el) || !isInSection(el) ? 'complementary' : 'generic';
    case 'header':
      return isInSection(el) ? 'sectionheader' : 'banner';
    case 'footer':
      return isInSection(el) ? 'sectionfooter' : 'contentinfo';
    case 'table':
    case 'thead':
    case 'tbody':
    case 'tfoot':
    case 'tr':
    case 'td':
    case 'th':
      return tableRoleOf(el, tag);
    default:
      return TAG_ROLES.get(tag) ?? 'generic';
  }
}

/// SVG and MathML.
function foreignRoleOf(el) {
  switch (tagOf(el)) {
    case 'svg':
      return 'SvgRoot';
    case 'a':
      return hasAttribute(el, 'href') || hasAttribute(el, 'xlink:href') || isMarkedClickable(el) ? 'link' : 'group';
    case 'g':
      return 'group';
    case 'image':
      return 'image';
    case 'circle':
    case 'ellipse':
    case 'line':
    case 'path':
    case 'polygon':
    case 'polyline':
    case 'rect':
      return 'graphics-symbol';
    case 'use':
      return 'graphics-object';
    case 'math':
      return 'MathMLMath';
    default:
      return 'generic';
  }
}

function inputRoleOf(el) {
  const type = el.type;
  if (hasAttribute(el, 'list') && !LISTLESS_INPUTS.has(type) && el.list) return 'combobox';
  return INPUT_ROLES.get(type) ?? 'textbox';
}

function isMarkedClickable(el) {
  return hasAttribute(el, 'onclick') || hasAttribute(el, 'onmousedown') || hasAttribute(el, 'onmouseup');
}

function isInSection(el) {
  return findAbove(el, (above) => {
    const asked = attributeOf(above, 'role');
    const inside = asked ? SECTIONING_ROLES.has(asked.slice(0, 40)) : SECTIONING.has(tagOf(above));
    return inside ? true : undefined;
  }) === true;
}

/// One question for all of the attributes that make an element more than its tag.
const MARKED = '[onclick],[tabindex],[contenteditable],[role]';

/// Whether a person could act on it, by its markup alone.
function isInteractive(el) {
  switch (tagOf(el)) {
    case 'button':
    case 'select':
    case 'textarea':
      return true;
    case 'a':
    case 'area':
      if (hasAttribute(el, 'href') || hasAttribute(el, 'xlink:href')) return true;
      break;
    case 'input':
      return el.type !== 'hidden';
    case 'summary':
      if (isSummaryOfDetails(el)) return true;
      break;
    case 'audio':
    case 'video':
      if (hasAttribute(el, 'controls')) return true;
      break;
    // A native list of choices is one control.
    case 'option':
    case 'optgroup':
      return false;
  }
  if (!matches(el, MARKED)) return false;
  if (hasAttribute(el, 'onclick') || hasAttribute(el, 'tabindex') || isEditingHost(el)) return true;
  const asked = attributeOf(el, 'role');
  return Boolean(asked) && asked.slice(0, 300).toLowerCase().split(HTML_SPACE).some((role) => ACTION_ROLES.has(role));
}

/// Roles that don't say that something can be acted on.
const ROLELESS = new Set((
  'generic none LabelText paragraph listitem cell LayoutTableCell row image SvgRoot Canvas graphics-symbol graphics-object group list ' +
  'heading article region StaticText emphasis strong LayoutTableRow table LayoutTable Section sectionheader sectionfooter banner ' +
  'contentinfo main navigation complementary form definition term figure Figcaption code mark time blockquote dialog status ' +
  'alert').split(' '));
