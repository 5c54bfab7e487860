import type { Outcome } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { holdsSecret } from '../define/redact.ts'
import type { StepOptions } from '../define/run.ts'
import type { Tool } from '../define/tool.ts'
import type { Approval } from '../ports/approvals.ts'
import type { CallRow, CallState } from '../ports/calls.ts'
import type { JournalEntry } from '../ports/runs.ts'
import type { Drive } from './drive.ts'
import { errorAnswer, errorOf, type Told, toldAgain, valueAnswer, WAITS } from './told.ts'

/** A step as the code asks for it. */
export type Asked = {
  readonly path: string
  readonly tool: string
  readonly input: unknown
  readonly inputHash: string
  readonly undo: StepOptions<never>['undo']
  readonly degraded: 'take' | 'refuse'
}

// after so many drives our own trouble is told as the step's
const MOST_DRIVES = 100

const UNDER_WAY: ReadonlySet<CallState> = new Set([
  'waiting',
  'queued',
  'parked',
  'claimed',
  'effect_started',
  'unknown',
])

/** Calls another tool through the one door, once: what it was told stands in the journal. */
export async function takeStep(asked: Asked, drive: Drive): Promise<Told> {
  const { path, inputHash } = asked
  const found = drive.journal.at(path)
  if (
    found !== undefined &&
    (found.what !== 'step' ||
      idOf(found.tool) !== idOf(asked.tool) ||
      found.inputHash !== inputHash)
  )
    return drive.diverge(path, found, asked.tool)
  if (found?.answer !== undefined) return toldAgain(found.answer)
  if (found === undefined && drive.mode === 'replay') return WAITS
  const entry = found ?? newEntry(asked, drive)
  return drive.mode === 'replay'
    ? settled(entry, asked, drive)
    : called(entry, asked, drive, found === undefined)
}

function newEntry({ path, tool, inputHash }: Asked, drive: Drive): JournalEntry {
  const known = drive.parts.registryOf(drive.row.tenant).find(tool)
  return {
    path,
    what: 'step',
    tool: known === undefined ? tool : `${known.id}@${known.version}`,
    inputHash,
    child: drive.parts.entropy.newId('call', drive.parts.clock.now()),
    isWrite: known?.contract.isWrite ?? false,
    isSecret:
      known !== undefined && (holdsSecret(known.input.shape) || holdsSecret(known.output.shape)),
    answer: undefined,
    undo: undefined,
  }
}

async function called(
  entry: JournalEntry,
  asked: Asked,
  drive: Drive,
  isNew: boolean,
): Promise<Told> {
  const askedAt = drive.parts.clock.ticks()
  const known = isNew ? drive.journal.put(entry) : await sinceThen(entry, asked, drive)
  if (known !== undefined) return known
  if (!(await drive.flushed())) return WAITS
  // a process that stood still here may wake when a successor has ended the run: what is late is not begun
  if (drive.parts.clock.ticks() - askedAt > drive.parts.leaseMs / 2) {
    drive.end({ kind: 'lost' })
    return WAITS
  }
  // from here on the caller's leaving no longer stops the run
  if (entry.isWrite) drive.attempt.committed = true
  const { call, parts, row } = drive
  const outcome = await parts.call({
    tool: entry.tool,
    input: asked.input,
    caller: call.caller,
    surface: 'step',
    requestId: call.requestId,
    signal: drive.signal,
    withinMs: Math.max(1, call.deadlineTicks - parts.clock.ticks()),
    whenRunning: 'wait',
    step: { parentId: row.callId, path: entry.path, callId: entry.child },
    isShutOut: call.isShutOut,
  })
  return toldBy(outcome, entry, asked, drive)
}

/** What became of a step while the run was away; undefined when it is to be called again, which is to drive it on. */
async function sinceThen(
  entry: JournalEntry,
  asked: Asked,
  drive: Drive,
): Promise<Told | undefined> {
  const row = await drive.parts.stores.calls.get(drive.row.tenant, entry.child)
  switch (row?.state) {
    case 'succeeded':
    case 'failed':
      return settledRow(row, entry, asked, drive)
    case 'released':
      return row.answer === undefined ? undefined : settledRow(row, entry, asked, drive)
    case 'cancelled':
      return keepError(entry, await whyCalledOff(row, drive), drive)
    case 'waiting': {
      const approval = await approvalOf(row, drive)
      if (approval?.state === 'pending') return waitFor(entry, drive, approval.expiresAt)
      // said yes to, or edited, since we looked at its row: it goes on, and must not be told as refused
      if (approval !== undefined && approval.state !== 'denied' && approval.state !== 'expired')
        return undefined
      return keepError(entry, await whyCalledOff(row, drive), drive)
    }
    case 'parked':
    case 'unknown':
      return waitFor(entry, drive)
    default:
      return undefined
  }
}

// asking the same again, whenever nobody answered, would never come to an end
async function whyCalledOff(row: CallRow, drive: Drive): Promise<ToolError> {
  const approval = await approvalOf(row, drive)
  if (approval?.state === 'denied') {
    const reason = approval.decision?.reason
    return new ToolError(
      'TOOL_APPROVAL_DENIED',
      `A person said no to ${row.toolId}${reason === undefined ? '' : `: ${reason}`}.`,
    )
  }
  if (row.state === 'waiting')
    return new ToolError('TOOL_APPROVAL_DENIED', `Nobody said yes to ${row.toolId} in time.`)
  return new ToolError('TOOL_CANCELLED', `${row.toolId} was cancelled before anything happened.`)
}

async function approvalOf(
  { tenant, approvalId }: CallRow,
  drive: Drive,
): Promise<Approval | undefined> {
  return approvalId === undefined ? undefined : drive.parts.stores.approvals.get(tenant, approvalId)
}

async function toldBy(
  outcome: Outcome,
  entry: JournalEntry,
  asked: Asked,
  drive: Drive,
): Promise<Told> {
  switch (outcome.status) {
    case 'done':
      // only a read has a fallback, and a read has no row: what is kept here is all that is ever told of it
      if (outcome.degraded && asked.degraded === 'refuse')
        return keepError(entry, degradedStep(entry, outcome.warnings), drive)
      return keepValue(entry, outcome.data, asked, drive)
    case 'pending':
      return waitFor(entry, drive, outcome.approval.expiresAt)
    case 'asking':
    case 'accepted':
      return waitFor(entry, drive)
    case 'failed':
      return afterFailure(entry, outcome.error, asked, drive)
  }
}

function degradedStep({ tool }: JournalEntry, warnings: readonly string[]): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `${tool} could only answer with less: ${warnings.join(' ')}`,
    {
      details: { degraded: true },
    },
  )
}

// what may still happen is not told as a failure; nor is trouble of our own house, which says nothing about the step
async function afterFailure(
  entry: JournalEntry,
  error: ToolError,
  asked: Asked,
  drive: Drive,
): Promise<Told> {
  const row = await drive.parts.stores.calls.get(drive.row.tenant, entry.child)
  if (row !== undefined && UNDER_WAY.has(row.state)) return waitFor(entry, drive)
  if (row?.state === 'succeeded') return settledRow(row, entry, asked, drive)
  if (error.code === 'TOOL_STORAGE_ERROR' && drive.row.fence < MOST_DRIVES) throw error
  return keepError(entry, error, drive)
}

/** What became of a step that was begun, without beginning it again. */
async function settled(
  entry: JournalEntry,
  asked: Pick<Asked, 'undo'>,
  drive: Drive,
): Promise<Told> {
  const row = await drive.parts.stores.calls.get(drive.row.tenant, entry.child)
  if (row === undefined) return WAITS
  if (!UNDER_WAY.has(row.state)) return settledRow(row, entry, asked, drive)
  // nobody wants it any more: what has not begun is called off, what has is told to stop
  if (await drive.parts.stores.calls.cancel(row.tenant, row.callId)) return WAITS
  await drive.parts.stores.runs.askToStop(row.tenant, row.callId)
  return waitFor(entry, drive)
}

/** The same for every step that the code did not come to. One that it came to, and that ends this moment, is told with its way back next time. */
export async function settleLeft(drive: Drive): Promise<void> {
  for (const entry of drive.journal.open())
    if (!drive.journal.hasVisited(entry.path)) await settled(entry, { undo: undefined }, drive)
}

async function settledRow(
  row: CallRow,
  entry: JournalEntry,
  asked: Pick<Asked, 'undo'>,
  drive: Drive,
): Promise<Told> {
  const answer = row.answer
  if (row.state === 'succeeded' && answer?.kind === 'output')
    return keepValue(entry, JSON.parse(answer.json), asked, drive)
  if (row.state === 'succeeded')
    return keepError(
      entry,
      new ToolError('TOOL_INVALID_OUTPUT', `${entry.tool} was done; its answer is broken.`),
      drive,
    )
  if (answer?.kind === 'error') return keepError(entry, errorOf(answer), drive)
  return WAITS
}

function keepValue(
  entry: JournalEntry,
  value: unknown,
  { undo }: Pick<Asked, 'undo'>,
  drive: Drive,
): Told {
  const back = undoOf(value, undo)
  const tool =
    back === undefined ? undefined : drive.parts.registryOf(drive.row.tenant).find(back.tool)
  const isSecret = entry.isSecret || (tool !== undefined && holdsSecret(tool.input.shape))
  drive.journal.put({ ...entry, isSecret, answer: valueAnswer(value), undo: back })
  return { kind: 'value', value }
}

// it is done, whatever becomes of its undo: one that can't be made is missing when it is wanted, and said to be
function undoOf(value: unknown, undo: Asked['undo']): JournalEntry['undo'] {
  try {
    const back = undo?.(value as never)
    return back === undefined
      ? undefined
      : { tool: back.tool, json: JSON.stringify(back.input ?? {}) }
  } catch {
    return undefined
  }
}

function keepError(entry: JournalEntry, error: ToolError, drive: Drive): Told {
  drive.journal.put({ ...entry, answer: errorAnswer(error) })
  return { kind: 'error', error }
}

function waitFor(entry: JournalEntry, drive: Drive, until?: number): Told {
  drive.waitFor({ call: entry.child, until })
  return WAITS
}

function idOf(tool: string): string {
  return tool.split('@')[0] ?? tool
}

/** The tool a step names, with its version where the tool itself is given. */
export function nameOf(tool: Pick<Tool, 'id' | 'version'> | string): string {
  return typeof tool === 'string' ? tool : `${tool.id}@${tool.version}`
}
