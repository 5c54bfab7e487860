import { callForModel } from '@surehand/core/host'
import type { Question } from '@surehand/core/ports'
import { afterApproval } from './after-approval.ts'
import { afterQuestion } from './after-question.ts'
import { askPerson } from './ask-person.ts'
import { type GraphTask, graphTask } from './graph-task.ts'
import { type Heard, readDecisions } from './heard.ts'
import { editedCall, type ModelCall } from './model-call.ts'
import type { Next } from './next.ts'
import { openQuestion } from './open-question.ts'
import type { Surface } from './options.ts'
import { type Reply, reply } from './reply.ts'
import { toCallRequest } from './request.ts'
import { news, standing } from './standing.ts'

const SEVERAL =
  'Several questions are open, and the answer did not say which it is for: resume with { [interrupt id]: answer }.'

/** One call of a model: through the runtime, and on through the graph as often as a person is asked. */
export async function callTool(call: ModelCall, surface: Surface): Promise<Reply> {
  // without the tool call's id nobody could say, when the task runs again, which call was asked about
  const task = call.id === undefined ? undefined : graphTask(call)
  if (task === undefined) return reply(await begin(call, surface), surface)
  const last = await readDecisions(task)
  const isMine =
    last !== undefined && last.asked.tool_call_id === call.id && last.asked.tool === call.tool.id
  const next = isMine ? await afterAsking(last, call, surface) : await begin(call, surface)
  return goOn(next, { task, last: isMine ? last : undefined }, surface)
}

async function begin(call: ModelCall, surface: Surface): Promise<Next> {
  return {
    call,
    outcome: await callForModel(surface.runtime, toCallRequest(call, surface), surface),
  }
}

async function afterAsking(last: Heard, given: ModelCall, surface: Surface): Promise<Next> {
  const { asked } = last
  const call = asked.edits.reduce(editedCall, given)
  if (!last.isMeant)
    return {
      call,
      outcome: await news(await standing(asked, call, surface), call, surface),
      problem: SEVERAL,
    }
  return asked.kind === 'approval'
    ? afterApproval(last, call, surface)
    : afterQuestion(last, call, surface)
}

type Place = {
  readonly task: GraphTask /** What was asked for this call before. */
  readonly last: Heard | undefined
}

/** Asks a person where it must, which leaves the graph; answers the model where nobody is asked. */
async function goOn(next: Next, { task, last }: Place, surface: Surface): Promise<Reply> {
  const { outcome, call, problem } = next
  // whoever saw it and left it open is not asked the same again
  const isNews = openQuestion(outcome)?.id !== last?.asked.id || problem !== undefined
  const isAsked =
    isNews &&
    (outcome.status === 'pending' ||
      (outcome.status === 'asking' && (await takesAnswer(outcome.question, surface))))
  if (isAsked) askPerson(outcome, { call, problem, ordinal: task.execution.resume.length }, surface)
  return reply(next, surface)
}

async function takesAnswer(
  question: Question,
  { runtime, caller, host }: Surface,
): Promise<boolean> {
  // what the model may answer it is told; an answer through the graph stays in its checkpoints, which is no place for a secret
  if (question.from !== 'person' || question.isSecret || question.principal !== caller.principal)
    return false
  return host !== undefined && runtime.questions.acceptsHost(host, question)
}
