import type { SqlValue } from '@surehand/core/internal'
import type { Family } from '../families.ts'

/** A row to import, in the columns of its table. */
export type ImportItem = {
  readonly family: Family
  /** Its position in the file: `line 12`, `tasks[3]`. */
  readonly place: string
  readonly row: Readonly<Record<string, SqlValue>>
  /** A row without an id is a duplicate of a row with the same name. */
  readonly knownBy: 'id' | 'name'
}

export type ImportProblem = { readonly place: string; readonly problem: string }

/** The result of reading a file; an invalid line does not affect the others. */
export type ReadItems = {
  readonly items: readonly ImportItem[]
  readonly problems: readonly ImportProblem[]
}
