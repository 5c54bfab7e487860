import type { CallRow, CallState } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { errorRow } from '../call/errors.ts'
import type { Outcome } from '../call/outcome.ts'
import { isToolError, ToolError } from '../call/tool-error.ts'
import { toFailureEnding } from '../ledger/finish-call.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { Clock } from '../ports/clock.ts'
import { areSmallPartsWanted, nextPart } from '../ports/small-parts.ts'
import type { PipelineContext } from './context.ts'
import { runCall } from './run.ts'

const SWEEP_EVERY_MS = 5_000
const SWEEP_BATCH = 100

/** Continues a stored call through the pipeline, with the tool version it began with. */
export async function resume(row: CallRow, context: PipelineContext): Promise<Outcome> {
  const { toolId, toolVersion, input, surface, requestId } = row
  // A call whose effect has begun is finished with the rights it began with.
  const today = row.effect === undefined ? await context.currentCaller(row.caller) : row.caller
  if (areSmallPartsWanted()) await nextPart()
  const outcome = await withAbortController(row, context, (signal) =>
    runCall(
      {
        tool: `${toolId}@${toolVersion}`,
        input: undefined,
        json: input,
        caller: intersectRights(row.caller, today),
        surface,
        requestId,
        signal,
        resumes: row,
        isRevoked: today === undefined,
      },
      context,
    ),
  )
  if (outcome.status === 'failed') await onRefusal(row, outcome.error, context)
  return outcome
}

async function withAbortController(
  row: CallRow,
  context: PipelineContext,
  run: (signal: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  const cancelled = new AbortController()
  context.abortControllers.set(row.callId, cancelled)
  try {
    return await run(cancelled.signal)
  } finally {
    if (context.abortControllers.get(row.callId) === cancelled)
      context.abortControllers.delete(row.callId)
  }
}

/**
 * The stored rights that the caller still has today: a right that was revoked since is gone, and
 * one that was granted since is not added.
 */
function intersectRights(caller: Caller, today: Caller | undefined): Caller {
  if (today === caller) return caller
  const delegated = today?.delegated ?? caller.delegated
  return {
    ...caller,
    roles: intersect(caller.roles, today?.roles ?? []),
    capabilities: intersect(caller.capabilities, today?.capabilities ?? []),
    // What was delegated then and is delegated today: the host intersects them, because the lists
    // may contain patterns.
    ...(delegated === undefined ? {} : { delegated }),
  }
}

function intersect<T>(stored: readonly T[], today: readonly T[]): readonly T[] {
  const held = new Set(today.map((one) => JSON.stringify(one)))
  return stored.filter((one) => held.has(JSON.stringify(one)))
}

/** Postpones a call that could not be continued for now; ends one that never can be. */
async function onRefusal(row: CallRow, error: ToolError, context: PipelineContext): Promise<void> {
  // Another process holds the row: a write would wait until it has finished.
  if (error.code === 'TOOL_ALREADY_RUNNING') return
  const now = await context.stores.calls.get(row.tenant, row.callId)
  if (now === undefined) return
  // A disabled tool may be enabled again, so its calls are not given up.
  const isTemporary = errorRow(error.code).retryable || error.code === 'TOOL_TEMPORARILY_DISABLED'
  if (now.state !== 'queued' && !context.leases.isAbandoned(now)) return
  if (isTemporary) await context.stores.calls.postpone(row.tenant, row.callId, pauseMs(error, now))
  else if (now.state !== 'queued' || !(await context.stores.calls.cancel(row.tenant, row.callId)))
    await giveUpCall(now, error, context)
}

// A call that waits for a free slot is tried soon; one that failed several times waits longer.
function pauseMs({ details }: ToolError, row: CallRow): number {
  return typeof details?.retry_after_ms === 'number'
    ? details.retry_after_ms
    : SWEEP_EVERY_MS * row.fence
}

// The call was refused and will not be continued: what is known of it is stored once.
async function giveUpCall(row: CallRow, error: ToolError, context: PipelineContext): Promise<void> {
  const claim = await context.stores.calls.claim({
    call: row,
    leaseMs: context.leaseMs,
    at: context.leases.bootTime(),
    expired: { fence: row.fence, leaseUntil: row.leaseUntil },
    resumes: true,
    guardMs: undefined,
  })
  if (claim.kind !== 'claimed' && claim.kind !== 'recover') return
  // A run with journal entries may have had effects.
  const hasBegun =
    claim.kind === 'recover' ||
    (await context.stores.runs.journal(row.tenant, row.callId)).length > 0
  if (hasBegun) await context.stores.runs.closeQuestions(row.tenant, row.callId)
  const state = hasBegun ? 'unknown' : 'released'
  const reported = hasBegun ? withoutPromise(row, error) : error
  const now = context.clock.now()
  const entry = auditEntryBy(
    row.caller,
    { id: context.entropy.newId('aud', now), now },
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
      code: reported.code,
      error: reported.message,
    },
  )
  await context.stores.calls.finish(
    { tenant: row.tenant, callId: row.callId, fence: claim.row.fence, parentId: row.parentId },
    toFailureEnding(row, reported, state),
    entry,
  )
}

// The last caller was told that it is continued, which is no longer true.
function withoutPromise(row: CallRow, error: ToolError): ToolError {
  if (error.details?.settled !== false || !isToolError(error.cause)) return error
  const { message } = error.cause
  return new ToolError(
    'TOOL_OUTCOME_UNKNOWN',
    `${message} It is not tried again, and it is not known whether ${row.toolId} (${row.callId}) happened.`,
    { details: { call_id: row.callId }, cause: error },
  )
}

/** Continues abandoned calls, and wakes parked runs whose time has come. */
export async function sweep(context: PipelineContext): Promise<number> {
  const { leases, stores } = context
  await leases.compareClocks(stores.calls)
  await stores.runs.wakeDue(SWEEP_BATCH)
  const found = await stores.calls.abandoned(SWEEP_BATCH, leases.bootTime())
  const rows = found.filter((row) => row.state === 'queued' || leases.isAbandoned(row))
  // One slow recovery must not hold up the others.
  await Promise.allSettled(rows.map((row) => context.resume(row)))
  return rows.length
}

/** Executes jobs and sweeps regularly until stopped. */
export function startWork(context: PipelineContext): () => Promise<void> {
  const stopJobs = context.stores.jobs.work((job) => resumeCall(job.tenant, job.callId, context))
  const stopSweeps = repeat(context.clock, SWEEP_EVERY_MS, () => sweep(context))
  return async () => {
    stopSweeps()
    await stopJobs()
  }
}

/**
 * Continues a call, and then the runs that wait for it, in this process; for runtimes without a
 * worker.
 */
export async function resumeWithParents(
  tenant: string,
  callId: string,
  context: PipelineContext,
): Promise<void> {
  for (let id: string | undefined = callId; id !== undefined; ) {
    const row: CallRow | undefined = await context.stores.calls.get(tenant, id)
    if (row === undefined || (row.state !== 'queued' && id !== callId)) return
    await context.resume(row)
    id = row.parentId
  }
}

// A job may be delivered again after its call has ended. Continuing it would be refused, because the
// input of an ended call is not stored, and the refusal would stand in the audit after its success.
const ENDED: ReadonlySet<CallState> = new Set([
  'succeeded',
  'failed',
  'unknown',
  'cancelled',
  'released',
  'pruned',
])

/** Handles a job: continues its call. */
async function resumeCall(tenant: string, callId: string, context: PipelineContext): Promise<void> {
  const row = await context.stores.calls.get(tenant, callId)
  if (row !== undefined && !ENDED.has(row.state)) await context.resume(row)
}

function repeat(clock: Clock, everyMs: number, run: () => Promise<unknown>): () => void {
  let cancel = clock.after(everyMs, tick)
  let stopped = false
  // A sweep that fails is repeated by the next one.
  function tick(): void {
    void run().catch(() => undefined)
    if (!stopped) cancel = clock.after(everyMs, tick)
  }
  return () => {
    stopped = true
    cancel()
  }
}
