import type { CallRow } from '../call/call-row.ts'
import { CanonicalText, canonicalJson } from '../call/canonical.ts'
import type { Answer } from '../call/outcome.ts'
import { isToolError, ToolError } from '../call/tool-error.ts'
import { checkOutput, invalidOutputError } from '../define/check-output.ts'
import { scopeCovers } from '../define/data-scope.ts'
import type { Tool } from '../define/tool.ts'
import { accessOf } from '../permissions/access.ts'
import type { AccessQuery } from '../permissions/attribute-rules.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'
import { withDeadline } from './deadline.ts'
import { mayStillHappen } from './doubts.ts'
import { pollDelay } from './retry-while-running.ts'

const RETRY_AFTER_MS = 1_000

type Waiting = Extract<Answer, { status: 'pending' | 'asking' }>

/**
 * What the row of an idempotency key answers to another call with that key; undefined when the key
 * is free.
 */
export async function answerFromRow(
  row: CallRow,
  call: Call,
  context: LedgerContext,
): Promise<Answer | undefined> {
  if (row.state === 'released' || row.state === 'cancelled') return undefined
  if (row.state === 'pruned') throw keyExpiredError(row)
  if (row.inputHash !== call.canonicalInput.hash) throw keyConflictError(call)
  switch (row.state) {
    case 'succeeded':
    case 'failed':
      refuseNarrowedScope(row, call, context)
      return readStoredAnswer(row, call.tool)
    case 'unknown':
      throw toUnknownError(row)
    case 'parked':
      return answerParkedRun(row, context)
    case 'waiting':
      return findPendingApproval(row, context)
    case 'queued':
      // The first caller after the approval continues the call; of two, the claim picks one.
      return call.tool.isDeferred
        ? { status: 'accepted', jobId: row.callId }
        : recoverCall(row, call, context)
    case 'claimed':
    case 'effect_started':
      return context.leases.isAbandoned(row)
        ? recoverCall(row, call, context)
        : awaitRunning(row, call, context)
  }
}

/** The claim was refused because the key has a row: that row is the answer. */
export async function answerHeldKey(
  row: CallRow,
  call: Call,
  context: LedgerContext,
): Promise<Answer> {
  const answer = await answerFromRow(row, call, context)
  if (answer !== undefined) return answer
  throw new ToolError(
    'TOOL_ALREADY_RUNNING',
    `The key of ${call.tool.id} was released a moment ago. Call again.`,
    { details: { retry_after_ms: 100 } },
  )
}

/** Refuses a stored answer that was made with a wider data scope than the caller has today. */
export function refuseNarrowedScope(
  row: CallRow,
  asked: AccessQuery,
  context: LedgerContext,
): void {
  const { tool } = asked
  if (tool.contract.permissionCheck !== 'required') return
  for (const [capability, scope] of Object.entries(row.scopes)) {
    if (
      !tool.contract.capabilityNames.includes(capability) ||
      scopeCovers(accessOf(asked, context.scheme).scopeOf(capability), scope)
    )
      continue
    throw new ToolError(
      'TOOL_RESOURCE_ACCESS_DENIED',
      `This answer of ${tool.id} was made with ${capability} over "${scope}" data, which is more than today's rights cover.`,
    )
  }
}

/** No process holds the call any more: it is continued through the pipeline. */
async function recoverCall(
  row: CallRow,
  call: Call,
  context: LedgerContext,
): Promise<Answer | undefined> {
  // The recovery goes on when this caller disconnects: otherwise the key would stay stuck.
  const recovering = context.resume(row)
  const outcome = await withDeadline(call, context, recovering).catch((thrown: unknown) => {
    throw isToolError(thrown) ? mayStillHappen(row, thrown) : thrown
  })
  const now = await context.stores.calls.get(row.tenant, row.callId)
  const isUnderWay = now !== undefined && (now.state === 'queued' || now.leaseUntil !== undefined)
  // Another caller recovered it first.
  if (isUnderWay && outcome.status === 'failed' && outcome.error.code === 'TOOL_ALREADY_RUNNING')
    return awaitRunning(now, call, context)
  if (isUnderWay && outcome.status === 'failed') throw mayStillHappen(row, outcome.error)
  if (
    outcome.status === 'failed' &&
    (now === undefined || now.state === 'released' || now.state === 'cancelled')
  )
    throw outcome.error
  return now === undefined ? undefined : answerFromRow(now, call, context)
}

// A waiting caller holds no lock and no connection: it polls the row.
async function awaitRunning(
  row: CallRow,
  call: Call,
  context: LedgerContext,
): Promise<Answer | undefined> {
  if (await pollDelay(call, context)) {
    const now = await context.stores.calls.get(row.tenant, row.callId)
    return now === undefined ? undefined : answerFromRow(now, call, context)
  }
  throw new ToolError(
    'TOOL_ALREADY_RUNNING',
    `${call.tool.id} is already running under this key (${row.callId}).`,
    { details: { call_id: row.callId, retry_after_ms: RETRY_AFTER_MS } },
  )
}

/** The stored answer of a finished call. */
export function readStoredAnswer(row: CallRow, tool: Tool | undefined): Answer {
  const answer = row.answer
  if (answer === undefined)
    throw new ToolError(
      'TOOL_DATA_CORRUPTION',
      `The call ${row.callId} is ${row.state} without an answer.`,
    )
  switch (answer.kind) {
    case 'output': {
      const data: unknown = JSON.parse(answer.json)
      // A transaction's output is stored in the transaction, before it is checked.
      const checked = tool?.work.kind === 'transaction' ? checkOutput(tool, data) : undefined
      if (checked?.ok === false)
        return replayFailure(row, invalidOutputError(row.toolId, checked.problem, row.callId))
      return {
        status: 'done',
        data: checked?.data ?? data,
        source: 'replayed',
        warnings: answer.warnings,
        originalCallId: row.callId,
        audited: false,
        output: new CanonicalText(canonicalJson(data)),
      }
    }
    case 'invalid_output':
      return replayFailure(row, invalidOutputError(row.toolId, answer.problem, row.callId))
    case 'error':
      return replayFailure(
        row,
        new ToolError(answer.code, answer.message, {
          details: JSON.parse(answer.details) as Record<string, unknown>,
          data: JSON.parse(answer.data) as unknown,
        }),
      )
  }
}

function replayFailure(row: CallRow, error: ToolError): Answer {
  return { status: 'failed', error, source: 'replayed', originalCallId: row.callId, audited: false }
}

/**
 * The pending approval of a waiting row; undefined when it has expired and may be requested again.
 */
export async function findPendingApproval(
  row: Pick<CallRow, 'tenant' | 'callId' | 'approvalId'>,
  { stores }: Pick<LedgerContext, 'stores'>,
): Promise<Waiting | undefined> {
  const approval =
    row.approvalId === undefined
      ? undefined
      : await stores.approvals.get(row.tenant, row.approvalId)
  return approval?.state === 'pending'
    ? { status: 'pending', approval, callId: row.callId }
    : undefined
}

const DEEPEST_RUN = 16

/**
 * The answer of a parked run: the question or approval it waits for, else that it is still running.
 */
export async function answerParkedRun(
  row: CallRow,
  context: Pick<LedgerContext, 'stores'>,
  depth = 0,
): Promise<Waiting | Extract<Answer, { status: 'accepted' }>> {
  const { stores } = context
  for (const entry of await stores.runs.journal(row.tenant, row.callId)) {
    if (entry.answer !== undefined) continue
    if (entry.what === 'ask') {
      const question = await stores.runs.question(row.tenant, entry.child)
      if (question?.state === 'open') return { status: 'asking', question, callId: row.callId }
      continue
    }
    const child =
      entry.what === 'step' ? await stores.calls.get(row.tenant, entry.child) : undefined
    const answer =
      child === undefined || depth >= DEEPEST_RUN
        ? undefined
        : await answerWaitingStep(child, context, depth)
    if (answer !== undefined) return { ...answer, callId: row.callId }
  }
  return { status: 'accepted', jobId: row.callId }
}

async function answerWaitingStep(
  child: CallRow,
  context: Pick<LedgerContext, 'stores'>,
  depth: number,
): Promise<Waiting | undefined> {
  if (child.state === 'waiting') return findPendingApproval(child, context)
  if (child.state !== 'parked') return undefined
  const answer = await answerParkedRun(child, context, depth + 1)
  return answer.status === 'accepted' ? undefined : answer
}

/**
 * The answer was pruned and the call cannot be undone: running it again silently would do it twice.
 */
export function keyExpiredError(row: Pick<CallRow, 'toolId' | 'callId'>): ToolError {
  return new ToolError(
    'TOOL_KEY_EXPIRED',
    `${row.toolId} was done under this key so long ago that its answer is no longer stored (${row.callId}).`,
    {
      details: { call_id: row.callId },
      suggestions: [
        'Look up what was done then. If it is to be done again, use a new idempotency key.',
      ],
    },
  )
}

/** The stored reason why the outcome is unknown, if there is one. */
export function toUnknownError(row: CallRow): ToolError {
  if (row.answer?.kind !== 'error') return outcomeUnknownError(row)
  const { code, message, details } = row.answer
  return new ToolError(code, message, { details: JSON.parse(details) as Record<string, unknown> })
}

export function outcomeUnknownError(
  row: Pick<CallRow, 'toolId' | 'callId'>,
  cause?: unknown,
): ToolError {
  const said = providerWords(cause)
  return new ToolError(
    'TOOL_OUTCOME_UNKNOWN',
    `It is not known whether ${row.toolId} (${row.callId}) happened.${said === undefined ? '' : ` The provider said: ${said}`}`,
    {
      details: {
        call_id: row.callId,
        ...(said === undefined ? {} : { provider_message: said }),
      },
      ...(cause === undefined ? {} : { cause }),
    },
  )
}

/** What the provider itself said of a failure, which sources put into the details. */
export function providerWords(cause: unknown): string | undefined {
  if (!isToolError(cause)) return undefined
  const said = cause.details?.provider_message ?? cause.details?.source_message
  return typeof said === 'string' && said !== '' ? said : undefined
}

function keyConflictError(call: Call): ToolError {
  return new ToolError(
    'TOOL_IDEMPOTENCY_CONFLICT',
    `This idempotency key was used for ${call.tool.id} with another input.`,
    { details: { tool: call.tool.id } },
  )
}
