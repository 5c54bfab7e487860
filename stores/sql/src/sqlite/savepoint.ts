import type { DatabaseSync } from 'node:sqlite'

/** Runs work so that it leaves all of its writes or none, whatever its neighbours in the transaction do. */
export type InSavepoint = <T>(work: () => Promise<T>) => Promise<T>

export function savepoints(database: DatabaseSync): InSavepoint {
  const [open, release] = [database.prepare('SAVEPOINT item'), database.prepare('RELEASE item')]
  return async (work) => {
    open.run()
    try {
      const result = await work()
      release.run()
      return result
    } catch (thrown) {
      // a full disk may have ended the whole transaction by itself
      if (database.isTransaction) database.exec('ROLLBACK TO item; RELEASE item')
      throw thrown
    }
  }
}
