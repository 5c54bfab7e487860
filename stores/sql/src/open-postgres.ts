import type { PostgresOptions } from './options.ts'
import { type SqlStores, sqlStores } from './sql-stores.ts'

/** Opens the stores on PostgreSQL. Any number of nodes can share them. */
export async function openPostgres(options: PostgresOptions): Promise<SqlStores> {
  // Imported only when needed: the driver and the job engine are a megabyte that SQLite users need
  // not load.
  const { openPostgresDatabase } = await import('./postgres/open-postgres-database.ts')
  return sqlStores(await openPostgresDatabase(options), options)
}
