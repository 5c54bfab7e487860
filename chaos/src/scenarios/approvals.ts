import { setTimeout as pause } from 'node:timers/promises'
import { callOf, type Final, type Journey, pursue } from '../clients/pursue.ts'
import { plainWish, type Wish } from '../clients/wish.ts'
import { showProgress } from '../report/progress.ts'
import { type Case, judge } from '../report/verdict.ts'
import { openCalmHouse } from './calm-house.ts'
import { CALM_MS, settle } from './settle.ts'
import type { Scenario } from './world.ts'

const KEYS_AT_ONCE = 5

/** Questions that many decide and many call again at the same moment: one decision and one execution each. */
export const approvals: Scenario = async (world) => {
  const { options, vendor } = world
  const { pool, ledger, journey, startedMs } = await openCalmHouse(
    world,
    1 + (options.keys * options.racers) / 2_000,
  )
  const cases: Case[] = []
  const broken: string[] = []
  const stopProgress = showProgress(
    () => `questions ${cases.length}/${options.keys}, ${options.racers} racers each`,
  )
  const wishes = Array.from({ length: options.keys }, (_, number) =>
    plainWish(number, { manner: 'approval' }),
  ).values()
  const hand = async (): Promise<void> => {
    for (let next = wishes.next(); !next.done; next = wishes.next()) {
      const wish: Wish = next.value
      const { accepted, finals } = await decideAndCall(wish, options.racers, journey)
      const [final, ...repeated] = finals
      if (final !== undefined) cases.push({ wish, final, repeated })
      if (accepted !== 1) broken.push(`${wish.key}: ${accepted} decisions were accepted`)
    }
  }
  await Promise.all(Array.from({ length: KEYS_AT_ONCE }, hand))
  await settle(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  if (verdict.effects !== options.keys)
    broken.push(`${options.keys} questions made ${verdict.effects} effects`)
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  return {
    figures: { questions: options.keys, racers: options.keys * options.racers, seconds },
    verdict,
    broken,
  }
}

/** Half of them say yes, the others call; nobody waits for anybody. */
async function decideAndCall(
  wish: Wish,
  racers: number,
  journey: Journey,
): Promise<{ readonly accepted: number; readonly finals: Final[] }> {
  const approvalId = await askedFor(wish, journey)
  let accepted = 0
  const decide = async (): Promise<void> => {
    const node = await journey.nextNode(undefined)
    const heard = await node?.ask(
      { ask: 'decide', who: wish.who, approvalId, verdict: 'approve' },
      CALM_MS,
    )
    if (heard?.status === 'ok') accepted++
  }
  const finals: Promise<Final>[] = []
  const decisions: Promise<void>[] = []
  // a caller who finds the question open would decide it too, and take the word from those who are counted here
  const quiet: Journey = {
    ...journey,
    nextNode: async (last) => pause(1).then(() => journey.nextNode(last)),
  }
  for (let racer = 0; racer < racers; racer++) {
    if (racer % 2 === 0) decisions.push(decide())
    else finals.push(onceDecided(wish, decisions, quiet))
  }
  await Promise.all(decisions)
  return { accepted, finals: await Promise.all(finals) }
}

async function onceDecided(
  wish: Wish,
  decisions: readonly Promise<void>[],
  journey: Journey,
): Promise<Final> {
  const node = await journey.nextNode(undefined)
  await node?.ask(callOf(wish, journey.random), CALM_MS)
  await Promise.race(decisions)
  return pursue(wish, journey)
}

async function askedFor(wish: Wish, journey: Journey): Promise<string> {
  const node = await journey.nextNode(undefined)
  const heard = await node?.ask(callOf(wish, journey.random), CALM_MS)
  if (heard?.status !== 'pending')
    throw new Error(`${wish.key} was not asked about: ${JSON.stringify(heard)}`)
  return heard.approvalId
}
