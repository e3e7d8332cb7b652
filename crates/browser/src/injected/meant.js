// Judges what arrives at the moment when it does: whether it goes to the element that was meant, and whether that still is what
// it was.

const pathOf = uncurried(Event.prototype.composedPath);
const BEGINS = new Set(['pointerdown', 'mousedown', 'dragstart', 'keydown', 'keypress', 'beforeinput']);
const KEYS = new Set(['keydown', 'keypress', 'beforeinput']);
const ENDS = new Set(['pointerup', 'mouseup', 'drop']);
const CLICKS = new Set(['click', 'dblclick', 'auxclick', 'contextmenu']);
const MERELY_TOLD = new Set(['pointermove', 'mousemove', 'wheel', 'pointercancel', 'input', 'keyup', 'dragover']);

/// One thing to be done, as far as this frame has a part in it. `el` is what a press or a key is meant for, `to` where what is
/// dragged is let go; either may be null.
class Meant {
  constructor(found, to, deed) {
    this.found = found;
    this.to = to;
    this.deed = deed;
    for (const one of [found, to]) {
      if (one === null) continue;
      forgetAll();
      one.identity = identityText(identityRecordOf(one.el));
      one.bare = bareIdentityOf(one.el);
      one.sent = sentBy(one.el);
    }
    this.isBegun = false;
    this.isLetGo = false;
  }

  /// Null to let an event through, undefined for one that is of no interest, else why it is stopped.
  judge(event) {
    const { type } = event;
    const hit = realTargetOf(event);
    if (MERELY_TOLD.has(type)) return this.isFor(this.found, hit, false) || this.isFor(this.to, hit, false) ? null : undefined;
    if (this.deed === 'keys') {
      if (!KEYS.has(type)) return undefined;
    } else if (KEYS.has(type)) return undefined;
    // A press that was let go elsewhere is a click on whatever is around both: nobody asked for that.
    if (this.deed === 'drag' && CLICKS.has(type)) return { type, why: 'unwanted', by: '' };
    const isEnd = this.deed === 'drag' && ENDS.has(type);
    // A button that is held belongs to the frame that it was pressed in, wherever it is let go.
    if (isEnd && this.to === null && type !== 'drop') return undefined;
    // What follows belongs to it, whatever the page has made of it.
    if (isEnd && this.isLetGo) return undefined;
    const wanted = isEnd ? this.to : this.found;
    if (wanted === null) return { type, why: 'covered', by: wordsFor(coverOf(hit, hit)) };
    if (!this.isFor(wanted, hit, wanted === this.found)) {
      const el = isConnectedOf(wanted.el) ? wanted.el : null;
      return el === null ? { type, why: 'changed', by: '' } : { type, why: 'covered', by: wordsFor(coverOf(hit, el)) };
    }
    // Its beginning went elsewhere.
    if (this.deed === 'press' && !this.isBegun && !BEGINS.has(type)) return { type, why: 'covered', by: '' };
    if (isEnd && !isWhatItWas(wanted)) return { type, why: 'changed', by: '' };
    if (BEGINS.has(type) && !this.isBegun) {
      if (!isWhatItWas(wanted)) return { type, why: 'changed', by: '' };
      this.isBegun = true;
    }
    if (KEYS.has(type) && event.key === 'Enter' && !pressesTheSame(wanted)) return { type, why: 'changed', by: '' };
    // What the page did when it was pressed may have turned it to something else.
    if (type === 'click' && sentBy(wanted.el) !== wanted.sent) return { type, why: 'turned', by: '' };
    this.isLetGo ||= isEnd;
    witnessing.inputComes();
    return null;
  }

  /// Whether keys still go to the element that they are meant for.
  isKept() {
    return this.deed !== 'keys' || this.isFor(this.found, focusedElement(), true);
  }

  /// Whether an event goes to an element, or to the one that has come in its place. Where it is pressed, nothing else of the look
  /// may get that.
  isFor(found, hit, isPressed) {
    if (found === null || hit === null) return false;
    if (!isConnectedOf(found.el)) {
      const el = successorOf(found.el, identityAtLook(found.look, found.index), found.look);
      if (el === null || pathTo(el) !== found.path) return false;
      found.el = el;
    }
    return isMeant(found.el, hit, isPressed ? found.look : null) || (this.deed === 'keys' && isWrittenThrough(found.el, hit));
  }
}

/// Words that a style sheet adds while the pointer is over an element, such as its tooltip, do not make it another.
function isWhatItWas({ el, identity, bare }) {
  forgetAll();
  if (identityText(identityRecordOf(el)) === identity) return true;
  return bare !== null && bareIdentityOf(el) === bare;
}

/// Whether Enter in a field still sends its form as it did at the look, by the same button.
function pressesTheSame({ el, look, index, sent }) {
  if (!(el instanceof HTMLInputElement) || isButton(el) || look.controls[index] === undefined) return true;
  forgetAll();
  return sentBy(el) === sent && pressedByEnter(el) === pressedByEnterAtLook(look, index);
}

/// The same as if style sheets added no words; null for what has no others.
function bareIdentityOf(el) {
  withoutGenerated = true;
  try {
    const record = identityRecordOf(el);
    return record.name === '' ? null : identityText(record);
  } finally {
    withoutGenerated = false;
  }
}

function pathTo(el) {
  const tags = [];
  for (let at = el, steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = drawnParentOf(at)) tags.push(tagOf(at));
  return tags.join('<');
}

/// What an event really goes to: closed trees keep that from those outside.
function realTargetOf(event) {
  const [first] = pathOf(event);
  if (!(first instanceof Element)) return first instanceof Document ? documentElementOf(first) : null;
  let at = first;
  for (let steps = 0; steps < 20; steps += 1) {
    const root = closedRoots.get(at);
    if (root === undefined) return at;
    const inner = event instanceof MouseEvent ? atPointInShadow(root, event.clientX, event.clientY) : root.activeElement;
    if (!inner || rootOf(inner) !== root) return at;
    at = inner;
  }
  return at;
}

/// Has the guard let through what is meant for these elements of a look, and nothing else.
function arm(number, milliseconds, epoch, index, toEpoch, toIndex, deed) {
  const guard = Object.getOwnPropertyDescriptor(globalThis, 'legworkGuard')?.value;
  if (guard === undefined) return JSON.stringify({ state: 'unguarded' });
  const [found, to] = [[epoch, index], [toEpoch, toIndex]].map(([look, place]) => (place === null ? null : resolve(look, place)));
  for (const one of [found, to]) {
    if (one === null) continue;
    if (one.reason) return JSON.stringify({ state: one.reason });
    one.path = pathTo(one.el);
  }
  const isChanged = (one) => one !== null && tellIdentity(one).same === false;
  if (isChanged(found) || isChanged(to)) return JSON.stringify({ state: 'changed' });
  const meant = new Meant(found, to, deed);
  witnessing.isArmed();
  guard.arm(number, milliseconds, (event) => meant.judge(event), () => meant.isKept());
  for (const one of [found, to]) if (one !== null) for (const root of closedRootsAround(one.el)) guard.listenOn(root);
  return JSON.stringify({ state: 'armed' });
}

function closedRootsAround(el) {
  const roots = [];
  for (let root = rootOf(el), steps = 0; root instanceof ShadowRoot && steps < 50; steps += 1) {
    const host = hostOf(root);
    if (closedRoots.get(host) === root) roots.push(root);
    root = rootOf(host);
  }
  return roots;
}

/// Whether keys that go to all of an editor are written into this part of it.
function isWrittenThrough(el, hit) {
  return isHtml(el) && isEditableOf(el) && hit === editingRootOf(el) && isCaretIn(el);
}

/// Has the guard let keys through that are for the page as a whole: they may go to nothing that they could set off or fill in.
function armForPage(number, milliseconds) {
  const guard = Object.getOwnPropertyDescriptor(globalThis, 'legworkGuard')?.value;
  if (guard === undefined) return JSON.stringify({ state: 'unguarded' });
  guard.arm(number, milliseconds, (event) => {
    const { type } = event;
    if (MERELY_TOLD.has(type)) return undefined;
    if (!KEYS.has(type)) return { type, why: 'covered', by: '' };
    forgetAll();
    const hit = realTargetOf(event);
    const isIdle = hit !== null && !isInteractive(hit) && !(isHtml(hit) && isEditableOf(hit)) && !isFrame(hit);
    return isIdle ? null : { type, why: 'covered', by: hit === null ? '' : wordsFor(hit) };
  });
  return JSON.stringify({ state: 'armed' });
}

const isFrame = (el) => ['iframe', 'frame', 'object', 'embed'].includes(tagOf(el));
