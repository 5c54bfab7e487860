import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { judgeBookings, spawnNode, startVendor } from './run-booking-chaos.ts'

// npm run chaos:bookings does it a thousand times, at random moments.
test('a process that is killed between the booking and its answer leaves one booking, at the approved price', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'booking-death-'))
  const options = { folder, database: join(folder, 'bookings.db'), orders: 1, nodes: 1 }
  const vendor = await startVendor(folder)
  const children: ChildProcess[] = []
  onTestFinished(() => {
    for (const child of children) child.kill('SIGKILL')
    vendor.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = (): ChildProcess => {
    const child = spawnNode(0, vendor.url, options)
    children.push(child)
    return child
  }
  // The booking is made, and its answer would come after the test.
  const slow = { kind: 'slow', delayMs: 600_000, when: 'after' }
  await vendor.plan({ fault: slow, target: { method: 'POST', path: '/stays/bookings' } })
  const killed = start()
  const log = join(folder, 'duffel.jsonl')
  await expect
    .poll(() => existsSync(log) && readFileSync(log, 'utf8').includes('"kind":"booking"'), {
      timeout: 100_000,
    })
    .toBe(true)
  const gone = once(killed, 'exit')
  killed.kill('SIGKILL')
  await gone
  await vendor.calmDown()
  await vendor.setPrices(1.1)
  const [code] = await once(start(), 'exit')
  const { figures, flaws } = judgeBookings(options, 1)
  expect({ code, booked: figures.booked, atVendor: figures['bookings at the vendor'] }).toEqual({
    code: 0,
    booked: 1,
    atVendor: 1,
  })
  expect(Object.values(flaws).flat()).toEqual([])
})
