import { setTimeout as pause } from 'node:timers/promises'
import type { Heard, NodeProcess } from '../house/node-process.ts'
import type { Ask, Told } from '../node/messages.ts'
import { toolId } from '../pack/recovery-kind.ts'
import { UNANSWERED } from '../pack/run-tools.ts'
import type { Random } from '../random.ts'
import type { Wish } from './wish.ts'

/** What a client was told in the end. */
export type Final =
  | { readonly end: 'done'; readonly data: string }
  | { readonly end: 'refused' | 'denied' | 'unknown' }
  /** It gave up: nobody gave it an answer to keep. */
  | { readonly end: 'nothing'; readonly last: string }

export type Journey = {
  /** Whom to ask next, not the one who was asked just now if there is another; undefined: nobody is left. */
  readonly nextNode: (last: NodeProcess | undefined) => Promise<NodeProcess | undefined>
  readonly hasPatience: () => boolean
  /** For how long one node is listened to, one of these. */
  readonly listensMs: readonly [number, ...number[]]
  readonly random: Random
  /** Told of every answer that was not the last one. */
  readonly onDetour: (heard: Heard) => void
}

/** Some clients leave a node that says nothing before its lease has run out, some long after. */
export const HASTY_MS: Journey['listensMs'] = [800, 2_500, 7_000]
/** Where nobody dies: who asks again because the machine is slow only makes it slower. */
export const CALMLY_MS: Journey['listensMs'] = [60_000]

/** Asks, and comes again with the same key, on other nodes, until there is an answer to keep. */
export async function pursue(wish: Wish, journey: Journey): Promise<Final> {
  let ask: Ask = callOf(wish, journey.random)
  let node: NodeProcess | undefined
  let last = 'nobody was there'
  while (journey.hasPatience()) {
    node = await journey.nextNode(node)
    if (node === undefined) break
    const heard = await node.ask(ask, journey.random.pick(journey.listensMs))
    const final = ask.ask === 'decide' || ask.ask === 'reply' ? undefined : finalOf(heard, wish)
    if (final !== undefined) return final
    journey.onDetour(heard)
    last = wordsOf(heard)
    ask = nextAsk(ask, heard, wish, journey.random)
    await pause(pauseMs(heard, journey.random))
  }
  return { end: 'nothing', last }
}

/** The wish as it is sent, with the same key every time. */
export function callOf(wish: Wish, random: Random): Extract<Ask, { ask: 'call' }> {
  const { who, kind, manner, key } = wish
  return {
    ask: 'call',
    who,
    tool: toolId(kind, manner),
    input: inputOf(wish),
    key,
    whenRunning: random.pick(['answer', 'wait']),
  }
}

export function inputOf({ item, note, trap }: Wish): { readonly item: string } {
  return { item, ...(note === undefined ? {} : { note }), ...(trap === undefined ? {} : { trap }) }
}

function finalOf(heard: Heard, wish: Wish): Final | undefined {
  if (heard.status === 'done') return { end: 'done', data: JSON.stringify(heard.data) }
  if (heard.status !== 'failed') return undefined
  switch (heard.code) {
    case 'TOOL_OUTCOME_UNKNOWN':
      return { end: 'unknown' }
    case 'TOOL_APPROVAL_DENIED':
      return wish.verdict === 'deny' ? { end: 'denied' } : undefined
    case 'TOOL_INVALID_FIELD_VALUE':
      return { end: 'refused' }
    default:
      // everything else says: not yet, come again
      return undefined
  }
}

function nextAsk(ask: Ask, heard: Heard, wish: Wish, random: Random): Ask {
  switch (heard.status) {
    case 'asking':
      // nobody answers what is meant to be taken as it is
      return wish.note === UNANSWERED
        ? { ask: 'answer', who: wish.who, callId: heard.callId }
        : { ask: 'reply', who: wish.who, questionId: heard.questionId, answer: true }
    case 'pending':
      return { ask: 'decide', who: wish.who, approvalId: heard.approvalId, verdict: wish.verdict }
    case 'accepted':
      return { ask: 'answer', who: wish.who, callId: heard.callId }
    case 'silent':
      // a decision nobody confirmed is made again: of two the first counts
      return ask.ask === 'call' ? callOf(wish, random) : ask
    default:
      return callOf(wish, random)
  }
}

function pauseMs(heard: Heard, random: Random): number {
  if (heard.status === 'pending') return 0
  // a job takes its time, and who asks too often keeps it from being done
  if (heard.status === 'accepted' || heard.status === 'asking') return random.between(100, 600)
  return heard.status === 'silent' && heard.why === 'dead'
    ? random.between(0, 30)
    : random.between(20, 250)
}

function wordsOf(heard: Heard | Told): string {
  return heard.status === 'failed' ? `${heard.code}: ${heard.message}` : heard.status
}
