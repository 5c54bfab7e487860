import { callForModel } from '@surehand/core/host'
import type { Question } from '@surehand/core/ports'
import { askPerson } from './ask-person.ts'
import { awaitNextOutcome, readCallState } from './call-state.ts'
import { type GraphTask, graphTask } from './graph-task.ts'
import { type CallResult, editedCall, type ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'
import { pendingRequest } from './pending-request.ts'
import { type Reply, reply } from './reply.ts'
import { toCallRequest } from './request.ts'
import { resumeAfterApproval } from './resume-after-approval.ts'
import { resumeAfterQuestion } from './resume-after-question.ts'
import { type ResumedInterrupt, readResumedInterrupt } from './resumed-interrupt.ts'

const UNADDRESSED_ANSWER =
  'Several requests are open, and the answer does not say which one it is for. Resume with { [interrupt id]: answer }.'

/**
 * Makes one call of a model, and interrupts the graph whenever a person has to decide or answer.
 */
export async function callTool(call: ModelCall, surface: Surface): Promise<Reply> {
  // Without a tool-call id the call could not be found again when the task is resumed.
  const task = call.id === undefined ? undefined : graphTask(call)
  if (task === undefined) return reply(await startCall(call, surface), surface)
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
