import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { canOpenSmallDisk, openSmallDisk } from '@surehand/testing'
import {
  type ClientOptions,
  callUntilAnswered,
  LONG_TIMEOUTS_MS,
  toCallRequest,
} from '../clients/call-until-answered.ts'
import { type PlannedCall, planSimpleCall } from '../clients/planned-call.ts'
import type { StoreLocation } from '../node/messages.ts'
import type { RecoveryKind } from '../pack/recovery-kind.ts'
import { createLedgerReader } from '../processes/ledger-reader.ts'
import { NodePool } from '../processes/node-pool.ts'
import type { Reply } from '../processes/node-process.ts'
import { type CallCase, judge, type Verdict } from '../report/verdict.ts'
import { mergeVerdicts } from './failpoints.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenario.ts'
import { MAX_WAIT_MS, waitUntilSettled } from './settle.ts'

// The vendor's answer comes this long after the effect; meanwhile the store is lost. If that takes
// longer on a busy machine, the call ends as if nothing had happened, and another one is made.
const ANSWER_AFTER_MS = 3_000
const MOST_ROUNDS = 6

/** A way to lose the store. */
type Loss = {
  readonly name: string
  readonly kinds: readonly RecoveryKind[]
  readonly open: () => Promise<StoreLocation>
  /** Before the call is made. */
  readonly prepare: (location: StoreLocation) => void
  /**
   * Loses the store while a node uses it; the returned function brings it back. `write` lets the
   * node write something.
   */
  readonly lose: (
    location: StoreLocation,
    write: () => Promise<unknown>,
  ) => Promise<() => Promise<void>>
  /** Whether only new nodes can use the store that came back. */
  readonly isNewStore: boolean
  readonly close: () => void
}

/**
 * The store is lost between the effect and its outcome: the disk is full, an older copy is written
 * over the file, or the server stops. The caller reads that the outcome is unknown, with the id of
 * the call, and when the store is back the call ends without a second effect.
 */
export const lostStore: Scenario = async (context) => {
  const isSqlite = context.options.store === 'sqlite'
  const losses = isSqlite ? sqliteLosses(context) : [stoppedServer(context)]
  const broken: string[] = []
  const verdicts: Verdict[] = []
  let lost = 0
  for (const loss of losses) {
    const { cases, verdict } = await loseStore(loss, context, broken)
    verdicts.push(verdict)
    lost += cases
  }
  const effects = context.vendor.made().length
  return {
    figures: {
      losses: losses.length,
      'calls that lost their store': lost,
      'full disk: not run, no right to mount': Number(isSqlite && !canOpenSmallDisk()),
    },
    verdict: { ...verdicts.reduce(mergeVerdicts), effects },
    broken,
  }
}

async function loseStore(
  loss: Loss,
  context: ScenarioContext,
  broken: string[],
): Promise<{ readonly cases: number; readonly verdict: Verdict }> {
  const location = await loss.open()
  const setup = createNodeSetup(context, location, 'long')
  let pool = new NodePool(1, setup, context.random)
  const ledger = createLedgerReader(location)
  const cases: CallCase[] = []
  const lost: RecoveryKind[] = []
  try {
    for (let round = 0; lost.length < loss.kinds.length && round < MOST_ROUNDS; round++) {
      await pool.waitUntilAllReady()
      const calls = loss.kinds
        .filter((kind) => !lost.includes(kind))
        .map((kind) => planLostCall(`${loss.name}-${kind}-${round}`, kind))
      const { replies, restore } = await callAndLose(calls, loss, { context, pool, location })
      for (const [index, { kind, key }] of calls.entries()) {
        const flaw = findFlaw(replies[index] as Reply)
        if (flaw !== 'done') lost.push(kind)
        if (flaw !== undefined && flaw !== 'done') broken.push(`${key}: ${flaw}`)
      }
      if (loss.isNewStore) await pool.close()
      await restore()
      if (loss.isNewStore) pool = new NodePool(1, setup, context.random)
      const client = clientOf(pool, context)
      for (const call of calls) {
        const final = await callUntilAnswered(call, client)
        cases.push({ call, final, repeated: [await callUntilAnswered(call, client)] })
      }
    }
    await waitUntilSettled(ledger)
    if (lost.length < loss.kinds.length)
      broken.push(`${loss.name}: only calls of the classes ${lost} lost their store`)
    return { cases: lost.length, verdict: await judge(cases, ledger, context.vendor) }
  } finally {
    await pool.close()
    loss.close()
  }
}

type Scene = {
  readonly context: ScenarioContext
  readonly pool: NodePool
  readonly location: StoreLocation
}

/** Makes the calls, and loses the store when the vendor has made the items and not yet answered. */
async function callAndLose(
  calls: readonly PlannedCall[],
  loss: Loss,
  { context: { vendor, random }, pool, location }: Scene,
): Promise<{ readonly replies: readonly Reply[]; readonly restore: () => Promise<void> }> {
  loss.prepare(location)
  const slow = { kind: 'slow', delayMs: ANSWER_AFTER_MS, when: 'after' } as const
  for (const { kind, item } of calls) await vendor.fail(`/${kind}/${item}`, slow)
  const node = await pool.pickNode()
  const replies = calls.map((call) =>
    node.send({ ...toCallRequest(call, random), whenRunning: 'answer' }, MAX_WAIT_MS),
  )
  const untilMs = performance.now() + MAX_WAIT_MS
  const areMade = (): boolean => {
    const made = new Set(vendor.made().map(({ item }) => item))
    return calls.every(({ item }) => made.has(item))
  }
  while (!areMade() && performance.now() < untilMs) await pause(10)
  const item = `other-${calls[0]?.item}`
  const other = planSimpleCall(1, { kind: 'transaction', item, key: `key-${item}` })
  const restore = await loss.lose(location, () =>
    node.send(toCallRequest(other, random), MAX_WAIT_MS),
  )
  return { replies: await Promise.all(replies), restore }
}

/**
 * What is wrong with the answer of a call whose store was lost after its effect; `done` if it was
 * stored before.
 */
function findFlaw(reply: Reply): string | undefined {
  if (reply.status === 'done') return 'done'
  if (reply.status !== 'failed') return `was answered with ${reply.status}`
  if (reply.code !== 'TOOL_OUTCOME_UNKNOWN') return `was answered with ${reply.code}`
  return reply.message.includes(reply.callId) && reply.callId !== ''
    ? undefined
    : `the answer does not name the call: ${reply.message}`
}

function planLostCall(item: string, kind: RecoveryKind): PlannedCall {
  return planSimpleCall(0, { kind, item, key: `key-${item}` })
}

function clientOf(pool: NodePool, { random }: ScenarioContext): ClientOptions {
  const untilMs = performance.now() + MAX_WAIT_MS
  return {
    random,
    nextNode: (last) => pool.pickNode(last),
    timeoutsMs: LONG_TIMEOUTS_MS,
    hasTimeLeft: () => performance.now() < untilMs,
    onRetry: () => undefined,
  }
}

function stoppedServer({ backend }: ScenarioContext): Loss {
  return {
    name: 'stopped-server',
    kinds: ['sameKey', 'lookUp', 'none'],
    open: backend.createStore,
    prepare: () => undefined,
    lose: async () => (await backend.cutPower?.()) ?? (async () => undefined),
    isNewStore: false,
    close: () => undefined,
  }
}

function sqliteLosses(context: ScenarioContext): readonly Loss[] {
  return canOpenSmallDisk()
    ? [fullDisk(context), overwrittenFile(context)]
    : [overwrittenFile(context)]
}

function fullDisk({ folder }: ScenarioContext): Loss {
  const disk = openSmallDisk(join(folder, 'small-disk'))
  return {
    name: 'full-disk',
    kinds: ['sameKey', 'lookUp', 'none'],
    open: async () => ({ kind: 'sqlite', file: join(folder, 'small-disk', 'store.db') }),
    prepare: () => undefined,
    async lose() {
      const free = disk.fill()
      return async () => free()
    },
    isNewStore: false,
    close: disk.close,
  }
}

// Its calls are made again under the keys that the vendor knows, so only the class that relies on
// them has one effect.
function overwrittenFile({ backend }: ScenarioContext): Loss {
  return {
    name: 'overwritten-file',
    kinds: ['sameKey'],
    open: backend.createStore,
    prepare(location) {
      const file = fileOf(location)
      checkpoint(file, 'same generation')
      copyFileSync(file, `${file}.copy`)
    },
    async lose(location, write) {
      const file = fileOf(location)
      checkpoint(file, 'next generation')
      // A node looks at the file when it has written.
      await write()
      copyFileSync(`${file}.copy`, file)
      return async () => {
        for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
        copyFileSync(`${file}.copy`, file)
      }
    },
    isNewStore: true,
    close: () => undefined,
  }
}

function fileOf(location: StoreLocation): string {
  if (location.kind !== 'sqlite') throw new Error('Only SQLite has a file.')
  return location.file
}

/** Brings the log into the file, as SQLite does after a thousand pages. */
function checkpoint(file: string, generation: 'same generation' | 'next generation'): void {
  const database = new DatabaseSync(file, { timeout: MAX_WAIT_MS })
  if (generation === 'next generation') {
    const now = Number(database.prepare('PRAGMA user_version').get()?.user_version)
    database.exec(`PRAGMA user_version = ${now + 1}`)
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
}
