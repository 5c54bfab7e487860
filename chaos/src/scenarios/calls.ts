import {
  type ClientOptions,
  callUntilAnswered,
  type FinalAnswer,
  SHORT_TIMEOUTS_MS,
} from '../clients/call-until-answered.ts'
import { type PlannedCall, planRandomCall } from '../clients/planned-call.ts'
import { createLedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import type { VendorProcess } from '../processes/vendor-process.ts'
import { createRandom } from '../random.ts'
import { findAuditFlaws } from '../report/audit-flaws.ts'
import { showProgress } from '../report/progress.ts'
import type { Report } from '../report/report.ts'
import { type CallCase, judge } from '../report/verdict.ts'
import { FaultInjector } from './fault-injector.ts'
import { listenForInterrupt } from './interrupt.ts'
import { createNodeSetup, type Scenario } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

/** Many calls, with every kind of fault injected while they are in progress. */
export const calls: Scenario = async (context) => {
  const { options, vendor, backend, random } = context
  const location = await backend.createStore()
  const setup = createNodeSetup(context, location)
  const pool = new NodePool(options.nodes, setup, random)
  const ledger = createLedgerReader(location)
  await pool.waitUntilAllReady()
  // The plan depends on the seed alone; which calls a fault meets depends on timing.
  const faults = new FaultInjector(options, pool, backend, createRandom(options.seed + 1))
  const planning = createRandom(options.seed)
  const cases: CallCase[] = []
  const detours = new Map<string, number>()
  let calmSince: number | undefined
  const client = (wishedMs: number): ClientOptions => ({
    random,
    nextNode: (last) => pool.pickNode(last),
    timeoutsMs: SHORT_TIMEOUTS_MS,
    hasTimeLeft: () =>
      calmSince === undefined || performance.now() - Math.max(calmSince, wishedMs) < MAX_WAIT_MS,
    onRetry: (reply) => {
      const why =
        reply.status === 'failed'
          ? reply.code
          : reply.status === 'no-reply'
            ? reply.reason
            : reply.status
      detours.set(why, (detours.get(why) ?? 0) + 1)
    },
  })
  const { isStopped } = listenForInterrupt(() => faults.stop())
  const startedMs = performance.now()
  const stopProgress = showProgress(
    () =>
      `calls ${cases.length}/${options.calls}  kills ${faults.kills}  stops ${faults.stops}  restarts ${faults.restarts}`,
  )
  const calls = Array.from({ length: options.calls }, (_, number) =>
    planRandomCall(number, planning),
  ).values()
  const day: ClientWork = { faults, vendor, cases, client, isOver: isStopped }
  const clients = Array.from({ length: options.clients }, () => runClient(calls, day))
  await faults.run()
  calmSince = performance.now()
  await Promise.all(clients)
  const seconds = (performance.now() - startedMs) / 1_000
  await pool.waitUntilAllReady()
  await waitUntilSettled(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, vendor)
  await pool.close()
  const broken = await findAuditFlaws(setup)
  return {
    figures: { ...toFigures(faults, cases.length, seconds), ...countRetries(detours) },
    verdict,
    broken,
    ...(isStopped()
      ? {
          stoppedAt: `${cases.length} of ${options.calls} calls and ${faults.kills} of ${options.kills} kills`,
        }
      : {}),
  }
}

function toFigures(
  { kills, stops, restarts }: FaultInjector,
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

function countRetries(detours: ReadonlyMap<string, number>): Report['figures'] {
  const retries = [...detours.values()].reduce((sum, count) => sum + count, 0)
  return { retries, ...Object.fromEntries([...detours].map(([why, count]) => [`  ${why}`, count])) }
}

type ClientWork = {
  readonly faults: FaultInjector
  readonly vendor: VendorProcess
  readonly cases: CallCase[]
  readonly client: (wishedMs: number) => ClientOptions
  readonly isOver: () => boolean
}

async function runClient(
  calls: Iterator<PlannedCall>,
  { faults, vendor, cases, client, isOver }: ClientWork,
): Promise<void> {
  for (let next = calls.next(); !next.done; next = calls.next()) {
    const call: PlannedCall = next.value
    await faults.waitForFaults()
    if (isOver()) return
    for (const fault of call.faults) await vendor.fail(`/${call.kind}/${call.item}`, fault)
    const final = await callUntilAnswered(call, client(performance.now()))
    const repeated: FinalAnswer[] = []
    for (let repeat = 0; repeat < call.repeats && final.end !== 'no-answer'; repeat++)
      repeated.push(await callUntilAnswered(call, client(performance.now())))
    cases.push({ call, final, repeated })
  }
}
