import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuditKey, writeAuditKey } from '@surehand/sql'
import type { Options, ScenarioName } from './options.ts'
import { buildNode } from './processes/build-node.ts'
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
import { pauses } from './scenarios/pauses.ts'
import { pending } from './scenarios/pending.ts'
import { poison } from './scenarios/poison.ts'
import { programs } from './scenarios/programs.ts'
import { sameKey } from './scenarios/same-key.ts'
import { createNodeSetup, type Scenario, type ScenarioContext } from './scenarios/scenario.ts'
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
  const [program, backend] = await Promise.all([
    buildNode(join(folder, 'program')),
    startStoreBackend(store, folder),
  ])
  const auditKey = writeAuditKey(createAuditKey())
  let scenarios = 0
  let isWarm = false
  let hasFailed = false

  async function run(options: Options): Promise<Report> {
    const own = join(folder, `${++scenarios}-${options.scenario}`)
    mkdirSync(own)
    const vendor = await startVendor(join(own, 'vendor.log'))
    const random = createRandom(options.seed)
    const context = { options, folder: own, backend, vendor, random, program, auditKey }
    try {
      if (!isWarm) await fillCompileCache(context)
      isWarm = true
      const report = await SCENARIO[options.scenario](context)
      // A run with a defective ledger is expected to fail: there is nothing to look into
      // afterwards.
      hasFailed ||= !isPassed(report) && options.ledger === 'correct'
      return report
    } finally {
      vendor.stop()
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
 * Starts one node and shuts it down in order, because only then does it write its compiled code to
 * the cache.
 */
async function fillCompileCache(context: ScenarioContext): Promise<void> {
  const node = new NodeProcess(createNodeSetup(context, await context.backend.createStore()))
  if (!(await node.started)) throw new Error(`The node does not start: ${node.errorOutput}`)
  node.shutDown()
  await node.exited
}
