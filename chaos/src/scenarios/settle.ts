import { setTimeout as pause } from 'node:timers/promises'
import type { LedgerReader } from '../house/ledger-reader.ts'

// a wake-up that is lost is found by a sweep after a minute, and the sweep comes every five seconds
export const CALM_MS = 100_000

/** Waits until every call has come to an end, as long as that may honestly take. */
export async function settle(ledger: LedgerReader): Promise<void> {
  const untilMs = performance.now() + CALM_MS
  while (performance.now() < untilMs && (await ledger.unsettled()).length > 0) await pause(250)
}
