import { asSystem, printAnswer, type RunCommand } from './with-app.ts'

/** `surehand migrate`: opening the app brings the tables up to date; for a job before an update. */
export const runMigrate: RunCommand = asSystem(async ({ config }, _, __, output) => {
  const isSqlite = config.databaseUrl === undefined
  const database = isSqlite ? `SQLite in ${config.data}` : 'PostgreSQL'
  printAnswer(output, {
    data: { database: isSqlite ? 'sqlite' : 'postgres', up_to_date: true },
    text: `The tables are up to date (${database}).\n`,
  })
  return 0
})
