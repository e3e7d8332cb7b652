// What is kept in the page between two calls: the elements of the last two looks, and the closed shadow roots that we know.

const isConnectedOf = getterOf(Node.prototype, 'isConnected');

/// Elements that were asked for a closed root, and how large they were then.
const asked = new WeakMap();
const kept = new Map();
const KEPT = 2;

/// Looks at this frame. `epoch` names the look when one of its elements is wanted.
function look(epoch, wantsHidden) {
  forgetLabels();
  forgetLooks();
  forgetKinds();
  const walk = new Walk(wantsHidden);
  const root = documentElementOf(document);
  if (root) walk.over(root);
  // What was not gone through is counted all the same.
  if (walk.isOver && root) walk.left.o = Math.max(walk.left.o, countWanted(root) - walk.controls.length - walk.left.h);
  kept.delete(epoch);
  kept.set(epoch, { elements: walk.elements, owners: walk.ownerElements, candidates: walk.candidates });
  for (const old of kept.keys()) if (kept.size > KEPT) kept.delete(old);
  return JSON.stringify({
    d: documentFacts(root), t: walk.texts, c: walk.controls, g: walk.groups, o: walk.owners, f: walk.forms.list,
    r: walk.pending, l: walk.left, q: walk.candidates.length,
  });
}

function documentFacts(root) {
  return {
    u: oneLine(location.href, 2000), b: oneLine(baseOf(document), 2000), t: oneLine(titleOfDocument(document), 300),
    l: root ? oneLine(attributeOf(root, 'lang') ?? '', 20) : '', s: readyStateOf(document),
    v: [innerWidth, innerHeight, Math.round(scrollX), Math.round(scrollY), root?.scrollWidth ?? 0, root?.scrollHeight ?? 0],
    i: indexInParent(),
  };
}

/// The elements of a look that are to be asked for a closed root. They count as asked until their size changes.
function candidates(epoch) {
  const found = kept.get(epoch)?.candidates ?? [];
  for (const el of found) asked.set(el, sizeText(rectOf(el)));
  return found;
}

const sizeText = ({ width, height }) => `${width}x${height}`;

/// Where an element of an earlier look is now.
function locate(epoch, index) {
  const el = kept.get(epoch)?.elements[index];
  if (el === undefined) return JSON.stringify({ state: 'forgotten' });
  if (!isConnectedOf(el)) return JSON.stringify({ state: 'detached' });
  const { x, y, width, height } = rectOf(el);
  const names = attributeNamesOf(el).slice(0, ATTRIBUTES_LIMIT);
  const attributes = names.map((name) => [oneLine(name, TOKEN_LIMIT), exactly(attributeOf(el, name), VALUE_LIMIT)]);
  return JSON.stringify({ state: 'here', tag: tagOf(el), attributes, rect: [x, y, width, height] });
}

globalThis.legwork = Object.freeze({
  version: VERSION,
  look,
  locate,
  elements: (epoch) => kept.get(epoch)?.elements ?? [],
  candidates,
  ownerIndex: (epoch, owner) => kept.get(epoch)?.owners.indexOf(owner) ?? -1,
  adopt(host, root) {
    closedRoots.set(host, root);
    hasClosedRoots = true;
    return true;
  },
});
