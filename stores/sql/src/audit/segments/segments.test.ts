import type { AuditFilter, AuditRecord } from '@surehand/core/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { takeSample } from '../../health.ts'
import { appendPlaced } from '../append-placed.ts'
import { appendMissing, appendRecord } from '../append-records.ts'
import { createAuditKey, publicKeyOf } from '../audit-key.ts'
import { eraseStep } from '../erase.ts'
import { exportAudit } from '../export-audit.ts'
import { recordBatch } from '../fixtures/record-batch.ts'
import { sampleEntry, sampleRecord } from '../fixtures/sample-record.ts'
import { type OpenDatabase, openInMemory } from '../fixtures/sqlite-database.ts'
import { leafText, type SequencedRecord } from '../leaf.ts'
import { leafHash } from '../merkle.ts'
import { listInWindows } from '../list-records.ts'
import { proveRecord } from '../prove-record.ts'
import { recordSealer } from '../record-seal.ts'
import { startSeals } from '../seal-check.ts'
import { auditSequencer } from '../sequencer.ts'
import type { SignedHead } from '../signed-head.ts'
import { diceOf } from '../tamper/dice.ts'
import { verifyAudit } from '../verify-audit.ts'
import { verifyProof } from '../verify-proof.ts'
import { verifyStored } from '../verify-stored.ts'
import { recordsIn, type Segment } from './segment.ts'
import { leafWriter } from './segment-leaves.ts'

const key = createAuditKey()
const sealKey = new Uint8Array(32).fill(5)

let database: OpenDatabase
let anchors: SignedHead[]
let sequence: () => Promise<number>

beforeEach(async () => {
  database = openInMemory()
  anchors = []
  sequence = auditSequencer(database, {
    key,
    anchors: [async (head) => void anchors.push(head)],
    onTrouble: (error) => expect(error).toBeUndefined(),
  }).pass
  await database.step(startSeals, { key: sealKey })
  // The sequencer plants a tenant's tree with its first record.
  await plant('acme', 0)
  await sequence()
})

async function plant(tenant: string, number: number): Promise<void> {
  const entry = sampleEntry(number, { tenant, principal: 'root' })
  await database.step(appendRecord, recordSealer(sealKey).record(entry))
}

/** A batch of reads, as the buffer writes it. */
async function write(records: readonly AuditRecord[]): Promise<void> {
  await database.step(appendPlaced, recordBatch(records, { sealKey }))
}

const range = (from: number, count: number, more: Partial<AuditRecord> = {}) =>
  Array.from({ length: count }, (_, index) => sampleRecord(from + index, more))

const trust = () => ({ publicKeys: [publicKeyOf(key)], anchors, sealKey })
const verify = () => verifyStored(database, 'acme', trust())
const verifyExport = () => verifyAudit(exportAudit(database, 'acme'), trust())
const list = (filter: Partial<AuditFilter> = {}) =>
  listInWindows(database, { tenant: 'acme', ...filter })
const ids = (records: readonly AuditRecord[]) => records.map(({ id }) => id)

function count(table: 'audit_records' | 'audit_segments'): number {
  return Number(database.raw.prepare(`select count(*) as n from ${table}`).get()?.n)
}

function segments(): Segment[] {
  const text = 'select * from audit_segments order by first_number'
  return database.raw.prepare(text).all() as unknown as Segment[]
}

test('reads that are written together are one row, and verify like any other record', async () => {
  await write(range(1, 32))
  await write(range(33, 3))
  await write(range(36, 20))
  expect([count('audit_segments'), count('audit_records')]).toEqual([2, 4])
  expect(await verify()).toMatchObject({ kind: 'intact', size: 56, signedSize: 1, unsealed: 0 })
  await sequence()
  expect(await verify()).toMatchObject({
    kind: 'intact',
    size: 56,
    signedSize: 56,
    anchoredSize: 56,
  })
  expect(await verifyExport()).toMatchObject({ kind: 'intact', size: 56, anchoredSize: 56 })
})

test('each record is a row where it is asked for', async () => {
  const batch = recordBatch(range(1, 32), { sealKey })
  await database.step(appendPlaced, { ...batch, storedAs: 'rows' })
  expect([count('audit_segments'), count('audit_records')]).toEqual([0, 33])
  expect(await verify()).toMatchObject({ kind: 'intact', size: 33, unsealed: 0 })
})

test('records come back from a list as they were written', async () => {
  const written = range(1, 40)
  await write(written.slice(0, 20))
  await write(written.slice(20))
  const found = await list({ limit: 40 })
  const times = found.map(({ created_at }) => created_at)
  expect(found).toEqual(written.map((record, index) => ({ ...record, created_at: times[index] })))
  expect(new Set(times).size).toBeLessThanOrEqual(2)
})

test.each<readonly [string, Partial<AuditFilter>]>([
  ['of a call', { callId: 'call_00000017' }],
  ['of a person', { principal: 'ben' }],
  ['with an outcome', { outcome: 'failed', limit: 4 }],
  ['of a tool that is in none', { toolName: 'shelf.look' }],
  ['of a phase', { phase: 'intent' }],
  ['before another one', { before: sampleRecord(30), limit: 7 }],
  ['before one of a row', { before: sampleRecord(34), limit: 7 }],
  ['before one that is not there', { before: { call_id: 'call_none', id: 'aud_none' } }],
  ['of requests', { requestIds: ['call_00000003', 'a request'] }],
  ['the newest', { limit: 35 }],
  ['from a time on', { since: 0, actor: 'user', limit: 5 }],
])('a list finds the same in segments as in rows: %s', async (_, filter) => {
  const batches = [
    range(1, 32),
    range(33, 3),
    range(36, 20, { request_id: 'a request' }),
    range(56, 9),
  ]
  for (const batch of batches) await write(batch)
  expect([count('audit_segments'), count('audit_records')]).toEqual([2, 24])
  const found = ids(await list(filter))
  for (const segment of segments()) {
    database.raw
      .prepare('update audit_segments set principals = ? where first_number = ?')
      .run(JSON.stringify(['everyone']), segment.first_number)
  }
  // Erasing somebody makes rows of all of them.
  await erase('everyone')
  expect([count('audit_segments'), count('audit_records')]).toEqual([0, 65])
  expect(ids(await list(filter))).toEqual(found)
})

async function erase(principal: string) {
  const id = `aud_erasure_${principal}`
  return database.step(eraseStep, {
    tenant: 'acme',
    principal,
    by: 'root',
    actor: 'user',
    id,
    key,
    sealKey,
  })
}

test('a person in a segment is erased, and nobody else', async () => {
  await write(range(1, 32))
  await write(range(33, 16, { principal: 'cleo' }))
  await sequence()
  expect(await erase('ben')).toMatchObject({ records: 10 })
  await sequence()
  expect([count('audit_segments'), count('audit_records')]).toEqual([1, 34])
  expect(await verify()).toMatchObject({ kind: 'intact', size: 50, erasures: 1, unsealed: 0 })
  expect(await verifyExport()).toMatchObject({ kind: 'intact', size: 50, erasures: 1 })
  expect(await list({ principal: 'ben' })).toEqual([])
  expect(await list({ principal: 'ann' })).toHaveLength(22)
  const everything = JSON.stringify([
    segments(),
    database.raw.prepare('select * from audit_records').all(),
  ])
  expect(everything).not.toContain('"ben"')
})

test('a record of a segment is proven under a signed head by nothing but itself', async () => {
  await write(range(1, 32))
  await write(range(33, 2))
  await sequence()
  const proof = await proveRecord(database, 'acme', 'aud_00000020')
  expect(verifyProof(proof, trust())).toMatchObject({ kind: 'proven' })
  expect(JSON.stringify(proof)).not.toContain('aud_00000021')
})

test('a batch whose result was lost is not written twice', async () => {
  const batch = recordBatch([...range(1, 12), sampleRecord(50, { tenant: 'globex' })], { sealKey })
  await database.step(appendPlaced, batch)
  await database.step(appendMissing, batch)
  await database.step(appendMissing, recordBatch(range(8, 10), { sealKey }))
  await sequence()
  expect(ids(await list())).toEqual(ids(range(0, 18)))
  expect(ids(await list({ tenant: 'globex' }))).toEqual(['aud_00000050'])
  expect(await verify()).toMatchObject({ kind: 'intact', size: 18 })
})

test('records of two tenants in one batch are in segments of their own', async () => {
  await plant('globex', 90)
  await sequence()
  const mixed = range(1, 30).map((record, index) =>
    index % 2 === 0 ? record : { ...record, tenant: 'globex' },
  )
  await write(mixed)
  await sequence()
  expect(segments().map((segment) => segment.count)).toEqual([15, 15])
  expect(await list()).toHaveLength(16)
  expect(await list({ tenant: 'globex' })).toHaveLength(16)
  expect(await verify()).toMatchObject({ kind: 'intact', size: 16 })
  expect(await verifyStored(database, 'globex', trust())).toMatchObject({
    kind: 'intact',
    size: 16,
  })
})

test.each<readonly [string, Partial<AuditRecord>]>([
  ['a change', { phase: 'change' }],
  ['a delegation', { outcome: 'delegated' }],
  ['a call for a request of a domain', { request_id: 'order 7' }],
])('%s is a row of its own', async (_, more) => {
  await write(range(1, 12, more))
  expect([count('audit_segments'), count('audit_records')]).toEqual([0, 13])
  expect(await verify()).toMatchObject({ kind: 'intact', size: 13 })
})

test('a call is found among many segments, also one that took much longer than the others', async () => {
  for (let batch = 0; batch < 120; batch++) {
    const slow = batch === 100 ? [sampleRecord(5, { id: 'aud_slow' })] : []
    await write([...range(100 + batch * 8, 8), ...slow])
  }
  // Its id is older than those of the segments among which it would be looked for.
  expect([count('audit_segments'), count('audit_records')]).toEqual([119, 10])
  expect(ids(await list({ callId: 'call_00000005' }))).toEqual(['aud_slow'])
  for (const number of [100, 107, 108, 500, 899, 903, 907, 1059])
    expect(ids(await list({ callId: sampleRecord(number).call_id }))).toEqual([
      sampleRecord(number).id,
    ])
  expect(await list({ callId: 'call_00099999' })).toEqual([])
  expect(ids(await list({ limit: 600, principal: 'ben' }))).toHaveLength(320)
})

test('the lag counts records in segments that no head was signed over', async () => {
  await write(range(1, 10))
  database.advance(7_000)
  await database.step(takeSample, { dialect: 'sqlite' })
  const lag = database.raw.prepare("select lag_ms from health_samples where tenant = 'acme'").get()
  expect(Number(lag?.lag_ms)).toBeGreaterThanOrEqual(7_000)
})

test('leaves that are written by columns have the same text as those of rows', async () => {
  const odd = {
    error: 'half a pair \ud83d and a NUL \u0000, "quoted"\n',
    tool_name: '\udc00\\',
    duration_ms: Number.NaN,
  }
  const records = range(1, 12).map((record, index) =>
    index === 3 ? { ...record, ...odd } : record,
  )
  for (const batch of [records, range(13, 9, { ...odd, principal: 'd"e\\n' })]) await write(batch)
  for (const segment of segments()) {
    const { columns } = JSON.parse(segment.records)
    const write = leafWriter(columns)
    for (const [index, record] of recordsIn(segment).entries())
      expect(write(index, record)).toBe(leafText(record, record))
  }
  expect(await verify()).toMatchObject({ kind: 'intact', size: 22, unsealed: 0 })
})

describe('an intruder who can write to the database and has no key', () => {
  const change = (set: string): void =>
    database.raw.exec(`update audit_segments set ${set} where first_number = 11`)

  /** Ten rows, a segment of 20 and one of 12. */
  async function open() {
    database.raw.exec("update sqlite_sequence set seq = 3 where name = 'audit_records'")
    await write(range(1, 7))
    await write(range(8, 20))
    await write(range(28, 12))
    await sequence()
    expect(segments().map(({ first_number }) => first_number)).toEqual([11, 31])
    expect(await verify()).toMatchObject({ kind: 'intact', size: 40 })
  }

  test.each([
    ['a principal', 'records = replace(records, \'"ben"\', \'"eve"\')'],
    ['an outcome', 'records = replace(records, \'"failed"\', \'"done"\')'],
    ['a text by a number', "records = replace(records, '\"aud_00000009\"', '9')"],
    ['the time', 'dated_at = dated_at + 1'],
    ['the numbers', 'first_number = 51'],
    ['the places', 'first_position = 100'],
    ['the count', 'count = 19'],
    ['the count by a huge one', 'count = 1000000'],
    ['the salts', "salts = replace(salts, '1', '2')"],
    ['the leaves', "leaves = replace(leaves, '1', '2')"],
    ['the seal', "seal = 'AAAAAAAAAAAAAAAAAAAAAA'"],
    ['the seal by none', 'seal = null'],
    ['the tenant', "tenant = 'globex'"],
    ['the records by nothing', "records = ''"],
    ['the records by something else', "records = '[1]'"],
    ['the columns', 'records = \'{"count":20,"columns":[null,{},[]]}\''],
  ])('is found who changes %s', async (_, set) => {
    await open()
    change(set)
    expect(await verify()).toMatchObject({ kind: 'broken' })
    // An export holds no seals.
    if (!set.startsWith('seal')) expect(await verifyExport()).toMatchObject({ kind: 'broken' })
    await expect(list()).resolves.toBeDefined()
  })

  test('is found who changes any character', async () => {
    await open()
    database.raw.exec('drop index audit_segments_number')
    const dice = diceOf('any character')
    const columns = [
      'records',
      'salts',
      'leaves',
      'seal',
      'dated_at',
      'first_number',
      'count',
    ] as const
    for (let tries = 0; tries < 120; tries++) {
      const segment = dice.pick(segments())
      const column = dice.pick(columns)
      const text = String(segment[column])
      const at = dice.below(text.length)
      const other = dice.pick(['0', '1', 'f', '"', ',', ''].filter((one) => one !== text[at]))
      database.raw.exec('savepoint clean')
      database.raw
        .prepare(`update audit_segments set ${column} = ? where first_number = ?`)
        .run(text.slice(0, at) + other + text.slice(at + 1), segment.first_number)
      expect([tries, column, at, other, (await verify()).kind]).toEqual([
        tries,
        column,
        at,
        other,
        'broken',
      ])
      database.raw.exec('rollback to clean; release clean')
    }
  })

  test('is found who deletes a segment', async () => {
    await open()
    database.raw.exec('delete from audit_segments where first_number = 11')
    expect(await verify()).toMatchObject({ kind: 'broken', flaw: { position: 8 } })
  })

  test('is found who writes one anew, with its leaves, before a head is signed over it', async () => {
    await open()
    await write(range(40, 10))
    const [forged] = segments().slice(-1)
    database.raw.exec(
      `update audit_segments set records = replace(records, '"user"', '"none"') where first_number = ${forged?.first_number}`,
    )
    const changed = segments().at(-1) as Segment
    const { columns } = JSON.parse(changed.records)
    const leaves = recordsIn(changed).map((record: SequencedRecord, index) =>
      leafHash(leafWriter(columns)(index, record)),
    )
    database.raw
      .prepare('update audit_segments set leaves = ? where first_number = ?')
      .run(leaves.join(''), changed.first_number)
    expect(await verify()).toMatchObject({
      kind: 'broken',
      flaw: { position: 40, what: expect.stringContaining('its seal is wrong') },
    })
    // Nor does an erasure make it good: its records get no seal.
    await erase('ben')
    expect(await verify()).toMatchObject({ kind: 'broken' })
  })
})
