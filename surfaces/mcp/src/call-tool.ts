import type {
  CallToolResult,
  ContentBlock,
  InputRequest,
  InputRequiredResult,
} from '@modelcontextprotocol/server'
import type { Outcome, Tool } from '@surehand/core'
import {
  ANSWER_TOOL,
  fetchResult,
  isResultTool,
  modelInputSchema,
  wireName,
} from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Maybe } from '@surehand/core/ports'
import { askClient, inputRequired, replyOrAsk, resumeAfterClientAnswer } from './ask-client.ts'
import { declaresForms, declaresTasks, refuseUndeclared, tasksRequired } from './capabilities.ts'
import type { Exchange } from './client-side.ts'
import { isCompactTool, runCompactTool, SEARCH } from './compact.ts'
import type { Surface } from './options.ts'
import { reportProgressWhile } from './progress.ts'
import { ENVELOPE_META, envelopeOf, reply } from './reply.ts'
import { invalid, type ToolsCall, toCallRequest } from './request.ts'
import { openState, sealState } from './request-state.ts'
import { type CreatedTask, createTask } from './task.ts'
import { waitForAnswer } from './wait-for-answer.ts'

const FIELDS_KEY = 'fields'

/** The call with the fields that the user has filled in, or the form to be filled in first. */
type Filled = { readonly call: ToolsCall } | { readonly form: InputRequest }

/** Asks the user for the fields that a model would invent, where the client supports forms. */
function fieldsFromPerson(call: ToolsCall, answer: unknown, surface: Surface): Filled {
  const tool = surface.catalogue.find(call.name, call.caller.tenant)
  const wanted =
    tool === undefined
      ? []
      : surface.fromPerson(tool).filter((field) => call.input[field] === undefined)
  if (tool === undefined || wanted.length === 0 || !declaresForms(call.capabilities))
    return { call }
  if (answer === undefined) return { form: formFor(tool, wanted) }
  // A user who declined is not asked again; the tool reports what is missing.
  if (!isRecord(answer) || answer.action !== 'accept' || !isRecord(answer.content)) return { call }
  const { content } = answer
  const filled = Object.fromEntries(
    wanted.flatMap((field) => (content[field] === undefined ? [] : [[field, content[field]]])),
  )
  return { call: { ...call, input: { ...call.input, ...filled } } }
}

function formFor(tool: Tool, wanted: readonly string[]): InputRequest {
  const { properties = {} } = modelInputSchema(tool) as {
    readonly properties?: Readonly<Record<string, object>>
  }
  const asked = Object.fromEntries(
    wanted.map((field) => [field, properties[field] ?? { type: 'string' }]),
  )
  const requestedSchema = { type: 'object', properties: asked, required: [...wanted] }
  return {
    method: 'elicitation/create',
    params: {
      mode: 'form',
      message: `${tool.title}: please fill in these fields.`,
      requestedSchema,
    },
  } as InputRequest
}

export type ToolsCallResult = CallToolResult | InputRequiredResult | CreatedTask

/** One tools/call: runs it and answers in the way that the client supports. */
export async function callTool(call: ToolsCall, surface: Surface): Promise<ToolsCallResult> {
  if (surface.mode === 'compact' && isCompactTool(call.name))
    return runCompactTool(call, surface, callTool)
  return isResultTool(call.name) ? runResultTool(call, surface) : runTool(call, surface)
}

async function runResultTool(call: ToolsCall, surface: Surface): Promise<ToolsCallResult> {
  const { runtime, clock } = surface
  const { caller, input, signal } = call
  return reply(await fetchResult(runtime, caller, input, { clock, signal }), call, surface)
}

async function runTool(call: ToolsCall, surface: Surface): Promise<ToolsCallResult> {
  const state = openState(call, surface)
  if (state !== undefined) call.progress?.resumeFrom(state.reported)
  if (state?.asked !== undefined) return resumeAfterClientAnswer(call, state, state.asked, surface)
  refuseWithoutTasks(call, surface)
  const answers = { ...state?.answers, ...call.inputResponses }
  const filled = fieldsFromPerson(call, answers[FIELDS_KEY], surface)
  if ('form' in filled) return inputRequired({ [FIELDS_KEY]: filled.form }, undefined)
  return runFilled(filled.call, answers, surface)
}

async function runFilled(
  call: ToolsCall,
  answers: Exchange['answers'],
  surface: Surface,
): Promise<ToolsCallResult> {
  const exchange: Exchange = { call, answers, asked: new Map(), isOpen: true }
  const outcome = await run(exchange, surface)
  if (exchange.asked.size > 0 && outcome.status === 'failed') return requireInput(exchange, surface)
  return answer(outcome, call, surface)
}

function run(exchange: Exchange, { runtime, clientSide }: Surface): Promise<Outcome> {
  const request = toCallRequest(exchange.call)
  if (clientSide === undefined) return runtime.call(request)
  return clientSide
    .runExchange(exchange, () => runtime.call(request))
    .finally(() => {
      exchange.isOpen = false
    })
}

function refuseWithoutTasks({ name, caller, capabilities }: ToolsCall, surface: Surface): void {
  if (declaresTasks(capabilities)) return
  const tool = surface.catalogue.find(name, caller.tenant)
  if (tool !== undefined && surface.needsTask(tool)) throw tasksRequired()
}

function answer(outcome: Outcome, call: ToolsCall, surface: Surface): Maybe<ToolsCallResult> {
  switch (outcome.status) {
    case 'failed':
      refuseUnknownTool(outcome, call, surface)
      return reply(outcome, call, surface)
    case 'done':
      return outcome.facts.tool === ANSWER_TOOL
        ? awaitAnswerAfterModel(outcome, call, surface)
        : reply(outcome, call, surface)
    case 'accepted':
      return declaresTasks(call.capabilities)
        ? createTask(outcome, call, surface)
        : awaitJob(outcome, call, surface)
    case 'pending':
    case 'asking':
      return askClient(outcome, call, surface)
  }
}

// As a protocol error, so that the client lists the tools again.
function refuseUnknownTool(
  outcome: Extract<Outcome, { status: 'failed' }>,
  call: ToolsCall,
  surface: Surface,
): void {
  const { name } = call
  const { error } = outcome
  if (error.code !== 'TOOL_NOT_FOUND' || error.details?.tool !== name) return
  const { similar = [] } = error.details
  const hint =
    Array.isArray(similar) && similar.length > 0
      ? `Did you mean ${similar.map(String).map(wireName).join(' or ')}?`
      : surface.mode === 'compact'
        ? `Find one with ${SEARCH}.`
        : 'List the tools again.'
  throw invalid(`${error.message} ${hint}`, { [ENVELOPE_META]: envelopeOf(outcome, surface) })
}

async function awaitJob(
  outcome: Outcome,
  call: ToolsCall,
  surface: Surface,
): Promise<ToolsCallResult> {
  if (surface.waitMs === 0) return reply(outcome, call, surface)
  const { callId } = outcome.facts
  const settled = await reportProgressWhile({ callId, since: 'beginning' }, call, surface, () =>
    waitForAnswer(callId, call, surface),
  )
  return replyOrAsk(settled ?? outcome, call, surface)
}

function requireInput({ call, answers, asked }: Exchange, surface: Surface): InputRequiredResult {
  refuseUndeclared(asked.values(), call.capabilities)
  return inputRequired(
    Object.fromEntries(asked),
    sealState(call, { asked: undefined, answers: { ...answers } }, surface),
  )
}

type Done = Extract<Outcome, { status: 'done' }>

/**
 * Waits for the run that the model has answered, and returns its result: not every model can fetch
 * an answer by its call id.
 */
async function awaitAnswerAfterModel(
  outcome: Done,
  call: ToolsCall,
  surface: Surface,
): Promise<ToolsCallResult> {
  const callId = isRecord(outcome.data) ? outcome.data.call_id : undefined
  if (surface.waitMs === 0 || typeof callId !== 'string') return reply(outcome, call, surface)
  const next = await reportProgressWhile({ callId, since: 'now' }, call, surface, () =>
    waitForAnswer(callId, call, surface),
  )
  const result = await replyOrAsk(next ?? outcome, call, surface)
  if (!isToolResult(result)) return result
  return { ...result, content: [ANSWER_ACCEPTED, ...result.content] }
}

const ANSWER_ACCEPTED: ContentBlock = {
  type: 'text',
  text: 'The answer was accepted. The result:',
}

function isToolResult(result: ToolsCallResult): result is CallToolResult {
  return 'content' in result && result.content !== undefined
}
