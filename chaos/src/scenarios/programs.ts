import { SHORT_TIMEOUTS_MS } from '../clients/call-until-answered.ts'
import type { FailpointName } from '../node/failpoint.ts'
import { createLedgerReader, type LedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import { type ActionCounts, driveProgram, type ProgramClient } from '../programs/drive-program.ts'
import { createEvidenceFinder } from '../programs/find-evidence.ts'
import { generatePlan } from '../programs/generate-plan.ts'
import {
  countUndone,
  judgePrograms,
  type ProgramCase,
  type StoredEffect,
} from '../programs/judge-programs.ts'
import type { Plan } from '../programs/plan.ts'
import { holdsKey } from '../programs/program-end.ts'
import { createRandom } from '../random.ts'
import { findAuditFlaws } from '../report/audit-flaws.ts'
import { showProgress } from '../report/progress.ts'
import type { Report } from '../report/report.ts'
import { FaultInjector } from './fault-injector.ts'
import { listenForInterrupt } from './interrupt.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

// Nearly every program gets at least this many replies. The faults are spread over them; otherwise
// they would be over before most programs have started.
const REPLIES_PER_PROGRAM = 5
// Failpoints that every run passes.
const RUN_FAILPOINTS: readonly [FailpointName, ...FailpointName[]] = [
  'runs.write',
  'runs.ask',
  'runs.park',
  'runs.answer',
  'jobs.delivery',
  'calls.claim',
  'calls.finish',
  'vendor.make',
]

/**
 * Programs of about ten steps, whose nodes are killed. In the end the effects are those the model
 * predicts, and no run is left waiting.
 */
export const programs: Scenario = async (context) => {
  const { options, vendor, backend, random } = context
  const location = await backend.createStore()
  const setup = createNodeSetup(context, location)
  const pool = new NodePool(options.nodes, setup, random)
  const ledger = createLedgerReader(location)
  await pool.waitUntilAllReady()
  const faults = new FaultInjector(
    { ...options, calls: options.programs * REPLIES_PER_PROGRAM, failpoints: RUN_FAILPOINTS },
    pool,
    backend,
    createRandom(options.seed + 1),
  )
  const planning = createRandom(options.seed)
  const plans = Array.from({ length: options.programs }, (_, number) =>
    generatePlan(number, planning),
  ).values()
  const cases: ProgramCase[] = []
  const actions: ActionCounts = { answered: 0, decided: 0, settled: 0 }
  let calmSince: number | undefined
  const following = (startedMs: number): ProgramClient => ({
    random,
    nextNode: (last) => pool.pickNode(last),
    waitForFaults: () => faults.waitForFaults(),
    timeoutsMs: SHORT_TIMEOUTS_MS,
    hasTimeLeft: () =>
      calmSince === undefined || performance.now() - Math.max(calmSince, startedMs) < MAX_WAIT_MS,
    onRetry: () => undefined,
    findEvidence: createEvidenceFinder(vendor),
    actions,
  })
  const { isStopped } = listenForInterrupt(() => faults.stop())
  const startedMs = performance.now()
  const stopProgress = showProgress(
    () =>
      `programs ${cases.length}/${options.programs}  kills ${faults.kills}  restarts ${faults.restarts}  answered ${actions.answered}`,
  )
  const work: ClientWork = { cases, following, isOver: isStopped }
  const clients = Array.from({ length: Math.min(options.clients, options.programs) }, () =>
    runClient(plans, work),
  )
  const all = Promise.all(clients).then(() => faults.stop())
  await faults.run()
  calmSince = performance.now()
  await all
  const seconds = Math.round((performance.now() - startedMs) / 1_000)
  await pool.waitUntilAllReady()
  await waitUntilSettled(ledger)
  stopProgress()
  const result = await judgeResult(context, { cases, actions, faults, ledger, seconds })
  await pool.close()
  return {
    ...result,
    broken: await findAuditFlaws(setup),
    ...(isStopped()
      ? {
          stoppedAt: `${cases.length} of ${options.programs} programs and ${faults.kills} of ${options.kills} kills`,
        }
      : {}),
  }
}

type Result = {
  readonly cases: readonly ProgramCase[]
  readonly actions: ActionCounts
  readonly faults: FaultInjector
  readonly ledger: LedgerReader
  readonly seconds: number
}

async function judgeResult(
  context: ScenarioContext,
  { cases, actions, faults, ledger, seconds }: Result,
): Promise<Pick<Report, 'figures' | 'verdict'>> {
  const effects = await readEffects(context, ledger)
  const verdict = judgePrograms(cases, effects)
  const orphaned = (await ledger.orphans()).map(({ key, state }) => `${key} is ${state}`)
  const { kills, stops, restarts } = faults
  return {
    figures: {
      programs: cases.length,
      kills,
      stops,
      restarts,
      seconds,
      steps: await ledger.steps(),
      undone: countUndone(effects),
      'asks answered': actions.answered,
      'approvals decided': actions.decided,
      'unknown settled': actions.settled,
    },
    verdict: {
      ...verdict,
      faults: { ...verdict.faults, orphaned, ...(await findLeftOver(ledger)) },
    },
  }
}

/** The effects in the vendor's log and in the pack's own table. */
export async function readEffects(
  { vendor }: Pick<ScenarioContext, 'vendor'>,
  ledger: LedgerReader,
): Promise<readonly StoredEffect[]> {
  const entries = await ledger.entries()
  return [
    ...vendor.made(),
    ...entries.map(({ item, number }) => ({ item, receipt: `entry-${number}` })),
  ]
}

async function findLeftOver(
  ledger: LedgerReader,
): Promise<{ readonly stuck: readonly string[]; readonly unrecorded: readonly string[] }> {
  const unrecorded = await ledger.unrecorded()
  return {
    stuck: (await ledger.unsettled()).map(({ key, state }) => `${key} is still ${state}`),
    unrecorded: unrecorded === 0 ? [] : [`${unrecorded} calls are done without a record`],
  }
}

type ClientWork = {
  readonly cases: ProgramCase[]
  readonly following: (startedMs: number) => ProgramClient
  readonly isOver: () => boolean
}

async function runClient(
  plans: Iterator<Plan>,
  { cases, following, isOver }: ClientWork,
): Promise<void> {
  for (let next = plans.next(); !next.done; next = plans.next()) {
    const plan: Plan = next.value
    if (isOver()) return
    const end = await driveProgram(plan, following(performance.now()))
    cases.push({
      plan,
      end,
      again: holdsKey(end) ? await driveProgram(plan, following(performance.now())) : undefined,
    })
  }
}
