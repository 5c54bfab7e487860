import type { CallToolResult, InputRequest, InputRequiredResult } from '@modelcontextprotocol/server'
import type { Approval, Maybe, Outcome } from '@surehand/core'
import { APPROVAL_KEY, approvalQuestion, relay, verdictOf } from './approval-question.ts'
import { declaresTasks, refuseUndeclared, tasksRequired } from './capabilities.ts'
import type { Exchange } from './client-side.ts'
import { isCompactTool, runCompactTool } from './compact.ts'
import { FIELDS_KEY, fieldsFromPerson } from './fields-from-person.ts'
import type { Surface } from './options.ts'
import { reply } from './reply.ts'
import { invalid, type ToolsCall, toCallRequest } from './request.ts'
import { type Carried, openState, type RequestState, sealState } from './request-state.ts'
import { type CreatedTask, createdTask } from './task.ts'
import { waitForAnswer } from './wait-for-answer.ts'

export type ToolsCallResult = CallToolResult | InputRequiredResult | CreatedTask

/** One tools/call: through the runtime, and out in whichever way the client can take. */
export async function callTool(call: ToolsCall, surface: Surface): Promise<ToolsCallResult> {
  if (surface.mode === 'compact' && isCompactTool(call.name)) return runCompactTool(call, surface, callTool)
  const state = openState(call, surface)
  if (state?.approval !== undefined) return afterQuestion(call, state, state.approval, surface)
  refuseTaskless(call, surface)
  const answers = { ...state?.answers, ...call.inputResponses }
  const filled = fieldsFromPerson(call, answers[FIELDS_KEY], surface)
  if ('form' in filled) return inputRequired({ [FIELDS_KEY]: filled.form }, undefined)
  return runFilled(filled.call, answers, surface)
}

async function runFilled(call: ToolsCall, answers: Exchange['answers'], surface: Surface): Promise<ToolsCallResult> {
  const exchange: Exchange = { call, answers, asked: new Map(), isOpen: true }
  const outcome = await run(exchange, surface)
  if (exchange.asked.size > 0 && outcome.status === 'failed') return askOn(exchange, surface)
  return answer(outcome, call, surface)
}

function run(exchange: Exchange, { runtime, clientSide }: Surface): Promise<Outcome> {
  const request = toCallRequest(exchange.call)
  if (clientSide === undefined) return runtime.call(request)
  return clientSide
    .within(exchange, () => runtime.call(request))
    .finally(() => {
      exchange.isOpen = false
    })
}

function refuseTaskless({ name, capabilities }: ToolsCall, surface: Surface): void {
  if (declaresTasks(capabilities)) return
  const tool = surface.catalogue.find(name)
  if (tool !== undefined && surface.needsTask(tool)) throw tasksRequired()
}

function answer(outcome: Outcome, call: ToolsCall, surface: Surface): Maybe<ToolsCallResult> {
  switch (outcome.status) {
    case 'failed':
      refuseUnknownTool(outcome, call, surface)
      return reply(outcome, surface)
    case 'done':
      return reply(outcome, surface)
    case 'accepted':
      return declaresTasks(call.capabilities) ? createdTask(outcome, surface) : later(outcome, call, surface)
    case 'pending':
      return ask(outcome, outcome.approval, call, surface)
  }
}

// in the protocol's own words: a client that gets it lists the tools again
function refuseUnknownTool(outcome: Extract<Outcome, { status: 'failed' }>, { name }: ToolsCall, surface: Surface): void {
  const { error } = outcome
  if (error.code !== 'TOOL_NOT_FOUND' || error.details?.tool !== name) return
  throw invalid([error.message, ...(error.suggestions ?? [])].join(' '), reply(outcome, surface)._meta)
}

async function later(outcome: Outcome, call: ToolsCall, surface: Surface): Promise<ToolsCallResult> {
  if (surface.waitMs === 0) return reply(outcome, surface)
  const kept = await waitForAnswer(outcome.facts.callId, call, surface)
  return reply(kept ?? outcome, surface)
}

function ask(outcome: Outcome, approval: Approval, call: ToolsCall, surface: Surface): ToolsCallResult {
  const isJob = surface.catalogue.find(outcome.facts.tool)?.kind === 'async'
  const hasTasks = declaresTasks(call.capabilities)
  if (isJob && hasTasks) return createdTask(outcome, surface)
  const question = approvalQuestion(approval, call, surface)
  const carried = { approval: { id: approval.id, callId: outcome.facts.callId, digest: approval.digest }, answers: {} }
  const requestState = question === undefined ? undefined : sealState(call, carried, surface)
  if (question !== undefined && requestState !== undefined) return inputRequired({ [APPROVAL_KEY]: question }, requestState)
  return hasTasks ? createdTask(outcome, surface) : reply(outcome, surface)
}

async function afterQuestion(
  call: ToolsCall,
  state: RequestState,
  question: NonNullable<Carried['approval']>,
  surface: Surface,
): Promise<ToolsCallResult> {
  const { requestState } = surface
  // a connection that dropped is tried again with the same state: it must not decide a second time
  const isFirst = requestState !== undefined && (await requestState.useOnce(state.id, requestState.validForMs))
  if (isFirst) await relay(verdictOf(call.inputResponses[APPROVAL_KEY]), question, call, surface)
  const outcome = await waitForAnswer(question.callId, call, surface)
  if (outcome === undefined) throw invalid('The call of this requestState is not known any more.')
  return reply(outcome, surface)
}

function askOn({ call, answers, asked }: Exchange, surface: Surface): InputRequiredResult {
  refuseUndeclared(asked.values(), call.capabilities)
  return inputRequired(Object.fromEntries(asked), sealState(call, { approval: undefined, answers: { ...answers } }, surface))
}

function inputRequired(inputRequests: Record<string, InputRequest>, requestState: string | undefined): InputRequiredResult {
  return { resultType: 'input_required', inputRequests, ...(requestState === undefined ? {} : { requestState }) } as InputRequiredResult
}
