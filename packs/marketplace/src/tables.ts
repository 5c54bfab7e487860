// table
import type { PackMigration } from '@surehand/core/host'

/** The tables of the pack. A released migration must not change. */
export const TABLES: readonly PackMigration[] = []
