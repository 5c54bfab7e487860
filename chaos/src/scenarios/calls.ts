import { type Final, HASTY_MS, type Journey, pursue } from '../clients/pursue.ts'
import { someWish, type Wish } from '../clients/wish.ts'
import { ledgerReader } from '../house/ledger-reader.ts'
import { NodePool } from '../house/node-pool.ts'
import type { VendorProcess } from '../house/vendor-process.ts'
import { randomOf } from '../random.ts'
import { auditFlaws } from '../report/audit-flaws.ts'
import { showProgress } from '../report/progress.ts'
import type { Report } from '../report/report.ts'
import { type Case, judge } from '../report/verdict.ts'
import { CALM_MS, settle } from './settle.ts'
import { untilStopped } from './stopping.ts'
import { Storm } from './storm.ts'
import { type Scenario, setupOf } from './world.ts'

/** A long day: many calls, and every kind of trouble while they are under way. */
export const calls: Scenario = async (world) => {
  const { options, vendor, ground, random } = world
  const place = await ground.newPlace()
  const setup = setupOf(world, place)
  const pool = new NodePool(options.nodes, setup, random)
  const ledger = ledgerReader(place)
  await pool.allReady()
  // the plan is the seed's alone; whom it meets is a matter of the moment
  const storm = new Storm(options, pool, ground, randomOf(options.seed + 1))
  const planning = randomOf(options.seed)
  const cases: Case[] = []
  const detours = new Map<string, number>()
  let calmSince: number | undefined
  const journey = (wishedMs: number): Journey => ({
    random,
    nextNode: (last) => pool.any(last),
    listensMs: HASTY_MS,
    hasPatience: () =>
      calmSince === undefined || performance.now() - Math.max(calmSince, wishedMs) < CALM_MS,
    onDetour: (heard) => {
      const why =
        heard.status === 'failed'
          ? heard.code
          : heard.status === 'silent'
            ? heard.why
            : heard.status
      detours.set(why, (detours.get(why) ?? 0) + 1)
    },
  })
  const { isStopped } = untilStopped(() => storm.end())
  const startedMs = performance.now()
  const stopProgress = showProgress(
    () =>
      `calls ${cases.length}/${options.calls}  kills ${storm.kills}  stops ${storm.stops}  restarts ${storm.restarts}`,
  )
  const wishes = Array.from({ length: options.calls }, (_, number) =>
    someWish(number, planning),
  ).values()
  const day: Day = { storm, vendor, cases, journey, isOver: isStopped }
  const clients = Array.from({ length: options.clients }, () => client(wishes, day))
  await storm.rage()
  calmSince = performance.now()
  await Promise.all(clients)
  const seconds = (performance.now() - startedMs) / 1_000
  await pool.allReady()
  await settle(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  const broken = await auditFlaws(setup)
  return {
    figures: { ...figuresOf(storm, cases.length, seconds), ...retriesOf(detours) },
    verdict,
    broken,
    ...(isStopped()
      ? {
          stoppedAt: `${cases.length} of ${options.calls} calls and ${storm.kills} of ${options.kills} kills`,
        }
      : {}),
  }
}

function figuresOf(
  { kills, stops, restarts }: Storm,
  calls: number,
  seconds: number,
): Report['figures'] {
  return {
    calls,
    kills,
    stops,
    restarts,
    seconds: Math.round(seconds),
    'calls/s': Math.round(calls / seconds),
  }
}

function retriesOf(detours: ReadonlyMap<string, number>): Report['figures'] {
  const retries = [...detours.values()].reduce((sum, count) => sum + count, 0)
  return { retries, ...Object.fromEntries([...detours].map(([why, count]) => [`  ${why}`, count])) }
}

type Day = {
  readonly storm: Storm
  readonly vendor: VendorProcess
  readonly cases: Case[]
  readonly journey: (wishedMs: number) => Journey
  readonly isOver: () => boolean
}

async function client(
  wishes: Iterator<Wish>,
  { storm, vendor, cases, journey, isOver }: Day,
): Promise<void> {
  for (let next = wishes.next(); !next.done; next = wishes.next()) {
    const wish: Wish = next.value
    await storm.turn()
    if (isOver()) return
    for (const fault of wish.faults) await vendor.fail(`/${wish.kind}/${wish.item}`, fault)
    const final = await pursue(wish, journey(performance.now()))
    const repeated: Final[] = []
    for (let repeat = 0; repeat < wish.repeats && final.end !== 'nothing'; repeat++)
      repeated.push(await pursue(wish, journey(performance.now())))
    cases.push({ wish, final, repeated })
  }
}
