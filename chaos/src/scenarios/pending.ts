import { callOf, HASTY_MS, type Journey, pursue } from '../clients/pursue.ts'
import { plainWish, TENANTS, type Wish } from '../clients/wish.ts'
import { ledgerReader } from '../house/ledger-reader.ts'
import { NodePool } from '../house/node-pool.ts'
import type { NodeProcess } from '../house/node-process.ts'
import { showProgress } from '../report/progress.ts'
import { type Case, judge } from '../report/verdict.ts'
import { inTurn } from './in-turn.ts'
import { CALM_MS, settle } from './settle.ts'
import { type Scenario, setupOf } from './world.ts'

/** Questions wait; every node is killed at once; they wait still, and each yes is one execution. */
export const pending: Scenario = async (world) => {
  const { options, vendor, ground, random } = world
  const place = await ground.newPlace()
  const pool = new NodePool(options.nodes, setupOf(world, place), random)
  const ledger = ledgerReader(place)
  await pool.allReady()
  const wishes = Array.from({ length: options.keys }, (_, number) =>
    plainWish(number, { manner: 'approval' }),
  )
  const cases: Case[] = []
  const stopProgress = showProgress(() => `answered ${cases.length}/${options.keys}`)
  const asked = await inTurn(wishes, options.clients, async (wish) =>
    askFor(wish, await pool.any(), world.random),
  )
  for (const node of pool.all) node.kill()
  await Promise.all(pool.all.map((node) => node.ended))
  const waiting = await openQuestions(await pool.any())
  const startedMs = performance.now()
  const journey: Journey = {
    random,
    nextNode: (last) => pool.any(last),
    listensMs: HASTY_MS,
    hasPatience: () => performance.now() - startedMs < CALM_MS + options.keys * 100,
    onDetour: () => undefined,
  }
  await inTurn(wishes, options.clients, async (wish) => {
    cases.push({ wish, final: await pursue(wish, journey), repeated: [] })
  })
  await settle(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  const lost = asked.filter((id) => !waiting.has(id))
  const broken = lost.map((id) => `the question ${id} did not survive`)
  if (verdict.effects !== options.keys)
    broken.push(`${options.keys} questions made ${verdict.effects} effects`)
  return {
    figures: {
      questions: options.keys,
      kills: options.nodes,
      'still open': asked.length - lost.length,
    },
    verdict,
    broken,
  }
}

async function askFor(wish: Wish, node: NodeProcess, random: Journey['random']): Promise<string> {
  const heard = await node.ask(callOf(wish, random), CALM_MS)
  return heard.status === 'pending'
    ? heard.approvalId
    : `of ${wish.key}, which was never put: ${heard.status}`
}

async function openQuestions(node: NodeProcess): Promise<ReadonlySet<string>> {
  const lists = await Promise.all(
    TENANTS.map((tenant) => node.ask({ ask: 'questions', tenant }, CALM_MS)),
  )
  return new Set(lists.flatMap((heard) => (heard.status === 'questions' ? heard.ids : [])))
}
