import {
  type ClientOptions,
  callUntilAnswered,
  type FinalAnswer,
  LONG_TIMEOUTS_MS,
  SHORT_TIMEOUTS_MS,
  toCallRequest,
} from '../clients/call-until-answered.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import type { StoreLocation } from '../node/messages.ts'
import { POISONS, type Poison, poisonPrefix } from '../node/poison.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'
import { createLedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import { type CallCase, judge } from '../report/verdict.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

const BYSTANDERS = 12
// Without `sameKey`, which would be tried again and again while its key is valid.
const OUTSIDE: readonly RecoveryKind[] = ['lookUp', 'none']

/**
 * Tools that leave errors behind, and one that takes its process with it. The former fail their own
 * calls and no process dies; the latter is quarantined after the second death.
 */
export const poison: Scenario = async (context) => {
  const location = await context.backend.createStore()
  // Long leases until a process is to die: a slow machine must not look like a death.
  const pool = await startPool(context, location, 'long')
  const ledger = createLedgerReader(location)
  const callOnce = async (call: PlannedCall): Promise<string> => {
    const node = await pool.pickNode()
    return (await node.send(toCallRequest(call, context.random), LONG_TIMEOUTS_MS[0])).status
  }
  const nodes = [...pool.all]
  const strays = POISONS.filter((kind) => kind !== 'die')
  const poisons = strays.flatMap((how) => OUTSIDE.map((kind) => planPoison(how, kind)))
  const [unharmed] = await Promise.all([
    Promise.all(
      Array.from({ length: BYSTANDERS }, (_, number) => run(planSimpleCall(number), pool, context)),
    ),
    Promise.all(poisons.map(callOnce)),
  ])
  const broken = nodes
    .filter((node) => node.state === 'dead')
    .map((node) => `a node died of an error that a call left behind: ${node.errorOutput}`)
  await pool.close()
  const mortal = await startPool(context, location, 'short')
  const deadly = await run(planPoison('die', 'sameKey'), mortal, context)
  if (!isQuarantined(deadly.final)) broken.push(`the deadly call ended as ${deadly.final.end}`)
  for (const { call, final } of unharmed)
    if (final.end !== 'done') broken.push(`the bystander ${call.key} ended as ${final.end}`)
  await waitUntilSettled(ledger)
  const verdict = await judge([...unharmed, deadly], ledger, context.vendor)
  await mortal.close()
  return { figures: { poisons: poisons.length + 1 }, verdict, broken }
}

async function startPool(
  context: ScenarioContext,
  location: StoreLocation,
  leases: 'short' | 'long',
): Promise<NodePool> {
  const setup = createNodeSetup(context, location, leases)
  const pool = new NodePool(context.options.nodes, setup, context.random)
  await pool.waitUntilAllReady()
  return pool
}

async function run(call: PlannedCall, pool: NodePool, context: ScenarioContext): Promise<CallCase> {
  const final = await callUntilAnswered(call, clientOf(pool, context))
  return { call, final, repeated: [] }
}

function clientOf(pool: NodePool, { random }: ScenarioContext): ClientOptions {
  const untilMs = performance.now() + MAX_WAIT_MS
  return {
    random,
    nextNode: (last) => pool.pickNode(last),
    timeoutsMs: SHORT_TIMEOUTS_MS,
    hasTimeLeft: () => performance.now() < untilMs,
    onRetry: () => undefined,
  }
}

function planPoison(how: Poison, kind: RecoveryKind): PlannedCall {
  const item = `${poisonPrefix(how)}${kind}`
  return planSimpleCall(0, { kind, item, key: `key-${item}` })
}

function isQuarantined(final: FinalAnswer): boolean {
  return final.end === 'unknown' && final.isQuarantined === true
}
