import type { Row } from '@surehand/core/internal'
import type { Page } from './read-page.ts'

export const EXPORT_FORMAT = 'surehand.personal'
export const EXPORT_VERSION = 1

/** A page as JSON that data.import accepts, after the pages before it. */
export function writeJson({ rows }: Page, exportedAt: string): string {
  const families = Object.groupBy(rows, ({ family }) => family)
  const data = Object.fromEntries(
    Object.entries(families).map(([family, found]) => [
      family,
      (found ?? []).map(({ row }) => exportedColumns(row)),
    ]),
  )
  return JSON.stringify(
    { format: EXPORT_FORMAT, version: EXPORT_VERSION, exported_at: exportedAt, data },
    null,
    1,
  )
}

// The importing person becomes the owner, so tenant and owner are left out, and so are empty
// columns.
function exportedColumns({ tenant, owner, ...row }: Row): object {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}
