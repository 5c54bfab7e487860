import type { CallToolResult, ClientCapabilities, InputRequest } from '@modelcontextprotocol/server'
import type { Outcome } from '@surehand/core'
import {
  ANSWER_TOOL,
  compensationLines,
  errorRow,
  modelText,
  type Progress,
  wireName,
} from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Question } from '@surehand/core/ports'
import { approvalInputRequest, readVerdict, relay } from './approval-input-request.ts'
import type { Surface } from './options.ts'
import { ENVELOPE_META, envelopeOf, type Reader, reply } from './reply.ts'
import { invalid } from './request.ts'
import { relayAnswer, runInputRequest } from './run-input-request.ts'

const TTL_MS = 30 * 24 * 60 * 60_000
const POLL_MS = 1_000
const INTERNAL_ERROR = -32_603
const REFUSED = -32_000

type TaskHeader = {
  readonly taskId: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttlMs: number
  readonly pollIntervalMs: number
}

/** Carries the envelope of a call that has no result. */
type WithEnvelope = { readonly _meta: Readonly<Record<string, unknown>> }

type TaskState =
  | ({ readonly status: 'working'; readonly statusMessage?: string } & Partial<WithEnvelope>)
  | {
      readonly status: 'input_required'
      readonly inputRequests: Readonly<Record<string, InputRequest>>
    }
  | { readonly status: 'completed'; readonly result: CallToolResult }
  | {
      readonly status: 'failed'
      readonly error: { readonly code: number; readonly message: string; readonly data: unknown }
    }
  | ({ readonly status: 'cancelled'; readonly statusMessage: string } & WithEnvelope)

export type CreatedTask = TaskHeader & {
  readonly resultType: 'task'
  readonly status: 'working' | 'input_required'
  readonly content?: never
}
export type DetailedTask = TaskHeader & { readonly resultType: 'complete' } & TaskState

/** The client that reads a task, and what it can be asked. */
export type TaskViewer = Reader & { readonly capabilities: ClientCapabilities }

/** The call is stored durably by now, so the next tasks/get finds it. */
export async function createTask(
  outcome: Outcome,
  viewer: TaskViewer,
  surface: Surface,
): Promise<CreatedTask> {
  const state = await readState(outcome, viewer, surface).catch(() => undefined)
  // Where the store cannot be reached at this moment, tasks/get says later what is needed.
  const status = state?.status === 'input_required' ? 'input_required' : 'working'
  return {
    resultType: 'task',
    status,
    ...createHeader(outcome.facts.callId, surface.clock.now(), 0),
  }
}

export async function getTask(
  taskId: string,
  viewer: TaskViewer,
  surface: Surface,
): Promise<DetailedTask> {
  const { callId, createdAt } = readTaskId(taskId)
  const outcome = await surface.runtime.answer(viewer.caller, callId)
  if (outcome === undefined) throw unknownTask()
  return {
    resultType: 'complete',
    ...createHeader(callId, createdAt, outcome.facts.durationMs),
    ...(await readState(outcome, viewer, surface)),
  }
}

export async function updateTask(
  taskId: string,
  inputResponses: Readonly<Record<string, unknown>>,
  viewer: TaskViewer,
  surface: Surface,
): Promise<void> {
  const { callId } = readTaskId(taskId)
  const outcome = await surface.runtime.answer(viewer.caller, callId)
  if (outcome === undefined) throw unknownTask()
  if (outcome.status === 'pending')
    await relay(readVerdict(inputResponses[outcome.approval.id]), outcome.approval, viewer, surface)
  else if (outcome.status === 'asking')
    await answerQuestion(outcome.question, inputResponses[outcome.question.id], viewer, surface)
  else surface.clientSide?.answer(callId, inputResponses)
}

async function answerQuestion(
  question: Question,
  given: unknown,
  viewer: TaskViewer,
  surface: Surface,
): Promise<void> {
  const problem = await relayAnswer(given, question, viewer, surface)
  if (problem !== undefined) throw invalid(problem)
}

/** Cancelling a task that has ended is not an error: the client sees how it ended. */
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
  if (!isRecord(value)) throw invalid('`inputResponses` must be an object.')
  return value
}

async function readState(
  outcome: Outcome,
  viewer: TaskViewer,
  surface: Surface,
): Promise<TaskState> {
  switch (outcome.status) {
    case 'done':
      return { status: 'completed', result: completeResult(outcome, viewer, surface) }
    case 'accepted': {
      const inputRequests = surface.clientSide?.openQuestions(outcome.facts.callId) ?? {}
      return Object.keys(inputRequests).length === 0
        ? runningState(outcome, viewer, surface)
        : { status: 'input_required', inputRequests }
    }
    case 'pending': {
      const question = approvalInputRequest(outcome.approval, viewer, surface)
      // Each question has its own name: clients do not answer the same name twice.
      if (question !== undefined)
        return { status: 'input_required', inputRequests: { [outcome.approval.id]: question } }
      const where =
        surface.approvalUrl === undefined ? '' : ` at ${surface.approvalUrl(outcome.approval.id)}`
      return {
        status: 'working',
        statusMessage: `Nothing has been done yet: a person must first approve the call${where}.`,
      }
    }
    case 'asking': {
      const question = await runInputRequest(outcome.question, viewer, surface)
      if (question !== undefined)
        return { status: 'input_required', inputRequests: { [outcome.question.id]: question } }
      return {
        status: 'working',
        statusMessage: askingMessage(outcome.question, surface),
        ...withEnvelope(outcome, surface),
      }
    }
    case 'failed':
      return failedState(outcome, viewer, surface)
  }
}

// As the answer of the call itself would be: clients check it by the same schema.
function completeResult(outcome: Outcome, viewer: TaskViewer, surface: Surface): CallToolResult {
  return { resultType: 'complete', ...reply(outcome, viewer, surface) }
}

async function runningState(
  { facts }: Outcome,
  { caller }: TaskViewer,
  { runtime }: Surface,
): Promise<TaskState> {
  const stored = await runtime.progress(caller, facts.callId)
  return { status: 'working', ...(stored === undefined ? {} : progressMessage(stored.progress)) }
}

function progressMessage({ fraction, message }: Progress): { readonly statusMessage?: string } {
  const percent = fraction === undefined ? undefined : `${Math.round(fraction * 100)} %`
  const words = [percent, message].filter((word) => word !== undefined)
  return words.length === 0 ? {} : { statusMessage: words.join(': ') }
}

function askingMessage({ id, asks, from }: Question, { questionUrl }: Surface): string {
  if (from !== 'person')
    return `The model is asked, and answers ${id} with ${wireName(ANSWER_TOOL)}: ${asks}`
  return `A person is asked${questionUrl === undefined ? '' : ` at ${questionUrl(id)}`}: ${asks}`
}

// The protocol has no result for a task that is not done; programs find the envelope here.
function withEnvelope(outcome: Outcome, surface: Surface): WithEnvelope {
  return { _meta: { [ENVELOPE_META]: envelopeOf(outcome, surface) } }
}

// In the protocol a task whose tool refused has completed; it has failed only after an unexpected
// error.
function failedState(
  outcome: Extract<Outcome, { status: 'failed' }>,
  viewer: TaskViewer,
  surface: Surface,
): TaskState {
  const { error } = outcome
  if (error.code === 'TOOL_APPROVAL_DENIED') {
    // A host shows or passes on the message alone, so it says everything.
    const message = modelText(envelopeOf(outcome, surface))
    const data = { code: error.code, ...error.details }
    return { status: 'failed', error: { code: REFUSED, message, data } }
  }
  if (error.code === 'TOOL_CANCELLED') {
    const statusMessage = [error.message, ...compensationLines(error.details)].join('\n')
    return { status: 'cancelled', statusMessage, ...withEnvelope(outcome, surface) }
  }
  if (errorRow(error.code).status === 'failed')
    return { status: 'completed', result: completeResult(outcome, viewer, surface) }
  return {
    status: 'failed',
    error: { code: INTERNAL_ERROR, message: error.message, data: { code: error.code } },
  }
}

/** The name of a task and its times; the id contains the creation time. */
export function createHeader(callId: string, createdAt: number, ageMs: number): TaskHeader {
  return {
    taskId: `${callId}.${createdAt.toString(36)}`,
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(createdAt + ageMs).toISOString(),
    ttlMs: TTL_MS,
    pollIntervalMs: POLL_MS,
  }
}

// The id contains the creation time: every node gives the same answer, and nothing more is stored.
export function readTaskId(taskId: string): {
  readonly callId: string
  readonly createdAt: number
} {
  const [callId = '', time = ''] = taskId.split('.')
  const createdAt = Number.parseInt(time, 36)
  if (!Number.isSafeInteger(createdAt) || createdAt < 0 || createdAt > 8.64e15) throw unknownTask()
  return { callId, createdAt }
}

function unknownTask(): Error {
  return invalid('There is no such task.')
}
