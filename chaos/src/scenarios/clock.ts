import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startCluster } from '@surehand/sql/testing/cluster'
import {
  type ClientOptions,
  callUntilAnswered,
  LONG_TIMEOUTS_MS,
  toCallRequest,
} from '../clients/call-until-answered.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import type { NodeSetup, StoreLocation } from '../node/messages.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'
import { createLedgerReader, type LedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import { NodeProcess } from '../processes/node-process.ts'
import { type CallCase, judge } from '../report/verdict.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

/** How the clock is set while calls are executed; the monotonic clock is left alone. */
const STEPS = ['+120', '-3600', '+0 x10', '+0 x1'] as const
const KINDS: readonly RecoveryKind[] = ['sameKey', 'lookUp', 'none']
// Every process has noticed by then that the clock was set.
const NOTICED_WITHIN_MS = 2_500
// Longer than the time between two sweeps of the other nodes, which then see every lease as over.
const VENDOR_TAKES_MS = 7_000 + NOTICED_WITHIN_MS

/**
 * A wall clock that is set, or runs ten times too fast, must not make a live call look abandoned,
 * nor keep a dead one from being recovered. On SQLite it is the nodes' clock, on PostgreSQL the
 * server's.
 */
export const clock: Scenario = async (context) => {
  const wall = createWall(context.folder)
  const { location, close } = await openStore(context, wall.env)
  const setup = createNodeSetup(context, location)
  const faked = location.kind === 'sqlite' ? { ...setup, env: wall.env } : setup
  const pool = new NodePool(context.options.nodes, faked, context.random)
  const ledger = createLedgerReader(location)
  await pool.waitUntilAllReady()
  const scene: Scene = { context, setup: faked, pool, ledger, setClock: wall.set }
  const broken: string[] = []
  const cases: CallCase[] = []
  for (const [round, step] of STEPS.entries()) {
    cases.push(...(await stepWhileRunning(round, step, scene, broken)))
    cases.push(await recoverAfterStep(round, step, scene, broken))
  }
  await waitUntilSettled(ledger)
  const verdict = await judge(cases, ledger, context.vendor)
  await pool.close()
  await close()
  return { figures: { steps: STEPS.length, calls: cases.length }, verdict, broken }
}

type Scene = {
  readonly context: ScenarioContext
  readonly setup: NodeSetup
  readonly pool: NodePool
  readonly ledger: LedgerReader
  readonly setClock: Wall['set']
}

type Wall = {
  readonly env: Readonly<Record<string, string>>
  /** Resolves when every process has the new time. */
  readonly set: (offset: string) => Promise<void>
}

// Debian's faketime, preloaded by hand: its command would also set the monotonic clock.
function createWall(folder: string): Wall {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined)
    throw new Error('The scenario needs faketime: apt-get install faketime')
  const file = join(folder, 'wall-clock')
  const write = (offset: string): void => writeFileSync(file, `${offset}\n`, { mode: 0o644 })
  write('+0')
  return {
    async set(offset) {
      write(offset)
      await pause(NOTICED_WITHIN_MS)
    },
    env: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      // The file is read again when a second has begun since, and not at every look at the clock.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    },
  }
}

async function openStore(
  { backend, options }: ScenarioContext,
  env: Wall['env'],
): Promise<{ readonly location: StoreLocation; readonly close: () => Promise<void> }> {
  if (options.store === 'sqlite')
    return { location: await backend.createStore(), close: async () => undefined }
  // A server of its own: the other scenarios share theirs, and its clock is right.
  const cluster = await startCluster({ env })
  const url = await cluster.createDatabase()
  return { location: { kind: 'postgres', url }, close: cluster.stop }
}

/** Sets the clock while a call of every recovery class waits for the vendor: each is done once. */
async function stepWhileRunning(
  round: number,
  step: string,
  scene: Scene,
  broken: string[],
): Promise<readonly CallCase[]> {
  const calls = KINDS.map((kind, index) => plan(10 * round + index, kind))
  const answers = calls.map(async (call) => {
    await slowVendor(call, scene)
    return callUntilAnswered(call, clientOf(scene))
  })
  await Promise.all(calls.map((call) => waitUntilSent(call, scene.ledger)))
  await scene.setClock(step)
  return Promise.all(
    calls.map(async (call, index) => {
      const final = await (answers[index] as (typeof answers)[number])
      if (final.end !== 'done') broken.push(`${call.kind} at ${step}: ended as ${final.end}`)
      return { call, final, repeated: [await callUntilAnswered(call, clientOf(scene))] }
    }),
  )
}

/** A node that dies around a step of the clock: another one still recovers its call. */
async function recoverAfterStep(
  round: number,
  step: string,
  scene: Scene,
  broken: string[],
): Promise<CallCase> {
  const call = plan(10 * round + 9, 'sameKey')
  const node = new NodeProcess(scene.setup)
  await node.started
  await slowVendor(call, scene)
  void node.send(toCallRequest(call, scene.context.random), MAX_WAIT_MS)
  await waitUntilSent(call, scene.ledger)
  await scene.setClock(STEPS[(round + 1) % STEPS.length] ?? step)
  node.kill()
  await node.exited
  const final = await callUntilAnswered(call, clientOf(scene))
  if (final.end !== 'done') broken.push(`recovered after ${step}: ended as ${final.end}`)
  return { call, final, repeated: [] }
}

function plan(number: number, kind: RecoveryKind): PlannedCall {
  return planSimpleCall(number, {
    kind,
    manner: 'patient',
    item: `clock-${number}`,
    key: `key-clock-${number}`,
  })
}

function slowVendor({ kind, item }: PlannedCall, { context }: Scene): Promise<void> {
  const slow = { kind: 'slow', delayMs: VENDOR_TAKES_MS, when: 'before' } as const
  return context.vendor.fail(`/${kind}/${item}`, slow)
}

async function waitUntilSent({ key }: PlannedCall, ledger: LedgerReader): Promise<void> {
  const untilMs = performance.now() + MAX_WAIT_MS
  while ((await ledger.stateOf(key)) !== 'effect_started' && performance.now() < untilMs)
    await pause(50)
}

function clientOf({ context, pool }: Scene): ClientOptions {
  const untilMs = performance.now() + MAX_WAIT_MS
  return {
    random: context.random,
    nextNode: (last) => pool.pickNode(last),
    timeoutsMs: LONG_TIMEOUTS_MS,
    hasTimeLeft: () => performance.now() < untilMs,
    onRetry: () => undefined,
  }
}
