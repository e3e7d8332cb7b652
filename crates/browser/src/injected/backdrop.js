// What may lie behind a text without being around it: pictures, films, boxes that are drawn over one another.

const MEDIA = new Set('img video canvas iframe svg object embed'.split(' '));
const PAINTERS = [...MEDIA, '[style*=background]'].join();
const PAINTERS_LIMIT = 300;
/// Icons are not what a text stands on.
const SMALLEST_BACKDROP = { width: 40, height: 10 };

let painters = null;

/// To be called when a new look begins.
function forgetBackdrops() {
  painters = null;
}

/// Whether something that paints lies under the middle of an element.
function liesOverSomething(el) {
  const { left, top, width, height } = rectOf(el);
  const [x, y] = [left + width / 2, top + height / 2];
  painters ??= findPainters();
  const isUnder = ({ painter, rect }) =>
    rect.left <= x && x <= rect.right && rect.top <= y && y <= rect.bottom && painter !== el && !containsNode(painter, el) && !containsNode(el, painter) &&
    paints(painter);
  return painters.some(isUnder) || findAbove(el, (above) => (isCurtain(above) ? true : undefined)) === true;
}

function paints(el) {
  if (MEDIA.has(tagOf(el))) return true;
  const style = getComputedStyle(el);
  return read(style, 'background-image') !== 'none' || colourOf(read(style, 'background-color')).alpha >= 0.5;
}

/// Whether what is drawn before or after the contents of an element may lie behind them.
function isCurtain(el) {
  return stateOf(el).position !== 'static' && mayHaveGenerated(el, looksOf(el));
}

function findPainters() {
  const { book } = looksIn(document);
  const backgrounds = book.telling(TELLS.background);
  const found = allInDocument(document, [PAINTERS, ...backgrounds].join());
  const painters = [];
  for (let i = 0; i < found.length && painters.length < PAINTERS_LIMIT; i += 1) {
    const rect = rectOf(found[i]);
    if (rect.width >= SMALLEST_BACKDROP.width && rect.height >= SMALLEST_BACKDROP.height) painters.push({ painter: found[i], rect });
  }
  return painters;
}
