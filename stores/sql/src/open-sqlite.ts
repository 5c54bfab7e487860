import type { SqliteOptions } from './options.ts'
import { type SqlStores, sqlStores } from './sql-stores.ts'
import { openSqliteDatabase } from './sqlite/database.ts'

/** Opens the stores in one SQLite file. Several processes can share it. */
export async function openSqlite(options: SqliteOptions): Promise<SqlStores> {
  return sqlStores(await openSqliteDatabase(options), options)
}
