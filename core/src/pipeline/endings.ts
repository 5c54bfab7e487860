import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { CallRow, Ending, StoredAnswer } from '../ports/calls.ts'
import { heldAnswer, invalidOutput, outcomeUnknown } from './answer-for.ts'
import type { Late } from './attempt.ts'
import { failureEntry, successEntry } from './audit-entry.ts'
import { fenceOf, finishCall } from './finish-call.ts'
import { checkOutput, plainJson } from './output.ts'
import type { PipelineContext } from './parts.ts'
import { scrub } from './scrub.ts'

/** It came home: held against its declared shape, and kept. */
export async function keep(call: Call, row: CallRow, raw: unknown, parts: PipelineContext): Promise<Answer> {
  const checked = checkOutput(call.tool, raw)
  if (!checked.ok) return keepBroken(call, row, checked.raw, checked.problem, parts)
  const { data, output, warnings } = checked
  const answer = { kind: 'output', json: JSON.stringify(data), warnings } as const
  const ending: Ending = { state: 'succeeded', answer, isSecret: row.isSecret }
  const ours = await finishCall(
    call,
    row,
    ending,
    successEntry(call, parts, 'executed', output),
    parts,
  )
  if (!ours) return zombie(call, row, { ok: true, value: data }, parts)
  return {
    status: 'done',
    data,
    source: 'executed',
    warnings,
    originalCallId: undefined,
    audited: true,
    output,
  }
}

// the effect is there: doing it again because its answer is odd would be the worse mistake
export async function keepBroken(
  call: Call,
  row: CallRow,
  raw: unknown,
  problem: string,
  parts: PipelineContext,
): Promise<Answer> {
  const error = invalidOutput(call.tool.id, problem, call.id)
  if (!call.tool.contract.isWrite) return end(call, row, error, storedFailure(row, error), parts)
  const answer = {
    kind: 'invalid_output',
    json: plainJson(raw) ?? JSON.stringify(String(raw)),
    problem,
  } as const
  return end(call, row, error, { state: 'succeeded', answer, isSecret: row.isSecret }, parts)
}

export async function giveUp(
  call: Call,
  row: CallRow,
  cause: ToolError,
  parts: PipelineContext,
): Promise<Answer> {
  const error = cause.code === 'TOOL_RUN_DIVERGED' ? cause : outcomeUnknown(row, cause)
  return end(
    call,
    row,
    error,
    cause.code === 'TOOL_RUN_DIVERGED'
      ? storedFailure(row, error, 'unknown')
      : { state: 'unknown' },
    parts,
  )
}

/** It did not: kept as the ending says. */
export async function end(
  call: Call,
  row: CallRow,
  error: ToolError,
  ending: Ending,
  parts: PipelineContext,
): Promise<Answer> {
  const ours = await finishCall(
    call,
    row,
    ending,
    failureEntry(call, parts, error, 'executed'),
    parts,
  )
  if (!ours)
    return zombie(
      call,
      row,
      { ok: false, error, didNothing: ending.state === 'released' || ending.state === 'queued' },
      parts,
    )
  return { status: 'failed', error, source: 'executed', originalCallId: undefined, audited: true }
}

// the key stays held: whoever comes next, or the sweep, drives it on by its recovery class
export async function leaveUnsettled(
  row: CallRow,
  error: ToolError,
  parts: PipelineContext,
): Promise<Answer> {
  await parts.stores.calls.abandon(fenceOf(row))
  const suggestions = [
    'Call again with the same idempotency key: it is driven on, nothing is done twice.',
  ]
  const told = new ToolError(error.code, error.message, {
    details: { ...error.details, call_id: row.callId, settled: false },
    suggestions,
    cause: error,
  })
  return {
    status: 'failed',
    error: told,
    source: 'executed',
    originalCallId: undefined,
    audited: false,
  }
}

/** What a run comes home with; `didNothing`: it ended before its effect. */
type Brought = Late & { readonly didNothing?: boolean }

/** Our claim was taken while we worked: what we did is evidence, what the row says is the answer. */
export async function zombie(
  call: Call,
  row: CallRow,
  brought: Brought | undefined,
  parts: PipelineContext,
): Promise<Answer> {
  if (brought !== undefined) await keepEvidence(brought, call, row, parts)
  const now = await parts.stores.calls.get(row.tenant, row.callId)
  // a claim that nothing was done under may be lost with the database's power, and its row with it
  if (now === undefined)
    throw brought === undefined || brought.didNothing ? claimLost(call) : outcomeUnknown(row)
  return heldAnswer(now, call, parts)
}

function claimLost(call: Call): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    `The claim of ${call.tool.id} was lost with the database; nothing has happened.`,
    {
      effect: 'none',
    },
  )
}

type ToldState = 'failed' | 'unknown' | 'released' | 'cancelled'

export function storedFailure(row: CallRow, error: ToolError, state: ToldState = 'failed'): Ending {
  return { state, isSecret: row.isSecret, answer: storedError(error) }
}

/** An error as it is kept. */
export function storedError(error: ToolError): Extract<StoredAnswer, { kind: 'error' }> {
  return {
    kind: 'error',
    code: error.code,
    message: error.message,
    details: JSON.stringify(error.details ?? {}),
    data: JSON.stringify(error.data),
  }
}

// evidence that can't be written is lost; the row's state stands without it
export async function keepEvidence(
  late: Late,
  call: Call,
  row: CallRow,
  parts: PipelineContext,
): Promise<void> {
  const at = parts.clock.now()
  const found = late.ok
    ? { what: 'late_result' as const, text: plainJson(late.value) ?? String(late.value) }
    : { what: 'late_error' as const, text: toldError(late.error, call) }
  try {
    await parts.stores.calls.addEvidence(fenceOf(row), { fence: row.fence, at, ...found })
  } catch {
    return
  }
}

function toldError(error: ToolError, call: Call): string {
  const told = scrub(error, call)
  return `${told.code}: ${told.message}`
}
