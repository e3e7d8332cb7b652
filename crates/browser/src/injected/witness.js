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
  const bodyOf = getterOf(Document.prototype, 'body');
  const styleOf = globalThis.getComputedStyle;
  const setTimer = globalThis.setTimeout;
  const clearTimer = globalThis.clearTimeout;
  const nextFrame = globalThis.requestAnimationFrame;
  const clock = performance.now.bind(performance);

  /// A witness whom nobody asks any more goes after this long.
  const WITNESS_LIFE = 120000;
  /// Frames that are not drawn have no animation frames: then this stands for one.
  const FRAME_STAND_IN = 50;
  /// A frame in the page keeps nobody waiting for longer.
  const FRAME_AT_MOST = 12;
  /// How long a look that is to come is waited for.
  const LOOK_PATIENCE = 100;

  let witness = null;

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
  const isMultipleOf = getterOf(HTMLSelectElement.prototype, 'multiple');
  const selectedIndexOf = getterOf(HTMLSelectElement.prototype, 'selectedIndex');
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
    const el = (target === null ? undefined : kept.get(epoch)?.elements[target]) ?? null;
    const line = el ? lineOf(el) : [];
    const places = new Map(line.map((at) => [at, placeOf(at)]));
    const main = scrollingElementOf(document);
    if (main) places.set(main, placeOf(main));
    const mine = {
      begun: clock(),
      el, line, places, wantsFocus, held: el ? holding(el) : null, focused: focusedElement(),
      count: 0, last: 0, scrolled: false,
      /// Whether something is about to be done, and whether something was.
      isArmed: false, isOn: false,
      /// All changes and scrolls, and how many changes there were when somebody last asked for news.
      total: 0, scrolls: 0, known: -1,
      /// Changes and input together; those after which it was calm; whether that is waited for, and who wants to know.
      stirs: 0, calm: -1, isAwaited: false, onCalm: null,
      /// How everything was when it was looked at, and who wants to know that it was.
      look: null, onLook: null,
      ...knownTrees(),
    };
    mine.observer = new MutationObserver((records) => take(mine, records));
    mine.onScroll = (event) => {
      mine.scrolls += 1;
      const at = pathOf(event)[0];
      const scroller = at === document ? main : at;
      mine.scrolled ||= scroller instanceof Element && !places.has(scroller);
    };
    for (const tree of mine.trees) watchOver(mine, tree);
    mine.timer = setTimer(endWitness, WITNESS_LIFE);
    witness = mine;
    return true;
  }

  function take(into, records) {
    if (records.length === 0) return;
    into.count += records.length;
    into.total += records.length;
    into.last = clock();
    if (into.isArmed || into.isOn) stir(into);
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

  /// Everything was looked at just now. It takes a frame to know whether that was all.
  function looked(epoch, elements) {
    if (!witness) return;
    take(witness, witness.observer.takeRecords());
    const fields = elements.filter((el) => el instanceof HTMLInputElement || el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement);
    const seen = { epoch, ...untold(), fields, values: fields.map(valueOfField), isMoving: isMoving(), isPast: false };
    witness.look = seen;
    afterFrame(() => {
      seen.isPast = true;
      if (witness?.look === seen) witness.onLook?.();
    }, isPage ? FRAME_STAND_IN : FRAME_AT_MOST);
  }

  const isPage = window.parent === window;

  /// What pages can change without a change of the document.
  function untold() {
    const { total, scrolls, trees } = witness;
    const popovers = trees.reduce((count, tree) => count + allIn(tree, ':popover-open').length, 0);
    const main = documentElementOf(document);
    return { total, scrolls, focused: focusedElement(), popovers, width: main && scrollWidthOf(main), height: main && scrollHeightOf(main) };
  }

  function valueOfField(el) {
    if (el instanceof HTMLSelectElement) return isMultipleOf(el) ? Array.from(optionsOf(el), selectedOf).join() : selectedIndexOf(el);
    if (el instanceof HTMLTextAreaElement) return valueOfTextArea(el);
    return `${checkedOf(el)} ${indeterminateOf(el)} ${filesOf(el)?.length} ${valueOfInput(el)}`;
  }

  /// The look that still shows everything as it is; null where there is none, or where nobody can tell.
  function lookThatHolds() {
    if (!witness?.look?.isPast || !witness.areAll || !areSheetsKnown()) return null;
    const { look: { epoch, fields, values, ...then } } = witness;
    // What moved when it was looked at, or moves now, was not where it will be.
    if (then.isMoving || isMoving()) return null;
    const isOtherwise = Object.entries(untold()).some(([what, now]) => now !== then[what]);
    if (isOtherwise || fields.some((el, i) => valueOfField(el) !== values[i])) return null;
    return hasUnaskedRoots(epoch) || newTrees().length > 0 ? null : epoch;
  }

  /// Whether anything has begun to move since there is a witness.
  function isMoving() {
    const { trees, begun } = witness;
    return trees.some((tree) => animationsOf(tree).some(({ pending, startTime }) => pending || startTime >= begun));
  }

  function newTrees() {
    const known = new Set(witness.trees);
    return knownTrees().trees.filter((tree) => !known.has(tree));
  }

  /// It took time until something could be acted on: trees may have come meanwhile.
  function watchNewTrees() {
    if (!witness) return;
    for (const tree of newTrees()) {
      witness.trees.push(tree);
      watchOver(witness, tree);
    }
  }

  function watchOver(mine, tree) {
    mine.observer.observe(tree, { subtree: true, childList: true, attributes: true, characterData: true });
    listen(tree, 'scroll', mine.onScroll, { capture: true, passive: true });
  }

  const animationsOf = (tree) => (tree instanceof Document ? animationsInDocument : animationsInShadow)(tree);
  const animationsInDocument = uncurried(Document.prototype.getAnimations);
  const animationsInShadow = uncurried(ShadowRoot.prototype.getAnimations);

  /// Input is let through to this frame.
  function inputComes() {
    if (!witness) return;
    witness.isOn = true;
    stir(witness);
  }

  /// Whether no change of any tree was seen since this was last asked.
  function hasSeenNothing() {
    if (!witness?.areAll) return false;
    take(witness, witness.observer.takeRecords());
    const isSame = witness.known === witness.total;
    witness.known = witness.total;
    return isSame;
  }

  function endWitness() {
    if (!witness) return false;
    const { observer, trees, onScroll, timer } = witness;
    observer.disconnect();
    for (const tree of trees) unlisten(tree, 'scroll', onScroll, { capture: true });
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
    Object.assign(witness, { isArmed: false, count: 0, last: 0, scrolled: false, focused: focusedElement(), held: witness.el ? holding(witness.el) : null });
  }

  /// Input may be let through from now on.
  function isArmed() {
    if (witness) witness.isArmed = true;
  }

  /// Something is about to be done.
  function goesOn() {
    if (witness) witness.isOn = true;
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

  /// What became otherwise since the witness began; nothing is known where there is none. Whether a look holds is told if asked for.
  function tellWitness(aboutLook) {
    if (!witness) return { known: false, changes: 0, still: 0, value: false, focus: false, scrolled: false, look: null };
    take(witness, witness.observer.takeRecords());
    const { el, held, count, last, places } = witness;
    const moved = [...places].some(([at, place]) => placeOf(at) !== place);
    return {
      known: true, changes: count, still: count ? clock() - last : 0, value: el !== null && holding(el) !== held,
      focus: focusMoved(witness), scrolled: witness.scrolled || moved, look: aboutLook ? lookThatHolds() : null,
    };
  }

  /// The same after two animation frames: what follows an event at once is drawn by then. Where these have passed since the last
  /// change and the last input of this frame, nobody waits for more, unless a look is to come.
  function tellAfterFrames(awaitsLook) {
    if (witness) take(witness, witness.observer.takeRecords());
    return new Promise((resolve) => {
      const tell = () => resolve(tellWitness(awaitsLook));
      let isOver = false;
      const goOn = () => {
        if (isOver) return;
        isOver = true;
        if (awaitsLook && witness && !witness.look?.isPast) afterLook(tell);
        else tell();
      };
      if (witness && witness.stirs > 0 && witness.calm === witness.stirs) {
        goOn();
        return;
      }
      if (witness) witness.onCalm = goOn;
      afterFrame(() => afterFrame(goOn));
    });
  }

  /// When a look that is to come is past, or has had its time.
  function afterLook(then) {
    witness.onLook = then;
    setTimer(() => {
      if (witness?.look) return;
      if (witness) witness.onLook = null;
      then();
    }, LOOK_PATIENCE);
  }

  function afterFrame(then, standIn = FRAME_STAND_IN) {
    let done = false;
    const once = () => {
      if (done) return;
      done = true;
      clearTimer(timer);
      then();
    };
    const timer = setTimer(once, standIn);
    nextFrame(once);
  }

  const inOneLine = (text) => text.replace(/\s+/g, ' ').toLowerCase();

  /// Whether a person can read these words in this frame.
  function hasWords(words) {
    const wanted = inOneLine(words).trim();
    const parts = [];
    const body = bodyOf(document);
    if (body && isHtml(body)) parts.push(body);
    for (const root of knownTrees().trees.slice(1)) {
      for (let child = firstChildOf(root); child; child = nextSiblingOf(child)) {
        if (kindOf(child) === ELEMENT && isHtml(child) && isShown(child, { visibilityProperty: true })) parts.push(child);
      }
    }
    return parts.some((el) => inOneLine(innerTextOf(el)).includes(wanted));
  }

  /// `shown`, `none`, or `bad` for what is no selector. Looks into open and known shadow roots.
  function hasShown(selector) {
    try {
      const isThere = knownTrees().trees.some((tree) => Array.from(allIn(tree, selector)).some((el) => isShown(el, { visibilityProperty: true })));
      return isThere ? 'shown' : 'none';
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

  return { begin: beginWitness, end: endWitness, beginAnew, watchNewTrees, isArmed, goesOn, inputComes, looked, hasSeenNothing, tell: tellWitness, tellAfterFrames, hasWords, hasShown, isUsable };
})();
