// Meets every press and every key before the page does, from the moment when a document begins. Lets all of them through unless
// it is armed. Where nobody works by hand, frames of strangers let nothing through unless they are: one that is too busy to be armed,
// or has just come, takes in what was meant for something else.
((isWorkedByHand) => {
  'use strict';
  const NAME = 'legworkGuard';
  if (Object.getOwnPropertyDescriptor(globalThis, NAME)) return;

  /// What may do something: it is judged.
  const DOING = [
    'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'keypress', 'beforeinput', 'dragstart', 'drop',
  ];
  /// What only tells that something arrived.
  const TELLING = ['pointermove', 'mousemove', 'wheel', 'pointercancel', 'input', 'keyup', 'dragover'];
  /// Where somebody works by hand: a frame of strangers that is so young may have come while others were being armed.
  const YOUNG_MS = 150;
  const NOTED_LIMIT = 200;

  const add = Function.prototype.call.bind(EventTarget.prototype.addEventListener);
  const remove = Function.prototype.call.bind(EventTarget.prototype.removeEventListener);
  const letGoOfPointer = Function.prototype.call.bind(Document.prototype.exitPointerLock);
  const isTrusted = (event) => event.isTrusted === true;
  const setTimer = globalThis.setTimeout;
  const clearTimer = globalThis.clearTimeout;
  const born = performance.now();
  /// number, judge, isKept, since, expires, noted, stopped; the keys that were not let down; how many events of each kind came, wherever
  /// they went, and who wants to know. What is over stays, so that whoever asks learns of it.
  let armed = null;
  /// What was last told, for whoever asks again.
  let last = null;
  /// Where something may still be on its way, nothing gets through for so long.
  const CLOSED_AFTERWARDS = 1500;

  /// Whether a page of somebody else shows this document.
  function isShownByStrangers() {
    try {
      return window.parent.document === null || window.top.document === null;
    } catch {
      return true;
    }
  }

  function stop(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  function meet(event) {
    if (!isTrusted(event)) return;
    // By its own time: what was sent while a page was busy is judged however late the page takes it in.
    if (armed === null || event.timeStamp > armed.expires) {
      const isClosed = !isWorkedByHand || performance.now() - born < YOUNG_MS;
      if (isClosed && DOING.includes(event.type) && isShownByStrangers()) stop(event);
      return;
    }
    // It was sent to this document for something that is over.
    if (event.timeStamp >= born && event.timeStamp < armed.since) {
      if (DOING.includes(event.type)) stop(event);
      return;
    }
    decideOn(event);
    if (event.currentTarget !== window) return;
    armed.came[event.type] = (armed.came[event.type] ?? 0) + 1;
    armed.onEvent?.();
  }

  function decideOn(event) {
    // A key that was not let down is not let up either: some pages listen for that alone.
    if (event.type === 'keyup' && armed.keys.has(event.code)) {
      stop(event);
      return;
    }
    let verdict;
    try {
      verdict = armed.stopped !== null && DOING.includes(event.type) ? armed.stopped : armed.judge(event);
    } catch {
      // What can't be judged does not happen.
      verdict = { type: event.type, why: 'unjudged', by: '' };
    }
    // Null: it is let through and counts; undefined: it is let through and is of no interest.
    if (verdict === undefined) return;
    if (verdict === null) {
      if (armed.noted.length < NOTED_LIMIT && event.currentTarget === window) armed.noted.push(event.type);
      return;
    }
    if (verdict.why !== 'unwanted') armed.stopped ??= verdict;
    if (event.type === 'keydown') armed.keys.add(event.code);
    stop(event);
  }

  /// Letters go wherever the caret is by then. A page has heard of them now, and what it did may have brought them elsewhere.
  function meetLast(event) {
    const isOurs = armed !== null && event.timeStamp >= armed.since && event.timeStamp <= armed.expires;
    if (!isOurs || !isTrusted(event) || event.defaultPrevented) return;
    try {
      if (armed.isKept()) return;
    } catch {
      // What can't be judged does not happen.
    }
    armed.stopped ??= { type: event.type, why: 'changed', by: '' };
    stop(event);
  }

  /// Behind all that the page has listening by now.
  function listenLast() {
    remove(window, 'beforeinput', meetLast);
    add(window, 'beforeinput', meetLast, { passive: false });
  }

  /// Also where it listens already: a page that writes its document anew takes all listeners off.
  function listenOn(target) {
    for (const type of [...DOING, ...TELLING]) add(target, type, meet, { capture: true, passive: false });
  }

  function nothingIsMeant(event) {
    if (!DOING.includes(event.type)) return undefined;
    return { type: event.type, why: 'covered', by: `frame "${String(document.title).slice(0, 80).toWellFormed()}"` };
  }

  /// Whether the last event of a deed has come. A press that the browser calls off, as where something is dragged, is not let go.
  function hasCome({ came, noted }, type, count) {
    if (type === '') return noted.length > 0;
    const calledOff = type === 'pointerup' ? came.pointercancel ?? 0 : 0;
    return (came[type] ?? 0) + calledOff >= count;
  }

  const guard = Object.freeze({
    listenOn,
    /// From now on `judge` decides, for a while, and `isKept` whether letters still go where they were let through to.
    arm(number, milliseconds, judge, isKept = () => true) {
      listenOn(window);
      listenLast();
      const since = performance.now();
      armed = { number, judge, isKept, since, expires: since + milliseconds, noted: [], stopped: null, keys: new Set(), came: Object.create(null), onEvent: null, end: null };
      return true;
    },
    /// From now on nothing gets through, for a while.
    close(number, milliseconds) {
      return guard.arm(number, milliseconds, nothingIsMeant);
    },
    /// What came, and the end of it, once so many events of a kind have come, or one that counts where none is named: the browser may
    /// say that a page has taken in what still waits for it. What does not come in time is not let through either.
    disarmAfter(number, type, count, milliseconds) {
      const mine = armed;
      if (mine?.number !== number) return guard.disarm(number, 0);
      const isOver = () => hasCome(mine, type, count);
      if (isOver()) return guard.disarm(number, 0);
      mine.end ??= new Promise((resolve) => {
        const timer = setTimer(() => resolve(guard.disarm(number, CLOSED_AFTERWARDS)), milliseconds);
        mine.onEvent = () => {
          if (!isOver()) return;
          mine.onEvent = null;
          clearTimer(timer);
          // What belongs to the same press follows before anything else does.
          setTimer(() => resolve(guard.disarm(number, 0)), 0);
        };
      });
      return mine.end;
    },
    /// The same at once.
    disarmNow(number, type, count) {
      const isOver = armed?.number !== number || hasCome(armed, type, count);
      return guard.disarm(number, isOver ? 0 : CLOSED_AFTERWARDS);
    },
    /// What came, and the end of it. Nothing gets through for so long from then on.
    disarm(number, closedFor) {
      if (armed?.number !== number) return last?.number === number ? last.told : null;
      const { noted, stopped, expires } = armed;
      const told = { noted, stopped, expired: performance.now() > expires, awaited: closedFor > 0 };
      last = { number, told };
      armed = null;
      if (closedFor > 0) guard.close(0, closedFor);
      return told;
    },
  });
  Object.defineProperty(globalThis, NAME, { value: guard });
  listenOn(window);
  // Whatever holds the pointer gets all that is pressed, wherever it was meant to go.
  if (!isWorkedByHand) add(window, 'pointerlockchange', () => letGoOfPointer(document), { capture: true });
})