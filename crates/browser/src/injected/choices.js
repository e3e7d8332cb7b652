// Options of a list, the browser's own or one that the page draws: which one is meant, and how it is reached.

const LABELS_TOLD = 10;
const OPTION_LABEL_LIMIT = 60;
const OPTIONS_SEARCHED = 5000;
/// What is chosen. Not what a menu offers: that is done rather than chosen, and is judged as what it does.
const OPTION_ROLES = '[role=option],[role=treeitem]';
const LIST_ROLES = '[role=listbox],[role=tree]';
const CHOOSERS = `${LIST_ROLES},[role=combobox],[aria-haspopup=listbox],[aria-haspopup=tree]`;

const asLabel = (text) => oneLine(text, LINE_SOURCE_LIMIT);

/// The place of the one that is meant. Labels that differ only in the case of letters count where none is exact.
function placeOfMeant(options, { by, text }) {
  if (by === 'index') return options[text] === undefined ? -1 : text;
  const byLabel = (wanted) => {
    const exact = options.findIndex(({ label }) => label === wanted);
    return exact >= 0 ? exact : options.findIndex(({ label }) => label.toLowerCase() === wanted.toLowerCase());
  };
  const byValue = () => options.findIndex(({ value }) => value !== null && value === text);
  if (by === 'value') return byValue();
  const place = byLabel(asLabel(text));
  return place < 0 && by === 'labelOrValue' ? byValue() : place;
}

function missing(options) {
  const labels = options.map(({ label }) => oneLine(label, OPTION_LABEL_LIMIT)).filter(Boolean);
  return { state: 'missing', labels: [...new Set(labels)].slice(0, LABELS_TOLD), count: options.length };
}

/// Which option of a native list is meant, whether it is chosen, and how many keys away from either end it is.
function nativeChoice(el, wanted) {
  const all = Array.prototype.slice.call(el.options, 0, OPTIONS_SEARCHED);
  const place = placeOfMeant(all.map((option) => ({ label: asLabel(option.label), value: option.value })), wanted);
  if (place < 0) return missing(all.map((option) => ({ label: option.label })));
  const option = all[place];
  const reachable = all.filter(canBeReached);
  if (!reachable.includes(option)) return { state: 'off' };
  const fromTop = reachable.indexOf(option);
  return { state: 'found', place, isChosen: option.selected && (el.multiple || el.selectedIndex === place), fromTop, fromEnd: reachable.length - 1 - fromTop };
}

/// Whether the keys of a list stop at an option.
function canBeReached(option) {
  return !matches(option, ':disabled') && isDrawnInList(option);
}

function isDrawnInList(option) {
  for (let at = option, steps = 0; at && tagOf(at) !== 'select' && steps < 10; steps += 1, at = parentOf(at)) {
    if (read(getComputedStyle(at), 'display') === 'none') return false;
  }
  return true;
}

/// For lists so long that keys would take too long. The page hears of it as if it had been chosen.
function chooseByScript(el, { place }) {
  el.selectedIndex = place;
  send(el, new Event('input', { bubbles: true, composed: true }));
  send(el, new Event('change', { bubbles: true }));
  return el.selectedIndex === place;
}

/// Takes the keys from a native list, which closes it; nothing is chosen by that as long as no arrow was pressed.
function letListGo(epoch, index) {
  const { el } = resolve(epoch, index);
  if (el instanceof HTMLSelectElement) takeFocus(el);
}
const takeFocus = uncurried(HTMLElement.prototype.blur);

const isListOpen = (el) => matches(el, ':open');
const chosenPlace = (el) => el.selectedIndex;

/// Keeps an option of a native list that is drawn open in the memory of a look, so that it can be pressed.
function keepNativeOption(el, { epoch, place }) {
  return keepAlong(epoch, el.options[place]);
}

const isNativeChosen = (el, { place }) => Boolean(el.options[place]?.selected);

/// Takes one more element into the memory of a look.
function keepAlong(epoch, el) {
  const look = kept.get(epoch);
  if (look === undefined || !el) return null;
  const known = look.elements.indexOf(el);
  const index = known >= 0 ? known : look.elements.push(el) - 1;
  const { tag, role, name, attributes } = tellIdentity({ el, look, index });
  return { index, tag, role, name, attributes };
}

/// What a datalist would write for the one that is meant.
function suggestedValue(el, wanted) {
  const all = Array.prototype.slice.call(el.list?.options ?? [], 0, OPTIONS_SEARCHED);
  const place = placeOfMeant(all.map((option) => ({ label: asLabel(option.label), value: option.value })), wanted);
  return place < 0 ? missing(all.map((option) => ({ label: option.label }))) : { state: 'found', value: all[place].value };
}

/// The lists that a control of the page's own making opens, as far as its markup ties them to it.
function listsTiedTo(el) {
  if (matches(el, LIST_ROLES)) return [el];
  const root = rootOf(el);
  const inner = queryFirst(el, 'input,[aria-controls],[aria-owns]');
  const lists = [];
  for (const one of [el, inner]) {
    if (!one) continue;
    for (const name of ['aria-controls', 'aria-owns']) {
      const ids = (attributeOf(one, name) ?? '').slice(0, 300).split(HTML_SPACE).slice(0, 5);
      for (const id of ids) {
        const list = id && (elementById(root, id) ?? elementById(document, id));
        if (list) lists.push(list);
      }
    }
    const active = attributeOf(one, 'aria-activedescendant');
    const option = active && (elementById(root, active) ?? elementById(document, active));
    const around = option ? closestOf(option, LIST_ROLES) : null;
    if (around) lists.push(around);
  }
  const own = queryFirst(el, LIST_ROLES);
  if (own) lists.push(own);
  return lists;
}

/// Lists that can be seen, in the trees that we know.
function listsInSight() {
  const lists = knownTrees().trees.flatMap((tree) => Array.from(allIn(tree, LIST_ROLES)));
  return lists.filter((list) => isShown(list, VISIBLE_ONLY) && rectOf(list).height >= SPECK);
}

/// The lists of a control that are open now. Where the markup ties none to it, the one that was not in sight before.
function openListsOf(el, before) {
  const tied = listsTiedTo(el).filter((list) => isShown(list, VISIBLE_ONLY));
  if (tied.some((list) => optionsIn(list).length > 0)) return tied;
  const come = listsInSight().filter((list) => !before.includes(list));
  return come.length === 1 ? come : tied;
}

function optionsIn(list) {
  return Array.from(queryAll(list, OPTION_ROLES)).slice(0, OPTIONS_SEARCHED).filter((option) => isShown(option, VISIBLE_ONLY));
}

let listsBefore = [];

/// How a control of the page's own making stands before it is opened. Remembers which lists are in sight by then.
function listState(el) {
  forgetAll();
  listsBefore = listsInSight().filter((list) => list !== el && !listsTiedTo(el).includes(list));
  const isOpen = openListsOf(el, listsBefore).some((list) => optionsIn(list).length > 0);
  return { isOpen, isChooser: matches(el, CHOOSERS) };
}

/// Waits for the option that is meant, and keeps it in the memory of a look.
async function awaitOption(_, { epoch, index, wanted, milliseconds }) {
  const deadline = performance.now() + milliseconds;
  for (;;) {
    // Opening it may have drawn it anew.
    const { el, reason } = resolve(epoch, index);
    if (reason) return { state: 'gone' };
    forgetAll();
    const options = openListsOf(el, listsBefore).flatMap(optionsIn).map((option) => ({
      option, label: nameOf(option, roleOf(option)).trim() || asLabel(textContentOf(option)),
      value: attributeOf(option, 'data-value') ?? attributeOf(option, 'value'),
    }));
    const place = placeOfMeant(options.map((one) => ({ ...one, label: asLabel(one.label) })), wanted);
    if (place >= 0) {
      const { option } = options[place];
      if (isSwitchedOff(option)) return { state: 'off' };
      if (doesMore(option)) return { state: 'more' };
      // Where one is chosen, many a list calls that one selected which the keys are at.
      const isOfMany = attributeOf(closestOf(option, LIST_ROLES) ?? el, 'aria-multiselectable') === 'true';
      const isMarked = attributeOf(option, 'aria-selected') === 'true' || attributeOf(option, 'aria-checked') === 'true';
      const isChosen = isMarked && (isOfMany || matches(el, LIST_ROLES));
      return { state: 'kept', isChosen, element: keepAlong(epoch, option) };
    }
    if (performance.now() > deadline) return missing(options);
    await nextFrame(deadline);
  }
}

/// Whether a press on an option would do more than choose it: lead somewhere, or send a form.
function doesMore(option) {
  const sends = (el) => (el instanceof HTMLButtonElement || el instanceof HTMLInputElement) && SUBMITS.has(el.type) && Boolean(el.form);
  const parts = [option, ...Array.from(queryAll(option, 'a,area,button,input')).slice(0, 100)];
  return parts.some((el) => sends(el) || ((tagOf(el) === 'a' || tagOf(el) === 'area') && hasAttribute(el, 'href')));
}

/// Whether a list that was opened is open still.
function isOpenStill(el) {
  return openListsOf(el, listsBefore).some((list) => optionsIn(list).length > 0 && list !== el);
}

const choiceTools = {
  nativeChoice, chooseByScript, letListGo, isListOpen, chosenPlace, keepNativeOption, isNativeChosen, suggestedValue, listState, awaitOption, isOpenStill,
};
