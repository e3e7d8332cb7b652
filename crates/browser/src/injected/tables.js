// The roles of table parts: Chromium tells tables of data from tables that only arrange a page.

const MANY_ROWS = 20;
const CELLS_LOOKED_AT = 200;

/// Whether tables are of data: each of their cells asks.
let dataTables = new WeakMap();

/// To be called when a new look begins.
function forgetTables() {
  dataTables = new WeakMap();
}

function isDataTable(table) {
  let isData = dataTables.get(table);
  if (isData === undefined) dataTables.set(table, isData = judgeTable(table));
  return isData;
}

function tableRoleOf(el, tag) {
  if (tag === 'table') return isDataTable(el) ? 'table' : 'LayoutTable';
  const table = findAbove(el, (above) => (tagOf(above) === 'table' && isHtml(above) ? above : undefined));
  if (!table) return 'generic';
  const role = roleOf(table);
  if (role !== 'LayoutTable' && role !== 'table' && role !== 'grid' && role !== 'treegrid') return 'generic';
  const isLayout = role === 'LayoutTable';
  switch (tag) {
    case 'tr':
      return isLayout ? 'LayoutTableRow' : 'row';
    case 'td':
      if (isLayout) return 'LayoutTableCell';
      return role === 'table' ? 'cell' : 'gridcell';
    case 'th':
      return isLayout ? 'LayoutTableCell' : headerRoleOf(el);
    default:
      return isLayout ? 'generic' : 'rowgroup';
  }
}

function headerRoleOf(el) {
  const scope = (attributeOf(el, 'scope') ?? '').slice(0, 20).toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return 'rowheader';
  if (scope === 'col' || scope === 'colgroup') return 'columnheader';
  const isHeader = (sibling) => !sibling || tagOf(sibling) === 'th';
  if (isHeader(el.previousElementSibling) && isHeader(el.nextElementSibling)) return 'columnheader';
  return 'rowheader';
}

function judgeTable(table) {
  if (attributeOf(table, 'role') || table.isContentEditable) return true;
  if (attributeOf(table, 'summary') || table.tHead || table.tFoot || table.caption || attributeOf(table, 'rules')) return true;
  for (let child = firstChildOf(table); child; child = nextSiblingOf(child)) {
    if (kindOf(child) === ELEMENT && (tagOf(child) === 'col' || tagOf(child) === 'colgroup')) return true;
  }
  const rows = table.rows;
  if (rows.length >= MANY_ROWS) return true;
  if (rows.length === 0 || (rows.length === 1 && rows[0].cells.length === 1)) return false;
  return looksLikeData(table, rows);
}

/// By the borders and colours of its cells.
function looksLikeData(table, rows) {
  const style = getComputedStyle(table);
  const background = style.backgroundColor;
  const isSpaced = !style.borderSpacing.split(' ').some((gap) => Number.parseFloat(gap) === 0);
  const sides = { top: 0, bottom: 0, left: 0, right: 0 };
  let [looked, bordered, coloured] = [0, 0, 0];
  const stripes = [];
  for (let row = 0; row < rows.length; row += 1) {
    for (const cell of rows[row].cells) {
      if (tagOf(cell) === 'th') return true;
      if (['headers', 'abbr', 'axis', 'scope'].some((name) => attributeOf(cell, name))) return true;
      if (looked >= CELLS_LOOKED_AT) continue;
      if (cell.offsetWidth < 1 || cell.offsetHeight < 1) continue;
      looked += 1;
      const own = getComputedStyle(cell);
      if (own.emptyCells === 'hide') return true;
      const top = Number.parseFloat(own.borderTopWidth) > 0;
      const bottom = Number.parseFloat(own.borderBottomWidth) > 0;
      const left = Number.parseFloat(own.borderLeftWidth) > 0;
      const right = Number.parseFloat(own.borderRightWidth) > 0;
      if ((top && bottom) || (left && right)) bordered += 1;
      sides.top += top;
      sides.bottom += bottom;
      sides.left += left;
      sides.right += right;
      if (isSpaced && own.backgroundColor !== background && !/, 0\)$/.test(own.backgroundColor)) coloured += 1;
      if (bordered >= 10 || coloured >= 10) return true;
      if (row < 5 && row === stripes.length) stripes.push(getComputedStyle(rows[row]).backgroundColor);
    }
  }
  if (looked <= 1) return false;
  const half = Math.floor(looked / 2);
  if ([bordered, coloured, ...Object.values(sides)].some((count) => count >= half)) return true;
  return stripes.length > 2 && stripes.every((colour, at) => (colour === stripes[0]) === (at % 2 === 0));
}
