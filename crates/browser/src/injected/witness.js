// What an act did to this frame: notes how things are before it, and tells afterwards what is otherwise. Values stay in the page:
// only whether they changed is told.

const witnessing = (() => {
  const scrollTopOf = getterOf(Element.prototype, 'scrollTop');
  const scrollLeftOf = getterOf(Element.prototype, 'scrollLeft');
  const scrollingElementOf = getterOf(Document.prototype, 'scrollingElement');
  const listen = uncurried(EventTarget.prototype.addEventListener);
  const unlisten = uncurried(EventTarget.prototype.removeEventListener);
  const pathOf = uncurried(Event.prototype.composedPath);
  const labelledBy = getterOf(HTMLLabelElement.prototype, 'control');
  const innerTextOf = getterOf(HTMLElement.prototype, 'innerText');
  const queryIn = uncurried(DocumentFragment.prototype.querySelectorAll);
  const queryInDocument = uncurried(Document.prototype.querySelectorAll);
  const bodyOf = getterOf(Document.prototype, 'body');
  const styleOf = globalThis.getComputedStyle;
  const setTimer = globalThis.setTimeout;
  const clearTimer = globalThis.clearTimeout;
  const nextFrame = globalThis.requestAnimationFrame;
  const clock = performance.now.bind(performance);

  /// Elements that are gone through for shadow roots.
  const WITNESSED_LIMIT = 50000;
  /// A witness whom nobody asks any more goes after this long.
  const WITNESS_LIFE = 120000;
  /// Frames that are not drawn have no animation frames: then this stands for one.
  const FRAME_STAND_IN = 50;

  let witness = null;

  /// The open roots of this document, and the closed ones that we know.
  function shadowRootsOf() {
    const roots = [];
    const trees = [documentElementOf(document)];
    let seen = 0;
    while (trees.length) {
      const top = trees.pop();
      for (let el = top; el && seen < WITNESSED_LIMIT; el = elementAfter(el, top)) {
        seen += 1;
        const root = shadowOf(el);
        if (!root) continue;
        roots.push(root);
        for (let child = firstChildOf(root); child; child = nextSiblingOf(child)) if (kindOf(child) === ELEMENT) trees.push(child);
      }
    }
    return roots;
  }

  /// What an element holds, as one text to compare.
  function holding(el) {
    const of = el instanceof HTMLLabelElement ? labelledBy(el) ?? el : el;
    const parts = ['aria-checked', 'aria-selected', 'aria-pressed', 'aria-valuenow'].map((name) => attributeOf(of, name));
    if (of instanceof HTMLInputElement) {
      parts.push(valueOfInput(of), checkedOf(of), indeterminateOf(of), ...Array.from(filesOf(of) ?? [], (file) => `${file.name} ${file.size}`));
    } else if (of instanceof HTMLTextAreaElement) {
      parts.push(valueOfTextArea(of));
    } else if (of instanceof HTMLSelectElement) {
      parts.push(...Array.from(optionsOf(of), selectedOf));
    } else if (of instanceof HTMLOptionElement) {
      parts.push(selectedOf(of));
    } else if (isHtml(of) && editableOf(of)) {
      parts.push(textContentOf(of));
    }
    return JSON.stringify(parts);
  }

  const valueOfInput = getterOf(HTMLInputElement.prototype, 'value');
  const checkedOf = getterOf(HTMLInputElement.prototype, 'checked');
  const indeterminateOf = getterOf(HTMLInputElement.prototype, 'indeterminate');
  const filesOf = getterOf(HTMLInputElement.prototype, 'files');
  const valueOfTextArea = getterOf(HTMLTextAreaElement.prototype, 'value');
  const optionsOf = getterOf(HTMLSelectElement.prototype, 'options');
  const selectedOf = getterOf(HTMLOptionElement.prototype, 'selected');
  const editableOf = getterOf(HTMLElement.prototype, 'isContentEditable');

  const placeOf = (el) => `${scrollLeftOf(el)} ${scrollTopOf(el)}`;

  /// The element itself and everything that it is in, shadow hosts counted in.
  function lineOf(el) {
    const line = [];
    for (let at = el; at && kindOf(at) === ELEMENT && line.length < 1000; at = drawnParentOf(at)) line.push(at);
    return line;
  }

  /// Begins to watch this frame. `target` is the number of what is acted on in the look `epoch`, or null.
  function beginWitness(epoch, target, wantsFocus) {
    endWitness();
    const look = target === null ? undefined : kept.get(epoch);
    const el = look?.elements[target] ?? null;
    const line = el ? lineOf(el) : [];
    const places = new Map(line.map((at) => [at, placeOf(at)]));
    const main = scrollingElementOf(document);
    if (main) places.set(main, placeOf(main));
    const mine = {
      el, line, places, wantsFocus, held: el ? holding(el) : null, focused: focusedElement(),
      count: 0, last: 0, scrolled: false, isOn: false,
      /// All changes, and how many there were when somebody last asked for news.
      total: 0, known: -1,
      /// Changes and input together; those after which it was calm; whether that is waited for, and who wants to know.
      stirs: 0, calm: -1, isAwaited: false, onCalm: null,
      roots: new Set(), isWhole: false,
    };
    mine.observer = new MutationObserver((records) => take(mine, records));
    mine.onScroll = (event) => {
      const at = pathOf(event)[0];
      const scroller = at === document ? main : at;
      mine.scrolled ||= scroller instanceof Element && !places.has(scroller);
    };
    watchOver(mine, [document, ...look?.roots ?? []]);
    if (look === undefined) completeRoots(mine);
    mine.timer = setTimer(endWitness, WITNESS_LIFE);
    witness = mine;
    return true;
  }

  function watchOver(mine, roots) {
    for (const root of roots) {
      if (mine.roots.has(root)) continue;
      mine.roots.add(root);
      mine.observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
      listen(root, 'scroll', mine.onScroll, { capture: true, passive: true });
    }
  }

  /// Finds the trees that the look did not go through, or that have come since.
  function completeRoots(mine) {
    if (mine.isWhole) return;
    watchOver(mine, shadowRootsOf());
    mine.isWhole = true;
  }

  function take(into, records) {
    if (records.length === 0) return;
    into.count += records.length;
    into.total += records.length;
    into.last = clock();
    if (into.isOn) stir(into);
  }

  /// Something happens: two animation frames without anything make it calm.
  function stir(mine) {
    mine.stirs += 1;
    if (mine.isAwaited) return;
    const { stirs } = mine;
    mine.isAwaited = true;
    afterFrame(() => afterFrame(() => {
      mine.isAwaited = false;
      take(mine, mine.observer.takeRecords());
      if (mine !== witness || mine.isAwaited) return;
      if (mine.stirs !== stirs) {
        stir(mine);
        return;
      }
      mine.calm = stirs;
      mine.onCalm?.();
    }));
  }

  /// Input is let through to this frame.
  function inputComes() {
    if (witness) stir(witness);
  }

  /// Whether no change of any tree was seen since this was last asked. False where not all of them are watched.
  function hasSeenNothing() {
    if (!witness?.isWhole) return false;
    take(witness, witness.observer.takeRecords());
    const isSame = witness.known === witness.total;
    witness.known = witness.total;
    return isSame;
  }

  function endWitness() {
    if (!witness) return false;
    const { observer, roots, onScroll, timer } = witness;
    observer.disconnect();
    for (const root of roots) unlisten(root, 'scroll', onScroll, { capture: true });
    clearTimer(timer);
    witness = null;
    return true;
  }

  /// How things are now is how they were before the act: it took time until `el`, or what came in its place, could be acted on, and
  /// to bring it into sight was our own doing. Once something is done to the page it is too late for that.
  function beginAnew(el) {
    if (!witness || witness.isOn) return;
    take(witness, witness.observer.takeRecords());
    if (witness.el !== null && witness.el !== el) {
      witness.el = el;
      witness.line = lineOf(el);
      for (const at of witness.line) witness.places.set(at, '');
    }
    for (const at of witness.places.keys()) witness.places.set(at, placeOf(at));
    Object.assign(witness, { count: 0, last: 0, scrolled: false, focused: focusedElement(), held: witness.el ? holding(witness.el) : null });
  }

  /// Something is about to be done.
  function goesOn() {
    if (!witness) return;
    completeRoots(witness);
    witness.isOn = true;
  }

  /// There is time to look around.
  function findAllRoots() {
    if (witness) completeRoots(witness);
  }

  /// Whether keys go somewhere else in this frame. What was acted on, what it is in, and nowhere count only where that was wanted.
  function focusMoved({ el, line, wantsFocus, focused }) {
    const now = focusedElement();
    if (now === focused) return false;
    if (wantsFocus) return true;
    if (!now || now === bodyOf(document) || now === documentElementOf(document)) return false;
    if (!el) return !isFrameOwner(now);
    return !line.includes(now) && !isInShadowOf(now, el);
  }

  /// Keys that go into a frame are told of by the frame.
  const isFrameOwner = (el) => el instanceof HTMLIFrameElement || el instanceof HTMLFrameElement;

  function isInShadowOf(inner, host) {
    for (let root = rootOf(inner), steps = 0; root instanceof ShadowRoot && steps < 60; root = rootOf(hostOf(root)), steps += 1) {
      if (hostOf(root) === host) return true;
    }
    return false;
  }

  /// What became otherwise since the witness began; nothing is known where there is none.
  function tellWitness() {
    if (!witness) return { known: false, changes: 0, still: 0, value: false, focus: false, scrolled: false };
    take(witness, witness.observer.takeRecords());
    const { el, held, count, last, places } = witness;
    const moved = [...places].some(([at, place]) => placeOf(at) !== place);
    return {
      known: true, changes: count, still: count ? clock() - last : 0, value: el !== null && holding(el) !== held,
      focus: focusMoved(witness), scrolled: witness.scrolled || moved,
    };
  }

  /// The same after two animation frames: what follows an event at once is drawn by then. Where these have passed since the last
  /// change and the last input of this frame, nobody waits for more.
  function tellAfterFrames() {
    if (witness) take(witness, witness.observer.takeRecords());
    if (witness && witness.stirs > 0 && witness.calm === witness.stirs) return tellWitness();
    return new Promise((resolve) => {
      const tell = () => resolve(tellWitness());
      if (witness) witness.onCalm = tell;
      afterFrame(() => afterFrame(tell));
    });
  }

  function afterFrame(then) {
    let done = false;
    const once = () => {
      if (done) return;
      done = true;
      clearTimer(timer);
      then();
    };
    const timer = setTimer(once, FRAME_STAND_IN);
    nextFrame(once);
  }

  const inOneLine = (text) => text.replace(/\s+/g, ' ').toLowerCase();

  /// Whether a person can read these words in this frame.
  function hasWords(words) {
    const wanted = inOneLine(words).trim();
    const parts = [];
    const body = bodyOf(document);
    if (body && isHtml(body)) parts.push(body);
    for (const root of shadowRootsOf()) {
      for (let child = firstChildOf(root); child; child = nextSiblingOf(child)) {
        if (kindOf(child) === ELEMENT && isHtml(child) && isShown(child, { visibilityProperty: true })) parts.push(child);
      }
    }
    return parts.some((el) => inOneLine(innerTextOf(el)).includes(wanted));
  }

  /// `shown`, `none`, or `bad` for what is no selector. Looks into open and known shadow roots.
  function hasShown(selector) {
    try {
      const found = [...queryInDocument(document, selector)];
      for (const root of shadowRootsOf()) found.push(...queryIn(root, selector));
      return found.some((el) => isShown(el, { visibilityProperty: true })) ? 'shown' : 'none';
    } catch {
      return 'bad';
    }
  }

  /// Whether the page is parsed, and no curtain lies over it: something that covers all of it and offers nothing to act on.
  function isUsable() {
    if (readyStateOf(document) === 'loading') return false;
    const points = [[0.5, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];
    const curtains = points.map(([x, y]) => curtainAt(innerWidth * x, innerHeight * y));
    return curtains[0] === null || curtains.some((curtain) => curtain !== curtains[0]);
  }

  function curtainAt(x, y) {
    let at = elementAt(document, x, y);
    for (let steps = 0; at && kindOf(at) === ELEMENT && steps < 60; at = drawnParentOf(at), steps += 1) {
      const { width, height } = rectOf(at);
      const floats = /fixed|absolute/.test(styleOf(at).position);
      if (floats && width >= innerWidth * 0.9 && height >= innerHeight * 0.9) return offersNothing(at) ? at : null;
    }
    return null;
  }

  function offersNothing(el) {
    for (let at = el; at; at = elementAfter(at, el)) if (isFocusable(at)) return false;
    return true;
  }

  return { begin: beginWitness, end: endWitness, beginAnew, goesOn, inputComes, findAllRoots, hasSeenNothing, tell: tellWitness, tellAfterFrames, hasWords, hasShown, isUsable };
})();
