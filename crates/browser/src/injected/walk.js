// One walk over the document as it is drawn: texts, controls, groups and frames in order, with an end whatever the page is.

const LIMITS = {
  elements: 120000, textNodes: 300000, controls: 20000, texts: 30000, textLength: 400000, runLength: 1000, milliseconds: 3000, depth: 5000,
  hitTests: 400, candidates: 500, flat: 50, inPicture: 50, prose: 8000, surfaces: 100,
};

const TEXT_REF = 0;
const CONTROL_REF = 1;
const GROUP_REF = 2;
const OWNER_REF = 3;

/// Elements with nothing in them for a reader.
const SKIPPED = new Set('script style noscript template head title meta link base param source track colgroup col datalist option optgroup noframes noembed annotation annotation-xml'.split(' '));
/// Elements whose contents are there for browsers that can't show them.
const UNDRAWN = new Set(['canvas', 'video', 'audio', 'object']);
/// Elements that are whole in themselves.
const LEAVES = new Set('input select textarea img embed progress meter iframe frame br hr area svg'.split(' '));
/// Elements in the flow of a line: text goes on across their borders.
const INLINE = new Set((
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span strike strong sub ' +
  'sup time tt u var slot').split(' '));
/// Elements that hold running text. Of a whole book the beginning is read, and all that is short: labels, prices, rows.
const PROSE = new Set('p pre dt dd li blockquote'.split(' '));
const SHORT = 160;
/// What running text is made of, beside controls.
const WORDS = new Set('abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd mark nobr q s samp small span strike strong sub sup time tt u var wbr'.split(' '));
const NATIVE_TAGS = [...NATIVE].join();
/// What is more than running text and controls.
const UNSKIMMED = `:not(${[...WORDS, ...NATIVE].join()}),:is(${[...WORDS].join()}):is(${MARKED})`;
/// What is meant rather than a box with a pointer around it.
const WANTED = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[onclick],[tabindex],[role=button],' +
  '[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[contenteditable=""],[contenteditable=true]';

const queryFirst = uncurried(Element.prototype.querySelector);
const partOfText = uncurried(CharacterData.prototype.substringData);

/// Used again and again: to make one is dear.
const RANGE = newRange(document);

const NO_RECT = new DOMRect();

/// A name of this length holds all that a control says; a longer one is only the beginning.
const NAME_SAYS_ALL = 120;

class Walk {
  constructor(wantsHidden) {
    this.wantsHidden = wantsHidden;
    this.texts = [];
    this.controls = [];
    this.groups = [];
    this.owners = [];
    this.surfaces = [];
    this.forms = { list: [], sent: [], pressed: [], indices: new Map() };
    this.elements = [];
    this.ownerElements = [];
    this.candidates = [];
    this.left = { h: 0, o: 0, x: 0, y: 0, u: 0 };
    this.pending = [];
    this.places = [];
    this.controlKinds = new ControlKinds();
    this.groupKinds = [];
    this.run = '';
    this.textLength = 0;
    this.visited = 0;
    this.textNodes = 0;
    this.hits = 0;
    this.flat = 0;
    this.isOver = false;
    this.windows = countedWindows();
    /// What may be painted over texts, and the pieces that texts are made of: which text, which part of it, where it stands.
    this.covers = [];
    this.runs = [];
    this.pieces = [];
    this.area = reachableArea();
    this.sight = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    this.focused = focusedElement();
    this.deadline = performance.now() + LIMITS.milliseconds;
  }

  /// Goes through the whole document; with a stack of its own, because a page may be deeper than ours.
  over(root) {
    const stack = [];
    const outside = new Place();
    outside.state = outermost;
    outside.isBorder = true;
    outside.ownBounds = outside.ownInside = outside.ownFree = { reach: this.area, sight: this.sight };
    outside.viewport = { reach: this.sight, sight: this.sight };
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
      hold(child);
      if (kind === TEXT) {
        this.textNodes += 1;
        if (this.textNodes % 256 === 0) this.checkLimits();
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
    this.leaveOutCovered();
  }

  /// Beyond the limits the walk is over.
  checkLimits() {
    this.isOver ||= this.visited > LIMITS.elements || this.textNodes > LIMITS.textNodes || performance.now() > this.deadline;
  }

  /// Begins an element: what it is, and what of it is seen. Null if there is nothing to go through in it.
  enter(el, above) {
    const tag = tagOf(el);
    if (SKIPPED.has(tag)) return null;
    this.visited += 1;
    if (this.visited % 256 === 0) this.checkLimits();
    if (this.isOver || (PLAIN_WORDS.has(tag) && this.plainWords(el, above))) return null;
    const place = this.placeBelow(above);
    place.begin(el, tag, above);
    place.names = namesOf(el);
    place.markup = markupOf(place.names);
    place.looks = above.isBorder ? looksOf(el) : above.looks;
    place.state = stateBelow(above.state, place.looks, el, tag, place.markup, place.names);
    place.isInline = INLINE.has(tag);
    if (place.state.told & TELLS.background && this.covers.length < COVERS_LIMIT && place.state.isLifted) this.covers.push(el);
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
      if (place.control === null && !this.wantsHidden && place.state.display === 'none' && tag !== 'area') {
        this.left.h += countWanted(el) - (isInteractive(el) ? 1 : 0);
        return null;
      }
    }
    if (LEAVES.has(tag) && !(tag === 'svg' && queryFirst(el, 'foreignObject'))) {
      this.leaf(place);
      if (place.control) this.leave(place);
      return null;
    }
    if (place.isWhole) {
      this.leave(place);
      return null;
    }
    if (place.control === null && !place.isInline) place.kind = groupKindOf(place);
    if (tag === 'label' && place.control === null && el.control) place.isMute = true;
    place.isFolded = tag === 'details' && !hasAttribute(el, 'open');
    // What is in these may not be drawn at all.
    if (UNDRAWN.has(tag) || (place.state.told & TELLS.display && place.state.display.startsWith('table-column'))) place.astray = true;
    if (tag === 'canvas') this.tried(() => this.canvas(place));
    const isPossibleHost = mayHost(tag);
    const root = isPossibleHost ? shadowOf(el) : null;
    if (tag === 'slot') {
      const assigned = drawnChildrenOf(el);
      if (Array.isArray(assigned)) place.list = assigned;
    }
    if (tag === 'object') this.leaf(place);
    if (root !== null || place.list !== null) {
      place.isBorder = true;
      place.next = place.list === null ? firstChildOf(root) : place.list[0] ?? null;
      this.undrawn(place, root);
      return place;
    }
    const first = firstElementOf(el);
    if (first === null) this.words(place, isPossibleHost);
    if (first === null || this.skim(place, first)) {
      this.leave(place);
      return null;
    }
    if (isPossibleHost && tag.includes('-')) this.candidate(place);
    place.next = place.isMute ? first : firstChildOf(el);
    return place;
  }

  /// The everyday case: a few words with nothing to them but perhaps a colour, which are read at once. False for all others.
  plainWords(el, above) {
    const looks = above.isBorder ? looksOf(el) : above.looks;
    const state = plainStateBelow(above.state, looks, el);
    if (state === null || !holdsPlainParts(el, looks, state)) return false;
    const words = textContentOf(el);
    // What is empty may hold a tree of its own.
    if (!/\S/.test(words)) return false;
    if (!above.isMute) this.say(words, el, above, state);
    return true;
  }

  /// An element with no other in it: its text is read at once.
  words(place, isPossibleHost) {
    const words = place.isMute && !isPossibleHost ? '' : textContentOf(place.el);
    if (isPossibleHost && !/\S/.test(words)) this.candidate(place);
    if (place.isMute) return;
    if (this.isProse(place, words.length)) this.left.y += 1;
    else this.say(words, place.el, place);
  }

  /// Whether a text is long and far down a long page.
  isProse(place, length) {
    return length > SHORT && this.textLength > LIMITS.prose && PROSE.has(place.tag) && place.control === null;
  }

  /// Long running text far down a long page: it is counted, and controls are picked out of it. False for what is short, or
  /// more than running text: that is gone through as ever, so that what is hidden in it stays out.
  skim(place, first) {
    if (!PROSE.has(place.tag) || place.control !== null || this.textLength <= LIMITS.prose) return false;
    const tag = tagOf(first);
    if (!WORDS.has(tag) && !NATIVE.has(tag)) return false;
    const { el } = place;
    if (!place.isMute && !this.isProse(place, textContentOf(el).length)) return false;
    if (queryFirst(el, UNSKIMMED) !== null || (place.looks.mayPointIn(el) && !this.pointsAlike(place))) return false;
    if (Array.from(queryAll(el, 'span:empty')).some((span) => shadowOf(span) !== null)) return false;
    if (!place.isMute) this.left.y += 1;
    place.isMute = true;
    this.pickOut(queryAll(el, NATIVE_TAGS), place, Infinity);
    return true;
  }

  /// Enters some of what is in an element, and nothing else.
  pickOut(found, place, most) {
    for (let i = 0; i < found.length && i < most && !this.isOver; i += 1) {
      const below = this.enter(found[i], this.placeAround(found[i], place));
      if (below) this.leave(below);
    }
  }

  /// The place that an element is in, which may be far below the one that is known.
  placeAround(el, known) {
    const parent = parentOf(el);
    if (parent === known.el || known.depth >= LIMITS.depth) return known;
    const above = this.placeAround(parent, known);
    const place = this.placeBelow(above);
    const tag = tagOf(parent);
    place.begin(parent, tag, above);
    place.names = namesOf(parent);
    place.markup = markupOf(place.names);
    place.looks = above.looks;
    place.state = stateBelow(above.state, place.looks, parent, tag, place.markup, place.names);
    place.isInline = true;
    return place;
  }

  /// Whether all words in an element that are in no control have the pointer of the element.
  pointsAlike(place) {
    const { el, state } = place;
    stateByElement.set(el, state);
    const inside = queryAll(el, '*');
    for (let i = 0; i < inside.length; i += 1) {
      if (stateOf(inside[i]).isPointer !== state.isPointer && closestOf(inside[i], NATIVE_TAGS) === null) return false;
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
    const { state, tag } = place;
    if (state.told & TELLS.display && state.display === 'none' && tag !== 'area' && !this.wantsHidden) {
      place.shown = false;
      return false;
    }
    return (state.told & TELLS.cursor) !== 0 && state.isPointer && this.isClickableOnly(place);
  }

  /// Whether it can be clicked by its looks alone: an own pointer, and no control inside that would be meant instead.
  isClickableOnly({ el, tag, above, isInControl }) {
    if (isInControl || tag === 'html' || tag === 'body') return false;
    if (tag === 'label' && el.control) return !hasFaces(el.control) && !isShown(el.control);
    return !above.state.isPointer && !isAround(el, queryFirst(el, WANTED));
  }

  /// Ends an element: whatever was found in it becomes its children, or goes to the group around it.
  leave(place) {
    const { pending } = this;
    if (place.control !== null) {
      this.endRun();
      if (pending.length > place.start) {
        place.control[7] ??= {};
        place.control[8] = pending.splice(place.start);
      }
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
    record[0] = this.groupKindNumberOf(record[0]);
    this.groups.push(record);
  }

  groupKindNumberOf(kind) {
    const known = this.groupKinds.indexOf(kind);
    return known >= 0 ? known : this.groupKinds.push(kind) - 1;
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

  /// kind, name, state, x, y, width, height, and where there are any: attributes, children.
  controlRecord(place) {
    const { el, tag, above } = place;
    if (this.controls.length >= LIMITS.controls) {
      this.left.o += 1;
      return null;
    }
    const isDrawn = tag === 'area' ? above.isShown() : place.isShown();
    let rect = isDrawn || this.wantsHidden ? placeOf(el, tag) : NO_RECT;
    if (isDrawn && rect.width === 0 && place.state.display === 'contents') rect = this.rectOfContents(el);
    let isSeen = isDrawn && meets(rect, place.reach);
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
    stateByElement.set(el, place.state);
    const role = roleOf(el);
    const quick = quickNameOf(el, role, place.markup, place.looks);
    const name = (quick ?? fullNameOf(el, role)).toWellFormed();
    const attributes = {};
    let state = readControl(place, attributes, this);
    if (isSeen) {
      state |= FLAG.visible;
      const { sight } = place;
      if (meets(rect, sight)) state |= this.inSight(el, rect, sight);
    }
    if (ROLELESS.has(role)) state |= FLAG.clickableOnly;
    // Its words are its name: no need to say them twice, unless there are too many for a name.
    if (state & FLAG.editable) place.isMute = true;
    else if (!(state & FLAG.clickableOnly) && name.length > 0 && name.length <= NAME_SAYS_ALL && (!(place.markup & MARKUP.named) || isSaidIn(name, el))) {
      place.isMute = true;
      place.isWhole = quick !== null;
    }
    const kind = this.controlKinds.numberOf(tag, role);
    const record = [kind, name, state, Math.round(rect.x), Math.round(rect.y), Math.round(rect.width), Math.round(rect.height)];
    for (const _ in attributes) {
      record.push(attributes);
      break;
    }
    return record;
  }

  inSight(el, rect, sight) {
    if (this.hits >= LIMITS.hitTests) return FLAG.inViewport;
    this.hits += 1;
    return isCovered(el, intersection(largestPartOf(el, rect), sight)) ? FLAG.inViewport | FLAG.covered : FLAG.inViewport;
  }

  rectOfContents(node) {
    RANGE.selectNodeContents(node);
    return RANGE.getBoundingClientRect();
  }

  /// A text between elements.
  text(node, place) {
    this.say(textOf(node), node, place);
  }

  /// A text as it is read: words that follow each other in a line are one.
  say(words, node, place, state = place.state) {
    if (!/\S/.test(words)) {
      if (words !== '' && this.run !== '' && !this.run.endsWith(' ')) this.run += ' ';
      return;
    }
    if (this.run.length > LIMITS.runLength * 4) {
      this.left.y += 1;
      return;
    }
    if (!this.isTextSeen(node, place, state)) {
      this.left.x += 1;
      return;
    }
    if (this.textLength > LIMITS.textLength || this.texts.length >= LIMITS.texts) {
      this.left.y += 1;
      return;
    }
    if (words.length > LIMITS.runLength * 4) this.left.y += 1;
    const start = this.run.length;
    this.run += words.slice(0, LIMITS.runLength * 4);
    if (this.pieces.length < MEASURED_LIMIT) this.pieces.push({ text: this.texts.length, start, end: this.run.length, node, el: place.el });
  }

  /// Leaves out what something is painted over. That is known only when everything was met.
  leaveOutCovered() {
    const isHidden = this.covers.length === 0 ? null : hiderOf(this.covers);
    if (isHidden === null) return;
    for (const { text, start, end, node, el } of this.pieces) {
      if (!this.tried(() => isHidden(node, el))) continue;
      const run = this.runs[text];
      this.runs[text] = run.slice(0, start) + ' '.repeat(end - start) + run.slice(end);
      this.texts[text] = oneLine(this.runs[text], LIMITS.runLength);
      this.left.x += 1;
    }
  }

  /// Whether a text is where it can be seen, and stands out from what is behind it.
  isTextSeen(node, place, state) {
    if (!state.isSeen || !state.showsContents || state.isCamouflaged || place.isFolded) return false;
    const { reach } = place.inside;
    if (reach.isOpen && !place.isAstray) return true;
    RANGE.selectNodeContents(node);
    // The first line stands for all: the box around them is twice as dear.
    const line = RANGE.getClientRects()[0];
    return Boolean(line) && meets(line, reach);
  }

  endRun() {
    if (this.run === '') return;
    const { run } = this;
    const text = oneLine(run, LIMITS.runLength);
    this.run = '';
    if (text === '') {
      while (this.pieces.at(-1)?.text === this.texts.length) this.pieces.pop();
      return;
    }
    this.runs.push(run);
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
      const found = queryAll(el, 'a,[onclick],[role],[tabindex],[style*=cursor]');
      this.pickOut(found, place, LIMITS.inPicture);
      this.left.o += Math.max(0, found.length - LIMITS.inPicture);
    }
  }

  /// What script draws. A picture with a name says it; of all others it is told how much is in sight.
  canvas(place) {
    const { el } = place;
    if (!place.isShown()) return;
    const rect = rectOf(el);
    const name = roleOf(el) === 'image' ? fullNameOf(el, 'image') : '';
    if (name !== '') {
      if (place.control === null && !place.isMute && meets(rect, place.reach)) this.run += ` ${name} `;
    } else if (this.surfaces.length < LIMITS.surfaces && meets(rect, place.sight)) {
      const { left, top, right, bottom } = intersection(rect, place.sight);
      this.surfaces.push([left, top, right - left, bottom - top].map(Math.round));
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
    const { el, tag, above } = place;
    const rect = rectOf(el);
    const isFlat = rect.width < SPECK || rect.height < SPECK;
    // What floats over a page, such as a chat, often has a host without a size: it may get its root at any time.
    if (isFlat ? !tag.includes('-') && above.tag !== 'body' : asked.get(el) === sizeText(rect)) return;
    if (!place.isShown()) return;
    if (isFlat) this.flat += 1;
    if (this.candidates.length >= LIMITS.candidates || this.flat > LIMITS.flat) this.left.u += 1;
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
