import { setTimeout as pause } from 'node:timers/promises'
import type { NodeReply, NodeRequest } from '../node/messages.ts'
import { toolId } from '../pack/recovery-kind.ts'
import { UNANSWERED } from '../pack/run-tools.ts'
import type { NodeProcess, Reply } from '../processes/node-process.ts'
import type { Random } from '../random.ts'
import type { PlannedCall } from './planned-call.ts'

/** The final answer a client received. */
export type FinalAnswer =
  | { readonly end: 'done'; readonly data: string }
  | { readonly end: 'refused' | 'denied' }
  /** `isQuarantined`: two processes died with the call in hand, so it is not tried again. */
  | { readonly end: 'unknown'; readonly isQuarantined?: true }
  /** The client stopped without a final answer. */
  | { readonly end: 'no-answer'; readonly last: string }

export type ClientOptions = {
  /** Chooses the next node, another one than the last if possible; undefined when none is left. */
  readonly nextNode: (last: NodeProcess | undefined) => Promise<NodeProcess | undefined>
  readonly hasTimeLeft: () => boolean
  /** How long the client waits for a reply; one of these is picked for each request. */
  readonly timeoutsMs: readonly [number, ...number[]]
  readonly random: Random
  /** Receives every reply that was not final. */
  readonly onRetry: (reply: Reply) => void
}

/** Some clients turn to another node before the lease has expired, some long after. */
export const SHORT_TIMEOUTS_MS: ClientOptions['timeoutsMs'] = [800, 2_500, 7_000]
/**
 * For nodes that are not killed: repeating a call because the machine is slow would make it slower.
 */
export const LONG_TIMEOUTS_MS: ClientOptions['timeoutsMs'] = [60_000]
const MAX_TRIES = 10

/** Calls, and repeats the call with the same key on other nodes until there is a final answer. */
export async function callUntilAnswered(
  call: PlannedCall,
  client: ClientOptions,
): Promise<FinalAnswer> {
  let request: NodeRequest = toCallRequest(call, client.random)
  let node: NodeProcess | undefined
  let last = 'no node was available'
  while (client.hasTimeLeft()) {
    node = await client.nextNode(node)
    if (node === undefined) break
    const reply = await node.send(request, client.random.pick(client.timeoutsMs))
    const final =
      request.type === 'decide' || request.type === 'reply'
        ? undefined
        : readFinalAnswer(reply, call)
    if (final !== undefined) return final
    client.onRetry(reply)
    last = describeReply(reply)
    request = chooseNextRequest(request, reply, call, client.random)
    await pause(pauseMs(reply, client.random))
  }
  return { end: 'no-answer', last }
}

/**
 * Sends the call until a node answers it. A store that is too slow on a busy machine is no answer:
 * the caller is asked to call again, with the same key.
 */
export async function sendUntilAnswered(
  call: PlannedCall,
  { random, nextNode }: Pick<ClientOptions, 'random' | 'nextNode'>,
): Promise<Reply> {
  let node: NodeProcess | undefined
  for (let tries = 1; ; tries++) {
    node = await nextNode(node)
    if (node === undefined) throw new Error(`no node is left to answer ${call.key}`)
    const reply = await node.send(toCallRequest(call, random), LONG_TIMEOUTS_MS[0])
    const isAnswered =
      reply.status !== 'no-reply' &&
      !(reply.status === 'failed' && reply.code === 'TOOL_STORAGE_ERROR')
    if (isAnswered || tries === MAX_TRIES) return reply
    await pause(pauseMs(reply, random))
  }
}

/** The planned call as a request, with the same key every time. */
export function toCallRequest(
  call: PlannedCall,
  random: Random,
): Extract<NodeRequest, { type: 'call' }> {
  const { who, kind, manner, key } = call
  return {
    type: 'call',
    who,
    tool: toolId(kind, manner),
    input: toInput(call),
    key,
    whenRunning: random.pick(['answer', 'wait']),
  }
}

export function toInput({ item, note, trap }: PlannedCall): { readonly item: string } {
  return { item, ...(note === undefined ? {} : { note }), ...(trap === undefined ? {} : { trap }) }
}

function readFinalAnswer(reply: Reply, call: PlannedCall): FinalAnswer | undefined {
  if (reply.status === 'done') return { end: 'done', data: JSON.stringify(reply.data) }
  if (reply.status !== 'failed') return undefined
  switch (reply.code) {
    case 'TOOL_OUTCOME_UNKNOWN':
      return readUnknown(reply.details as UnknownDetails)
    case 'TOOL_APPROVAL_DENIED':
      return call.verdict === 'deny' ? { end: 'denied' } : undefined
    case 'TOOL_INVALID_FIELD_VALUE':
      return { end: 'refused' }
    default:
      // Every other code means: not yet, try again.
      return undefined
  }
}

type UnknownDetails = { readonly settled?: boolean; readonly source_code?: string }

function readUnknown({ settled, source_code }: UnknownDetails): FinalAnswer | undefined {
  // The store was lost: what came of the call can be fetched when it is back.
  if (settled === false) return undefined
  return source_code === 'quarantined'
    ? { end: 'unknown', isQuarantined: true }
    : { end: 'unknown' }
}

function chooseNextRequest(
  request: NodeRequest,
  reply: Reply,
  call: PlannedCall,
  random: Random,
): NodeRequest {
  switch (reply.status) {
    case 'asking':
      // This question is meant to stay unanswered.
      return call.note === UNANSWERED
        ? { type: 'answer', who: call.who, callId: reply.callId }
        : { type: 'reply', who: call.who, questionId: reply.questionId, answer: true }
    case 'pending':
      return { type: 'decide', who: call.who, approvalId: reply.approvalId, verdict: call.verdict }
    case 'accepted':
      return { type: 'answer', who: call.who, callId: reply.callId }
    case 'no-reply':
      // A decision without a reply is sent again: of two decisions the first one counts.
      return request.type === 'call' ? toCallRequest(call, random) : request
    default:
      return toCallRequest(call, random)
  }
}

function pauseMs(reply: Reply, random: Random): number {
  if (reply.status === 'pending') return 0
  // A job takes its time, and polling too often would slow it down.
  if (reply.status === 'accepted' || reply.status === 'asking') return random.between(100, 600)
  return reply.status === 'no-reply' && reply.reason === 'exited'
    ? random.between(0, 30)
    : random.between(20, 250)
}

function describeReply(reply: Reply | NodeReply): string {
  return reply.status === 'failed' ? `${reply.code}: ${reply.message}` : reply.status
}
