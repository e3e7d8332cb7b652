// What the attributes of an element say about it at a glance: their names are read once, each of them is a bit.

const MARKUP = { style: 1, class: 2, role: 4, acts: 8, lives: 16, named: 32, unique: 64, other: 128 };

/// Attributes that change how the browser itself draws an element.
const DRAWING = 'style hidden open popover inert dir align valign bgcolor color face size width height border nowrap part slot is text background';
const BITS = new Map([
  ...DRAWING.split(' ').map((name) => [name, MARKUP.unique]),
  ['style', MARKUP.style | MARKUP.unique], ['class', MARKUP.class], ['role', MARKUP.role | MARKUP.other], ['tabindex', MARKUP.acts | MARKUP.other],
  ['onclick', MARKUP.acts | MARKUP.other], ['contenteditable', MARKUP.acts | MARKUP.named | MARKUP.unique],
  ['aria-live', MARKUP.lives | MARKUP.other], ['aria-modal', MARKUP.lives | MARKUP.other],
  ['aria-label', MARKUP.named | MARKUP.other], ['aria-labelledby', MARKUP.named | MARKUP.other], ['aria-labeledby', MARKUP.named | MARKUP.other],
]);
const NO_NAMES = [];
const MARKUP_LIMIT = 100;

function namesOf(el) {
  return hasAttributes(el) ? attributeNamesOf(el) : NO_NAMES;
}

function markupOf(names) {
  let bits = names.length > MARKUP_LIMIT ? MARKUP.unique | MARKUP.role | MARKUP.acts | MARKUP.lives | MARKUP.named | MARKUP.class : 0;
  for (let i = 0; i < names.length && i < MARKUP_LIMIT; i += 1) bits |= BITS.get(names[i]) ?? MARKUP.other;
  return bits;
}

/// Elements that may be controls by their tag alone.
const NATIVE = new Set('a area button input select textarea summary audio video option optgroup'.split(' '));
