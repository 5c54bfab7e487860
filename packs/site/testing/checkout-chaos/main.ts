import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startCluster } from '@surehand/sql/testing/cluster'
import { createEmptyDatabase } from '@surehand/sql/testing/database'
import { printVerdict } from '@surehand/testing'
import { runCheckoutChaos } from './run-checkout-chaos.ts'

// npm run chaos:checkouts -- [--store postgres] [--visitors 1000] [--nodes 3] [--seconds 1500] [--seed S]
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    visitors: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '1500' },
    rest: { type: 'string', default: '900' },
    seed: { type: 'string', default: 'checkouts' },
    keep: { type: 'boolean', default: false },
  },
})
process.once('SIGTERM', () => process.exit(1))
const folder = mkdtempSync(join(tmpdir(), 'checkout-chaos-'))
const cluster = values.store === 'postgres' ? await startCluster() : undefined
try {
  const verdict = await runCheckoutChaos({
    folder,
    database:
      cluster === undefined
        ? join(folder, 'site.db')
        : await createEmptyDatabase(cluster.url('postgres')),
    visitors: Number(values.visitors),
    nodes: Number(values.nodes),
    seconds: Number(values.seconds),
    restSeconds: Number(values.rest),
    seed: values.seed,
    say: (line) => console.log(line),
  })
  const isClean = printVerdict(verdict)
  if (!isClean || verdict.figures['visitors without an answer'] !== 0) process.exitCode = 1
} finally {
  await cluster?.stop()
  if (values.keep) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
}
