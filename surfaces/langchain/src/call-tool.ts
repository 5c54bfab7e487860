import { callForModel, type Outcome, type Question } from '@surehand/core'
import { afterApproval, kept } from './after-approval.ts'
import { afterQuestion } from './after-question.ts'
import { askApproval, askQuestion } from './ask-person.ts'
import { graphTask } from './graph-task.ts'
import { type Heard, heard } from './heard.ts'
import { editedCall, type ModelCall } from './model-call.ts'
import type { Next } from './next.ts'
import type { Surface } from './options.ts'
import { type Reply, reply } from './reply.ts'
import { toCallRequest } from './request.ts'

const SEVERAL = 'Several questions are open, and the answer did not say which it is for: resume with { [interrupt id]: answer }.'

/** One call of a model: through the runtime, and on through the graph as often as a person is asked. */
export async function callTool(call: ModelCall, surface: Surface): Promise<Reply> {
  // without the tool call's id nobody could say, when the task runs again, which call was asked about
  const task = call.id === undefined ? undefined : graphTask(call)
  if (task === undefined) return reply(await begin(call, surface), surface)
  const last = await heard(task)
  const isMine = last !== undefined && last.asked.tool_call_id === call.id && last.asked.tool === call.tool.id
  return goOn(isMine ? await afterAsking(last, call, surface) : await begin(call, surface), last, surface)
}

async function begin(call: ModelCall, surface: Surface): Promise<Next> {
  return { call, outcome: await callForModel(surface.runtime, toCallRequest(call, surface), surface) }
}

async function afterAsking(last: Heard, given: ModelCall, surface: Surface): Promise<Next> {
  const { asked } = last
  const call = asked.edits.reduce(editedCall, given)
  if (!last.isMeant) return { call, outcome: await kept(asked, call, surface), problem: SEVERAL }
  return asked.kind === 'approval' ? afterApproval(last, call, surface) : afterQuestion(last, call, surface)
}

/** Asks a person where it must, which leaves the graph; answers the model where nobody is asked. */
async function goOn(next: Next, last: Heard | undefined, surface: Surface): Promise<Reply> {
  const { outcome, call, problem } = next
  const round = { call, problem, ordinal: last === undefined ? 0 : last.asked.ordinal + 1 }
  // whoever saw it and left it open is not asked the same again
  const isNews = idOf(outcome) !== last?.asked.id || problem !== undefined
  if (outcome.status === 'pending' && isNews) askApproval(outcome.approval, round, surface)
  if (outcome.status === 'asking' && isNews && (await takesAnswer(outcome.question, surface))) askQuestion(outcome.question, round)
  return reply(next, surface)
}

function idOf(outcome: Outcome): string | undefined {
  if (outcome.status === 'pending') return outcome.approval.id
  return outcome.status === 'asking' ? outcome.question.id : undefined
}

async function takesAnswer(question: Question, { runtime, caller, host }: Surface): Promise<boolean> {
  // what the model may answer it is told; an answer through the graph stays in its checkpoints, which is no place for a secret
  if (question.from !== 'person' || question.isSecret || question.principal !== caller.principal) return false
  return host !== undefined && runtime.questions.takesFrom(host, question)
}
