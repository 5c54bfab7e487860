import type { PostgresOptions } from './options.ts'
import { type SqlStores, sqlStores } from './sql-stores.ts'

/** Stores on PostgreSQL. Any number of nodes may share them. */
export async function openPostgres(options: PostgresOptions): Promise<SqlStores> {
  // its driver and job engine are a megabyte that whoever stays with SQLite need not wait for
  const { openPostgresDatabase } = await import('./postgres/open-postgres-database.ts')
  return sqlStores(await openPostgresDatabase(options), options)
}
