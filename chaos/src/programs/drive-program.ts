import { setTimeout as pause } from 'node:timers/promises'
import type { ClientOptions } from '../clients/call-until-answered.ts'
import type { NodeRequest } from '../node/messages.ts'
import type { NodeProcess, Reply } from '../processes/node-process.ts'
import type { FindEvidence } from './find-evidence.ts'
import type { ProgramEnd } from './judge-programs.ts'
import { chooseAnswer, chooseVerdict } from './person.ts'
import type { Plan } from './plan.ts'
import { toDoneEnd, toFailedEnd } from './program-end.ts'

/** How many actions of people the harness has performed so far. */
export type ActionCounts = { answered: number; decided: number; settled: number }

export type ProgramClient = ClientOptions & {
  readonly findEvidence: FindEvidence
  readonly actions: ActionCounts
  /** Waits until the faults planned before the next reply have been injected. */
  readonly waitForFaults: () => Promise<void>
}

/**
 * Starts a program under its key, repeats it on other nodes, and answers for every person it asks,
 * until it has ended. After an answer it repeats the call or looks at the run that asked: a run that
 * fails without an effect releases its key, and a client that only repeats the call would start
 * another one each time.
 */
export async function driveProgram(plan: Plan, following: ProgramClient): Promise<ProgramEnd> {
  const { random } = following
  let request: NodeRequest = toCallRequest(plan, following)
  let node: NodeProcess | undefined
  let run: string | undefined
  let last = 'no node was available'
  while (following.hasTimeLeft()) {
    node = await following.nextNode(node)
    if (node === undefined) break
    const reply = await node.send(request, random.pick(following.timeoutsMs))
    const end = readEnd(request, reply)
    if (end !== undefined) return end
    following.onRetry(reply)
    if (reply.status !== 'no-reply') await following.waitForFaults()
    countAction(request, reply, following.actions)
    last = describeReply(reply)
    if (reply.status === 'asking') run = reply.callId
    request =
      reply.status === 'ok' && run !== undefined && random.isLikely(0.5)
        ? { type: 'answer', who: plan.who, callId: run }
        : chooseNextRequest(request, reply, plan, following)
    await pause(reply.status === 'accepted' ? random.between(50, 400) : random.between(0, 60))
  }
  return { end: 'no-answer', last }
}

function toCallRequest({ program, who, key }: Plan, { random }: ProgramClient): NodeRequest {
  return {
    type: 'call',
    who,
    tool: 'chaos.program',
    input: program,
    key,
    whenRunning: random.pick(['answer', 'wait']),
  }
}

function readEnd({ type }: NodeRequest, reply: Reply): ProgramEnd | undefined {
  // The reply to an answer, a decision or a resolution says nothing about the program's end.
  if (type !== 'call' && type !== 'answer') return undefined
  if (reply.status === 'done') return toDoneEnd(reply.data)
  return reply.status === 'failed' ? toFailedEnd(reply) : undefined
}

function chooseNextRequest(
  request: NodeRequest,
  reply: Reply,
  plan: Plan,
  following: ProgramClient,
): NodeRequest {
  const { who } = plan
  switch (reply.status) {
    case 'pending':
      return {
        type: 'decide',
        who,
        approvalId: reply.approvalId,
        verdict: chooseVerdict(plan, reply.asks),
      }
    case 'asking':
      return {
        type: 'reply',
        who,
        questionId: reply.questionId,
        answer: chooseAnswer(plan, reply.path),
      }
    case 'accepted':
      // The run may be waiting for a step that only a person can resolve.
      return request.type === 'answer'
        ? { type: 'tree', who, callId: reply.callId }
        : { type: 'answer', who, callId: reply.callId }
    case 'tree': {
      const settling = reply.unknown.flatMap(
        ({ path, callId }) => following.findEvidence(plan, { path, callId }) ?? [],
      )
      const [evidence] = settling
      return evidence === undefined
        ? toCallRequest(plan, following)
        : { type: 'resolve', who, ...evidence }
    }
    default:
      return toCallRequest(plan, following)
  }
}

function countAction({ type }: NodeRequest, { status }: Reply, actions: ActionCounts): void {
  if (status !== 'ok') return
  if (type === 'reply') actions.answered++
  if (type === 'decide') actions.decided++
  if (type === 'resolve') actions.settled++
}

function describeReply(reply: Reply): string {
  return reply.status === 'failed' ? `${reply.code}: ${reply.message}` : reply.status
}
