import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sqlAudit } from './audit-store.ts'
import { sampleEntry, sampleRecord } from './fixtures/sample-record.ts'
import { openInMemory } from './fixtures/sqlite-database.ts'
import { type RecordBatch, unpackRecords } from './packed-records.ts'

function openStore() {
  const database = openInMemory()
  const troubles: unknown[] = []
  const audit = sqlAudit(database, (error) => troubles.push(error))
  const ids = () =>
    database.raw
      .prepare('select id from audit_records order by number')
      .all()
      .map(({ id }) => id)
  return { database, audit, troubles, ids }
}

// a record's time is the database's
const readWritten = (number: number, more = {}) => ({
  ...sampleRecord(number, more),
  created_at: expect.any(Number),
})

const idsOf = (...numbers: number[]) => numbers.map((number) => sampleRecord(number).id)

test('a record that must stand before the answer is written when append returns', async () => {
  const { audit, ids } = openStore()
  await audit.append(sampleEntry(1), 'before-answer')
  expect(ids()).toEqual(idsOf(1))
  expect(await audit.list({ tenant: 'acme' })).toEqual([readWritten(1)])
})

test('what cannot be written before the answer is thrown', async () => {
  const { audit, database } = openStore()
  database.failNext('before')
  await expect(audit.append(sampleEntry(1), 'before-answer')).rejects.toThrow('The disk is full.')
})

test('batched records are written by themselves, in their order', async () => {
  const { audit, ids } = openStore()
  for (let number = 0; number < 300; number++)
    expect(audit.append(sampleEntry(number), 'batched')).toBeUndefined()
  expect(ids()).toEqual([])
  while (ids().length < 300) await pause(10)
  expect(ids()).toEqual(idsOf(...Array(300).keys()))
})

test('what arrives while a batch is written is written together, and at once when a reader asks', async () => {
  const database = openInMemory()
  const batches: number[] = []
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const audit = sqlAudit(
    {
      dialect: 'sqlite',
      async step(step, args) {
        if (step.name === 'audit.append-placed') {
          batches.push(unpackRecords((args as RecordBatch).packed).length)
          await held
        }
        return database.step(step, args)
      },
    },
    () => undefined,
  )
  audit.append(sampleEntry(0), 'batched')
  while (batches.length === 0) await pause(10)
  audit.append(sampleEntry(1), 'batched')
  release()
  await new Promise(setImmediate)
  audit.append(sampleEntry(2), 'batched')
  expect(await audit.list({ tenant: 'acme' })).toHaveLength(3)
  expect(batches).toEqual([1, 2])
})

test.each([
  { records: 127, withinMs: 49, written: 0 },
  { records: 128, withinMs: 2, written: 128 },
])('of $records records, $written are written within $withinMs ms', async (expected) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { audit, ids } = openStore()
  for (let number = 0; number < expected.records; number++)
    audit.append(sampleEntry(number), 'batched')
  await vi.advanceTimersByTimeAsync(expected.withinMs)
  // They are sealed in several turns of the event loop.
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  expect(ids()).toHaveLength(expected.written)
})

test('hashes of batched records are made when they are written, not before', async () => {
  const { audit } = openStore()
  let made = 0
  const input = {
    bytes: 1,
    get hash() {
      made++
      return 'ab'
    },
  }
  audit.append({ ...sampleEntry(1), input }, 'batched')
  expect(made).toBe(0)
  await audit.flush()
  expect(made).toBe(1)
})

test.each(['before', 'after'] as const)(
  'a batch that failed %s it was written is there once after the next',
  async (when) => {
    const { audit, database, troubles, ids } = openStore()
    for (const number of [1, 2, 3]) audit.append(sampleEntry(number), 'batched')
    database.failNext(when)
    await audit.flush()
    expect(troubles).toHaveLength(1)
    audit.append(sampleEntry(4), 'batched')
    await audit.flush()
    expect(ids()).toEqual(idsOf(1, 2, 3, 4))
  },
)

test('closing writes the buffered records, and rejects when it cannot', async () => {
  const { audit, database, ids } = openStore()
  audit.append(sampleEntry(1), 'batched')
  database.failNext('before')
  await expect(audit.close()).rejects.toThrow('1 audit records could not be written.')
  await audit.close()
  expect(ids()).toEqual(idsOf(1))
})

test('when too many wait for a database that takes none, the next is refused', async () => {
  const never = { dialect: 'sqlite', step: () => Promise.reject(new Error('away')) } as const
  const audit = sqlAudit(never, () => undefined)
  for (let number = 0; number < 20_000; number++) audit.append(sampleEntry(number), 'batched')
  await expect(audit.append(sampleEntry(1), 'batched')).rejects.toMatchObject({
    code: 'TOOL_STORAGE_ERROR',
  })
  await expect(audit.close()).rejects.toThrow('20000 audit records')
})

test('a name or error that no database takes is written all the same', async () => {
  const { audit } = openStore()
  const odd = { error: 'a\0b\ud800c', tool_name: '\0', duration_ms: Number.NaN }
  await audit.append(sampleEntry(1, odd), 'before-answer')
  audit.append(sampleEntry(2, odd), 'batched')
  const clean = { error: 'a\ufffdb\ufffdc', tool_name: '\ufffd', duration_ms: 0 }
  expect(await audit.list({ tenant: 'acme' })).toEqual([
    readWritten(1, clean),
    readWritten(2, clean),
  ])
})

test('records are found by tenant, call and tool, the newest where there are too many', async () => {
  const { audit } = openStore()
  for (const number of [1, 2, 3]) audit.append(sampleEntry(number), 'batched')
  audit.append(sampleEntry(4, { tenant: 'globex' }), 'batched')
  audit.append(sampleEntry(5, { tool_name: 'shelf.look' }), 'batched')
  const listFound = async (filter: object) =>
    (await audit.list({ tenant: 'acme', ...filter })).map(({ id }) => id)
  expect(await listFound({})).toEqual(idsOf(1, 2, 3, 5))
  expect(await listFound({ limit: 2 })).toEqual(idsOf(3, 5))
  expect(await listFound({ callId: sampleRecord(2).call_id })).toEqual(idsOf(2))
  expect(await listFound({ toolName: 'shelf.look' })).toEqual(idsOf(5))
  expect(await listFound({ callId: sampleRecord(4).call_id })).toEqual([])
})

test('a record has the time of the database, less what it waited, whatever the clock of its node says', async () => {
  const { audit, database } = openStore()
  database.raw.exec('update test_clock set stopped_at = 1768464000000')
  await audit.append(sampleEntry(1, { created_at: 5 }), 'before-answer')
  audit.append(sampleEntry(2, { created_at: 5 }), 'batched')
  database.failNext('before')
  await audit.flush()
  await pause(20)
  await audit.flush()
  const [now, late] = (await audit.list({ tenant: 'acme' })).map(
    ({ created_at }) => 1_768_464_000_000 - created_at,
  )
  expect(now).toBe(0)
  expect(late).toBeGreaterThan(0)
  expect(late).toBeLessThan(60_000)
})
