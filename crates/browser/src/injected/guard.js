// Meets every press and every key before the page does, from the moment when a document begins. Lets all of them through unless
// it is armed.
(() => {
  'use strict';
  const NAME = 'legworkGuard';
  if (Object.getOwnPropertyDescriptor(globalThis, NAME)) return;

  /// What may do something: it is judged.
  const DOING = [
    'pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu', 'keydown', 'keypress', 'beforeinput', 'dragstart', 'drop',
  ];
  /// What only tells that something arrived.
  const TELLING = ['pointermove', 'mousemove', 'wheel', 'input', 'keyup', 'dragover'];
  /// A frame of another site that is so young may have come while others were being armed.
  const YOUNG_MS = 150;
  const NOTED_LIMIT = 200;

  const add = Function.prototype.call.bind(EventTarget.prototype.addEventListener);
  const isTrusted = (event) => event.isTrusted === true;
  const born = performance.now();
  /// number, judge, expires, noted, stopped. What is over stays, so that whoever asks learns of it.
  let armed = null;

  function isStrangersChild() {
    try {
      return window.parent !== window && window.parent.document === null;
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
      if (performance.now() - born < YOUNG_MS && DOING.includes(event.type) && isStrangersChild()) stop(event);
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
    stop(event);
  }

  /// Also where it listens already: a page that writes its document anew takes all listeners off.
  function listenOn(target) {
    for (const type of [...DOING, ...TELLING]) add(target, type, meet, { capture: true, passive: false });
  }

  function nothingIsMeant(event) {
    if (!DOING.includes(event.type)) return undefined;
    return { type: event.type, why: 'covered', by: `frame "${String(document.title).slice(0, 80).toWellFormed()}"` };
  }

  const guard = Object.freeze({
    listenOn,
    /// From now on `judge` decides, for a while.
    arm(number, milliseconds, judge) {
      listenOn(window);
      armed = { number, judge, expires: performance.now() + milliseconds, noted: [], stopped: null };
      return true;
    },
    /// From now on nothing gets through, for a while.
    close(number, milliseconds) {
      return guard.arm(number, milliseconds, nothingIsMeant);
    },
    /// What came, and the end of it.
    disarm(number) {
      if (armed?.number !== number) return null;
      const { noted, stopped, expires } = armed;
      armed = null;
      return { noted, stopped, expired: performance.now() > expires };
    },
  });
  Object.defineProperty(globalThis, NAME, { value: guard });
  listenOn(window);
})();
