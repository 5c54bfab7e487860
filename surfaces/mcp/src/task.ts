import type { CallToolResult, ClientCapabilities, InputRequest } from '@modelcontextprotocol/server'
import type { Caller, Outcome } from '@surehand/core'
import {
  ANSWER_TOOL,
  compensationLines,
  errorRow,
  type Progress,
  wireName,
} from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Question } from '@surehand/core/ports'
import { approvalInputRequest, readVerdict, relay } from './approval-input-request.ts'
import type { Surface } from './options.ts'
import { ENVELOPE_META, envelopeOf, reply } from './reply.ts'
import { invalid } from './request.ts'
import { relayAnswer, runInputRequest } from './run-input-request.ts'

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

/** Everything of a call that has no result yet, or none any more. */
type Told = { readonly _meta: Readonly<Record<string, unknown>> }

type Standing =
  | ({ readonly status: 'working'; readonly statusMessage?: string } & Partial<Told>)
  | {
      readonly status: 'input_required'
      readonly inputRequests: Readonly<Record<string, InputRequest>>
    }
  | { readonly status: 'completed'; readonly result: CallToolResult }
  | {
      readonly status: 'failed'
      readonly error: { readonly code: number; readonly message: string; readonly data: unknown }
    }
  | ({ readonly status: 'cancelled'; readonly statusMessage: string } & Told)

export type CreatedTask = TaskFace & {
  readonly resultType: 'task'
  readonly status: 'working' | 'input_required'
  readonly content?: never
}
export type DetailedTask = TaskFace & { readonly resultType: 'complete' } & Standing

/** Who looks at a task, and what it may be asked. */
export type TaskViewer = { readonly caller: Caller; readonly capabilities: ClientCapabilities }

/** The row is durable by now: whoever asks for the task next finds it. */
export async function createTask(
  outcome: Outcome,
  asker: TaskViewer,
  surface: Surface,
): Promise<CreatedTask> {
  const standing = await standingOf(outcome, asker, surface)
  const status = standing.status === 'input_required' ? 'input_required' : 'working'
  return { resultType: 'task', status, ...faceOf(outcome.facts.callId, surface.clock.now(), 0) }
}

export async function getTask(
  taskId: string,
  asker: TaskViewer,
  surface: Surface,
): Promise<DetailedTask> {
  const { callId, createdAt } = readTaskId(taskId)
  const outcome = await surface.runtime.answer(asker.caller, callId)
  if (outcome === undefined) throw unknownTask()
  return {
    resultType: 'complete',
    ...faceOf(callId, createdAt, outcome.facts.durationMs),
    ...(await standingOf(outcome, asker, surface)),
  }
}

export async function updateTask(
  taskId: string,
  inputResponses: Readonly<Record<string, unknown>>,
  asker: TaskViewer,
  surface: Surface,
): Promise<void> {
  const { callId } = readTaskId(taskId)
  const outcome = await surface.runtime.answer(asker.caller, callId)
  if (outcome === undefined) throw unknownTask()
  if (outcome.status === 'pending')
    await relay(readVerdict(inputResponses[outcome.approval.id]), outcome.approval, asker, surface)
  else if (outcome.status === 'asking')
    await answerRun(outcome.question, inputResponses[outcome.question.id], asker, surface)
  else surface.clientSide?.answer(callId, inputResponses)
}

async function answerRun(
  question: Question,
  given: unknown,
  asker: TaskViewer,
  surface: Surface,
): Promise<void> {
  const problem = await relayAnswer(given, question, asker, surface)
  if (problem !== undefined) throw invalid(problem)
}

/** Cancelling what has ended is no error: the client sees how it ended. */
export async function cancelTask(
  taskId: string,
  { caller }: TaskViewer,
  surface: Surface,
): Promise<void> {
  const { callId } = readTaskId(taskId)
  if (await surface.runtime.cancel(caller, callId)) return
  if ((await surface.runtime.answer(caller, callId)) === undefined) throw unknownTask()
}

export function readInputResponses(value: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(value)) throw invalid('`inputResponses` must be an object of answers.')
  return value
}

async function standingOf(
  outcome: Outcome,
  asker: TaskViewer,
  surface: Surface,
): Promise<Standing> {
  switch (outcome.status) {
    case 'done':
      return { status: 'completed', result: reply(outcome, surface, asker.caller.tenant) }
    case 'accepted': {
      const inputRequests = surface.clientSide?.openQuestions(outcome.facts.callId) ?? {}
      return Object.keys(inputRequests).length === 0
        ? working(outcome, asker, surface)
        : { status: 'input_required', inputRequests }
    }
    case 'pending': {
      const question = approvalInputRequest(outcome.approval, asker, surface)
      // a name a question: a client takes a name that it has answered for answered
      if (question !== undefined)
        return { status: 'input_required', inputRequests: { [outcome.approval.id]: question } }
      const where =
        surface.approvalUrl === undefined ? '' : ` at ${surface.approvalUrl(outcome.approval.id)}`
      return {
        status: 'working',
        statusMessage: `Nothing has been done yet: a person must first say yes${where}.`,
      }
    }
    case 'asking': {
      const question = await runInputRequest(outcome.question, asker, surface)
      if (question !== undefined)
        return { status: 'input_required', inputRequests: { [outcome.question.id]: question } }
      return {
        status: 'working',
        statusMessage: askingMessage(outcome.question, surface),
        ...toldOf(outcome, surface),
      }
    }
    case 'failed':
      return failedStanding(outcome, asker, surface)
  }
}

async function working(
  { facts }: Outcome,
  { caller }: TaskViewer,
  { runtime }: Surface,
): Promise<Standing> {
  const kept = await runtime.progress(caller, facts.callId)
  return { status: 'working', ...(kept === undefined ? {} : progressMessage(kept.progress)) }
}

function progressMessage({ fraction, message }: Progress): { readonly statusMessage?: string } {
  const percent = fraction === undefined ? undefined : `${Math.round(fraction * 100)} %`
  const words = [percent, message].filter((word) => word !== undefined)
  return words.length === 0 ? {} : { statusMessage: words.join(': ') }
}

function askingMessage({ id, asks, from }: Question, { questionUrl }: Surface): string {
  if (from !== 'person')
    return `It asks the model, which answers ${id} with ${wireName(ANSWER_TOOL)}: ${asks}`
  return `A person is asked${questionUrl === undefined ? '' : ` at ${questionUrl(id)}`}: ${asks}`
}

// the protocol has no result for a task that is not done: programs find it here
function toldOf(outcome: Outcome, surface: Surface): Told {
  return { _meta: { [ENVELOPE_META]: envelopeOf(outcome, surface) } }
}

// a tool that said no has completed, in the protocol's words; failed is what nobody expected
function failedStanding(
  outcome: Extract<Outcome, { status: 'failed' }>,
  asker: TaskViewer,
  surface: Surface,
): Standing {
  const { error } = outcome
  if (error.code === 'TOOL_CANCELLED') {
    const statusMessage = [error.message, ...compensationLines(error.details)].join('\n')
    return { status: 'cancelled', statusMessage, ...toldOf(outcome, surface) }
  }
  if (errorRow(error.code).status === 'failed')
    return { status: 'completed', result: reply(outcome, surface, asker.caller.tenant) }
  return {
    status: 'failed',
    error: { code: INTERNAL_ERROR, message: error.message, data: { code: error.code } },
  }
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
