import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuditKey, writeAuditKey } from '@surehand/sql'
import { buildNode } from './house/build-node.ts'
import { layGround } from './house/ground.ts'
import { startVendor } from './house/vendor-process.ts'
import { type Options, readOptions, type ScenarioName, USAGE } from './options.ts'
import { randomOf } from './random.ts'
import { isPassed, type Report, reportJson, reportTable } from './report/report.ts'
import { approvals } from './scenarios/approvals.ts'
import { calls } from './scenarios/calls.ts'
import { changedArguments } from './scenarios/changed-arguments.ts'
import { diverging } from './scenarios/diverging.ts'
import { failpoints } from './scenarios/failpoints.ts'
import { pauses } from './scenarios/pauses.ts'
import { pending } from './scenarios/pending.ts'
import { programs } from './scenarios/programs.ts'
import { sameKey } from './scenarios/same-key.ts'
import { type Scenario, warmUp } from './scenarios/world.ts'

const SCENARIO: Readonly<Record<ScenarioName, Scenario>> = {
  calls,
  'same-key': sameKey,
  approvals,
  pending,
  'changed-arguments': changedArguments,
  failpoints,
  pauses,
  programs,
  diverging,
}

async function run(options: Options, folder: string): Promise<Report> {
  const program = await buildNode(join(folder, 'program'))
  const vendor = await startVendor(join(folder, 'vendor.log'))
  const ground = await layGround(options.store, folder)
  try {
    const random = randomOf(options.seed)
    const world = {
      options,
      folder,
      ground,
      vendor,
      random,
      program,
      auditKey: writeAuditKey(createAuditKey()),
    }
    await warmUp(world)
    return await SCENARIO[options.scenario](world)
  } finally {
    vendor.stop()
    await ground.end()
  }
}

function readOrExplain(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    process.exit(64)
  }
}

const options = readOrExplain()
const folder = mkdtempSync(join(tmpdir(), 'surehand-chaos-'))
const report = await run(options, folder)
const title = `chaos: ${options.scenario} on ${options.store}, seed ${options.seed}${options.ledger === 'true' ? '' : `, ${options.ledger.toUpperCase()} ledger`}`
console.log(options.report === 'json' ? reportJson(report) : reportTable(title, report))
if (isPassed(report)) rmSync(folder, { recursive: true, force: true })
else console.error(`What the vendor and the store hold is kept in ${folder}`)
process.exit(isPassed(report) ? 0 : 1)
