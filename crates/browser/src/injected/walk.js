// One walk over the document as it is drawn: texts, controls, groups and frames in order, with an end whatever the page is.

const LIMITS = {
  elements: 120000, controls: 20000, texts: 30000, textLength: 400000, runLength: 1000, milliseconds: 3000, depth: 5000,
  hitTests: 400, candidates: 500, closeTexts: 2000, inPicture: 50, prose: 8000,
};

const TEXT_REF = 0;
const CONTROL_REF = 1;
const GROUP_REF = 2;
const OWNER_REF = 3;

/// Elements with nothing in them for a reader.
const SKIPPED = new Set('script style noscript template head title meta link base param source track colgroup col datalist option optgroup'.split(' '));
/// Elements that are whole in themselves.
const LEAVES = new Set('input select textarea img embed progress meter iframe frame br hr area picture svg'.split(' '));
/// Elements in the flow of a line: text goes on across their borders.
const INLINE = new Set((
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub ' +
  'sup time tt u var slot').split(' '));
/// Elements that hold running text. Of a whole book the beginning is read, and all that is short: labels, prices, rows.
const PROSE = new Set('p pre dt dd li blockquote'.split(' '));
const SHORT = 160;
/// What makes one of them more than running text.
const BLOCKS_OF_PROSE = new Set('p div section article ul ol dl table pre blockquote form iframe object embed svg slot label'.split(' '));
/// Elements other than custom ones that may hold a shadow root.
const HOSTS = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '));
/// What a hidden part of the page is searched for, to say how much is in it.
const SOUGHT = 'a,area,button,input,select,textarea,summary,audio,video,[onclick],[tabindex],[role],[contenteditable]';
/// What is meant rather than a box with a pointer around it.
const WANTED = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[onclick],[tabindex],[role=button],' +
  '[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[contenteditable=""],[contenteditable=true]';

const queryFirst = uncurried(Element.prototype.querySelector);
const nextElementOf = getterOf(Element.prototype, 'nextElementSibling');
const firstElementOf = getterOf(Element.prototype, 'firstElementChild');
const lengthOfText = getterOf(CharacterData.prototype, 'length');
const partOfText = uncurried(CharacterData.prototype.substringData);

/// Used again and again: to make one is dear.
const RANGE = newRange(document);

/// A name of this length holds all that a control says; a longer one is only the beginning.
const NAME_SAYS_ALL = 120;

class Walk {
  constructor(wantsHidden) {
    this.wantsHidden = wantsHidden;
    this.texts = [];
    this.controls = [];
    this.groups = [];
    this.owners = [];
    this.forms = { list: [], indices: new Map() };
    this.elements = [];
    this.ownerElements = [];
    this.candidates = [];
    this.left = { h: 0, o: 0, x: 0, y: 0, u: 0 };
    this.pending = [];
    this.places = [];
    this.kinds = new Kinds();
    this.run = '';
    this.textLength = 0;
    this.visited = 0;
    this.hits = 0;
    this.isOver = false;
    this.windows = countedWindows();
    this.area = reachableArea();
    this.sight = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    this.focused = focusedElement();
    this.deadline = performance.now() + LIMITS.milliseconds;
  }

  /// Goes through the whole document; with a stack of its own, because a page may be deeper than ours.
  over(root) {
    const stack = [];
    const outside = new Place();
    outside.ownBounds = outside.ownInside = outside.ownFree = { reach: this.area, sight: this.sight };
    outside.window = { reach: this.sight, sight: this.sight };
    const first = this.enter(root, outside);
    if (first) stack.push(first);
    while (stack.length) {
      const place = stack[stack.length - 1];
      const child = place.next;
      if (child === null || this.isOver) {
        this.leave(place);
        stack.pop();
        continue;
      }
      if (place.list !== null) place.next = place.list[++place.at] ?? null;
      else place.next = place.isMute && kindOf(child) === ELEMENT ? nextElementOf(child) : nextSiblingOf(child);
      const kind = kindOf(child);
      if (kind === TEXT) {
        if (!place.isMute) this.text(child, place);
      } else if (kind === ELEMENT) {
        if (stack.length >= LIMITS.depth) this.left.o += countWanted(child);
        else {
          const below = this.enter(child, place);
          if (below) stack.push(below);
        }
      }
    }
    this.endRun();
  }

  /// Begins an element: what it is, and what of it is seen. Null if there is nothing to go through in it.
  enter(el, above) {
    const tag = tagOf(el);
    if (SKIPPED.has(tag)) return null;
    this.visited += 1;
    if (this.visited > LIMITS.elements || (this.visited % 256 === 0 && performance.now() > this.deadline)) {
      this.isOver = true;
      return null;
    }
    const place = this.placeBelow(above);
    place.begin(el, tag, above);
    if (hasAttributes(el)) {
      place.names = attributeNamesOf(el);
      place.markup = markupOf(place.names);
    }
    place.habit = this.kinds.note(place);
    place.isInline = INLINE.has(tag);
    const isMarked = NATIVE.has(tag) || (place.markup & (MARKUP.role | MARKUP.acts)) !== 0;
    const isClickable = (isMarked && isInteractive(el)) || this.hasPointer(place) || (tag === 'label' && isFaceOfUnboxed(el));
    if (place.shown === false) {
      this.left.h += countWanted(el);
      return null;
    }
    if (isClickable || !place.isInline) this.endRun();
    place.start = this.pending.length;
    if (isClickable) {
      this.control(place);
      // What is not even laid out has nothing in it that is.
      if (place.control === null && !this.wantsHidden && read(place.style, 'display') === 'none' && tag !== 'area') {
        this.left.h += countWanted(el) - (isInteractive(el) ? 1 : 0);
        return null;
      }
    }
    if ((LEAVES.has(tag) && !(tag === 'svg' && queryFirst(el, 'foreignObject'))) || (place.control !== null && place.isMute && firstElementOf(el) === null && !shadowOf(el))) {
      if (LEAVES.has(tag)) this.leaf(place);
      if (place.control) this.leave(place);
      return null;
    }
    if (place.control === null && !place.isInline) place.kind = groupKindOf(place);
    if (tag === 'label' && place.control === null && el.control) place.isMute = true;
    const mayHost = HOSTS.has(tag) || tag.includes('-');
    const root = mayHost ? shadowOf(el) : null;
    place.next = firstChildOf(root ?? el);
    if (tag === 'slot') {
      const assigned = drawnChildrenOf(el);
      if (Array.isArray(assigned)) {
        place.list = assigned;
        place.next = assigned[0] ?? null;
      }
    }
    if (root !== null || place.list !== null) this.undrawn(place, root);
    else if (mayHost) this.candidate(place);
    if (tag === 'object') this.leaf(place);
    if (PROSE.has(tag) && this.textLength > LIMITS.prose && place.control === null && root === null && this.skim(place)) {
      this.leave(place);
      return null;
    }
    if (place.isMute && root === null && place.list === null) place.next = firstElementOf(el);
    return place;
  }

  /// Long running text far down a long page: it is counted, and controls are picked out of it. False for what is short, or
  /// more than running text: that is gone through as ever, so that what is hidden in it stays out.
  skim(place) {
    const { el } = place;
    const first = firstElementOf(el);
    if (first !== null && BLOCKS_OF_PROSE.has(tagOf(first))) return false;
    if (!place.isMute && textContentOf(el).length <= SHORT) return false;
    const inside = first === null ? NO_NAMES : queryAll(el, '*');
    const found = [];
    for (let i = 0; i < inside.length; i += 1) {
      const tag = tagOf(inside[i]);
      if (BLOCKS_OF_PROSE.has(tag) || tag.includes('-')) return false;
      if (NATIVE.has(tag) || (hasAttributes(inside[i]) && matches(inside[i], MARKED))) found.push(inside[i]);
    }
    if (!place.isMute) this.left.y += 1;
    place.isMute = true;
    for (let i = 0; i < found.length && !this.isOver; i += 1) {
      const below = this.enter(found[i], place);
      if (below) this.leave(below);
    }
    return true;
  }

  placeBelow(above) {
    const depth = above.depth + 1;
    let place = this.places[depth];
    if (place === undefined) {
      place = new Place();
      this.places[depth] = place;
    }
    return place;
  }

  /// Whether something that is no control by its markup is one by its looks. On the way it is noted if it is not laid out.
  hasPointer(place) {
    const { tag, habit } = place;
    if (habit !== null && habit.pointer.isSettled) place.isPointer = habit.pointer.value;
    else {
      if (read(place.style, 'display') === 'none' && tag !== 'area' && !this.wantsHidden) {
        // One that is not laid out among others that are: from now on each is asked.
        if (habit !== null) habit.pointer.forget();
        place.shown = false;
        return false;
      }
      place.isPointer = read(place.style, 'cursor') === 'pointer';
      if (habit !== null) habit.pointer.learn(place.isPointer);
    }
    return place.isPointer && this.isClickableOnly(place);
  }

  /// Whether it can be clicked by its looks alone: an own pointer, and no control inside that would be meant instead.
  isClickableOnly({ el, tag, above, isInControl }) {
    if (isInControl || tag === 'html' || tag === 'body') return false;
    if (tag === 'label' && el.control) return !hasFaces(el.control) && !isShown(el.control);
    return !above.isPointer && !queryFirst(el, WANTED);
  }

  /// Ends an element: whatever was found in it becomes its children, or goes to the group around it.
  leave(place) {
    const { pending } = this;
    if (place.control !== null) {
      this.endRun();
      place.control[10] = pending.splice(place.start);
      pending.push(place.ownRef);
      return;
    }
    if (place.isInline) return;
    this.endRun();
    const count = pending.length - place.start;
    if (count === 0 || (place.kind === null && count < 2 && !BOXES.has(place.tag))) return;
    const record = this.tried(() => groupRecord(place, pending.slice(place.start), this.forms));
    if (!record) return;
    pending.length = place.start;
    pending.push(this.groups.length << 2 | GROUP_REF);
    this.groups.push(record);
  }

  /// Enters a control, if a person could see it.
  control(place) {
    const record = this.tried(() => this.controlRecord(place));
    if (record === undefined) this.left.o += 1;
    if (!record) return;
    place.control = record;
    place.isInControl = true;
    place.ownRef = this.controls.length << 2 | CONTROL_REF;
    this.controls.push(record);
    this.elements.push(place.el);
  }

  /// index, tag, role, name, state, x, y, width, height, attributes, children.
  controlRecord(place) {
    const { el, tag, above } = place;
    if (this.controls.length >= LIMITS.controls) {
      this.left.o += 1;
      return null;
    }
    let rect = placeOf(el, tag);
    if (rect.width === 0 && read(place.style, 'display') === 'contents') rect = this.rectOfContents(el);
    let isSeen = meets(rect, place.reach) && (tag === 'area' ? above.isShown() : place.isShown()) &&
      !((place.markup & (MARKUP.class | MARKUP.style)) && place.isCutAway());
    if (!isSeen) {
      const standIn = standInOf(el, tag);
      if (standIn && meets(standIn, above.inside.reach)) {
        rect = standIn;
        isSeen = true;
      }
    }
    if (!isSeen && !this.wantsHidden) {
      this.left.h += 1;
      return null;
    }
    const role = roleOf(el);
    const name = nameOf(el, role, place.markup).toWellFormed();
    const attributes = {};
    let state = readControl(place, attributes, this);
    if (isSeen) {
      state |= FLAG.visible;
      const { sight } = above.inside;
      if (meets(rect, sight)) state |= this.inSight(el, intersection(rect, sight));
    }
    if (ROLELESS.has(role)) state |= FLAG.clickableOnly;
    // Its words are its name: no need to say them twice, unless there are too many for a name.
    if (state & FLAG.editable) place.isMute = true;
    else if (!(state & FLAG.clickableOnly) && name.length > 0 && name.length <= NAME_SAYS_ALL) place.isMute = true;
    return [
      this.controls.length, tag, role, name, state, round(rect.x), round(rect.y), round(rect.width), round(rect.height),
      attributes, [],
    ];
  }

  inSight(el, box) {
    if (this.hits >= LIMITS.hitTests) return FLAG.inViewport;
    this.hits += 1;
    return isCovered(el, box) ? FLAG.inViewport | FLAG.covered : FLAG.inViewport;
  }

  rectOfContents(node) {
    RANGE.selectNodeContents(node);
    return RANGE.getBoundingClientRect();
  }

  /// A text as it is read: words that follow each other in a line are one.
  text(node, place) {
    const length = lengthOfText(node);
    if (length === 0) return;
    const words = length > LIMITS.runLength * 4 ? partOfText(node, 0, LIMITS.runLength * 4) : textOf(node);
    if (!/\S/.test(words)) {
      if (this.run !== '' && !this.run.endsWith(' ')) this.run += ' ';
      return;
    }
    if (!this.isTextSeen(node, place)) {
      this.left.x += 1;
      return;
    }
    if (this.textLength > LIMITS.textLength || this.texts.length >= LIMITS.texts) {
      this.left.y += 1;
      return;
    }
    if (length > words.length) this.left.y += 1;
    if (this.run.length <= LIMITS.runLength * 4) this.run += words;
  }

  /// Whether a text is where it can be seen, and stands out from what is behind it. On a page with very many texts only
  /// those are looked at closely that are out of the ordinary.
  isTextSeen(node, place) {
    if (!place.isTextShown()) return false;
    const { habit } = place;
    // Where something cuts off what is in it, like does not say enough.
    if (habit !== null && habit.text.isSettled && habit.text.value && place.inside.reach === this.area) return true;
    const isSeen = this.isTextInSight(node, place);
    if (habit !== null) habit.text.learn(isSeen);
    return isSeen;
  }

  isTextInSight(node, place) {
    const { reach } = place.inside;
    if (reach !== this.area || place.isMoved()) {
      RANGE.selectNodeContents(node);
      // The first line stands for all: the box around them is twice as dear.
      const line = RANGE.getClientRects()[0];
      if (!line || !meets(line, reach)) return false;
    }
    return this.texts.length >= LIMITS.closeTexts || !place.isCamouflaged();
  }

  endRun() {
    if (this.run === '') return;
    const text = oneLine(this.run, LIMITS.runLength);
    this.run = '';
    if (text === '') return;
    this.textLength += text.length;
    this.pending.push(this.texts.length << 2 | TEXT_REF);
    this.texts.push(text);
  }

  /// Pictures that say something, and frames.
  leaf(place) {
    const { el, tag } = place;
    if (tag === 'iframe' || tag === 'frame' || tag === 'embed' || (tag === 'object' && isHtml(el) && el.contentWindow)) {
      const isSeen = place.isShown() && meets(rectOf(el), place.reach);
      const record = this.tried(() => ownerRecord(el, place.style, isSeen, this.windows));
      if (!record) return;
      this.pending.push(this.owners.length << 2 | OWNER_REF);
      this.owners.push(record);
      this.ownerElements.push(el);
    } else if (tag === 'img' && place.control === null && !place.isMute) {
      const words = textAttribute(el, 'alt');
      if (words && place.isShown() && meets(rectOf(el), place.reach)) this.run += ` ${words} `;
    } else if (tag === 'br') this.run += ' ';
    else if (tag === 'svg') {
      const found = queryAll(el, 'a,[onclick],[role=button],[role=link],[tabindex]');
      for (let i = 0; i < found.length && i < LIMITS.inPicture; i += 1) {
        const below = this.enter(found[i], place);
        if (below) this.leave(below);
      }
      this.left.o += Math.max(0, found.length - LIMITS.inPicture);
    }
  }

  /// Children that no slot takes up, and those of a slot that shows others in their place: nobody sees them.
  undrawn(place, root) {
    const { el } = place;
    const taken = root === null ? null : takenUp(el, root);
    for (let child = firstChildOf(el); child; child = nextSiblingOf(child)) {
      if (kindOf(child) !== ELEMENT || SKIPPED.has(tagOf(child)) || taken?.(child)) continue;
      if (this.wantsHidden) {
        place.list ??= listFrom(place.next);
        place.list.push(child);
        place.next = place.list[0];
      } else this.left.h += countWanted(child);
    }
  }

  /// Elements that may hold a closed shadow root are asked about later, a bounded number of them.
  candidate(place) {
    const { el, tag, next, list } = place;
    const isCustom = tag.includes('-');
    if (!isCustom && !(HOSTS.has(tag) && isChildless(next, list))) return;
    const rect = rectOf(el);
    if (rect.width < SPECK || rect.height < SPECK || !place.isShown()) return;
    if (asked.get(el) === sizeText(rect)) return;
    if (this.candidates.length >= LIMITS.candidates) this.left.u += 1;
    else this.candidates.push(el);
  }

  /// What a page does to one element must not cost the whole look. Undefined where it could not be read.
  tried(read) {
    try {
      return read();
    } catch {
      return undefined;
    }
  }
}

function isChildless(next, list) {
  if (list) return list.length === 0;
  return next === null || (nextSiblingOf(next) === null && kindOf(next) === TEXT && !/\S/.test(partOfText(next, 0, 100)));
}

/// How many controls are in a part of the page that is not gone through, shadow trees included.
function countWanted(el) {
  let count = isInteractive(el) ? 1 : 0;
  const own = shadowOf(el);
  const trees = own ? [el, own] : [el];
  for (let left = LIMITS.elements; trees.length && left > 0;) {
    const tree = trees.pop();
    const all = tree === el ? queryAll : allInFragment;
    const sought = all(tree, SOUGHT);
    for (let i = 0; i < sought.length; i += 1) if (isInteractive(sought[i])) count += 1;
    const inside = all(tree, '*');
    for (let i = 0; i < inside.length && left > 0; i += 1, left -= 1) {
      const root = shadowOf(inside[i]);
      if (root) trees.push(root);
    }
  }
  return count;
}

/// Tells whether a slot of a root shows a child of its host. A closed root keeps that from the child.
function takenUp(host, root) {
  if (openRootOf(host)) return (child) => slotOf(child) !== null;
  const shown = new Set();
  for (const slot of allInFragment(root, 'slot')) for (const node of slot.assignedNodes()) shown.add(node);
  return (child) => shown.has(child);
}

/// Whether labels stand in for such a control where the page hides it to draw its own.
function hasFaces(control) {
  return tagOf(control) === 'input' && STOOD_IN_FOR.has(control.type);
}

/// A label that is all there is of a control, because the part of the page around the control is not even laid out.
function isFaceOfUnboxed(label) {
  const { control } = label;
  return Boolean(control) && hasFaces(control) && !isShown(control) && !isLaidOut(drawnParentOf(control));
}

function isLaidOut(el) {
  return el === null || kindOf(el) !== ELEMENT || isShown(el) || read(getComputedStyle(el), 'display') === 'contents';
}

function listFrom(first) {
  const list = [];
  for (let node = first; node; node = nextSiblingOf(node)) list.push(node);
  return list;
}

/// The innermost element that keys go to.
function focusedElement() {
  let at = activeElementOf(document);
  for (let steps = 0; at && steps < 20; steps += 1) {
    const inner = shadowOf(at)?.activeElement;
    if (!inner) break;
    at = inner;
  }
  return at;
}

/// Roles that don't say that something can be acted on.
const ROLELESS = new Set(['generic', 'none', 'LabelText', 'paragraph', 'listitem', 'cell', 'LayoutTableCell', 'row', 'image', 'SvgRoot', 'Canvas',
  'graphics-symbol', 'graphics-object', 'group', 'list', 'heading', 'article', 'region', 'StaticText', 'emphasis', 'strong', 'LayoutTableRow',
  'table', 'LayoutTable', 'Section', 'sectionheader', 'sectionfooter', 'banner', 'contentinfo', 'main', 'navigation', 'complementary', 'form',
  'definition', 'term', 'figure', 'Figcaption', 'code', 'mark', 'time', 'blockquote', 'dialog', 'status', 'alert']);
