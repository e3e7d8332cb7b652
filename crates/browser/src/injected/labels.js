// The labels of a control, found once for all controls: `el.labels` searches the whole document for each of them.

const LABELS_IN_TREE_LIMIT = 30000;
const LABELABLE = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea']);
const NO_LABELS = [];

const allInDocument = uncurried(Document.prototype.querySelectorAll);
const allInFragment = uncurried(DocumentFragment.prototype.querySelectorAll);
const allIn = (tree, selector) => (tree instanceof Document ? allInDocument : allInFragment)(tree, selector);

let labelled = new WeakMap();

/// To be called whenever the page may have changed: what its markup says is found out anew.
function forgetLabels() {
  labelled = new WeakMap();
  forgetRoles();
  forgetTables();
  forgetSecrets();
}

/// In the order of the document.
function labelsOf(el) {
  const tag = tagOf(el);
  if (!LABELABLE.has(tag) && !tag.includes('-')) return NO_LABELS;
  const root = rootOf(el);
  let known = labelled.get(root);
  if (known === undefined) {
    known = labelsIn(root);
    labelled.set(root, known);
  }
  return known.get(el) ?? NO_LABELS;
}

function labelsIn(root) {
  const found = new Map();
  const isTree = root instanceof Document || root instanceof DocumentFragment;
  const labels = isTree ? allIn(root, 'label') : [];
  for (let i = 0; i < labels.length && i < LABELS_IN_TREE_LIMIT; i += 1) {
    const { control } = labels[i];
    if (!control) continue;
    const others = found.get(control);
    if (others) others.push(labels[i]);
    else found.set(control, [labels[i]]);
  }
  return found;
}
