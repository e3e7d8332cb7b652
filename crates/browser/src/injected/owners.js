// Where further frames are shown, with every transform in between.

const SRC_LIMIT = 300;

/// The windows in this one, in the order in which it counts them.
function countedWindows() {
  const counted = new Map();
  for (let i = 0; i < window.length; i += 1) counted.set(window[i], i);
  return counted;
}

/// Which of its parent's windows this one is.
function indexInParent() {
  if (window.parent === window) return null;
  const siblings = window.parent.length;
  for (let i = 0; i < siblings; i += 1) if (window.parent[i] === window) return i;
  return null;
}

/// index, name, visible, quad, size, src.
function ownerRecord(el, style, isSeen, windows) {
  const index = windows.get(el.contentWindow) ?? null;
  const name = oneLine(attributeOf(el, 'title') ?? attributeOf(el, 'name') ?? '', 120);
  const { quad, size } = contentQuadOf(el, style);
  return [index, name, isSeen ? 1 : 0, quad, size, oneLine(attributeOf(el, 'src') ?? '', SRC_LIMIT)];
}

/// The corners of an element's content box in the viewport, and its size in its own pixels.
///
/// A transform moves the middle of a box to the middle of the transformed box's bounds; so the bounds tell where it is, and
/// only the linear parts of the transforms above are needed to tell how it is turned.
function contentQuadOf(el, style) {
  const rect = rectOf(el);
  const wide = el.offsetWidth;
  const high = el.offsetHeight;
  const left = el.clientLeft + parseFloat(style.paddingLeft);
  const top = el.clientTop + parseFloat(style.paddingTop);
  const width = Math.max(0, el.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
  const height = Math.max(0, el.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom));
  let [a, b, c, d] = linearPartAbove(el);
  if (b === 0 && c === 0) {
    a = wide > 0 ? Math.sign(a) * rect.width / wide : 1;
    d = high > 0 ? Math.sign(d) * rect.height / high : 1;
  }
  const x = rect.x + rect.width / 2;
  const y = rect.y + rect.height / 2;
  const corner = (right, down) => {
    const dx = left + right - wide / 2;
    const dy = top + down - high / 2;
    return [round(x + a * dx + c * dy), round(y + b * dx + d * dy)];
  };
  const quad = [...corner(0, 0), ...corner(width, 0), ...corner(width, height), ...corner(0, height)];
  return { quad, size: [round(width), round(height)] };
}

/// The product of the linear parts of all transforms from the root down to the element.
function linearPartAbove(el) {
  let total = [1, 0, 0, 1];
  let at = el;
  for (let steps = 0; at && kindOf(at) === ELEMENT && steps < 500; steps += 1) {
    const style = getComputedStyle(at);
    const own = linearPartOf(style);
    if (own) total = product(own, total);
    at = drawnParentOf(at);
  }
  return total;
}

function linearPartOf(style) {
  const { transform, rotate, scale } = style;
  if (transform === 'none' && rotate === 'none' && scale === 'none') return null;
  let total = [1, 0, 0, 1];
  const turn = /^(-?[\d.e-]+)deg$/.exec(rotate);
  if (turn) {
    const angle = Number(turn[1]) * Math.PI / 180;
    total = [Math.cos(angle), Math.sin(angle), -Math.sin(angle), Math.cos(angle)];
  }
  if (scale !== 'none') {
    const [x, y = x] = scale.split(' ').map(Number);
    if (Number.isFinite(x) && Number.isFinite(y)) total = product(total, [x, 0, 0, y]);
  }
  if (transform !== 'none') {
    const { a, b, c, d } = new DOMMatrixReadOnly(transform);
    total = product(total, [a, b, c, d]);
  }
  return total;
}

/// Two linear maps, the right one first.
function product([a, b, c, d], [e, f, g, h]) {
  return [a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h];
}

/// Frames in frames add up, so these are finer than whole pixels.
const round = (number) => Math.round(number * 10) / 10;
