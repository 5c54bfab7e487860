import { type Journey, pursue } from '../clients/pursue.ts'
import { plainWish, type Wish } from '../clients/wish.ts'
import { showProgress } from '../report/progress.ts'
import { type Case, judge } from '../report/verdict.ts'
import { openCalmHouse } from './calm-house.ts'
import { settle } from './settle.ts'
import { untilStopped } from './stopping.ts'
import type { Scenario } from './world.ts'

// more at a time would only queue up before the nodes
const AT_ONCE = 200

/** Many clients with one key, all at the same moment, on every node: one effect a key. */
export const sameKey: Scenario = async (world) => {
  const { options, vendor } = world
  let detours = 0
  const { pool, ledger, journey, startedMs } = await openCalmHouse(
    world,
    1 + (options.keys * options.racers) / 10_000,
    () => void detours++,
  )
  const cases: Case[] = []
  const stopProgress = showProgress(
    () => `keys ${cases.length}/${options.keys}, ${options.racers} racers each`,
  )
  const keysAtOnce = Math.max(1, Math.floor(AT_ONCE / options.racers))
  const wishes = Array.from({ length: options.keys }, (_, number) => plainWish(number)).values()
  const { isStopped } = untilStopped()
  const racing = { racers: options.racers, journey, cases, isStopped }
  await Promise.all(Array.from({ length: keysAtOnce }, () => race(wishes, racing)))
  const seconds = (performance.now() - startedMs) / 1_000
  await settle(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  return {
    figures: {
      keys: cases.length,
      calls: cases.length * options.racers,
      retries: detours,
      seconds: Math.round(seconds),
    },
    verdict,
    broken:
      verdict.effects === cases.length
        ? []
        : [`${cases.length} keys made ${verdict.effects} effects`],
    ...(isStopped() ? { stoppedAt: `${cases.length} of ${options.keys} keys` } : {}),
  }
}

type Racing = {
  readonly racers: number
  readonly journey: Journey
  readonly cases: Case[]
  readonly isStopped: () => boolean
}

async function race(
  wishes: Iterator<Wish>,
  { racers, journey, cases, isStopped }: Racing,
): Promise<void> {
  for (let next = wishes.next(); !next.done && !isStopped(); next = wishes.next()) {
    const wish: Wish = next.value
    const [final, ...repeated] = await Promise.all(
      Array.from({ length: racers }, () => pursue(wish, journey)),
    )
    if (final !== undefined) cases.push({ wish, final, repeated })
  }
}
