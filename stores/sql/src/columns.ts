import type { SqlValue } from '@surehand/core/internal'

/** The values of one column: a single value if all rows share it, otherwise one for each row. */
export type Column = SqlValue | readonly SqlValue[]

/**
 * Rows by columns, as they are sent to another thread: rows of one batch share most of their values,
 * and a few arrays are copied in less than half the time of an object for each row.
 */
export function toColumns(rows: readonly (readonly SqlValue[])[]): readonly Column[] {
  const [first = []] = rows
  return first.map((value, column) => {
    const isShared = rows.every((row) => row[column] === value)
    return isShared ? value : rows.map((row) => row[column] ?? null)
  })
}

export function rowAt(columns: readonly Column[], index: number): SqlValue[] {
  return columns.map((column) => valueAt(column, index))
}

export function valueAt(column: Column, index: number): SqlValue {
  return isList(column) ? (column[index] ?? null) : column
}

// A test of its own, because Array.isArray does not narrow a readonly array.
export function isList(column: Column): column is readonly SqlValue[] {
  return Array.isArray(column)
}
