import { safeLine } from './safe-text.ts'
import { columnsOf, truncate } from './text-width.ts'

const GAP = '  '
const NARROWEST = 8

// What is copied from a table into the next command: half of an id names nothing.
const WHOLE = new Set(['ID', 'CALL', 'CALL_ID', 'TOOL', 'NAME'])

/**
 * Formats rows under headings. Every cell is made safe here; where the screen is too narrow, the
 * widest columns are truncated, except those of ids.
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  width: number,
): string {
  const cells = [headings, ...rows].map((row) => headings.map((_, column) => cellText(row[column])))
  const wanted = headings.map((_, column) =>
    Math.max(...cells.map((row) => columnsOf(row[column] ?? ''))),
  )
  const isWhole = headings.map((heading) => WHOLE.has(heading.trim().toUpperCase()))
  const widths = fitWidths(wanted, isWhole, width - GAP.length * (headings.length - 1))
  return cells
    .map((row) =>
      row
        .map((cell, column) => padCell(cell, widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n')
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return safeLine(typeof value === 'object' ? JSON.stringify(value) : value)
}

function padCell(cell: string, width: number): string {
  const text = truncate(cell, width)
  return text + ' '.repeat(width - columnsOf(text))
}

// Narrows the widest column until all fit or none can be narrowed further.
function fitWidths(
  wanted: readonly number[],
  isWhole: readonly boolean[],
  width: number,
): readonly number[] {
  const widths = [...wanted]
  let over = widths.reduce((sum, one) => sum + one, 0) - width
  while (over > 0) {
    const narrowable = widths.map((one, column) => (isWhole[column] === true ? 0 : one))
    const widest = Math.max(...narrowable)
    if (widest <= NARROWEST) return widths
    const column = narrowable.indexOf(widest)
    const second = Math.max(NARROWEST, ...narrowable.filter((_, other) => other !== column))
    const less = Math.min(over, Math.max(1, widest - second))
    widths[column] = widest - less
    over -= less
  }
  return widths
}
