import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runBookingChaos } from './run-booking-chaos.ts'

// npm run chaos:bookings -- [--orders 1000] [--nodes 2] [--seconds 300] [--seed S]
const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000' },
    nodes: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '300' },
    rest: { type: 'string', default: '600' },
    seed: { type: 'string', default: 'bookings' },
    keep: { type: 'boolean', default: false },
  },
})
process.once('SIGTERM', () => process.exit(1))
const folder = mkdtempSync(join(tmpdir(), 'booking-chaos-'))
try {
  const { figures, flaws } = await runBookingChaos({
    folder,
    orders: Number(values.orders),
    nodes: Number(values.nodes),
    seconds: Number(values.seconds),
    restSeconds: Number(values.rest),
    seed: values.seed,
    say: (line) => console.log(line),
  })
  for (const [name, value] of Object.entries(figures))
    console.log(`${String(value).padStart(8)}  ${name}`)
  for (const [name, found] of Object.entries(flaws)) {
    console.log(`${String(found.length).padStart(8)}  ${name}`)
    for (const line of found.slice(0, 10)) console.log(`          ${line}`)
  }
  const hasFlaws = Object.values(flaws).some((found) => found.length > 0)
  if (hasFlaws || figures['orders that have not ended'] !== 0) process.exitCode = 1
} finally {
  if (values.keep) console.log(folder)
  else rmSync(folder, { recursive: true, force: true })
}
