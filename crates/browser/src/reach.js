// How far what is drawn of elements reaches beyond their boxes: left, top, right, bottom, and the size of the box. Null for
// an element that is gone.
((elements, indexes) => {
  const getter = (owner, name) => Function.prototype.call.bind(Object.getOwnPropertyDescriptor(owner, name).get);
  const method = (owner, name) => Function.prototype.call.bind(owner[name]);
  const isConnectedOf = getter(Node.prototype, 'isConnected');
  const parentOf = getter(Node.prototype, 'parentElement');
  const rootOf = method(Node.prototype, 'getRootNode');
  const slotOf = getter(Element.prototype, 'assignedSlot');
  const rectOf = method(Element.prototype, 'getBoundingClientRect');
  const [scrollWidthOf, scrollHeightOf] = ['scrollWidth', 'scrollHeight'].map((name) => getter(Element.prototype, name));
  const [clientWidthOf, clientHeightOf] = ['clientWidth', 'clientHeight'].map((name) => getter(Element.prototype, name));
  // Letters may stand out from their lines a little.
  const OVERHANG = 2;

  const hostOf = (root) => (root instanceof ShadowRoot ? root.host : null);
  const above = (el) => slotOf(el) ?? parentOf(el) ?? hostOf(rootOf(el));

  function drawn(el, box) {
    const range = new Range();
    range.selectNodeContents(el);
    const words = range.getBoundingClientRect();
    // What is in a shadow root is in no range, but it would scroll: to where lines end, and down.
    const across = Math.max(0, scrollWidthOf(el) - clientWidthOf(el));
    const down = Math.max(0, scrollHeightOf(el) - clientHeightOf(el));
    const isBackwards = getComputedStyle(el).direction === 'rtl';
    const ink = {
      left: box.left - (isBackwards ? across : 0), top: box.top,
      right: box.right + (isBackwards ? 0 : across), bottom: box.bottom + down,
    };
    if (words.width === 0 && words.height === 0) return ink;
    return {
      left: Math.min(ink.left, words.left), top: Math.min(ink.top, words.top),
      right: Math.max(ink.right, words.right), bottom: Math.max(ink.bottom, words.bottom),
    };
  }

  // Only what surely cuts it off counts: too much covered is better than too little.
  function clipped(ink, el) {
    const { body, documentElement } = document;
    for (let at = el; at && at !== body && at !== documentElement; at = above(at)) {
      const { display, position, overflowX, overflowY } = getComputedStyle(at);
      if (display === 'inline' || display === 'contents') continue;
      const box = rectOf(at);
      if (overflowX !== 'visible') [ink.left, ink.right] = [Math.max(ink.left, box.left), Math.min(ink.right, box.right)];
      if (overflowY !== 'visible') [ink.top, ink.bottom] = [Math.max(ink.top, box.top), Math.min(ink.bottom, box.bottom)];
      if (position === 'absolute' || position === 'fixed') break;
    }
    return ink;
  }

  return indexes.map((index) => {
    const el = elements[index];
    if (!el || !isConnectedOf(el)) return null;
    const box = rectOf(el);
    const ink = clipped(drawn(el, box), el);
    if (ink.right <= ink.left || ink.bottom <= ink.top) return null;
    const beyond = [box.left - ink.left, box.top - ink.top, ink.right - box.right, ink.bottom - box.bottom];
    return [...beyond.map((length) => (length > 0 ? length + OVERHANG : 0)), box.width, box.height];
  });
})
