import type { PostgresOptions } from './options.ts'
import { openPostgresDatabase } from './postgres/open-postgres-database.ts'
import { type SqlStores, sqlStores } from './sql-stores.ts'

/** Stores on PostgreSQL. Any number of nodes may share them. */
export async function openPostgres(options: PostgresOptions): Promise<SqlStores> {
  return sqlStores(await openPostgresDatabase(options), options)
}
