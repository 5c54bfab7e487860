import type { SqlValue } from '@surehand/core/internal'

// A spreadsheet runs a cell that begins like this as a formula.
const FORMULA = /^'*[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** A cell that no spreadsheet runs as a formula; `uncell` restores the original text. */
function cell(value: SqlValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const safe = FORMULA.test(value) ? `'${value}` : value
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export function uncell(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text
}

export function csvLine(values: readonly (SqlValue | undefined)[]): string {
  return `${values.map(cell).join(',')}\r\n`
}

type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

/** The records of a CSV text (RFC 4180), each with the line on which it begins. */
export function readCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = []
  let cells: string[] = []
  let line = 1
  let begun = 1
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/gy
  for (
    let match = pattern.exec(text);
    match !== null && pattern.lastIndex <= text.length;
    match = pattern.exec(text)
  ) {
    const [whole, quoted, plain = '', end] = match
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    line += (whole.match(/\r\n|\n|\r/g) ?? []).length
    if (end !== ',') {
      if (cells.length > 1 || cells[0] !== '') records.push({ line: begun, cells })
      cells = []
      begun = line
    }
    if (end === '' || whole === '') break
  }
  return records
}
