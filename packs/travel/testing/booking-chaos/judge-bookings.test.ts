import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { judgeBookings } from './run-booking-chaos.ts'

function judge(records: readonly object[], effects: readonly object[]) {
  const folder = mkdtempSync(join(tmpdir(), 'judge-'))
  const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  writeFileSync(join(folder, 'node-0.jsonl'), lines(records))
  writeFileSync(join(folder, 'duffel.jsonl'), lines(effects.map((effect) => ({ effect }))))
  const { flaws } = judgeBookings({ folder, nodes: 1, orders: 1 }, 0)
  return Object.entries(flaws).flatMap(([name, found]) => (found.length === 0 ? [] : [name]))
}

const approved = { kind: 'approved', order: 0, total: '10.00' }
const ended = { kind: 'ended', order: 0, status: 'booked', reference: 'bk_1' }
const quote = { kind: 'quote', id: 'quo_1', total: '10.00' }
const booking = (id: string, surehand_reference = 'bk_1') => ({
  kind: 'booking',
  id,
  quoteId: 'quo_1',
  payload: { metadata: { surehand_reference } },
})

test.each<[string, readonly object[], readonly object[], readonly string[]]>([
  ['a good run', [approved, ended], [quote, booking('b1')], []],
  [
    'two bookings',
    [approved, ended],
    [quote, booking('b1'), booking('b2')],
    ['orders booked twice'],
  ],
  [
    'another price',
    [{ ...approved, total: '9.00' }, ended],
    [quote, booking('b1')],
    ['booked at another price than the approved one'],
  ],
  [
    'a booking that we do not know',
    [approved],
    [quote, booking('b1')],
    ['booked at the vendor and not by us'],
  ],
  [
    'a booking that the vendor does not know',
    [approved, ended],
    [quote],
    ['booked at another price than the approved one', 'booked by us and not at the vendor'],
  ],
])('%s is judged', (_, records, effects, flaws) => {
  expect(judge(records, effects)).toEqual(flaws)
})
