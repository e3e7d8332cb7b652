// What is not gone through, because nobody can see it or because it is too much: it is counted.

/// What a hidden part of the page is searched for, to say how much is in it.
const SOUGHT = 'a,area,button,input,select,textarea,summary,audio,video,[onclick],[tabindex],[role],[contenteditable]';

/// What may hold a shadow root: all but the most frequent elements that can't. To leave them to the browser is much faster
/// than to look at each.
const MAY_HOST = `:not(${(
  'a abbr area b big br button caption center circle cite code col dd del dl dt em figure font form g hr i iframe img input ins ' +
  'kbd label li line mark ol optgroup option path picture polygon pre q rect s samp script select small source strong style ' +
  'sub sup svg table tbody td text textarea tfoot th thead time tr tspan tt u ul use var wbr').split(' ').join()})`;

/// All trees of this document that we know, its own first, and whether that are all of them.
function knownTrees() {
  const trees = [document];
  let left = SEARCH.trees;
  for (let i = 0; i < trees.length && left > 0; i += 1) {
    const inside = allIn(trees[i], '*');
    for (let k = 0; k < inside.length && left > 0; k += 1, left -= 1) {
      const root = shadowOf(inside[k]);
      if (root) trees.push(root);
    }
  }
  return { trees, areAll: left > 0 };
}

/// How far such a part is searched for shadow trees, and how many elements a whole page.
const SEARCH = { elements: 1000000, milliseconds: 300, trees: 200000 };

/// How many controls are in a part of the page that is not gone through, shadow trees included.
function countWanted(el) {
  let count = isInteractive(el) ? 1 : 0;
  const own = shadowOf(el);
  if (own === null && firstElementOf(el) === null) return count;
  const trees = own ? [el, own] : [el];
  const deadline = performance.now() + SEARCH.milliseconds;
  for (let left = SEARCH.elements; trees.length && left > 0;) {
    const tree = trees.pop();
    const all = tree === el ? queryAll : allInFragment;
    const sought = all(tree, SOUGHT);
    for (let i = 0; i < sought.length; i += 1) if (isInteractive(sought[i])) count += 1;
    const inside = all(tree, MAY_HOST);
    for (let i = 0; i < inside.length && left > 0; i += 1, left -= 1) {
      const root = shadowOf(inside[i]);
      if (root) trees.push(root);
      if (left % 1024 === 0 && performance.now() > deadline) return count;
    }
  }
  return count;
}

/// Tells whether a slot of a root shows a child of its host. A closed root keeps that from the child.
function takenUp(host, root) {
  if (openRootOf(host)) return (child) => slotOf(child) !== null;
  const shown = new Set();
  for (const slot of allInFragment(root, 'slot')) {
    // A picture may have an element of this name too.
    if (isHtml(slot)) for (const node of slot.assignedNodes()) shown.add(node);
  }
  return (child) => shown.has(child);
}

function listFrom(first) {
  const list = [];
  for (let node = first; node; node = nextSiblingOf(node)) list.push(node);
  return list;
}

/// Takes into a look what the accessibility tree has and the look lacks, node by node. Null for what the look lists or counts
/// already.
function takenIn(nodes, elements) {
  const area = reachableArea();
  return nodes.map((node) => {
    // Some of what style sheets make is no element, and has no box that script could ask for.
    if (!(node instanceof Element)) return { state: 'bare' };
    if (isAccountedFor(node, elements)) return null;
    const rect = rectOf(node);
    if (!stateOf(node).isSeen || !meets(rect, area)) return { state: 'hidden' };
    const isInSight = meets(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    const { x, y, width, height } = rect;
    return { state: 'listed', index: elements.push(node) - 1, tag: tagOf(node), rect: [x, y, width, height], isInSight };
  });
}

/// Whether a look has an element among its own or its hidden ones, or has what it is a part of.
function isAccountedFor(el, elements) {
  if (tagOf(el) === 'option' && closestOf(el, 'select,datalist')) return true;
  // Parts of a field or a player are in a tree that only the browser knows.
  let outermost = null;
  for (let root = rootOf(el); root instanceof ShadowRoot; root = rootOf(root.host)) {
    if (shadowOf(root.host) !== root) outermost = root.host;
  }
  return outermost === null ? isInteractive(el) || elements.includes(el) : elements.includes(outermost);
}
