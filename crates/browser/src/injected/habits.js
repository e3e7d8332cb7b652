// What repeats itself is not asked again and again: the rows of a table, the cards of a shop, the words of a manual. Elements
// of the same tag and class in parents of the same tag and class look alike; once enough of them did, the next ones are
// taken to. Whether a control is seen at all is always asked.

/// How many must be alike.
const HABIT = 16;

/// One property of elements that are alike.
class Trait {
  constructor() {
    this.seen = 0;
    this.value = undefined;
  }

  get isSettled() {
    return this.seen >= HABIT;
  }

  learn(value) {
    if (this.seen < 0) return;
    if (this.seen > 0 && this.value !== value) this.forget();
    else this.seen += 1;
    this.value = value;
  }

  /// They are not alike after all: from now on each is asked.
  forget() {
    this.seen = -1;
  }
}

/// What elements of one kind in parents of one kind have in common.
class Habit {
  constructor() {
    this.pointer = new Trait();
    this.overflow = new Trait();
    this.position = new Trait();
    this.moved = new Trait();
    this.cut = new Trait();
    this.shown = new Trait();
    this.text = new Trait();
  }
}

/// All kinds of elements that were met, each with the habits of what stands in it.
class Kinds {
  constructor() {
    this.all = new Map();
  }

  /// Notes what kind of element this is. Its habit; null for one that may look different from its like.
  note(place) {
    const { el, tag, above, markup } = place;
    const key = markup & MARKUP.class ? `${tag} ${attributeOf(el, 'class')}` : tag;
    let within = this.all.get(key);
    if (within === undefined) {
      within = new Map();
      this.all.set(key, within);
    }
    place.habits = within;
    if (markup & MARKUP.unique || above.habits === null) return null;
    let habit = above.habits.get(key);
    if (habit === undefined) {
      habit = new Habit();
      above.habits.set(key, habit);
    }
    return habit;
  }
}
