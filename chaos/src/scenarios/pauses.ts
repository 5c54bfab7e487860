import { setTimeout as pause } from 'node:timers/promises'
import {
  type ClientOptions,
  callUntilAnswered,
  type FinalAnswer,
  SHORT_TIMEOUTS_MS,
  toCallRequest,
} from '../clients/call-until-answered.ts'
import { planSimpleCall } from '../clients/planned-call.ts'
import type { FailpointName, Side } from '../node/failpoint.ts'
import type { NodeSetup } from '../node/messages.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'
import { SETTLE_MS } from '../pack/vendor-port.ts'
import { createLedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import { NodeProcess } from '../processes/node-process.ts'
import { showProgress } from '../report/progress.ts'
import { type CallCase, judge } from '../report/verdict.ts'
import { mapConcurrently } from './map-concurrently.ts'
import { createNodeSetup, LEASE_MS, type Scenario, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

/**
 * Where a node is paused, and for how long. Other nodes take over meanwhile, and then it continues.
 */
type Pause = {
  readonly kind: RecoveryKind
  readonly at: FailpointName
  readonly side: Side
  readonly forMs: number
}

const AT_ONCE = 4
const LONGER_THAN_LEASE_MS = LEASE_MS * 2
// Another node must have taken over and sent its request meanwhile, on a busy machine too: a ledger
// that lets it is detected here.
const LONGER_THAN_TAKEOVER_MS = LEASE_MS * 6
const LONGER_THAN_SETTLING_MS = LEASE_MS + SETTLE_MS + 4_000
const OUTSIDE: readonly RecoveryKind[] = ['sameKey', 'lookUp', 'none']
const POINTS: readonly (readonly [FailpointName, Side])[] = [
  ['calls.claim', 'after'],
  ['calls.startEffect', 'before'],
  ['calls.startEffect', 'after'],
  ['vendor.make', 'after'],
  ['calls.finish', 'before'],
]

/**
 * A node that is paused while it holds a claim has lost it when it continues: it must not repeat
 * its successor's work.
 */
export const pauses: Scenario = async (context) => {
  const location = await context.backend.createStore()
  const setup = createNodeSetup(context, location)
  // Long leases, so that only the paused node can be mistaken for a dead one.
  const pool = new NodePool(
    context.options.nodes,
    createNodeSetup(context, location, 'long'),
    context.random,
  )
  const ledger = createLedgerReader(location)
  await pool.waitUntilAllReady()
  const planned = allPauses().filter((one) => nameOf(one).includes(context.options.only ?? ''))
  let past = 0
  const stopProgress = showProgress(() => `pauses ${past}/${planned.length}`)
  const broken: string[] = []
  const cases = await mapConcurrently([...planned.entries()], AT_ONCE, async ([number, one]) => {
    const seen = await pauseNode(one, number, { setup, pool, context })
    past++
    if (!seen.wasStopped) broken.push(`${nameOf(one)}: never came by`)
    const isRight =
      seen.case.final.end === 'done' || (one.kind === 'none' && seen.case.final.end === 'unknown')
    if (!isRight) broken.push(`${nameOf(one)}: ended as ${describeAnswer(seen.case.final)}`)
    return seen.case
  })
  await waitUntilSettled(ledger)
  stopProgress()
  const verdict = await judge(cases, ledger, context.vendor)
  await pool.close()
  return { figures: { pauses: planned.length }, verdict, broken }
}

function allPauses(): readonly Pause[] {
  const short = OUTSIDE.flatMap((kind) =>
    POINTS.map(([at, side]) => ({
      kind,
      at,
      side,
      forMs:
        kind === 'none' && at === 'vendor.make' ? LONGER_THAN_TAKEOVER_MS : LONGER_THAN_LEASE_MS,
    })),
  )
  return [
    ...short,
    { kind: 'transaction', at: 'calls.transact', side: 'before', forMs: LONGER_THAN_LEASE_MS },
    { kind: 'transaction', at: 'calls.transact', side: 'after', forMs: LONGER_THAN_LEASE_MS },
    // Long enough that the lookup finds nothing and another node sends the request: the paused node
    // must not send its own any more.
    { kind: 'lookUp', at: 'calls.startEffect', side: 'after', forMs: LONGER_THAN_SETTLING_MS },
  ]
}

type Stage = {
  readonly setup: NodeSetup
  readonly pool: NodePool
  readonly context: ScenarioContext
}

async function pauseNode(
  { kind, at, side, forMs }: Pause,
  number: number,
  { setup, pool, context }: Stage,
): Promise<{ readonly case: CallCase; readonly wasStopped: boolean }> {
  const call = planSimpleCall(number, {
    item: `pause-${number}-`,
    key: `key-pause-${number}-`,
    kind,
    manner: forMs === LONGER_THAN_SETTLING_MS ? 'patient' : 'plain',
  })
  const node = new NodeProcess({
    ...setup,
    failpoints: [{ name: at, side, does: { kind: 'pause', forMs }, item: call.item }],
  })
  await node.started
  const untilMs = performance.now() + MAX_WAIT_MS
  const client: ClientOptions = {
    random: context.random,
    nextNode: (last) => pool.pickNode(last),
    timeoutsMs: SHORT_TIMEOUTS_MS,
    hasTimeLeft: () => performance.now() < untilMs,
    onRetry: () => undefined,
  }
  const first = node.send(
    { ...toCallRequest(call, context.random), whenRunning: 'answer' },
    MAX_WAIT_MS,
  )
  // The node is asked first and is paused by the time the others are asked.
  const wasStopped =
    (await Promise.race([first, pause(LEASE_MS / 2, 'stopped' as const)])) === 'stopped'
  const final = await callUntilAnswered(call, client)
  await first
  const repeated = [await callUntilAnswered(call, client)]
  node.kill()
  await node.exited
  return { case: { call, final, repeated }, wasStopped }
}

function nameOf({ kind, at, side, forMs }: Pause): string {
  return `${kind}: ${forMs} ms ${side} ${at}`
}

function describeAnswer(final: FinalAnswer): string {
  return final.end === 'no-answer' ? `nothing (${final.last})` : final.end
}
