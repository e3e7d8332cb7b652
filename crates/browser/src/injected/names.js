// The accessible name of an element as Chromium's accessibility tree reports it.

const NAME_LIMIT = 300;
const LABELS_LIMIT = 20;
/// What Chromium's player says where it has nothing to play, whatever the page calls it.
const BROKEN_MEDIA = 'Unable to play media.';

/// Roles whose own name is their content.
const NAMED_BY_CONTENT = new Set((
  'button cell checkbox columnheader doc-backlink doc-biblioref doc-noteref doc-glossref DisclosureTriangle ' +
  'DisclosureTriangleGrouped gridcell heading LayoutTableCell LineBreak link option math menuitem menuitemcheckbox ' +
  'graphics-object menuitemradio radio rowheader switch tab term treeitem tooltip').split(' '));
/// Roles that a tooltip doesn't name.
const NEVER_TITLED = new Set((
  'caption code definition deletion emphasis generic insertion mark none paragraph strong subscript superscript time').split(' '));
const TEXT_ROLES = new Set(['textbox', 'searchbox']);

/// The name as `Accessibility.getFullAXTree` says it, cut at `NAME_LIMIT`.
function nameOf(el, role) {
  return quickNameOf(el, role, markupOf(namesOf(el)), looksOf(el)) ?? fullNameOf(el, role);
}

function fullNameOf(el, role) {
  return tidied(alternativeOf(el, role, newReading(), false, 0));
}

/// The everyday case: a button or link that holds a few words, and nothing that could change them or be of interest itself.
function quickNameOf(el, role, markup, looks) {
  if ((role !== 'link' && role !== 'button') || markup & MARKUP.named || looks.mayTransform) return null;
  if (shadowOf(el) || labelsOf(el).length || mayHaveGenerated(el, looks)) return null;
  if (firstElementOf(el) !== null && (looks.isUnknown || !holdsPlainWords(el, looks))) return null;
  const text = tidied(tidyBeginningOf(textContentOf(el)));
  return text === '' ? null : text;
}

/// Whether words are in a few plain elements of the same line, which add nothing of their own.
function holdsPlainWords(el, looks) {
  let left = FEW;
  for (let part = firstElementOf(el); part !== null; part = elementAfter(part, el)) {
    hold(part);
    if ((left -= 1) < 0 || !PLAIN_WORDS.has(tagOf(part)) || shadowOf(part)) return false;
    const names = namesOf(part);
    const isClassed = names.length === 1 && names[0] === 'class';
    if (names.length > 0 && !isClassed && (matches(part, SPEAKS) || isHiddenFor(part, VISIBLE))) return false;
    const state = stateByElement.get(part) ?? findState(part, names, looks);
    if (!state.isPlainWords || mayHaveGenerated(part, looks)) return false;
  }
  return true;
}
const SPEAKS = '[role],[title],[onclick],[tabindex],[aria-label],[aria-labelledby],[contenteditable]';
const VISIBLE = Object.freeze({ isLabelHidden: false });

/// Whether a name that the author gave has the words that stand in an element. A sign or a single word may be a picture.
function isSaidIn(name, el) {
  const given = name.toLowerCase();
  const words = tidyBeginningOf(textContentOf(el)).toLowerCase().split(' ');
  return words.filter((word) => /[\p{L}\p{N}]/u.test(word) && !given.includes(word)).length < 2;
}

function tidied(text) {
  const tidy = text.replace(UNTIDY_SPACE, ' ');
  const start = tidy.startsWith(' ') ? 1 : 0;
  const end = tidy.endsWith(' ') && tidy.length > 1 ? tidy.length - 1 : tidy.length;
  return tidy.slice(start, end).slice(0, NAME_LIMIT);
}

/// What one computation of a name has seen so far.
function newReading() {
  return { seen: new Set(), taken: 0, steps: 0, labelRoot: null, isLabelHidden: false, isApart: false };
}

/// The text alternative of an element: for itself, or as part of another's name.
function alternativeOf(el, role, reading, isPart, depth) {
  reading.isApart = false;
  if (isPart && !reading.seen.has(el)) {
    const value = valueInName(el, role, reading, depth);
    if (value !== null) return value;
  }
  const wasSeen = reading.seen.has(el);
  reading.seen.add(el);
  if (isBrokenMedia(el)) {
    reading.isApart = true;
    return BROKEN_MEDIA;
  }
  const isSlot = tagOf(el) === 'slot' && isHtml(el);
  if (!isSlot) {
    const aria = ariaAlternativeOf(el, reading, wasSeen, depth);
    if (aria !== null) {
      reading.isApart = true;
      return aria;
    }
    const native = nativeAlternativeOf(el, role, reading, depth);
    if (native !== null && (native !== '' || tagOf(el) === 'input' || !NAMED_BY_CONTENT.has(role))) {
      reading.isApart = true;
      return native;
    }
  }
  if (reading.labelRoot || isNamedByContent(el, role, isPart)) {
    const content = tagOf(el) === 'select' ? '' : contentOf(el, reading, depth);
    reading.isApart = false;
    if (/[^ \n]/.test(content)) return content;
  }
  return isSlot ? '' : titleOf(el, role, reading);
}

function ariaAlternativeOf(el, reading, wasSeen, depth) {
  if (!reading.labelRoot && !wasSeen) {
    const ids = textAttribute(el, 'aria-labelledby') ?? textAttribute(el, 'aria-labeledby');
    if (ids) {
      const targets = [];
      const root = rootOf(el);
      for (const id of ids.split(HTML_SPACE).slice(0, LABELS_LIMIT)) {
        const target = id && elementById(root, id);
        if (target) targets.push(target);
      }
      const text = textOfAll(targets, reading, true, depth);
      if (text !== null && text.trim() !== '') return text;
    }
  }
  const label = textAttribute(el, 'aria-label');
  return label !== null && label.trim() !== '' ? label : null;
}

/// The texts of labels, one after another.
function textOfAll(elements, reading, isReference, depth) {
  if (elements.length === 0) return null;
  const outer = [reading.labelRoot, reading.isLabelHidden];
  const texts = [];
  for (const el of elements) {
    reading.labelRoot = isReference ? el : null;
    reading.isLabelHidden = isReference && (isHiddenByStyle(el) || isAriaHidden(el));
    const text = partOf(el, reading, depth + 1);
    reading.seen.add(el);
    if (text !== '') texts.push(text);
  }
  [reading.labelRoot, reading.isLabelHidden] = outer;
  return texts.join(' ');
}

/// What an element adds to the name of another.
function partOf(el, reading, depth) {
  if (depth > DEPTH_LIMIT || (reading.seen.has(el) && !reading.labelRoot)) return '';
  if (isHiddenFor(el, reading)) {
    reading.seen.add(el);
    return '';
  }
  return alternativeOf(el, roleOf(el), reading, true, depth);
}

function nativeAlternativeOf(el, role, reading, depth) {
  if (!isHtml(el)) return svgTitleOf(el);
  const tag = tagOf(el);
  const labels = labelsOf(el);
  if (labels.length > 0) {
    const text = textOfAll(labels.slice(0, LABELS_LIMIT), reading, false, depth);
    // A label that says nothing still keeps placeholder and tooltip out.
    if (text !== null) return text.trim();
  }
  switch (tag) {
    case 'input':
      return inputAlternativeOf(el);
    case 'textarea':
      return textAttribute(el, 'title') || placeholderOf(el);
    case 'img':
    case 'area':
      return textAttribute(el, 'alt');
    case 'table':
      if (el.caption) return partOf(el.caption, reading, depth + 1) || null;
      return textAttribute(el, 'summary');
    case 'fieldset':
      for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
        if (kindOf(child) === ELEMENT && tagOf(child) === 'legend') return partOf(child, reading, depth + 1) || null;
      }
      return null;
    case 'optgroup':
      return textAttribute(el, 'label');
    case 'option':
      return el.label.slice(0, ATTRIBUTE_LIMIT) || null;
    default:
      return TEXT_ROLES.has(role) || isEditingHost(el) ? textAttribute(el, 'aria-placeholder') || null : null;
  }
}

function inputAlternativeOf(el) {
  switch (el.type) {
    case 'submit':
    case 'reset':
    case 'button':
      if (hasAttribute(el, 'value')) return el.value.slice(0, ATTRIBUTE_LIMIT);
      if (el.type === 'submit') return 'Submit';
      return el.type === 'reset' ? 'Reset' : null;
    case 'image':
      return textAttribute(el, 'alt') || (textAttribute(el, 'value') ?? (textAttribute(el, 'title') || 'Submit'));
    case 'file':
      return el.multiple ? 'Choose Files' : 'Choose File';
    case 'checkbox':
    case 'radio':
    case 'range':
    case 'color':
    case 'date':
    case 'datetime-local':
    case 'month':
    case 'week':
    case 'time':
      return null;
    default:
      return textAttribute(el, 'title') || placeholderOf(el);
  }
}

function placeholderOf(el) {
  return textAttribute(el, 'placeholder') || textAttribute(el, 'aria-placeholder') || null;
}

function svgTitleOf(el) {
  for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
    if (kindOf(child) === ELEMENT && tagOf(child) === 'title') return child.textContent.slice(0, ATTRIBUTE_LIMIT).trim() || null;
  }
  return tagOf(el) === 'a' ? textAttribute(el, 'xlink:title') || null : null;
}

function titleOf(el, role, reading) {
  const title = textAttribute(el, 'title');
  if (!title) return '';
  if (NEVER_TITLED.has(role) && !reading.labelRoot && !isFocusable(el) && !tagOf(el).includes('-')) return '';
  reading.isApart = true;
  return title;
}

function isAriaHidden(el) {
  const isMarked = (at) => attributeOf(at, 'aria-hidden')?.slice(0, 10).toLowerCase() === 'true';
  return isMarked(el) || findAbove(el, (above) => (isMarked(above) ? true : undefined)) === true;
}

function isBrokenMedia(el) {
  if (!(el instanceof HTMLMediaElement)) return false;
  return el.error !== null || el.networkState === HTMLMediaElement.NETWORK_EMPTY || el.networkState === HTMLMediaElement.NETWORK_NO_SOURCE;
}
