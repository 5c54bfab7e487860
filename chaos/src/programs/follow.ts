import { setTimeout as pause } from 'node:timers/promises'
import type { Journey } from '../clients/pursue.ts'
import type { Heard, NodeProcess } from '../house/node-process.ts'
import type { Ask } from '../node/messages.ts'
import type { ProgramEnd } from './judge-programs.ts'
import { answerFor, verdictFor } from './person.ts'
import type { Plan } from './plan.ts'
import { doneEnd, failedEnd } from './program-end.ts'
import type { Witness } from './witness.ts'

/** What people have done for the programs so far. */
export type Deeds = { answered: number; decided: number; settled: number }

export type Following = Journey & {
  readonly witness: Witness
  readonly deeds: Deeds
  /** Whoever has heard something waits for the trouble planned before the next word. */
  readonly turn: () => Promise<void>
}

/** Starts a program under its key, comes again on other nodes, and is every person it asks, until it has ended. */
export async function follow(plan: Plan, following: Following): Promise<ProgramEnd> {
  const { random } = following
  let ask: Ask = callOf(plan, following)
  let node: NodeProcess | undefined
  let last = 'nobody was there'
  while (following.hasPatience()) {
    node = await following.nextNode(node)
    if (node === undefined) break
    const heard = await node.ask(ask, random.pick(following.listensMs))
    const end = endOf(ask, heard)
    if (end !== undefined) return end
    following.onDetour(heard)
    if (heard.status !== 'silent') await following.turn()
    count(ask, heard, following.deeds)
    last = wordsOf(heard)
    ask = nextAsk(ask, heard, plan, following)
    await pause(heard.status === 'accepted' ? random.between(50, 400) : random.between(0, 60))
  }
  return { end: 'nothing', last }
}

function callOf({ program, who, key }: Plan, { random }: Following): Ask {
  return {
    ask: 'call',
    who,
    tool: 'chaos.program',
    input: program,
    key,
    whenRunning: random.pick(['answer', 'wait']),
  }
}

function endOf({ ask }: Ask, heard: Heard): ProgramEnd | undefined {
  // what is said to a person's word is not about the program
  if (ask !== 'call' && ask !== 'answer') return undefined
  if (heard.status === 'done') return doneEnd(heard.data)
  return heard.status === 'failed' ? failedEnd(heard) : undefined
}

function nextAsk(ask: Ask, heard: Heard, plan: Plan, following: Following): Ask {
  const { who } = plan
  switch (heard.status) {
    case 'pending':
      return {
        ask: 'decide',
        who,
        approvalId: heard.approvalId,
        verdict: verdictFor(plan, heard.asks),
      }
    case 'asking':
      return {
        ask: 'reply',
        who,
        questionId: heard.questionId,
        answer: answerFor(plan, heard.path),
      }
    case 'accepted':
      // it may wait for a step that only a person can settle
      return ask.ask === 'answer'
        ? { ask: 'tree', who, callId: heard.callId }
        : { ask: 'answer', who, callId: heard.callId }
    case 'tree': {
      const settling = heard.unknown.flatMap(
        ({ path, callId }) => following.witness(plan, { path, callId }) ?? [],
      )
      const [evidence] = settling
      return evidence === undefined ? callOf(plan, following) : { ask: 'resolve', who, ...evidence }
    }
    default:
      return callOf(plan, following)
  }
}

function count({ ask }: Ask, { status }: Heard, deeds: Deeds): void {
  if (status !== 'ok') return
  if (ask === 'reply') deeds.answered++
  if (ask === 'decide') deeds.decided++
  if (ask === 'resolve') deeds.settled++
}

function wordsOf(heard: Heard): string {
  return heard.status === 'failed' ? `${heard.code}: ${heard.message}` : heard.status
}
