// What holds things together on a page: landmarks, dialogs, notices, rows, cards, forms.

const NAME_OF_GROUP_LIMIT = 120;
const HINT_LIMIT = 80;

/// By the role that Chromium gives an element.
const KINDS = new Map(Object.entries({
  main: 'main', navigation: 'nav', banner: 'header', contentinfo: 'footer', complementary: 'aside', search: 'search',
  region: 'region', form: 'form', dialog: 'dialog', alertdialog: 'modal', alert: 'alert', status: 'status', log: 'status',
  heading: 'heading', table: 'table', grid: 'table', treegrid: 'table', row: 'row', LayoutTableRow: 'row', list: 'list',
  DescriptionList: 'list', listitem: 'item', article: 'item', feed: 'list', radiogroup: 'widget', tablist: 'widget',
  menu: 'widget', menubar: 'widget', toolbar: 'widget', tree: 'widget', listbox: 'widget', tabpanel: 'region',
}));
/// Elements that may be one of them without an ARIA role.
const TAGS = new Set((
  'main nav header footer aside search section form dialog h1 h2 h3 h4 h5 h6 table tr ul ol dl menu li article output fieldset ' +
  'details').split(' '));
/// The same for elements that are what their tags say, where no role says otherwise.
const PLAIN_KINDS = new Map(Object.entries({
  tr: 'row', li: 'item', ul: 'list', ol: 'list', dl: 'list', h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading',
  h5: 'heading', h6: 'heading', fieldset: 'fieldset', details: 'fieldset', form: 'form', main: 'main', nav: 'nav', article: 'item',
}));
/// Kinds that are worth a name.
const NAMED = new Set(['region', 'form', 'dialog', 'modal', 'nav', 'aside', 'fieldset', 'widget', 'table']);
/// Kinds whose place on the page tells something.
const PLACED = new Set(['dialog', 'modal', 'alert', 'status', 'generic']);
/// Elements that pages build their overlays of.
const BOXES = new Set('div section aside header footer nav form dialog main'.split(' '));
const SHALLOW = 15;
/// Words in classes and ids that say what a box is for.
const TELLING = /cookie|consent|gdpr|ccpa|onetrust|modal|popup|overlay|lightbox|dialog|banner|alert|toast|notice|notif|flash|error|warn|success|message|captcha|challenge|paywall|subscri|age[-_]?(?:gate|verif|check)|geo|region|login|signin|sign-in|auth|otp|2fa|mfa/i;

/// What an element is as a group; null for a mere box.
function groupKindOf({ el, tag, markup }) {
  if (!(markup & (MARKUP.role | MARKUP.lives)) && !TAGS.has(tag)) return null;
  const plain = PLAIN_KINDS.get(tag);
  if (plain && !(markup & MARKUP.role)) return plain;
  const role = roleOf(el);
  const kind = KINDS.get(role);
  if (kind === 'dialog' && isModal(el, tag)) return 'modal';
  if (kind) return kind;
  if (role === 'group' && hasAttribute(el, 'role')) return 'widget';
  if (attributeOf(el, 'aria-modal') === 'true') return 'modal';
  const live = attributeOf(el, 'aria-live');
  return live === 'assertive' ? 'alert' : live === 'polite' ? 'status' : null;
}

function isModal(el, tag) {
  return attributeOf(el, 'aria-modal') === 'true' || (tag === 'dialog' && matches(el, ':modal'));
}

/// The record of a group: kind, children, and where there is more to say: level, name, fixed, x, y, width, height, attributes.
/// Null for a box that holds fewer than two things and says nothing.
function groupRecord(place, children, forms) {
  const { el, tag } = place;
  let { kind } = place;
  const attributes = {};
  let name = '';
  let level = 0;
  let isFixed = 0;
  let rect = null;
  if (kind === null) {
    if (!BOXES.has(tag)) return children.length < 2 ? null : ['generic', children];
    const isBare = place.names.length === 0;
    const hint = isBare ? '' : tellingHintOf(el);
    // A box in a box in a box: only the outermost ones are worth the question whether they stay in place.
    isFixed = (children.length > 1 || place.depth < SHALLOW) && !isBare && isFixedBox(place) ? 1 : 0;
    if (children.length < 2 && !isFixed && !hint) return null;
    if (hint) attributes.c = hint;
    if (isFixed || hint) rect = rectOf(el);
    kind = 'generic';
  } else {
    if (NAMED.has(kind)) name = oneLine(nameOf(el, roleOf(el)), NAME_OF_GROUP_LIMIT);
    if (kind === 'heading') level = headingLevelOf(el, tag);
    if (tag === 'form') attributes.f = formIndexOf(el, forms);
    if (PLACED.has(kind) || BOXES.has(tag)) {
      isFixed = isFixedBox(place) ? 1 : 0;
      const hint = tellingHintOf(el);
      if (hint) attributes.c = hint;
      if (isFixed || PLACED.has(kind)) rect = rectOf(el);
    }
  }
  let hasMore = isFixed || rect !== null;
  for (const _ in attributes) hasMore = true;
  if (!hasMore) {
    if (name !== '') return [kind, children, level, name];
    return level > 0 ? [kind, children, level] : [kind, children];
  }
  const { x, y, width, height } = rect ?? NOWHERE_AT_ALL;
  return [
    kind, children, level, name, isFixed, Math.round(x), Math.round(y), Math.round(width), Math.round(height), attributes,
  ];
}

function isFixedBox(place) {
  const { position } = place.state;
  return position === 'fixed' || position === 'sticky';
}

function tellingHintOf(el) {
  const id = attributeOf(el, 'id') ?? '';
  const classes = attributeOf(el, 'class') ?? '';
  if (id === '' && classes === '') return '';
  const both = `${id.slice(0, HINT_LIMIT)} ${classes.slice(0, HINT_LIMIT * 2)}`;
  return TELLING.test(both) ? oneLine(both, HINT_LIMIT) : '';
}

function headingLevelOf(el, tag) {
  const asked = Number.parseInt(attributeOf(el, 'aria-level') ?? '', 10);
  if (asked >= 1 && asked <= 9) return asked;
  return tag.length === 2 && tag[0] === 'h' ? Number(tag[1]) || 2 : 2;
}

const formNameOf = (form) => oneLine(attributeOf(form, 'aria-label') ?? attributeOf(form, 'name') ?? '', NAME_OF_GROUP_LIMIT);

/// In words of our own.
function methodOf(written) {
  const method = written.trim().toLowerCase();
  return method === 'post' || method === 'dialog' ? method : 'get';
}

/// The place of a form in the frame's list; it is entered there when first met.
function formIndexOf(form, forms) {
  const known = forms.indices.get(form);
  if (known !== undefined) return known;
  const index = forms.list.length;
  const record = { m: methodOf(attributeOf(form, 'method') ?? '') };
  const name = formNameOf(form);
  if (name) record.n = name;
  const action = attributeOf(form, 'action');
  if (action !== null) record.a = oneLine(action, 500);
  const id = attributeOf(form, 'id');
  if (id) record.i = oneLine(id, HINT_LIMIT);
  const buttons = pressedByEnterIn(form);
  if (buttons !== null) record.s = buttons.map(({ told }) => told);
  forms.indices.set(form, index);
  forms.list.push(record);
  forms.sent.push(sentByForm(form));
  forms.pressed.push(JSON.stringify(buttons));
  return index;
}

/// What Enter in a field of a form presses, and how and where the form is sent then.
function pressedByEnterIn(form) {
  return defaultButtonsOf(form)?.map((button) => ({ told: buttonRecord(button), sent: sentBy(button) })) ?? null;
}

const elementsOfForm = getterOf(HTMLFormElement.prototype, 'elements');
const FORM_ELEMENTS_LIMIT = 5000;
const PICTURE_BUTTON = 'input[type=image i]';

/// What Enter in a field of a form presses, seen or not: the first button that sends it. Pictures that do are not among a form's
/// elements, and either may come first, so the first of both is told. Null where there is too much to look through.
function defaultButtonsOf(form) {
  const id = attributeOf(form, 'id');
  const elements = elementsOfForm(form);
  const found = [];
  for (let i = 0; i < elements.length; i += 1) {
    if (i >= FORM_ELEMENTS_LIMIT) return null;
    if (!isButton(elements[i]) || !SUBMITS.has(elements[i].type)) continue;
    found.push(elements[i]);
    break;
  }
  const root = rootOf(form);
  const outside = id && allIn(root, `${PICTURE_BUTTON}[form="${CSS.escape(id)}"]`);
  const pictures = [...queryAll(form, PICTURE_BUTTON), ...outside || []];
  const picture = pictures.find((el) => el.form === form);
  if (picture) found.push(picture);
  return found;
}

const BUTTON_TYPES = new Set(['submit', 'image', 'button', 'reset']);

function isButton(el) {
  return (tagOf(el) === 'button' || tagOf(el) === 'input') && isHtml(el) && BUTTON_TYPES.has(el.type);
}

/// What a button says that is pressed by way of something else: its name, and what stands on it where a label names it.
function buttonRecord(button) {
  const name = oneLine(nameOf(button, roleOf(button)), NAME_OF_GROUP_LIMIT);
  const face = oneLine(tagOf(button) === 'input' ? button.value : tidyBeginningOf(textContentOf(button)), NAME_OF_GROUP_LIMIT);
  const both = face.includes(name) ? face : `${face} ${name}`;
  const record = { n: name.includes(face) ? name : oneLine(both, NAME_OF_GROUP_LIMIT * 2) };
  const known = ['id', 'name', 'value'].filter((key) => key !== 'value' || tagOf(button) === 'button');
  const identifiers = oneLine(known.map((key) => (attributeOf(button, key) ?? '').slice(0, HINT_LIMIT)).join(' '), HINT_LIMIT * 3);
  if (identifiers) record.i = identifiers;
  const action = attributeOf(button, 'formaction');
  if (action !== null) record.fa = oneLine(action, HREF_LIMIT);
  if (methodOf(attributeOf(button, 'formmethod') ?? '') === 'post') record.po = true;
  return record;
}

const NOWHERE_AT_ALL = { x: 0, y: 0, width: 0, height: 0 };
