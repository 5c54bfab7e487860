import type { CallRow, CallState } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import type { LedgerContext } from '../ledger/context.ts'
import { findVisibleCall } from '../ledger/fetch-answer.ts'
import type { JournalEntry } from '../ports/runs.ts'

export type StepState = 'done' | 'failed' | 'waiting' | 'running' | 'unknown' | 'called_off'

/** One step or question of a run, and what is below it. */
export type StepNode = {
  readonly path: string
  readonly what: 'step' | 'ask'
  readonly tool: string | undefined
  readonly call_id: string | undefined
  readonly question_id: string | undefined
  readonly state: StepState
  readonly code: string | undefined
  readonly steps: readonly StepNode[]
}

/** A run as it stands. */
export type RunTree = {
  readonly call_id: string
  readonly tool: string
  readonly state: CallState
  readonly created_at: string
  readonly updated_at: string
  readonly steps: readonly StepNode[]
}

const DEEPEST = 16

/** A run with its steps, their steps, and so on; undefined for a caller who may not see it. */
export async function runTree(
  caller: Caller,
  callId: string,
  context: LedgerContext,
): Promise<RunTree | undefined> {
  const row = await findVisibleCall(caller, callId, context)
  if (row === undefined) return undefined
  return {
    call_id: row.callId,
    tool: `${row.toolId}@${row.toolVersion}`,
    state: row.state,
    created_at: new Date(row.createdAt).toISOString(),
    updated_at: new Date(row.updatedAt).toISOString(),
    steps: await readSteps(row, context, 0),
  }
}

async function readSteps(
  row: Pick<CallRow, 'tenant' | 'callId'>,
  context: LedgerContext,
  depth: number,
): Promise<readonly StepNode[]> {
  if (depth >= DEEPEST) return []
  const entries = await context.stores.runs.journal(row.tenant, row.callId)
  const shown = entries.filter(({ what }) => what === 'step' || what === 'ask')
  return Promise.all(shown.map((entry) => readNode(row.tenant, entry, context, depth)))
}

async function readNode(
  tenant: string,
  entry: JournalEntry,
  context: LedgerContext,
  depth: number,
): Promise<StepNode> {
  const isStep = entry.what === 'step'
  const child = isStep ? await context.stores.calls.get(tenant, entry.child) : undefined
  return {
    // The paths of the runtime's own steps begin with `~`, which no step of the code can.
    path: entry.path.replace(/^~/, ''),
    what: isStep ? 'step' : 'ask',
    tool: isStep ? entry.tool : undefined,
    call_id: isStep ? entry.child : undefined,
    question_id: isStep ? undefined : entry.child,
    state: toStepState(entry, child),
    code: entry.answer?.kind === 'error' ? entry.answer.code : undefined,
    steps: isStep ? await readSteps({ tenant, callId: entry.child }, context, depth + 1) : [],
  }
}

function toStepState({ what, answer }: JournalEntry, child: CallRow | undefined): StepState {
  if (answer !== undefined) return answer.kind === 'value' ? 'done' : 'failed'
  if (what === 'ask') return 'waiting'
  switch (child?.state) {
    case 'waiting':
    case 'queued':
    case 'parked':
      return 'waiting'
    case 'unknown':
      return 'unknown'
    case 'succeeded':
      return 'done'
    case 'failed':
      return 'failed'
    case 'cancelled':
    case 'released':
      return 'called_off'
    case 'claimed':
    case 'effect_started':
    case 'pruned':
    case undefined:
      return 'running'
  }
}
