import type { Caller } from '../call/caller.ts'
import { errorRow } from '../call/errors.ts'
import type { Outcome } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import { isAbandoned } from '../ports/abandoned.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { CallRow } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import { storedFailure } from './endings.ts'
import type { PipelineContext } from './parts.ts'
import { runCall } from './run.ts'

const SWEEP_EVERY_MS = 5_000
const SWEEP_BATCH = 100

/** Drives a row on, through the one door, with the version it was begun with. */
export async function resume(row: CallRow, parts: PipelineContext): Promise<Outcome> {
  const { toolId, toolVersion, input, surface, requestId } = row
  // what has begun comes to its end under the claims it began with
  const today = row.effect === undefined ? await parts.standing(row.caller) : row.caller
  const outcome = await drivenOn(row, parts, (signal) =>
    runCall(
      {
        tool: `${toolId}@${toolVersion}`,
        input: undefined,
        json: input,
        caller: sharedClaims(row.caller, today),
        surface,
        requestId,
        signal,
        resumes: row,
        isShutOut: today === undefined,
      },
      parts,
    ),
  )
  if (outcome.status === 'failed') await afterRefusal(row, outcome.error, parts)
  return outcome
}

async function drivenOn(
  row: CallRow,
  parts: PipelineContext,
  run: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const cancelled = new AbortController()
  parts.driven.set(row.callId, cancelled)
  try {
    return await run(cancelled.signal)
  } finally {
    if (parts.driven.get(row.callId) === cancelled) parts.driven.delete(row.callId)
  }
}

/** Stored claims ∩ what holds today: a right that was taken away meanwhile is gone, one that was given since is not slipped in. */
function sharedClaims(caller: Caller, today: Caller | undefined): Caller {
  if (today === caller) return caller
  return {
    ...caller,
    roles: both(caller.roles, today?.roles ?? []),
    capabilities: both(caller.capabilities, today?.capabilities ?? []),
  }
}

function both<T>(stored: readonly T[], today: readonly T[]): readonly T[] {
  const held = new Set(today.map((one) => JSON.stringify(one)))
  return stored.filter((one) => held.has(JSON.stringify(one)))
}

/** What could not be driven on: for the moment it is tried again, for good it must not stay as it is. */
async function afterRefusal(row: CallRow, error: ToolError, parts: PipelineContext): Promise<void> {
  // another drives it on and holds its row: whatever we wrote would wait for its end
  if (error.code === 'TOOL_ALREADY_RUNNING') return
  const now = await parts.stores.calls.get(row.tenant, row.callId)
  if (now === undefined) return
  // a tool that is switched off may be switched on again: what it had begun must not be given up for it
  const isForTheMoment =
    errorRow(error.code).retryable || error.code === 'TOOL_TEMPORARILY_DISABLED'
  if (now.state !== 'queued' && !isAbandoned(now)) return
  if (isForTheMoment) await parts.stores.calls.postpone(row.tenant, row.callId, pauseMs(error, now))
  else if (now.state !== 'queued' || !(await parts.stores.calls.cancel(row.tenant, row.callId)))
    await giveUp(now, error, parts)
}

// a turn that has not come is soon; what failed again and again is left for longer
function pauseMs({ details }: ToolError, row: CallRow): number {
  return typeof details?.retry_after_ms === 'number'
    ? details.retry_after_ms
    : SWEEP_EVERY_MS * row.fence
}

// refused before it came to its effect: nobody will drive it on, so what is known of it is said, once
async function giveUp(row: CallRow, error: ToolError, parts: PipelineContext): Promise<void> {
  const claim = await parts.stores.calls.claim({
    call: row,
    leaseMs: parts.leaseMs,
    resumes: true,
    guardMs: undefined,
  })
  if (claim.kind !== 'claimed' && claim.kind !== 'recover') return
  // a run that was told something may have done something
  const hasBegun =
    claim.kind === 'recover' || (await parts.stores.runs.journal(row.tenant, row.callId)).length > 0
  if (hasBegun) await parts.stores.runs.closeQuestions(row.tenant, row.callId)
  const state = hasBegun ? 'unknown' : 'released'
  const now = parts.clock.now()
  const entry = auditEntryBy(
    row.caller,
    { id: parts.entropy.newId('aud', now), now },
    {
      phase: 'outcome',
      call_id: row.callId,
      request_id: row.requestId,
      surface: row.surface,
      tool_name: row.toolId,
      tool_version: row.toolVersion,
      definition_hash: row.definitionHash,
      input: { hash: row.inputHash, bytes: 0 },
      success: false,
      outcome: state,
      code: error.code,
      error: error.message,
    },
  )
  await parts.stores.calls.finish(
    { tenant: row.tenant, callId: row.callId, fence: claim.row.fence, parentId: row.parentId },
    storedFailure(row, error, state),
    entry,
  )
}

/** Drives on what was left behind. */
export async function sweep(parts: PipelineContext): Promise<number> {
  await parts.stores.runs.wakeDue(SWEEP_BATCH)
  const rows = await parts.stores.calls.abandoned(SWEEP_BATCH)
  // one slow recovery must not hold up the others
  await Promise.allSettled(rows.map((row) => parts.resume(row)))
  return rows.length
}

/** Works on jobs and sweeps until stopped. */
export function startWork(parts: PipelineContext): () => Promise<void> {
  const stopJobs = parts.stores.jobs.work((job) => wake(job.tenant, job.callId, parts))
  const stopSweeps = repeat(parts.clock, SWEEP_EVERY_MS, () => sweep(parts))
  return async () => {
    stopSweeps()
    await stopJobs()
  }
}

/** Where no worker is alive: drives a call on, and the runs that waited for it. */
export async function wakeUp(tenant: string, callId: string, parts: PipelineContext): Promise<void> {
  for (let id: string | undefined = callId; id !== undefined; ) {
    const row: CallRow | undefined = await parts.stores.calls.get(tenant, id)
    if (row === undefined || (row.state !== 'queued' && id !== callId)) return
    await parts.resume(row)
    id = row.parentId
  }
}

/** A wake-up: look at this call. */
export async function wake(tenant: string, callId: string, parts: PipelineContext): Promise<void> {
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
