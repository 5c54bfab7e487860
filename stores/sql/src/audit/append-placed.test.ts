import { expect, test } from 'vitest'
import { takeSample } from '../health.ts'
import { appendPlaced } from './append-placed.ts'
import { appendRecord } from './append-records.ts'
import { createAuditKey, publicKeyOf } from './audit-key.ts'
import { readFigures } from './figures.ts'
import { recordBatch } from './fixtures/record-batch.ts'
import { sampleRecord } from './fixtures/sample-record.ts'
import { openInMemory } from './fixtures/sqlite-database.ts'
import { auditSequencer } from './sequencer.ts'
import { verifyStored } from './verify-stored.ts'

const key = createAuditKey()

async function openPlanted(...tenants: readonly string[]) {
  const database = openInMemory()
  const onTrouble = (error: unknown): never => {
    throw error
  }
  const sequencer = auditSequencer(database, { key, anchors: [], onTrouble })
  for (const tenant of tenants) await database.step(appendRecord, sampleRecord(0, { tenant }))
  await sequencer.pass()
  const places = (tenant = 'acme') =>
    database.raw
      .prepare('select number, position, id from audit_records where tenant = ? order by number')
      .all(tenant)
      .map(({ number, position, id }) => [number, position, id])
  const verify = (tenant = 'acme') =>
    verifyStored(database, tenant, { publicKeys: [publicKeyOf(key)], anchors: [] })
  return { database, sequencer, places, verify }
}

const idOf = (number: number): string => sampleRecord(number).id

test('records are placed when they are written, and the sequencer signs over them', async () => {
  const { database, sequencer, places, verify } = await openPlanted('acme')
  const records = [sampleRecord(1), sampleRecord(2), sampleRecord(3)]
  await database.step(appendPlaced, recordBatch(records, { agesMs: [30, 20, 10] }))
  expect(places()).toEqual([0, 1, 2, 3].map((number) => [number + 1, number, idOf(number)]))
  expect(await verify()).toMatchObject({ kind: 'intact', size: 4, signedSize: 1, unsequenced: 0 })
  expect(await sequencer.pass()).toBe(0)
  expect(await verify()).toMatchObject({ kind: 'intact', size: 4, signedSize: 4 })
  const [before, after] = database.raw
    .prepare('select created_at from audit_records where position in (1, 3) order by position')
    .all()
    .map(({ created_at }) => Number(created_at))
  expect((after ?? 0) - (before ?? 0)).toBe(20)
})

test('the lag is that of the oldest record without a place or without a signed head', async () => {
  const { database, sequencer } = await openPlanted('acme')
  const readLag = async () => {
    await database.step(takeSample, { dialect: 'sqlite' })
    const found = database.raw.prepare("select lag_ms from health_samples where tenant = 'acme'")
    const lag = found.get()?.lag_ms
    database.raw.exec('delete from health_samples')
    return Number(lag ?? 0)
  }
  expect(await readLag()).toBe(0)
  await database.step(
    appendPlaced,
    recordBatch([sampleRecord(1), sampleRecord(2)], { agesMs: [5_000, 0] }),
  )
  expect(await readLag()).toBeGreaterThanOrEqual(5_000)
  await sequencer.pass()
  expect(await readLag()).toBe(0)
})

test('records that wait for a place get theirs behind those that were placed at once', async () => {
  const { database, sequencer, places, verify } = await openPlanted('acme')
  await database.step(appendRecord, sampleRecord(1))
  await database.step(appendPlaced, recordBatch([sampleRecord(2)]))
  await database.step(appendRecord, sampleRecord(3))
  expect(await sequencer.pass()).toBe(2)
  expect(places().map(([, position]) => position)).toEqual([0, 2, 1, 3])
  expect(await verify()).toMatchObject({ kind: 'intact', size: 4, signedSize: 4 })
})

test('each tenant has its own tree; the first records of a new one wait for the sequencer', async () => {
  const { database, sequencer, places, verify } = await openPlanted('acme', 'globex')
  const tenants = ['acme', 'initech', 'globex', 'acme']
  const records = tenants.map((tenant, index) => sampleRecord(index + 1, { tenant }))
  await database.step(appendPlaced, recordBatch(records))
  expect(
    ['acme', 'globex', 'initech'].map((tenant) => places(tenant).map((row) => row[1])),
  ).toEqual([[0, 1, 2], [0, 1], [null]])
  await sequencer.pass()
  for (const tenant of tenants) expect(await verify(tenant)).toMatchObject({ kind: 'intact' })
})

test('texts that are changed when they are stored are in the tree as they are stored', async () => {
  const { database, sequencer, verify } = await openPlanted('acme')
  const error = 'half a pair \ud83d and a NUL \u0000, "quoted"'
  const odd = { error, principal: 'a\u0000nn', tool_name: '\udc00', duration_ms: Number.NaN }
  await database.step(appendPlaced, recordBatch([sampleRecord(1, odd)]))
  await sequencer.pass()
  expect(await verify()).toMatchObject({ kind: 'intact', size: 2, signedSize: 2 })
})

test('a batch that fails leaves nothing behind, and every record is counted once', async () => {
  const { database, sequencer, places, verify } = await openPlanted('acme')
  const records = [sampleRecord(1), sampleRecord(2)]
  const unreadable = { ...sampleRecord(3), phase: null } as unknown as (typeof records)[number]
  await expect(database.step(appendPlaced, recordBatch([...records, unreadable]))).rejects.toThrow()
  expect(places()).toEqual([[1, 0, idOf(0)]])
  await database.step(appendPlaced, recordBatch(records))
  await sequencer.pass()
  expect(await verify()).toMatchObject({ kind: 'intact', size: 3 })
  const { slots } = await database.step(readFigures, {
    tenant: 'acme',
    tool: 'orders.place',
    since: 0,
  })
  expect(slots.reduce((sum, { calls }) => sum + calls, 0)).toBe(3)
})
