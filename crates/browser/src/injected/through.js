// From a point in a frame to the same point in the page around it: where the frame is seen, and that nothing lies over it there.

const scrollBy = uncurried(Element.prototype.scrollBy);
/// Frames that are drawn until everybody knows of a move.
const STILL_AFTER_MOVE = 3;
const scrollingElementOf = getterOf(Document.prototype, 'scrollingElement');

/// The place of a point of the frame that one of this page's windows, or one of a look's owners, is shown in.
async function through(epoch, window_, ownerIndex, x, y, milliseconds) {
  const deadline = performance.now() + milliseconds;
  const owners = kept.get(epoch)?.owners ?? [];
  const owner = ownerIndex === null ? owners.find((one) => one.contentWindow !== null && one.contentWindow === window[window_]) : owners[ownerIndex];
  if (owner === undefined) return answer({ state: 'forgotten' });
  let before = null;
  let stillSince = 0;
  for (let tries = 0; ; tries += 1) {
    if (!isConnectedOf(owner)) return answer({ state: 'detached' });
    const { at, reason } = seenThrough(owner, x, y, tries);
    if (at === null || before === null || before.x !== at.x || before.y !== at.y) stillSince = tries;
    // Where input goes among frames of several processes is decided by what was drawn last.
    if (reason === null && tries - stillSince >= (stillSince === 0 ? 1 : STILL_AFTER_MOVE)) {
      return answer({ state: 'ready', ...at, window: indexInParent() });
    }
    if (performance.now() > deadline) return answer(reason ?? { state: 'moving' });
    before = await nextFrame(deadline) ? at : null;
  }
}

function seenThrough(owner, x, y, tries) {
  forgetStates();
  if (!isShown(owner, VISIBLE_ONLY)) return { at: null, reason: { state: 'hidden' } };
  let at = outward(owner, x, y);
  if (!isSeenAt(owner, at)) {
    if (tries % SCROLL_AGAIN === 0) at = bringPointIntoView(owner, x, y);
    if (!isSeenAt(owner, at)) return { at, reason: { state: 'hidden' } };
  }
  const hit = deepestAt(at.x, at.y);
  if (hit === owner) return { at, reason: null };
  // A bar at an edge may lie over it.
  if (tries % SCROLL_AGAIN === 2) bringPointIntoView(owner, x, y);
  return { at, reason: { state: 'covered', by: hit === null ? '' : wordsFor(coverOf(hit, owner)) } };
}

function outward(owner, x, y) {
  const { quad, size } = contentQuadOf(owner, getComputedStyle(owner));
  const across = size[0] > 0 ? x / size[0] : 0;
  const down = size[1] > 0 ? y / size[1] : 0;
  return {
    x: quad[0] + (quad[2] - quad[0]) * across + (quad[6] - quad[0]) * down,
    y: quad[1] + (quad[3] - quad[1]) * across + (quad[7] - quad[1]) * down,
  };
}

function isSeenAt(owner, { x, y }) {
  const { left, top, right, bottom } = clipOf(owner);
  return x >= left && x < right && y >= top && y < bottom;
}

/// Scrolls everything around a frame so that one of its points comes to the middle.
function bringPointIntoView(owner, x, y) {
  for (let at = drawnParentOf(owner), steps = 0; at && kindOf(at) === ELEMENT && steps < ANCESTORS_LIMIT; steps += 1, at = drawnParentOf(at)) {
    if (scrollHeightOf(at) <= clientHeightOf(at) && scrollWidthOf(at) <= clientWidthOf(at)) continue;
    const isPage = at === scrollingElementOf(document);
    const box = isPage ? { left: 0, top: 0, width: innerWidth, height: innerHeight } : rectOf(at);
    const point = outward(owner, x, y);
    scrollBy(at, { left: point.x - box.left - box.width / 2, top: point.y - box.top - box.height / 2, behavior: 'instant' });
  }
  return outward(owner, x, y);
}
