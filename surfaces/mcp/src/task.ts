import type { CallToolResult, ClientCapabilities, InputRequest } from '@modelcontextprotocol/server'
import { type Caller, errorRow, type Outcome } from '@surehand/core'
import { APPROVAL_KEY, approvalQuestion, relay, verdictOf } from './approval-question.ts'
import type { Surface } from './options.ts'
import { reply } from './reply.ts'
import { invalid, isRecord } from './request.ts'

const TTL_MS = 30 * 24 * 60 * 60_000
const POLL_MS = 1_000
const INTERNAL_ERROR = -32_603

type TaskFace = {
  readonly taskId: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: number
  readonly pollIntervalMs: number
}

type Standing =
  | { readonly status: 'working'; readonly statusMessage?: string }
  | { readonly status: 'input_required'; readonly inputRequests: Readonly<Record<string, InputRequest>> }
  | { readonly status: 'completed'; readonly result: CallToolResult }
  | { readonly status: 'failed'; readonly error: { readonly code: number; readonly message: string; readonly data: unknown } }
  | { readonly status: 'cancelled'; readonly statusMessage: string }

export type CreatedTask = TaskFace & {
  readonly resultType: 'task'
  readonly status: 'working' | 'input_required'
  readonly content?: never
}
export type DetailedTask = TaskFace & { readonly resultType: 'complete' } & Standing

/** Who looks at a task, and what it may be asked. */
export type TaskAsker = { readonly caller: Caller; readonly capabilities: ClientCapabilities }

/** The row is durable by now: whoever asks for the task next finds it. */
export function createdTask(outcome: Outcome, surface: Surface): CreatedTask {
  const status = outcome.status === 'pending' ? 'input_required' : 'working'
  return { resultType: 'task', status, ...faceOf(outcome.facts.callId, surface.clock.now(), 0) }
}

export async function getTask(taskId: string, asker: TaskAsker, surface: Surface): Promise<DetailedTask> {
  const { callId, createdAt } = readTaskId(taskId)
  const outcome = await surface.runtime.answer(asker.caller, callId)
  if (outcome === undefined) throw unknownTask()
  return { resultType: 'complete', ...faceOf(callId, createdAt, outcome.facts.durationMs), ...standingOf(outcome, asker, surface) }
}

export async function updateTask(
  taskId: string,
  inputResponses: Readonly<Record<string, unknown>>,
  asker: TaskAsker,
  surface: Surface,
): Promise<void> {
  const { callId } = readTaskId(taskId)
  const outcome = await surface.runtime.answer(asker.caller, callId)
  if (outcome === undefined) throw unknownTask()
  if (outcome.status === 'pending') await relay(verdictOf(inputResponses[APPROVAL_KEY]), outcome.approval, asker, surface)
  else surface.clientSide?.answer(callId, inputResponses)
}

/** Cancelling what has ended is no error: the client sees how it ended. */
export async function cancelTask(taskId: string, { caller }: TaskAsker, surface: Surface): Promise<void> {
  const { callId } = readTaskId(taskId)
  if (await surface.runtime.cancel(caller, callId)) return
  if ((await surface.runtime.answer(caller, callId)) === undefined) throw unknownTask()
}

export function readInputResponses(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw invalid('`inputResponses` must be an object of answers.')
  return value
}

function standingOf(outcome: Outcome, asker: TaskAsker, surface: Surface): Standing {
  switch (outcome.status) {
    case 'done':
      return { status: 'completed', result: reply(outcome, surface) }
    case 'accepted': {
      const inputRequests = surface.clientSide?.open(outcome.facts.callId) ?? {}
      return Object.keys(inputRequests).length === 0 ? { status: 'working' } : { status: 'input_required', inputRequests }
    }
    case 'pending': {
      const question = approvalQuestion(outcome.approval, asker, surface)
      if (question !== undefined) return { status: 'input_required', inputRequests: { [APPROVAL_KEY]: question } }
      const where = surface.approvalUrl === undefined ? '' : ` at ${surface.approvalUrl(outcome.approval.id)}`
      return { status: 'working', statusMessage: `Nothing has been done yet: a person must first say yes${where}.` }
    }
    case 'failed':
      return failedStanding(outcome, surface)
  }
}

// a tool that said no has completed, in the protocol's words; failed is what nobody expected
function failedStanding(outcome: Extract<Outcome, { status: 'failed' }>, surface: Surface): Standing {
  const { error } = outcome
  if (error.code === 'TOOL_CANCELLED') return { status: 'cancelled', statusMessage: error.message }
  if (errorRow(error.code).status === 'failed') return { status: 'completed', result: reply(outcome, surface) }
  return { status: 'failed', error: { code: INTERNAL_ERROR, message: error.message, data: { code: error.code } } }
}

function faceOf(callId: string, createdAt: number, ageMs: number): TaskFace {
  return {
    taskId: `${callId}.${createdAt.toString(36)}`,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(createdAt + ageMs).toISOString(),
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  }
}

// the time of its making travels in the id: every node answers alike, and nothing more is stored
function readTaskId(taskId: string): { readonly callId: string; readonly createdAt: number } {
  const [callId = '', time = ''] = taskId.split('.')
  const createdAt = Number.parseInt(time, 36)
  if (!Number.isSafeInteger(createdAt) || createdAt < 0 || createdAt > 8.64e15) throw unknownTask()
  return { callId, createdAt }
}

function unknownTask(): Error {
  return invalid('There is no such task.')
}
