import type { InputRequest, InputRequiredResult } from '@modelcontextprotocol/server'
import type { Outcome } from '@surehand/core'
import { isRecord } from '@surehand/core/internal'
import { APPROVAL_KEY, approvalInputRequest, readVerdict, relay } from './approval-input-request.ts'
import type { ToolsCallResult } from './call-tool.ts'
import { declaresTasks } from './capabilities.ts'
import type { Surface } from './options.ts'
import { reportProgressWhile } from './progress.ts'
import { reply } from './reply.ts'
import { invalid, type ToolsCall } from './request.ts'
import { type PendingQuestion, type RequestState, sealState } from './request-state.ts'
import { relayAnswer, runInputRequest } from './run-input-request.ts'
import { createTask } from './task.ts'
import { waitForAnswer } from './wait-for-answer.ts'

export type Waiting = Extract<Outcome, { status: 'pending' | 'asking' }>

/**
 * Tells the client what a call waits for, in the way that it supports: within the call, as a task,
 * or as a handle.
 */
export async function askClient(
  outcome: Waiting,
  call: ToolsCall,
  surface: Surface,
  problem?: string,
): Promise<ToolsCallResult> {
  const hasTasks = declaresTasks(call.capabilities)
  if (hasTasks && surface.catalogue.find(outcome.facts.tool, call.caller.tenant)?.isDeferred)
    return createTask(outcome, call, surface)
  const request =
    outcome.status === 'pending'
      ? approvalInputRequest(outcome.approval, call, surface)
      : await runInputRequest(outcome.question, call, surface, problem)
  const asked = toPendingQuestion(outcome, request)
  const requestState =
    request === undefined ? undefined : sealState(call, { asked, answers: {} }, surface)
  if (request !== undefined && requestState !== undefined)
    return inputRequired({ [requestKey(asked)]: request }, requestState)
  // A question to the model goes into the result of its call: models do not watch tasks.
  const isForModel = outcome.status === 'asking' && outcome.question.from !== 'person'
  return hasTasks && !isForModel
    ? createTask(outcome, call, surface)
    : reply(outcome, call, surface)
}

/** Continues a call after the client has asked its user. */
export async function resumeAfterClientAnswer(
  call: ToolsCall,
  state: RequestState,
  asked: PendingQuestion,
  surface: Surface,
): Promise<ToolsCallResult> {
  const { requestState } = surface
  // After a dropped connection the client sends the same state again: it must not decide twice.
  const isFirst =
    requestState !== undefined && (await requestState.useOnce(state.id, requestState.validForMs))
  return reportProgressWhile({ callId: asked.callId, since: 'now' }, call, surface, async () => {
    const response = isFirst ? call.inputResponses[requestKey(asked)] : undefined
    const problem = await relayResponse(response, asked, call, surface)
    const isOnPage = hasOpenedPage(response)
    const outcome = await waitForAnswer(
      asked.callId,
      call,
      surface,
      isOnPage ? asked.id : undefined,
    )
    if (outcome === undefined)
      throw invalid(
        'The call of this requestState no longer exists. Call the tool again without it.',
      )
    if (isOnPage && call.isLegacy && !isWaitingFor(outcome, asked.id))
      call.notify('notifications/elicitation/complete', { elicitationId: asked.id })
    return replyOrAsk(outcome, call, surface, { id: asked.id, problem })
  })
}

// A form is accepted with its content, a page without one: the person decides on it.
function hasOpenedPage(response: unknown): boolean {
  return isRecord(response) && response.action === 'accept' && response.content === undefined
}

function isWaitingFor(outcome: Outcome, id: string): boolean {
  if (outcome.status === 'pending') return outcome.approval.id === id
  return outcome.status === 'asking' && outcome.question.id === id
}

/** The last question to the user, and what was wrong with the answer. */
type LastQuestion = { readonly id: string; readonly problem: string | undefined }

/** The result of a call that was awaited, or its next question. */
export async function replyOrAsk(
  outcome: Outcome,
  call: ToolsCall,
  surface: Surface,
  last?: LastQuestion,
): Promise<ToolsCallResult> {
  if (outcome.status !== 'pending' && outcome.status !== 'asking')
    return reply(outcome, call, surface)
  const { id } = outcome.status === 'pending' ? outcome.approval : outcome.question
  // A user who closed the dialog is not asked the same again.
  if (id === last?.id && last.problem === undefined) return reply(outcome, call, surface)
  return askClient(outcome, call, surface, last?.problem)
}

async function relayResponse(
  response: unknown,
  asked: PendingQuestion,
  call: ToolsCall,
  surface: Surface,
): Promise<string | undefined> {
  switch (asked.kind) {
    case 'approval':
      await relay(readVerdict(response), asked, call, surface)
      return undefined
    case 'form':
      return relayAnswer(response, asked, call, surface)
    case 'page':
      return undefined
  }
}

function toPendingQuestion(outcome: Waiting, request: InputRequest | undefined): PendingQuestion {
  const { callId } = outcome.facts
  if (outcome.status === 'pending')
    return { kind: 'approval', id: outcome.approval.id, callId, digest: outcome.approval.digest }
  const isPage = request?.method === 'elicitation/create' && request.params.mode === 'url'
  return {
    kind: isPage ? 'page' : 'form',
    id: outcome.question.id,
    callId,
    digest: outcome.question.digest,
  }
}

function requestKey({ kind, id }: PendingQuestion): string {
  return kind === 'approval' ? APPROVAL_KEY : id
}

export function inputRequired(
  inputRequests: Record<string, InputRequest>,
  requestState: string | undefined,
): InputRequiredResult {
  return {
    resultType: 'input_required',
    inputRequests,
    ...(requestState === undefined ? {} : { requestState }),
  } as InputRequiredResult
}
