import type { OpenStores } from './opened.ts'
import { journals } from './run-journal.ts'
import { parking, stops } from './run-parking.ts'
import { questions } from './run-questions.ts'
import { type Promises, registerSuite } from './suite.ts'

export const runPromises: Promises = { ...journals, ...parking, ...stops, ...questions }

/**
 * The promises of run stores: every answer is stored once at its path, and no step's end is missed
 * between two reads.
 */
export function runSuite(name: string, open: OpenStores): void {
  registerSuite('runs', name, open, runPromises)
}
