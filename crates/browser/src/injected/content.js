// Names that come from what is inside an element: texts, pictures, embedded controls, generated content.

const DEPTH_LIMIT = 60;
/// Chromium itself looks at no more descendants for a name.
const DESCENDANTS_LIMIT = 100;
/// How many nodes are looked at for one name, whether they add to it or not.
const STEPS_LIMIT = 1000;
const TEXT_LIMIT = 4000;

/// Roles that keep their content to themselves.
const KEEPS_CONTENT = new Set((
  'alert alertdialog application Audio article banner blockquote ColorWell combobox comment complementary contentinfo Date ' +
  'DateTime dialog document EmbeddedObject feed figure form graphics-document graphics-object graphics-symbol grid group ' +
  'Iframe image InputTime listbox log main marquee MathMLMath menu menubar meter navigation note PluginObject progressbar ' +
  'radiogroup row rowgroup RubyAnnotation scrollbar search searchbox sectionfooter sectionheader separator slider ' +
  'spinbutton status suggestion table tablist tabpanel term textbox timer toolbar tree treegrid Video').split(' '));
/// Elements that share such a role and yet tell their content.
const TELLS_CONTENT = new Set(['details', 'address', 'hgroup', 'dt', 'dfn', 'footer']);
const GRIDS = new Set(['grid', 'treegrid']);
const RANGE_ROLES = new Set(['meter', 'progressbar', 'scrollbar', 'slider', 'spinbutton']);
const CONTROL_TAGS = new Set(['button', 'input', 'select', 'textarea', 'output', 'fieldset', 'object']);
const CONTROL_ROLES = new Set((
  'button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox slider ' +
  'spinbutton switch tab textbox treeitem').split(' '));
const ATOMIC_TAGS = new Set((
  'audio button canvas embed iframe img input math meter object progress select svg textarea video').split(' '));
const UNREAD_TAGS = new Set((
  'datalist defs desc head link meta noscript param script source style template track').split(' '));
const OPAQUE_TAGS = new Set(['iframe', 'frame', 'object', 'embed', 'audio', 'video']);

const everyElementIn = uncurried(Element.prototype.getElementsByTagName);

function isNamedByContent(el, role, isPart) {
  if (NAMED_BY_CONTENT.has(role)) return isPart || !isEditingHost(el);
  if (isPart) {
    if (!KEEPS_CONTENT.has(role)) return true;
    if (!isHtml(el)) return role === 'group';
    return TELLS_CONTENT.has(tagOf(el)) && !attributeOf(el, 'role');
  }
  return role === 'row' && isInside(el, GRIDS);
}

/// The text of the children, joined as they are drawn: with a space where a new box begins.
function contentOf(el, reading, depth) {
  const joined = { text: '', isBroken: false, isApart: false };
  readInto(joined, el, reading, depth);
  return joined.text;
}

function readInto(joined, el, reading, depth) {
  const tag = tagOf(el);
  if (depth > DEPTH_LIMIT || OPAQUE_TAGS.has(tag)) return;
  const looks = looksOf(el);
  const hasGenerated = mayHaveGenerated(el, looks);
  if (hasGenerated) addGenerated(el, '::before', joined);
  const isFolded = tag === 'details' && isHtml(el) && !hasAttribute(el, 'open');
  const children = drawnChildrenOf(el);
  if (Array.isArray(children)) {
    for (const child of children) if (!addChild(joined, parentOf(child) ?? el, child, reading, looks, depth)) break;
  } else {
    for (let child = children; child; child = nextSiblingOf(child)) {
      if (isFolded && !(child instanceof Element && tagOf(child) === 'summary')) continue;
      if (!addChild(joined, el, child, reading, looks, depth)) break;
    }
  }
  if (hasGenerated) addGenerated(el, '::after', joined);
}

/// Adds one child; false when enough is known.
function addChild(joined, parent, child, reading, looks, depth) {
  reading.steps += 1;
  if (reading.seen.size > DESCENDANTS_LIMIT || reading.taken > NAME_LIMIT * 2 || reading.steps > STEPS_LIMIT) return false;
  const kind = kindOf(child);
  if (kind === TEXT) {
    reading.seen.add(child);
    const text = drawnTextOf(child, parent, looks);
    reading.taken += text.length;
    join(joined, text, false);
  } else if (kind === ELEMENT) {
    addElement(joined, child, reading, depth + 1);
  }
  return true;
}

function addElement(joined, el, reading, depth) {
  const tag = tagOf(el);
  if (tag === 'br' || tag === 'wbr') {
    reading.seen.add(el);
    join(joined, '\n', false);
    return;
  }
  if (UNREAD_TAGS.has(tag)) return;
  if (isHiddenFor(el, reading)) {
    joined.isBroken ||= hasAttribute(el, 'aria-hidden') && isBlock(el);
    return;
  }
  if (tag === 'img' && attributeOf(el, 'alt') === '' && !isFocusable(el)) return;
  const role = roleOf(el);
  const isPlain = role === 'none' || (role === 'generic' && !isMarkedOut(el));
  const wasBroken = joined.isBroken;
  const length = joined.text.length;
  if (isPlain) {
    // A plain element is only its box: what is inside stands next to what is outside.
    if (depth > DEPTH_LIMIT || (reading.seen.has(el) && !reading.labelRoot)) return;
    const box = boxOf(el);
    // Like Chromium, count only what it has an object for: an inline element without meaning has none.
    if (box !== 'line') reading.seen.add(el);
    joined.isBroken ||= box !== 'line';
    readInto(joined, el, reading, depth);
    const isEmpty = joined.text.length === length;
    if (isEmpty) joined.isBroken = wasBroken || box === 'block';
    else if (box !== 'line') joined.isBroken = true;
  } else {
    reading.isApart = false;
    const text = describedPart(el, role, reading, depth);
    const { isApart } = reading;
    if (text === '') {
      joined.isBroken ||= isControl(el, role) || isBlock(el);
      return;
    }
    const isBox = isControl(el, role) || boxOf(el) !== 'line';
    joined.isBroken ||= isBox;
    join(joined, text, isApart);
    joined.isBroken = isBox || holdsBlock(el);
  }
}

/// Whether a plain element says something about itself, so that it counts as a thing of its own.
function isMarkedOut(el) {
  return hasAttribute(el, 'aria-label') || hasAttribute(el, 'aria-labelledby') || isFocusable(el);
}

function describedPart(el, role, reading, depth) {
  if (depth > DEPTH_LIMIT || (reading.seen.has(el) && !reading.labelRoot)) return '';
  return alternativeOf(el, role, reading, true, depth);
}

/// A text as it is drawn. A run of spaces is one space, so that a limit counts what is read.
function drawnTextOf(node, parent, looks) {
  const text = tidyBeginningOf(textOf(node));
  if (isWrittenIn(parent) && isShownAsDots(parent)) return text.replace(/\S/g, '•');
  if (!looks.mayTransform) return text;
  switch (getComputedStyle(parent).textTransform) {
    case 'uppercase':
      return text.toUpperCase();
    case 'lowercase':
      return text.toLowerCase();
    case 'capitalize':
      return text.replace(/(^|[^\p{L}\p{N}\p{M}'’_])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
    default:
      return text;
  }
}

function join(joined, text, isApart) {
  if (text === '') return;
  const last = joined.text.at(-1);
  const meets = last !== undefined && last !== ' ' && last !== '\n' && text[0] !== ' ' && text[0] !== '\n';
  if (meets && (joined.isBroken || joined.isApart || isApart)) joined.text += ' ';
  joined.text += text;
  joined.isApart = isApart;
  joined.isBroken = false;
}

function isControl(el, role) {
  return CONTROL_TAGS.has(tagOf(el)) || (CONTROL_ROLES.has(role) && hasAttribute(el, 'role'));
}

/// How it is drawn: as part of a line, as a box of its own within a line, or as a block.
function boxOf(el) {
  return ATOMIC_TAGS.has(tagOf(el)) ? 'box' : stateOf(el).box;
}

function boxOfDisplay(display, isInFlow) {
  if (display === 'inline' || display === 'ruby') return isInFlow ? 'line' : 'box';
  return display.startsWith('inline') || display === 'contents' ? 'box' : 'block';
}

const BLOCKS = new Set(['block', 'flex', 'grid', 'table', 'list-item']);

function isBlock(el) {
  return stateOf(el).box === 'block';
}

/// Whether a block interrupts the line inside an inline element.
function holdsBlock(el) {
  let left = 20;
  for (const inner of everyElementIn(el, '*')) {
    if ((left -= 1) < 0) return false;
    if (stateOf(inner).isBlockInFlow) return true;
  }
  return false;
}

/// The value that an embedded control adds to the name around it.
function valueInName(el, role, reading, depth) {
  const tag = isHtml(el) ? tagOf(el) : '';
  if (tag === 'select') return choiceOf(el);
  const isField = tag === 'textarea' || tag === 'input';
  if (isField && el.type === 'password') return dotsFor(el.value);
  if (RANGE_ROLES.has(role)) {
    if (isField && isShownAsDots(el)) return dotsFor(el.value) || null;
    const own = isHtml(el) && 'value' in el ? String(el.value) : textAttribute(el, 'aria-valuenow');
    return (textAttribute(el, 'aria-valuetext') ?? own) || null;
  }
  if (isField) {
    if (tag === 'input' && !TEXT_ROLES.has(role) && role !== 'combobox') return null;
    return (isShownAsDots(el) ? dotsFor(el.value) : tidyBeginningOf(el.value)) || null;
  }
  if (role === 'listbox' || role === 'combobox') return chosenOf(el, reading, depth);
  if (TEXT_ROLES.has(role) || isEditingHost(el)) {
    const text = contentOf(el, reading, depth + 1);
    return isShownAsDots(el) ? dotsFor(text) : text;
  }
  return null;
}

function choiceOf(select) {
  const texts = [];
  for (const option of select.selectedOptions) {
    if (texts.length >= LABELS_LIMIT) break;
    texts.push(tidyBeginningOf(option.label));
  }
  return texts.join(' ');
}

/// What is chosen in a list that the page has built itself.
function chosenOf(el, reading, depth) {
  const chosen = [];
  for (const option of queryAll(el, '[role="option"][aria-selected="true"]')) {
    if (chosen.length >= LABELS_LIMIT) break;
    chosen.push(describedPart(option, 'option', reading, depth + 1));
  }
  return chosen.join(' ');
}

function isHiddenFor(el, reading) {
  if (tagOf(el) === 'noscript' || hasAttribute(el, 'inert')) return true;
  if (reading.isLabelHidden) return false;
  if (attributeOf(el, 'aria-hidden')?.slice(0, 10).toLowerCase() === 'true') return true;
  return isHiddenByStyle(el);
}

function isHiddenByStyle(el) {
  const state = stateOf(el);
  return !state.isRendered || !state.isVisible;
}
