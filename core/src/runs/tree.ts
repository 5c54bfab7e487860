import type { Caller } from '../call/caller.ts'
import { visibleCall } from '../pipeline/fetch-answer.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import type { CallRow, CallState } from '../ports/calls.ts'
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

/** A run with its steps, theirs, and so on; undefined for whoever may not see it. */
export async function runTree(
  caller: Caller,
  callId: string,
  parts: PipelineContext,
): Promise<RunTree | undefined> {
  const row = await visibleCall(caller, callId, parts)
  if (row === undefined) return undefined
  return {
    call_id: row.callId,
    tool: `${row.toolId}@${row.toolVersion}`,
    state: row.state,
    created_at: new Date(row.createdAt).toISOString(),
    updated_at: new Date(row.updatedAt).toISOString(),
    steps: await stepsOf(row, parts, 0),
  }
}

async function stepsOf(
  row: Pick<CallRow, 'tenant' | 'callId'>,
  parts: PipelineContext,
  depth: number,
): Promise<readonly StepNode[]> {
  if (depth >= DEEPEST) return []
  const entries = await parts.stores.runs.journal(row.tenant, row.callId)
  const shown = entries.filter(({ what }) => what === 'step' || what === 'ask')
  return Promise.all(shown.map((entry) => nodeOf(row.tenant, entry, parts, depth)))
}

async function nodeOf(
  tenant: string,
  entry: JournalEntry,
  parts: PipelineContext,
  depth: number,
): Promise<StepNode> {
  const isStep = entry.what === 'step'
  const child = isStep ? await parts.stores.calls.get(tenant, entry.child) : undefined
  return {
    // what the runtime adds has a mark that no step of the code can have
    path: entry.path.replace(/^~/, ''),
    what: isStep ? 'step' : 'ask',
    tool: isStep ? entry.tool : undefined,
    call_id: isStep ? entry.child : undefined,
    question_id: isStep ? undefined : entry.child,
    state: stateOf(entry, child),
    code: entry.answer?.kind === 'error' ? entry.answer.code : undefined,
    steps: isStep ? await stepsOf({ tenant, callId: entry.child }, parts, depth + 1) : [],
  }
}

function stateOf({ what, answer }: JournalEntry, child: CallRow | undefined): StepState {
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
