import type { DatabaseSync } from 'node:sqlite'
import { patiently } from './patiently.ts'
import type { WriteTurn } from './write-turn.ts'

/** For a writer in a thread that others need too: while somebody else holds the file, timers run and deadlines are kept. */
export function patientTurn(database: DatabaseSync): WriteTurn {
  const beginning = database.prepare('BEGIN IMMEDIATE')
  return {
    begin: () => patiently(() => void beginning.run()),
    ended: () => undefined,
    whenFree: patiently,
  }
}
