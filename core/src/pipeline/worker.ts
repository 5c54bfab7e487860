import { errorRow } from '../call/errors.ts'
import type { Outcome } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { CallRow } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { Parts } from './parts.ts'
import { runCall } from './run.ts'

const SWEEP_EVERY_MS = 5_000
const SWEEP_BATCH = 100

/** Drives a row on, through the one door. A refusal that nothing can mend frees the key. */
export async function resume(row: CallRow, parts: Parts): Promise<Outcome> {
  const { toolId, input, caller, surface, requestId } = row
  const outcome = await runCall({ tool: toolId, input: undefined, json: input, caller, surface, requestId, resumes: row }, parts)
  if (outcome.status === 'failed') await queueAgain(row, outcome.error, parts)
  return outcome
}

async function queueAgain(row: CallRow, error: ToolError, parts: Parts): Promise<void> {
  const now = await parts.stores.calls.get(row.tenant, row.callId)
  if (now?.state !== 'queued') return
  if (errorRow(error.code).retryable)
    await parts.stores.jobs.enqueue({ tenant: row.tenant, callId: row.callId }, SWEEP_EVERY_MS * now.fence)
  else await parts.stores.calls.cancel(row.tenant, row.callId)
}

/** Drives on what was left behind. */
export async function sweep(parts: Parts): Promise<number> {
  const rows = await parts.stores.calls.abandoned(SWEEP_BATCH)
  // one slow recovery must not hold up the others
  await Promise.allSettled(rows.map((row) => parts.resume(row)))
  return rows.length
}

/** Works on jobs and sweeps until stopped. */
export function startWork(parts: Parts): () => Promise<void> {
  const stopJobs = parts.stores.jobs.work((job) => wake(job.tenant, job.callId, parts))
  const stopSweeps = repeat(parts.clock, SWEEP_EVERY_MS, () => sweep(parts))
  return async () => {
    stopSweeps()
    await stopJobs()
  }
}

/** A wake-up: look at this call. */
export async function wake(tenant: string, callId: string, parts: Parts): Promise<void> {
  const row = await parts.stores.calls.get(tenant, callId)
  if (row !== undefined) await parts.resume(row)
}

function repeat(clock: Clock, everyMs: number, run: () => Promise<unknown>): () => void {
  let cancel = clock.after(everyMs, tick)
  let stopped = false
  // a sweep that fails is tried again by the next one
  function tick(): void {
    void run().catch(() => undefined)
    if (!stopped) cancel = clock.after(everyMs, tick)
  }
  return () => {
    stopped = true
    cancel()
  }
}
