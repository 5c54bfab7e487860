import type { Approval } from '../call/approval.ts'
import type { CallRow, CallState } from '../call/call-row.ts'
import type { Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { holdsSecret } from '../define/redact.ts'
import type { StepOptions } from '../define/run.ts'
import type { Tool } from '../define/tool.ts'
import { deniedError, isDenied } from '../ledger/denied-error.ts'
import type { JournalEntry } from '../ports/runs.ts'
import type { Drive } from './drive.ts'
import {
  type OperationResult,
  replayAnswer,
  restoreError,
  toJournalError,
  toJournalValue,
  WAITING,
} from './journal.ts'

/** A step as the code requests it. */
type StepRequest = {
  readonly path: string
  readonly tool: string
  readonly input: unknown
  readonly inputHash: string
  readonly undo: StepOptions<never>['undo']
  readonly degraded: 'take' | 'refuse'
  readonly withinMs: number | undefined
  readonly retries: number | undefined
}

// After so many drives, a failure of our own store is reported as the failure of the step.
const MOST_DRIVES = 100

const UNDER_WAY: ReadonlySet<CallState> = new Set([
  'waiting',
  'queued',
  'parked',
  'claimed',
  'effect_started',
  'unknown',
])

/** Calls another tool through the pipeline, once: the journal holds its answer. */
export async function runStep(request: StepRequest, drive: Drive): Promise<OperationResult> {
  const { path, inputHash } = request
  const found = drive.journal.at(path)
  if (
    found !== undefined &&
    (found.what !== 'step' ||
      toolIdOf(found.tool) !== toolIdOf(request.tool) ||
      found.inputHash !== inputHash)
  )
    return drive.diverge(path, found, request.tool)
  if (found?.answer !== undefined) return replayAnswer(found.answer)
  if (found === undefined && drive.mode === 'replay') return WAITING
  const entry = found ?? newEntry(request, drive)
  return drive.mode === 'replay'
    ? settleStep(entry, request, drive)
    : callStep(entry, request, drive, found === undefined)
}

function newEntry({ path, tool, inputHash }: StepRequest, drive: Drive): JournalEntry {
  const known = drive.context.registryOf(drive.row.tenant).find(tool)
  return {
    path,
    what: 'step',
    tool: known === undefined ? tool : `${known.id}@${known.version}`,
    inputHash,
    child: drive.context.entropy.newId('call', drive.context.clock.now()),
    isWrite: known?.contract.isWrite ?? false,
    isSecret:
      known !== undefined && (holdsSecret(known.input.shape) || holdsSecret(known.output.shape)),
    answer: undefined,
    undo: undefined,
  }
}

async function callStep(
  entry: JournalEntry,
  request: StepRequest,
  drive: Drive,
  isNew: boolean,
): Promise<OperationResult> {
  const startedTicks = drive.context.clock.ticks()
  const known = isNew ? drive.journal.put(entry) : await readStepRow(entry, request, drive)
  if (known !== undefined) return known
  if (!(await drive.flushJournal())) return WAITING
  if (!(await drive.isStillOurs(startedTicks))) return WAITING
  // From here on the run goes on when its caller disconnects.
  if (entry.isWrite) drive.attempt.committed = true
  const { call, context, row } = drive
  const outcome = await context.call({
    tool: entry.tool,
    input: request.input,
    caller: call.caller,
    surface: 'step',
    requestId: call.requestId,
    signal: drive.signal,
    withinMs: Math.min(
      request.withinMs ?? Number.POSITIVE_INFINITY,
      Math.max(1, call.deadlineTicks - context.clock.ticks()),
    ),
    whenRunning: 'wait',
    step: {
      parentId: row.callId,
      path: entry.path,
      callId: entry.child,
      retries: request.retries,
    },
    isRevoked: call.isRevoked,
  })
  return recordOutcome(outcome, entry, request, drive)
}

/**
 * How a step ended while the run was parked; undefined when it is to be called again, which
 * continues it.
 */
async function readStepRow(
  entry: JournalEntry,
  request: StepRequest,
  drive: Drive,
): Promise<OperationResult | undefined> {
  const row = await drive.context.stores.calls.get(drive.row.tenant, entry.child)
  switch (row?.state) {
    case 'succeeded':
    case 'failed':
      return recordRow(row, entry, request, drive)
    case 'released':
      return row.answer === undefined ? undefined : recordRow(row, entry, request, drive)
    case 'cancelled':
      return recordError(entry, await readCancellation(row, drive), drive)
    case 'waiting': {
      const approval = await findApproval(row, drive)
      if (approval?.state === 'pending') return waitFor(entry, drive, approval.expiresAt)
      // It was approved or edited since its row was read: it goes on, and must not be recorded as
      // refused.
      if (approval !== undefined && approval.state !== 'denied' && approval.state !== 'expired')
        return undefined
      return recordError(entry, await readCancellation(row, drive), drive)
    }
    case 'parked':
    case 'unknown':
      return waitFor(entry, drive)
    default:
      return undefined
  }
}

// Requesting the same approval again whenever it expires would never end.
async function readCancellation(row: CallRow, drive: Drive): Promise<ToolError> {
  const approval = await findApproval(row, drive)
  if (isDenied(approval)) return deniedError(approval)
  if (row.state === 'waiting')
    return new ToolError('TOOL_APPROVAL_DENIED', `${row.toolId} was not approved in time.`)
  return new ToolError('TOOL_CANCELLED', `${row.toolId} was cancelled before anything happened.`)
}

async function findApproval(
  { tenant, approvalId }: CallRow,
  drive: Drive,
): Promise<Approval | undefined> {
  return approvalId === undefined
    ? undefined
    : drive.context.stores.approvals.get(tenant, approvalId)
}

async function recordOutcome(
  outcome: Outcome,
  entry: JournalEntry,
  request: StepRequest,
  drive: Drive,
): Promise<OperationResult> {
  switch (outcome.status) {
    case 'done':
      // Only a read has a fallback, and a read has no row: the journal is the only place that keeps
      // its answer.
      if (outcome.degraded && request.degraded === 'refuse')
        return recordError(entry, degradedError(entry, outcome.warnings), drive)
      return recordValue(entry, outcome.data, request, drive)
    case 'pending':
      return waitFor(entry, drive, outcome.approval.expiresAt)
    case 'asking':
    case 'accepted':
      return waitFor(entry, drive)
    case 'failed':
      return recordFailure(entry, outcome.error, request, drive)
  }
}

function degradedError({ tool }: JournalEntry, warnings: readonly string[]): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `${tool} could only give a fallback answer: ${warnings.join(' ')}`,
    {
      details: { degraded: true },
    },
  )
}

// A step that may still succeed is not recorded as failed; nor is a failure of our own store, which
// says nothing about the step.
async function recordFailure(
  entry: JournalEntry,
  error: ToolError,
  request: StepRequest,
  drive: Drive,
): Promise<OperationResult> {
  const row = await drive.context.stores.calls.get(drive.row.tenant, entry.child)
  if (row !== undefined && UNDER_WAY.has(row.state)) return waitFor(entry, drive)
  if (row?.state === 'succeeded') return recordRow(row, entry, request, drive)
  if (error.code === 'TOOL_STORAGE_ERROR' && drive.row.fence < MOST_DRIVES) throw error
  return recordError(entry, error, drive)
}

/** How a begun step ended, without calling it again. */
async function settleStep(
  entry: JournalEntry,
  request: Pick<StepRequest, 'undo'>,
  drive: Drive,
): Promise<OperationResult> {
  const row = await drive.context.stores.calls.get(drive.row.tenant, entry.child)
  if (row === undefined) return WAITING
  if (!UNDER_WAY.has(row.state)) return recordRow(row, entry, request, drive)
  // The run no longer needs it: it is cancelled if it has not begun, and asked to stop if it has.
  if (await drive.context.stores.calls.cancel(row.tenant, row.callId)) return WAITING
  await drive.context.stores.runs.askToStop(row.tenant, row.callId)
  return waitFor(entry, drive)
}

/**
 * Settles every step that the code did not reach. A step that it did reach is recorded with its
 * undo at the next replay.
 */
export async function settleUnvisitedSteps(drive: Drive): Promise<void> {
  for (const entry of drive.journal.open())
    if (!drive.journal.hasVisited(entry.path)) await settleStep(entry, { undo: undefined }, drive)
}

async function recordRow(
  row: CallRow,
  entry: JournalEntry,
  request: Pick<StepRequest, 'undo'>,
  drive: Drive,
): Promise<OperationResult> {
  const answer = row.answer
  if (row.state === 'succeeded' && answer?.kind === 'output')
    return recordValue(entry, JSON.parse(answer.json), request, drive)
  if (row.state === 'succeeded')
    return recordError(
      entry,
      new ToolError('TOOL_INVALID_OUTPUT', `${entry.tool} was done, but its output is invalid.`),
      drive,
    )
  if (answer?.kind === 'error') return recordError(entry, restoreError(answer), drive)
  return WAITING
}

function recordValue(
  entry: JournalEntry,
  value: unknown,
  { undo }: Pick<StepRequest, 'undo'>,
  drive: Drive,
): OperationResult {
  const stored = makeUndo(value, undo)
  const tool =
    stored === undefined ? undefined : drive.context.registryOf(drive.row.tenant).find(stored.tool)
  const isSecret = entry.isSecret || (tool !== undefined && holdsSecret(tool.input.shape))
  drive.journal.put({ ...entry, isSecret, answer: toJournalValue(value), undo: stored })
  return { kind: 'value', value }
}

// The step is done even if its undo cannot be made; a missing undo is reported when the run is
// compensated.
function makeUndo(value: unknown, undo: StepRequest['undo']): JournalEntry['undo'] {
  try {
    const back = undo?.(value as never)
    return back === undefined
      ? undefined
      : { tool: back.tool, json: JSON.stringify(back.input ?? {}) }
  } catch {
    return undefined
  }
}

function recordError(entry: JournalEntry, error: ToolError, drive: Drive): OperationResult {
  drive.journal.put({ ...entry, answer: toJournalError(error) })
  return { kind: 'error', error }
}

function waitFor(entry: JournalEntry, drive: Drive, until?: number): OperationResult {
  drive.waitFor({ call: entry.child, until })
  return WAITING
}

function toolIdOf(tool: string): string {
  return tool.split('@')[0] ?? tool
}

/** How a step names its tool, with the version if the tool itself is given. */
export function toolReference(tool: Pick<Tool, 'id' | 'version'> | string): string {
  return typeof tool === 'string' ? tool : `${tool.id}@${tool.version}`
}
