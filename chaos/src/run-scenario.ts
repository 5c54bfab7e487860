import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuditKey, writeAuditKey } from '@surehand/sql'
import {
  type ClientOptions,
  callUntilAnswered,
  LONG_TIMEOUTS_MS,
} from './clients/call-until-answered.ts'
import { planSimpleCall } from './clients/planned-call.ts'
import type { Options, ScenarioName } from './options.ts'
import { MANNERS, RECOVERY_KINDS } from './pack/recovery-kind.ts'
import { buildPrograms } from './processes/build-programs.ts'
import { NodeProcess } from './processes/node-process.ts'
import { type StoreKind, startStoreBackend } from './processes/store-backend.ts'
import { startVendor } from './processes/vendor-process.ts'
import { createRandom } from './random.ts'
import { isPassed, type Report } from './report/report.ts'
import { approvals } from './scenarios/approvals.ts'
import { calls } from './scenarios/calls.ts'
import { changedArguments } from './scenarios/changed-arguments.ts'
import { clock } from './scenarios/clock.ts'
import { diverging } from './scenarios/diverging.ts'
import { failpoints } from './scenarios/failpoints.ts'
import { lostStore } from './scenarios/lost-store.ts'
import { pauses } from './scenarios/pauses.ts'
import { pending } from './scenarios/pending.ts'
import { poison } from './scenarios/poison.ts'
import { programs } from './scenarios/programs.ts'
import { sameKey } from './scenarios/same-key.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenarios/scenario.ts'
import { MAX_WAIT_MS } from './scenarios/settle.ts'
import { slowStore } from './scenarios/slow-store.ts'

const SCENARIO: Readonly<Record<ScenarioName, Scenario>> = {
  calls,
  'same-key': sameKey,
  approvals,
  pending,
  'changed-arguments': changedArguments,
  failpoints,
  pauses,
  clock,
  poison,
  'slow-store': slowStore,
  'lost-store': lostStore,
  programs,
  diverging,
}

/**
 * A bundled node program and a store backend. Scenarios share them: preparing them takes seconds.
 */
export type Lab = {
  readonly run: (options: Options) => Promise<Report>
  /** Where the vendor's log and the stores are. */
  readonly folder: string
  /** Stops the store's server and, unless a scenario failed, removes the folder. */
  readonly close: () => Promise<void>
}

export async function openLab(store: StoreKind): Promise<Lab> {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-chaos-'))
  const [programs, backend] = await Promise.all([
    buildPrograms(join(folder, 'program')),
    startStoreBackend(store, folder),
  ])
  const auditKey = writeAuditKey(createAuditKey())
  let scenarios = 0
  let warming: Promise<void> | undefined
  let hasFailed = false

  async function openContext(options: Options): Promise<ScenarioContext> {
    const own = join(folder, `${++scenarios}-${options.scenario}`)
    mkdirSync(own)
    const vendor = await startVendor(programs.vendor, join(own, 'vendor.log'))
    const random = createRandom(options.seed)
    return { options, folder: own, backend, vendor, random, program: programs.node, auditKey }
  }

  async function run(options: Options): Promise<Report> {
    // A node with a defective ledger may never answer.
    warming ??= openContext({ ...options, ledger: 'correct' }).then(fillCompileCache)
    await warming
    const context = await openContext(options)
    try {
      const report = await SCENARIO[options.scenario](context)
      // A run with a defective ledger is expected to fail: there is nothing to look into
      // afterwards.
      hasFailed ||= !isPassed(report) && options.ledger === 'correct'
      return report
    } finally {
      context.vendor.stop()
    }
  }

  return {
    run,
    folder,
    async close() {
      await backend.close()
      if (!hasFailed) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Lets one node make a call of every kind, and shuts it and its vendor down in order: only then do
 * they write the code that they have compiled to the cache, and every later start is cheaper.
 */
async function fillCompileCache(context: ScenarioContext): Promise<void> {
  const setup = createNodeSetup(context, await context.backend.createStore(), 'long')
  const node = new NodeProcess(setup)
  if (!(await node.started)) throw new Error(`The node does not start: ${node.errorOutput}`)
  const calls = RECOVERY_KINDS.flatMap((kind, row) =>
    MANNERS.map((manner, column) => planSimpleCall(100 * row + column, { kind, manner })),
  )
  const untilMs = performance.now() + MAX_WAIT_MS
  const client: ClientOptions = {
    random: context.random,
    nextNode: async () => (node.state === 'ready' ? node : undefined),
    timeoutsMs: LONG_TIMEOUTS_MS,
    hasTimeLeft: () => performance.now() < untilMs,
    onRetry: () => undefined,
  }
  await Promise.all(calls.map((call) => callUntilAnswered(call, client)))
  node.shutDown()
  context.vendor.stop('in-order')
  await node.exited
}
