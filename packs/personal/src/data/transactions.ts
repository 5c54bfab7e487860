import { deleteEverything } from './delete-everything.ts'
import { importRows } from './import/apply-import.ts'

/** Everything this family writes. */
export const dataTransactions = [deleteEverything, importRows] as const
