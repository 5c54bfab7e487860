import { asSystem, type RunCommand } from './with-app.ts'

/** `surehand migrate`: opening the app brings the tables up to date; for a job before an update. */
export const runMigrate: RunCommand = asSystem(async ({ config }, _, __, { stdout }) => {
  const database = config.databaseUrl === undefined ? `SQLite in ${config.data}` : 'PostgreSQL'
  stdout.write(`The tables are up to date (${database}).\n`)
  return 0
})
