// What the attributes of an element say about it at a glance: their names are read once, each of them is a bit.

const MARKUP = { style: 1, class: 2, role: 4, acts: 8, lives: 16, named: 32, unique: 64 };

const BITS = new Map([
  ['style', MARKUP.style | MARKUP.unique], ['class', MARKUP.class], ['role', MARKUP.role], ['tabindex', MARKUP.acts],
  ['onclick', MARKUP.acts | MARKUP.unique], ['contenteditable', MARKUP.acts | MARKUP.named | MARKUP.unique],
  ['aria-live', MARKUP.lives | MARKUP.unique], ['aria-modal', MARKUP.lives | MARKUP.unique],
  ['aria-label', MARKUP.named], ['aria-labelledby', MARKUP.named], ['aria-labeledby', MARKUP.named],
  // Style sheets have no use for these. Whatever has another one may look different from its like.
  ...('href type name title src alt colspan rowspan scope for value placeholder target rel aria-describedby aria-controls data-id ' +
    'data-testid data-key data-href data-url').split(' ').map((name) => [name, 0]),
]);
const NO_NAMES = [];
const MARKUP_LIMIT = 100;

function markupOf(names) {
  let bits = names.length > MARKUP_LIMIT ? MARKUP.unique | MARKUP.role | MARKUP.acts | MARKUP.lives | MARKUP.named | MARKUP.class : 0;
  for (let i = 0; i < names.length && i < MARKUP_LIMIT; i += 1) bits |= BITS.get(names[i]) ?? MARKUP.unique;
  return bits;
}

/// Elements that may be controls by their tag alone.
const NATIVE = new Set('a area button input select textarea summary audio video option optgroup'.split(' '));
