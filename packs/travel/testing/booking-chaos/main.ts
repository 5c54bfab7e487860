import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startCluster } from '@surehand/sql/testing/cluster'
import { printVerdict } from '@surehand/testing'
import { runBookingChaos } from './run-booking-chaos.ts'

// npm run chaos:bookings -- [--store sqlite|postgres] [--orders 1000] [--nodes 2] [--seconds 300] [--seed S]
const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'sqlite' },
    orders: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '300' },
    rest: { type: 'string', default: '600' },
    seed: { type: 'string', default: 'bookings' },
    keep: { type: 'boolean', default: false },
  },
})
process.once('SIGTERM', () => process.exit(1))
if (values.store !== 'sqlite' && values.store !== 'postgres')
  throw new Error(`--store is sqlite or postgres, not ${values.store}.`)
const folder = mkdtempSync(join(tmpdir(), 'booking-chaos-'))
const cluster = values.store === 'postgres' ? await startCluster() : undefined
try {
  const verdict = await runBookingChaos({
    folder,
    database: (await cluster?.createDatabase()) ?? join(folder, 'bookings.db'),
    orders: Number(values.orders),
    nodes: Number(values.nodes),
    seconds: Number(values.seconds),
    restSeconds: Number(values.rest),
    seed: values.seed,
    say: (line) => console.log(line),
  })
  if (!printVerdict(verdict) || verdict.figures['orders that have not ended'] !== 0)
    process.exitCode = 1
} finally {
  await cluster?.stop()
  if (values.keep) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
}
