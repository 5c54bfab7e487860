import { HASTY_MS } from '../clients/pursue.ts'
import { type LedgerReader, ledgerReader } from '../house/ledger-reader.ts'
import { NodePool } from '../house/node-pool.ts'
import type { FailpointName } from '../node/failpoint.ts'
import { type Deeds, type Following, follow } from '../programs/follow.ts'
import {
  type Held,
  judgePrograms,
  type ProgramCase,
  undoneAmong,
} from '../programs/judge-programs.ts'
import type { Plan } from '../programs/plan.ts'
import { stands } from '../programs/program-end.ts'
import { somePlan } from '../programs/some-plan.ts'
import { witnessOf } from '../programs/witness.ts'
import { randomOf } from '../random.ts'
import { auditFlaws } from '../report/audit-flaws.ts'
import { showProgress } from '../report/progress.ts'
import { CALM_MS, settle } from './settle.ts'
import { untilStopped } from './stopping.ts'
import { Storm } from './storm.ts'
import { type Scenario, setupOf, type World } from './world.ts'

// what a program's client hears at the least, nearly always: the trouble is spread over that, and not over before anything has begun
const WORDS_A_PROGRAM = 5
// on the way of every run
const TRAPS: readonly [FailpointName, ...FailpointName[]] = [
  'runs.write',
  'runs.ask',
  'runs.park',
  'runs.answer',
  'jobs.delivery',
  'calls.claim',
  'calls.finish',
  'vendor.make',
]

/** Programs of about ten steps, and nodes that die under them: in the end the provider holds what a model says, and nothing waits. */
export const programs: Scenario = async (world) => {
  const { options, vendor, ground, random } = world
  const place = await ground.newPlace()
  const setup = setupOf(world, place)
  const pool = new NodePool(options.nodes, setup, random)
  const ledger = ledgerReader(place)
  await pool.allReady()
  const storm = new Storm(
    { ...options, calls: options.programs * WORDS_A_PROGRAM, traps: TRAPS },
    pool,
    ground,
    randomOf(options.seed + 1),
  )
  const planning = randomOf(options.seed)
  const plans = Array.from({ length: options.programs }, (_, number) =>
    somePlan(number, planning),
  ).values()
  const cases: ProgramCase[] = []
  const deeds: Deeds = { answered: 0, decided: 0, settled: 0 }
  let calmSince: number | undefined
  const following = (startedMs: number): Following => ({
    random,
    nextNode: (last) => pool.any(last),
    turn: () => storm.turn(),
    listensMs: HASTY_MS,
    hasPatience: () =>
      calmSince === undefined || performance.now() - Math.max(calmSince, startedMs) < CALM_MS,
    onDetour: () => undefined,
    witness: witnessOf(vendor),
    deeds,
  })
  const { isStopped } = untilStopped(() => storm.end())
  const startedMs = performance.now()
  const stopProgress = showProgress(
    () =>
      `programs ${cases.length}/${options.programs}  kills ${storm.kills}  restarts ${storm.restarts}  answered ${deeds.answered}`,
  )
  const day: Day = { cases, following, isOver: isStopped }
  const clients = Array.from({ length: Math.min(options.clients, options.programs) }, () =>
    client(plans, day),
  )
  const all = Promise.all(clients).then(() => storm.end())
  await storm.rage()
  calmSince = performance.now()
  await all
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  await pool.allReady()
  await settle(ledger)
  stopProgress()
  const held = await heldBy(world, ledger)
  const verdict = judgePrograms(cases, held)
  const orphaned = (await ledger.orphans()).map(({ key, state }) => `${key} is ${state}`)
  const { kills, stops, restarts } = storm
  const done = {
    programs: cases.length,
    kills,
    stops,
    restarts,
    seconds,
    steps: await ledger.steps(),
    undone: undoneAmong(held),
  }
  await pool.close()
  return {
    figures: {
      ...done,
      'asks answered': deeds.answered,
      'approvals decided': deeds.decided,
      'unknown settled': deeds.settled,
    },
    verdict: { ...verdict, faults: { ...verdict.faults, orphaned, ...(await leftOver(ledger)) } },
    broken: await auditFlaws(setup),
    ...(isStopped()
      ? {
          stoppedAt: `${cases.length} of ${options.programs} programs and ${kills} of ${options.kills} kills`,
        }
      : {}),
  }
}

/** What the vendor's log and the pack's own table hold. */
export async function heldBy(
  { vendor }: Pick<World, 'vendor'>,
  ledger: LedgerReader,
): Promise<readonly Held[]> {
  const entries = await ledger.entries()
  return [
    ...vendor.made(),
    ...entries.map(({ item, number }) => ({ item, receipt: `entry-${number}` })),
  ]
}

async function leftOver(
  ledger: LedgerReader,
): Promise<{ readonly stuck: readonly string[]; readonly unrecorded: readonly string[] }> {
  const unrecorded = await ledger.unrecorded()
  return {
    stuck: (await ledger.unsettled()).map(({ key, state }) => `${key} is still ${state}`),
    unrecorded: unrecorded === 0 ? [] : [`${unrecorded} calls are done without a record`],
  }
}

type Day = {
  readonly cases: ProgramCase[]
  readonly following: (startedMs: number) => Following
  readonly isOver: () => boolean
}

async function client(plans: Iterator<Plan>, { cases, following, isOver }: Day): Promise<void> {
  for (let next = plans.next(); !next.done; next = plans.next()) {
    const plan: Plan = next.value
    if (isOver()) return
    const end = await follow(plan, following(performance.now()))
    cases.push({
      plan,
      end,
      again: stands(end) ? await follow(plan, following(performance.now())) : undefined,
    })
  }
}
