// Whether an element of a look can be acted on, and where: asked anew with every frame that is drawn, until it can or time is up.

const bringIntoView = uncurried(Element.prototype.scrollIntoView);
/// Scrolled as little as will do first; a bar that stays at an edge may cover it there, so other ways follow.
const ALIGNMENTS = ['nearest', 'center', 'end', 'start'];
const AS_LITTLE = Object.freeze({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
/// Every so many frames in vain the page is scrolled in all ways again: it may have changed.
const SCROLL_AGAIN = 60;
/// A page that draws nothing is asked by the clock: what was not drawn for so long has not moved to anybody's eyes either.
const FRAME_MS = 500;
/// Where in a box it is tried, in parts of its width and height.
const TRIED = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5], [0.2, 0.2], [0.8, 0.2], [0.2, 0.8], [0.8, 0.8]];
const COVER_LIMIT = 80;
const ANCESTORS_LIMIT = 500;

/// The next frame that is drawn. False if time was up before it was.
function nextFrame(deadline = Infinity) {
  return new Promise((done) => {
    const left = deadline - performance.now();
    const timer = setTimeout(() => done(left >= FRAME_MS), Math.max(1, Math.min(FRAME_MS, left + 1)));
    requestAnimationFrame(() => {
      clearTimeout(timer);
      done(true);
    });
  });
}

/// Everything but the secrets of the last look is found out anew, as far as it may have become otherwise.
function forgetAll() {
  forgetStates();
  if (witnessing.hasSeenNothing() && areSheetsKnown()) {
    refreshLooks();
    return;
  }
  const secrets = secretFields;
  forgetLabels();
  secretFields = secrets;
  forgetLooks();
}

/// An element of a look, or what has come in its place. A reason, if there is neither.
function resolve(epoch, index) {
  const look = kept.get(epoch);
  const first = look?.elements[index];
  if (first === undefined) return { reason: 'forgotten' };
  if (isConnectedOf(first)) return { el: first, look, index };
  const el = successorOf(first, identityAtLook(look, index), look);
  return el === null ? { reason: 'detached' } : { el, look, index };
}

/// Waits until an element can be acted on as `needs` tells: `press`, `reach`, `still`, `write`, `sight` or `presence`. In the
/// page itself one that is where it was at the look holds still for those who trust in that.
async function aim(epoch, index, needs, trustsLook, milliseconds) {
  const deadline = performance.now() + milliseconds;
  let before = null;
  let tries = 0;
  for (;;) {
    const found = resolve(epoch, index);
    if (found.reason) return answer({ state: found.reason });
    const { el } = found;
    // Before the first frame and after the last: nobody waits for what has changed already.
    const early = tries === 0 || needs === 'presence' ? tellIdentity(found) : null;
    if (early !== null && (early.same === false || needs === 'presence')) return answer({ state: 'ready', ...early, x: 0, y: 0 });
    const spot = spotOf(el);
    // A frame that is out of sight draws nothing: the pages around it are asked to bring it in.
    if (tries === 0 && spot !== null && window.parent !== window && needs !== 'still') bringIntoView(spot.face, AS_LITTLE);
    // What is written in is not pressed: it need not hold still, once its frame needs no scrolling for it.
    const mayMove = needs === 'write' && spot !== null && isInView(spot.box);
    const reason = reasonAgainst(found, spot, needs, tries);
    const isWhereSeen = tries === 0 && trustsLook && window.parent === window && isWhereItWas(found, spot);
    // What moves does so with each frame: two of them have to be alike, not one and whatever was before it.
    const isStill = mayMove || isWhereSeen || (tries > 1 && isSameBox(spot?.box, before));
    if (reason === null && isStill) {
      const told = early ?? tellIdentity(found);
      if (tries > 0) witnessing.watchNewTrees();
      if (needs !== 'sight') witnessing.beginAnew(el);
      return answer({ state: 'ready', ...told, x: spot.x, y: spot.y, window: indexInParent() });
    }
    before = spot?.box ?? null;
    if (performance.now() > deadline) return answer({ ...tellIdentity(found), ...reason ?? { state: 'moving' } });
    tries += 1;
    if (!await nextFrame(deadline)) before = null;
  }
}

function answer(told) {
  return inPlainLetters(JSON.stringify(told));
}

/// Whether an element is what it was at the look, if the look tells, and what it is now.
function tellIdentity({ el, look, index }) {
  forgetAll();
  const now = identityRecordOf(el);
  const then = identityAtLook(look, index);
  const mask = maskOf(secretFields.flatMap(secretsIn)) ?? ((text) => text);
  const { h, k, n, fa, fm } = now.attributes;
  const masked = (text) => (text === undefined ? undefined : mask(text));
  const attributes = { h: masked(h), k, n: masked(n), fa: masked(fa), fm };
  const text = identityText(now);
  // Of what the look has no record of, the first that is told counts.
  const first = look.told.get(index) ?? text;
  look.told.set(index, first);
  return { same: then === null && first === text ? null : (then ?? first) === text, tag: now.tag, role: now.role, name: mask(now.name), attributes };
}

/// What stands against acting on an element now; null for nothing.
function reasonAgainst({ el, look }, spot, needs, tries) {
  if (spot === null) return { state: 'hidden' };
  if ((needs === 'press' || needs === 'write') && isSwitchedOff(el)) return { state: 'disabled' };
  if (needs === 'write' && isReadOnly(el)) return { state: 'disabled' };
  // Fields are written in without a press, but where a person would see it.
  if (needs === 'write' || needs === 'sight') {
    if (!isInView(spot.box)) bringIntoView(spot.face, AS_LITTLE);
    return null;
  }
  // Only a press does something to what it meets.
  const place = freePointOf(el, spot, needs === 'press' ? look : null);
  if (place.isFree) {
    [spot.x, spot.y] = [place.x, place.y];
    return null;
  }
  // Once for each way, with two frames in between.
  const round = tries % SCROLL_AGAIN;
  const alignment = round % 2 === 0 && needs !== 'still' ? ALIGNMENTS[round / 2] : undefined;
  if (alignment !== undefined) bringIntoView(spot.face, { block: alignment, inline: alignment === 'nearest' ? 'nearest' : 'center', behavior: 'instant' });
  return place.by === null ? { state: 'hidden' } : { state: 'covered', by: place.by };
}

/// Where an element is seen: its face, which is its own or that of what stands in for it, and the box of that.
function spotOf(el) {
  const tag = tagOf(el);
  forgetStates();
  const own = isDrawnItself(el, tag) ? ownBoxOf(el, tag) : null;
  // A box that is kept where no scrolling leads has a label too, or nothing.
  const label = own === null || !meets(own, reachableArea()) ? faceOf(el, tag) : null;
  if (own === null && label === null) return null;
  const box = label === null ? own : plainBox(largestPartOf(label, rectOf(label)));
  const face = label ?? (tag === 'area' ? imageOf(el) ?? el : el);
  return { face, box, x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

function isDrawnItself(el, tag) {
  if (tag === 'area') return true;
  const state = stateOf(el);
  return state.isSeen && (isShown(el, VISIBLE_ONLY) || state.display === 'contents');
}

function ownBoxOf(el, tag) {
  let rect = placeOf(el, tag);
  if (rect.width === 0 && stateOf(el).display === 'contents') {
    RANGE.selectNodeContents(el);
    rect = RANGE.getBoundingClientRect();
  }
  if (rect.width < SPECK || rect.height < SPECK) return null;
  return plainBox(tag === 'area' ? rect : largestPartOf(el, rect));
}

function plainBox({ left, top, right, bottom, width, height }) {
  return { left, top, right, bottom, width, height };
}

function imageOf(area) {
  const name = area.parentElement?.name;
  return name ? queryFirst(documentElementOf(document), `img[usemap="#${CSS.escape(name)}"]`) : null;
}

/// The label that is seen in the place of a control, as the walker finds it.
function faceOf(el, tag) {
  if (tag !== 'input' || !STOOD_IN_FOR.has(el.type) || !isLaidOut(drawnParentOf(el))) return null;
  for (const label of freshLabelsOf(el)) {
    const rect = stateOf(label).isSeen ? rectOf(label) : null;
    if (rect && rect.width >= SPECK && rect.height >= SPECK) return label;
  }
  return null;
}

function freshLabelsOf(el) {
  return Array.from(labelsOfInput(el) ?? []).slice(0, 3);
}
const labelsOfInput = getterOf(HTMLInputElement.prototype, 'labels');

function isSameBox(a, b) {
  return Boolean(a) && Boolean(b) && a.left === b.left && a.top === b.top && a.width === b.width && a.height === b.height;
}

/// Whether an element is drawn where it was at the look.
function isWhereItWas({ look, index }, spot) {
  const record = look.controls[index];
  if (record === undefined || spot === null) return false;
  const { left, top, width, height } = spot.box;
  return [left, top, width, height].every((side, i) => Math.round(side) === record[3 + i]);
}

function isInView(box) {
  return meets(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
}

/// Whether it, or a part of the page that it is in, is switched off.
function isSwitchedOff(el) {
  if (matches(el, ':disabled') || isInert(el)) return true;
  if (tagOf(el) === 'label' && isHtml(el) && el.control && matches(el.control, ':disabled')) return true;
  let at = el;
  for (let steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = drawnParentOf(at)) {
    if (attributeOf(at, 'aria-disabled') === 'true') return true;
  }
  return false;
}

function isReadOnly(el) {
  if (attributeOf(el, 'aria-readonly') === 'true') return true;
  return (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) && matches(el, ':read-only') && hasAttribute(el, 'readonly');
}

/// A point at which a press would go to an element; else what it would go to, in words, or nothing.
function freePointOf(el, { face, box }, look) {
  const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const seen = intersection(box, window);
  const clipped = intersection(seen, clipOf(face));
  let cover = null;
  for (const part of [clipped, seen]) {
    const [width, height] = [part.right - part.left, part.bottom - part.top];
    if (width < 1 || height < 1) continue;
    for (const [across, down] of TRIED) {
      const [x, y] = [part.left + width * across, part.top + height * down];
      const hit = deepestAt(x, y);
      if (hit === null) continue;
      if (isMeant(el, hit, look)) return { isFree: true, x, y };
      cover ??= hit;
    }
  }
  const isCutOff = clipped.right - clipped.left < 1 || clipped.bottom - clipped.top < 1;
  return { isFree: false, by: cover === null || isCutOff ? null : wordsFor(coverOf(cover, el)) };
}

/// What the boxes around an element leave of the window.
function clipOf(el) {
  let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  let isFree = false;
  for (let at = el, steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = drawnParentOf(at)) {
    const style = getComputedStyle(at);
    const tag = tagOf(at);
    if (at !== el && tag !== 'body' && tag !== 'html' && !UNBOXED.has(read(style, 'display')) && !(isFree && read(style, 'position') === 'static')) {
      const [across, down] = [read(style, 'overflow-x'), read(style, 'overflow-y')];
      if (across !== 'visible' || down !== 'visible') clip = clippedSight(clip, rectOf(at), across, down);
      isFree = false;
    }
    const position = read(style, 'position');
    if (position === 'fixed') break;
    if (position === 'absolute') isFree = true;
  }
  return clip;
}

/// What a press at this point would meet, in whatever shadow tree we know.
function deepestAt(x, y) {
  let hit = atPointInDocument(document, x, y);
  for (let steps = 0; hit && steps < 50; steps += 1) {
    const root = shadowOf(hit);
    const inner = root === null ? null : atPointInShadow(root, x, y);
    // A root may answer with what is around it.
    if (!inner || inner === hit || rootOf(inner) !== root) return hit;
    hit = inner;
  }
  return hit;
}

/// Whether a press that meets `hit` goes to the element: it is the element or in it, and no other control in between, nor anything
/// else that the look has a number for; or it is the label of it, or that which it is the label of.
function isMeant(el, hit, look) {
  if (hit === el) return true;
  const numbered = look === null ? null : numberedIn(look);
  for (let at = hit, steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = drawnParentOf(at)) {
    if (at === el) return true;
    if (tagOf(at) === 'label' && isHtml(at) && at.control === el) return true;
    if (tagOf(el) === 'label' && isHtml(el) && el.control === at) return true;
    const pressed = labelledBy(at) ?? at;
    if ((pressed !== at || isControlItself(at) || numbered?.has(at)) && !isSameToPeople(pressed, el)) return false;
  }
  return false;
}

/// What a label passes a press on to.
function labelledBy(el) {
  return el instanceof HTMLLabelElement ? controlOfLabel(el) : null;
}

/// The elements of a look; more may have been taken in since.
function numberedIn(look) {
  if (look.numbered?.count !== look.elements.length) look.numbered = { count: look.elements.length, set: new Set(look.elements) };
  return look.numbered.set;
}

/// What does something of its own when it is pressed, as far as markup tells. What can merely have the focus does not.
const OWN_CONTROL = 'a[href],button,input:not([type=hidden]),select,textarea,summary,[onclick],[contenteditable=""],[contenteditable=true],' +
  '[role=button],[role=link],[role=checkbox],[role=radio],[role=switch],[role=tab],[role=menuitem],[role=option]';

function isControlItself(el) {
  return matches(el, OWN_CONTROL);
}

/// A control that fills another and says the same is the same to whoever presses it.
function isSameToPeople(inner, el) {
  const [name, outer] = [nameOf(inner, roleOf(inner)), nameOf(el, roleOf(el))];
  if (name !== '') return name === outer;
  const words = wordsIn(inner);
  // What has a name of its own is not what stands in it.
  return ROLELESS.has(roleOf(inner)) && words === wordsIn(el) && (words === '' || outer === '' || outer === words);
}

/// The outermost of what lies over an element, or the dialog that does.
function coverOf(hit, el) {
  let cover = hit;
  for (let at = hit, steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = drawnParentOf(at)) {
    if (isAbove(at, el) || tagOf(at) === 'body' || tagOf(at) === 'html') break;
    cover = at;
    if (matches(at, 'dialog,[role=dialog],[role=alertdialog]')) break;
  }
  return cover;
}

/// Whether an element is around another one, as the page is drawn.
function isAbove(outer, el) {
  for (let at = el, steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = drawnParentOf(at)) {
    if (at === outer) return true;
  }
  return false;
}

/// `dialog "Cookies"`: what something is and what it says, without secrets.
function wordsFor(el) {
  const role = roleOf(el);
  const kind = role && /^[a-z]+$/.test(role) && role !== 'generic' && role !== 'none' ? role : exactly(tagOf(el), TOKEN_LIMIT);
  const mask = maskOf(secretFields.flatMap(secretsIn)) ?? ((text) => text);
  const words = oneLine(mask(oneLine(nameOf(el, role), COVER_LIMIT) || headingIn(el) || oneLine(shortTextOf(el), COVER_LIMIT)), COVER_LIMIT);
  return words === '' ? kind : `${kind} "${words}"`;
}

function headingIn(el) {
  const heading = queryFirst(el, 'h1,h2,h3,h4,h5,h6,[role=heading]');
  return heading === null ? '' : oneLine(shortTextOf(heading), COVER_LIMIT);
}

/// Makes keys go to an element; whether they do.
function focus(el) {
  witnessing.goesOn();
  focusOn(el, { preventScroll: true });
  const focused = focusedElement();
  return focused !== null && (focused === el || isAbove(el, focused));
}
const focusOn = (el, options) => (el instanceof SVGElement ? focusSvg : focusHtml)(el, options);
const focusHtml = uncurried(HTMLElement.prototype.focus);
const focusSvg = uncurried(SVGElement.prototype.focus);
