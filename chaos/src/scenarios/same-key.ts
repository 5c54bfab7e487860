import { type ClientOptions, callUntilAnswered } from '../clients/call-until-answered.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import { showProgress } from '../report/progress.ts'
import { type CallCase, judge } from '../report/verdict.ts'
import { listenForInterrupt } from './interrupt.ts'
import type { Scenario } from './scenario.ts'
import { waitUntilSettled } from './settle.ts'
import { startStableNodes } from './stable-nodes.ts'

// More at a time would only queue in front of the nodes.
const AT_ONCE = 200

/** Many clients use one key at the same moment on every node: one effect per key. */
export const sameKey: Scenario = async (context) => {
  const { options, vendor } = context
  let detours = 0
  const { pool, ledger, client, startedMs } = await startStableNodes(
    context,
    1 + (options.keys * options.racers) / 10_000,
    () => void detours++,
  )
  const cases: CallCase[] = []
  const stopProgress = showProgress(
    () => `keys ${cases.length}/${options.keys}, ${options.racers} racers each`,
  )
  const keysAtOnce = Math.max(1, Math.floor(AT_ONCE / options.racers))
  const calls = Array.from({ length: options.keys }, (_, number) =>
    planSimpleCall(number, { manner: 'patient' }),
  ).values()
  const { isStopped } = listenForInterrupt()
  const racing = { racers: options.racers, client, cases, isStopped }
  await Promise.all(Array.from({ length: keysAtOnce }, () => race(calls, racing)))
  const seconds = (performance.now() - startedMs) / 1_000
  await waitUntilSettled(ledger)
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
  readonly client: ClientOptions
  readonly cases: CallCase[]
  readonly isStopped: () => boolean
}

async function race(
  calls: Iterator<PlannedCall>,
  { racers, client, cases, isStopped }: Racing,
): Promise<void> {
  for (let next = calls.next(); !next.done && !isStopped(); next = calls.next()) {
    const call: PlannedCall = next.value
    const [final, ...repeated] = await Promise.all(
      Array.from({ length: racers }, () => callUntilAnswered(call, client)),
    )
    if (final !== undefined) cases.push({ call, final, repeated })
  }
}
