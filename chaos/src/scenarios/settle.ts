import { setTimeout as pause } from 'node:timers/promises'
import type { LedgerReader } from '../processes/ledger-reader.ts'

// A lost wake-up is found by a sweep after a minute, and the sweep runs every five seconds.
export const MAX_WAIT_MS = 100_000

/** Waits until every call has ended, for as long as a correct system may need. */
export async function waitUntilSettled(ledger: LedgerReader): Promise<void> {
  const untilMs = performance.now() + MAX_WAIT_MS
  while (performance.now() < untilMs && (await ledger.unsettled()).length > 0) await pause(250)
}
