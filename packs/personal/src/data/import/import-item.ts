import type { SqlValue } from '@surehand/core/internal'
import type { Family } from '../families.ts'

/** Something to bring in, in the columns of its table. */
export type ImportItem = {
  readonly family: Family
  /** Where it stands in what was given: `line 12`, `tasks[3]`. */
  readonly place: string
  readonly row: Readonly<Record<string, SqlValue>>
  /** What comes without an id of its own is the same as what is called the same. */
  readonly knownBy: 'id' | 'name'
}

export type ImportProblem = { readonly place: string; readonly problem: string }

/** What was read: one bad line never loses the others. */
export type ReadItems = {
  readonly items: readonly ImportItem[]
  readonly problems: readonly ImportProblem[]
}
