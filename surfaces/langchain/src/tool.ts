import { DynamicStructuredTool } from '@langchain/core/tools'
import type { JSONSchema } from '@langchain/core/utils/json_schema'
import type { Caller, Runtime, Tool } from '@surehand/core'
import {
  callForModel,
  definitionHash,
  isResultTool,
  modelInputSchema,
  relayAnswer,
  toolsForModel,
  wireName,
} from '@surehand/core/host'
import { isRecord, type Keyless } from '@surehand/core/internal'
import type { Question } from '@surehand/core/ports'
import { askPerson } from './ask-person.ts'
import { awaitNextOutcome, readCallState } from './call-state.ts'
import { type GraphTask, graphTask } from './graph-task.ts'
import { type InterruptReference, namesAnotherRequest } from './interrupt-reference.ts'
import { type CallResult, editedCall, type ModelCall } from './model-call.ts'
import { type Surface, surfaceOf, type ToolOptions } from './options.ts'
import { isRequestShown, pendingRequest } from './pending-request.ts'
import { type Reply, reply } from './reply.ts'
import { toCallRequest } from './request.ts'
import { resumeAfterApproval } from './resume-after-approval.ts'
import { type ResumedInterrupt, readResumedInterrupt } from './resumed-interrupt.ts'

/** A LangChain tool; `I` is the type of its input. */
export type LangChainTool<I = Record<string, unknown>> = DynamicStructuredTool<
  JSONSchema,
  I,
  I,
  Reply
>

/**
 * Creates one tool for a LangChain agent or a LangGraph node. Its calls are made as `caller`,
 * whatever the messages say.
 */
export function tool<I, O>(
  runtime: Runtime,
  caller: Caller,
  definition: Tool<I, O>,
  options: ToolOptions = {},
): LangChainTool<Keyless<I>> {
  const surface = surfaceOf(runtime, caller, options)
  const described = new DynamicStructuredTool<JSONSchema, Keyless<I>, Keyless<I>, Reply>({
    name: wireName(definition.id),
    description: definition.description,
    schema: modelInputSchema(definition) as JSONSchema,
    responseFormat: 'content_and_artifact',
    metadata: {
      surehand: {
        tool: definition.id,
        version: definition.version,
        definition_hash: definitionHash(definition),
      },
    },
    func(input, events, config: ModelCall['config'] = {}) {
      return callTool(
        { tool: definition, input, id: config.toolCall?.id, edits: [], config, events },
        surface,
      )
    },
  })
  return withoutInputValidation(described)
}

/**
 * LangChain would validate the input against the schema and throw its own error. Here every value
 * reaches the runtime, which validates it and replies with the problems; the schema only informs
 * the model.
 */
function withoutInputValidation<I>(described: LangChainTool<I>): LangChainTool<I> {
  const open: LangChainTool<I> = Object.create(described, { schema: { value: true } })
  const call = described.call.bind(open) as LangChainTool<I>['call']
  return Object.assign(described, { call })
}

/**
 * The tools that a caller may use now, for `createAgent`, a `ToolNode`, or to be invoked directly.
 */
export async function tools(
  runtime: Runtime,
  caller: Caller,
  options: ToolOptions = {},
): Promise<LangChainTool[]> {
  const visible = await toolsForModel(runtime, caller)
  // The input type of a listed tool is known only at run time.
  return visible.map((definition) => tool(runtime, caller, definition, options) as LangChainTool)
}

const UNADDRESSED_ANSWER =
  'Several requests are open, and the answer does not say which one it is for. Resume with { [interrupt id]: answer }.'

/**
 * Makes one call of a model, and interrupts the graph whenever a person has to decide or answer.
 */
async function callTool(call: ModelCall, surface: Surface): Promise<Reply> {
  // Without a tool-call id the call could not be found again when the task is resumed.
  const task = call.id === undefined ? undefined : graphTask(call)
  // The call whose answer is fetched has interrupted the graph already, where it could.
  if (task === undefined || isResultTool(call.tool.id))
    return reply(await startCall(call, surface), surface)
  const last = await readResumedInterrupt(task)
  const isMine =
    last !== undefined &&
    last.reference.tool_call_id === call.id &&
    last.reference.tool === call.tool.id
  const next = isMine ? await resumeCall(last, call, surface) : await startCall(call, surface)
  return askOrReply(next, { task, last: isMine ? last : undefined }, surface)
}

async function startCall(call: ModelCall, surface: Surface): Promise<CallResult> {
  return {
    call,
    outcome: await callForModel(surface.runtime, toCallRequest(call, surface), surface),
  }
}

async function resumeCall(
  last: ResumedInterrupt,
  given: ModelCall,
  surface: Surface,
): Promise<CallResult> {
  const { reference } = last
  const call = reference.edits.reduce(editedCall, given)
  if (!last.isAddressed)
    return {
      call,
      outcome: await awaitNextOutcome(await readCallState(reference, call, surface), call, surface),
      problem: UNADDRESSED_ANSWER,
    }
  return reference.kind === 'approval'
    ? resumeAfterApproval(last, call, surface)
    : resumeAfterQuestion(last, call, surface)
}

type ResumedTask = {
  readonly task: GraphTask
  /** The last interrupt of this call, if there was one. */
  readonly last: ResumedInterrupt | undefined
}

/** Interrupts the graph if a person has to be asked; otherwise replies to the model. */
async function askOrReply(
  next: CallResult,
  { task, last }: ResumedTask,
  surface: Surface,
): Promise<Reply> {
  const { outcome, call, problem } = next
  // A person who saw the request and left it open is not asked the same again.
  const isNew = pendingRequest(outcome)?.id !== last?.reference.id || problem !== undefined
  const isAsked =
    isNew &&
    (outcome.status === 'pending' ||
      (outcome.status === 'asking' && (await mayAskThroughGraph(outcome.question, surface))))
  if (isAsked) askPerson(outcome, { call, problem, ordinal: task.execution.resume.length }, surface)
  return reply(next, surface)
}

async function mayAskThroughGraph(
  question: Question,
  { runtime, caller, host }: Surface,
): Promise<boolean> {
  // Questions to the model are part of its reply. Secrets must not be answered through the graph,
  // which stores answers in checkpoints.
  if (question.from !== 'person' || question.isSecret || question.principal !== caller.principal)
    return false
  return host !== undefined && runtime.questions.acceptsHost(host, question)
}

/** Continues a run after its question was shown to a person. An invalid answer is asked for again. */
async function resumeAfterQuestion(
  { value, reference }: ResumedInterrupt,
  call: ModelCall,
  surface: Surface,
): Promise<CallResult> {
  const state = await readCallState(reference, call, surface)
  const problem = isRequestShown(state.outcome, reference)
    ? await relayPersonAnswer(value, reference, surface)
    : undefined
  return {
    call,
    outcome: await awaitNextOutcome(state, call, surface),
    ...(problem === undefined ? {} : { problem }),
  }
}

async function relayPersonAnswer(
  value: unknown,
  reference: InterruptReference,
  { runtime, caller, host }: Surface,
): Promise<string | undefined> {
  if (isRecord(value) && namesAnotherRequest(value, reference.id))
    return 'The answer was for another question. Answer this one.'
  if (isRecord(value) && value.declined === true) return undefined
  if (!isRecord(value) || value.answer === undefined)
    return 'Resume with { answer } or { declined: true }.'
  return host === undefined
    ? undefined
    : relayAnswer(runtime.questions, value.answer, reference, { caller, host })
}
