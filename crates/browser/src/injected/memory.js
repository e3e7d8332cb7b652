// What is kept in the page between two calls: the elements of the last two looks, and the closed shadow roots that we know.

const isConnectedOf = getterOf(Node.prototype, 'isConnected');

/// Elements that have told whether they hold a closed root, and how large they were when they were asked.
const asked = new WeakMap();
const kept = new Map();
const KEPT = 2;

/// Looks at this frame. `epoch` names the look when one of its elements is wanted, `pinned` one that is remembered whatever comes.
function look(epoch, wantsHidden, pinned) {
  forgetLabels();
  forgetLooks();
  forgetStates();
  forgetBackdrops();
  forgetHeld();
  const walk = new Walk(wantsHidden);
  const root = documentElementOf(document);
  if (root) walk.over(root);
  if (walk.isOver && root) stateTheRest(walk, root);
  kept.delete(epoch);
  const sizes = walk.candidates.map((el) => sizeText(rectOf(el)));
  const { elements, controls, ownerElements: owners, candidates, forms: { sent, pressed } } = walk;
  const base = baseOf(document);
  kept.set(epoch, {
    elements, controls, kinds: walk.controlKinds.list, owners, candidates, sizes,
    /// What decides where controls lead, for comparison.
    sent, ownSent: ownSentOf(walk), pressed, base,
    /// What was first told of elements that the look has no record of.
    told: new Map(),
  });
  for (const old of kept.keys()) if (kept.size > KEPT && old !== pinned) kept.delete(old);
  witnessing.looked(epoch, elements);
  return inPlainLetters(JSON.stringify({
    d: documentFacts(root), k: walk.controlKinds.list, n: walk.groupKinds, t: walk.texts, c: walk.controls, g: walk.groups, o: walk.owners, f: walk.forms.list,
    w: walk.surfaces, r: walk.pending, l: walk.left, q: walk.candidates.length,
  }, withoutSecrets(walk)));
}

/// What was not gone through is counted all the same. Not all of it can be: what is a control by its looks alone, what is in
/// closed roots. So the rest stands for one text at least, and the look never passes for a whole one.
function stateTheRest({ left, controls }, root) {
  left.o = Math.max(left.o, countWanted(root) - controls.length - left.h);
  left.y += 1;
}

function documentFacts(root) {
  return {
    u: oneLine(location.href, 2000), b: oneLine(baseOf(document), 2000), t: oneLine(titleOfDocument(document), 300),
    l: root ? oneLine(attributeOf(root, 'lang') ?? '', 20) : '', s: readyStateOf(document),
    v: [innerWidth, innerHeight, Math.round(scrollX), Math.round(scrollY), root?.scrollWidth ?? 0, root?.scrollHeight ?? 0],
    i: indexInParent(),
  };
}

/// Those elements of a look have told whether they hold a closed root, by their places among the candidates. They are not
/// asked again until their size changes.
function answered(epoch, places) {
  const look = kept.get(epoch);
  if (look === undefined) return false;
  for (const place of places) asked.set(look.candidates[place], look.sizes[place]);
  return true;
}

/// Whether elements of a look were not asked whether they hold a closed root.
function hasUnaskedRoots(epoch) {
  const { candidates, sizes } = kept.get(epoch) ?? { candidates: [], sizes: [] };
  return candidates.some((el, i) => asked.get(el) !== sizes[i]);
}

const sizeText = ({ width, height }) => `${width}x${height}`;

/// Where an element of an earlier look is now.
function locate(epoch, index) {
  const el = kept.get(epoch)?.elements[index];
  if (el === undefined) return JSON.stringify({ state: 'forgotten' });
  if (!isConnectedOf(el)) return JSON.stringify({ state: 'detached' });
  const { x, y, width, height } = rectOf(el);
  const names = attributeNamesOf(el).slice(0, ATTRIBUTES_LIMIT);
  const told = attributeTeller(el);
  const attributes = names.map((name) => [oneLine(name, TOKEN_LIMIT), exactly(told(name), VALUE_LIMIT)]);
  return JSON.stringify({ state: 'here', tag: exactly(tagOf(el), TOKEN_LIMIT), attributes, rect: [x, y, width, height] });
}

/// Does something with an element of an earlier look, or with what has come in its place.
async function on(epoch, index, ask) {
  const { el, reason } = resolve(epoch, index);
  if (reason) return JSON.stringify({ state: reason });
  return inPlainLetters(JSON.stringify({ state: 'told', told: await ask(el) ?? null }));
}

const walker = Object.freeze({
  version: VERSION,
  look,
  locate,
  witness: witnessing,
  enlist: (epoch, nodes) => JSON.stringify(takenIn(nodes, kept.get(epoch)?.elements ?? [])),
  elements: (epoch) => kept.get(epoch)?.elements ?? [],
  candidates: (epoch) => kept.get(epoch)?.candidates ?? [],
  answered,
  aim,
  arm,
  through,
  on,
  focus,
  armForPage,
  ...fieldTools,
  ...choiceTools,
  ownerIndex: (epoch, owner) => kept.get(epoch)?.owners.indexOf(owner) ?? -1,
  adopt(host, root) {
    closedRoots.set(host, root);
    hasClosedRoots = true;
    return true;
  },
});
/// An own property: what the page calls by the same name is only inherited.
Object.defineProperty(globalThis, 'legwork', { value: walker, configurable: true });
