import { beforeEach, expect, test } from 'vitest'
import { appendRecords } from './append-records.ts'
import { createAuditKey, publicKeyOf } from './audit-key.ts'
import { type EraseRequest, eraseStep } from './erase.ts'
import { isSealed, sealErasure } from './erasure-seal.ts'
import { exportAudit } from './export-audit.ts'
import { collect } from './fixtures/collect.ts'
import { sampleRecord } from './fixtures/sample-record.ts'
import { type OpenDatabase, openInMemory } from './fixtures/sqlite-database.ts'
import { auditSequencer } from './sequencer.ts'
import type { SignedHead } from './signed-head.ts'
import { erasedPlaces, tombstoneRecord } from './tombstone.ts'
import { verifyAudit } from './verify-audit.ts'
import { verifyStored } from './verify-stored.ts'
import { recordBatch } from './fixtures/record-batch.ts'

const key = createAuditKey()
const publicKeys = [publicKeyOf(key)]
const BEN: EraseRequest = {
  tenant: 'acme',
  principal: 'ben',
  by: 'root',
  actor: 'user',
  id: 'aud_erasure',
}

let database: OpenDatabase
let anchors: SignedHead[]
let sequence: () => Promise<number>

beforeEach(async () => {
  database = openInMemory()
  anchors = []
  const options = {
    key,
    batchSize: 7,
    anchors: [async (head: SignedHead) => void anchors.push(head)],
    onTrouble: (error: unknown) => expect(error).toBeUndefined(),
  }
  sequence = auditSequencer(database, options).pass
  await write(0, 20)
  await sequence()
})

// As a word: signatures are random letters, and one in three thousand has these three in it.
const BEN_BY_NAME = /\bben\b/
const write = (from: number, to: number) =>
  database.step(
    appendRecords,
    recordBatch(Array.from({ length: to - from }, (_, index) => sampleRecord(from + index))),
  )
const erase = (request: EraseRequest) => database.step(eraseStep, { ...request, key })
const rowsOf = (text: string) => database.raw.prepare(text).all()
const verdicts = async () => [
  await verifyStored(database, 'acme', { publicKeys, anchors }),
  await verifyAudit(exportAudit(database, 'acme'), { publicKeys, anchors }),
]

test('an erased person is gone from the audit, and it still verifies, before and after the next head', async () => {
  await write(20, 30)
  const erased = await erase(BEN)
  expect(erased).toEqual({
    tombstone: 'aud_erasure',
    records: 10,
    calls: 0,
    approvals: 0,
    evidence: 0,
    underWay: [],
    kept: [],
  })
  const everything = JSON.stringify(await collect(exportAudit(database, 'acme')))
  expect(everything).not.toMatch(BEN_BY_NAME)
  expect(everything).not.toContain(sampleRecord(3).input_hash)
  expect(everything).toContain(sampleRecord(4).input_hash)
  for (const verdict of await verdicts())
    expect(verdict).toMatchObject({ kind: 'intact', size: 31, anchoredSize: 20, erasures: 1 })
  await sequence()
  for (const verdict of await verdicts())
    expect(verdict).toMatchObject({ kind: 'intact', size: 31, anchoredSize: 31, erasures: 1 })
})

test('the tombstone names who erased and when, and not whom', async () => {
  await erase(BEN)
  const [stone] = rowsOf("select * from audit_records where id = 'aud_erasure'")
  const [emptied] = rowsOf('select erased_at, erasure from audit_records where position = 0')
  expect(stone).toMatchObject({
    principal: 'root',
    phase: 'change',
    tool_name: 'audit.erase',
    outcome: expect.stringMatching(/^erased 7 records: [0-9a-f]{64}$/),
  })
  expect(emptied).toEqual({ erased_at: stone?.created_at, erasure: 'aud_erasure' })
  expect(JSON.stringify(stone)).not.toMatch(BEN_BY_NAME)
})

test('erasing again does nothing, and erases what came since', async () => {
  await erase(BEN)
  const before = rowsOf('select * from audit_records')
  expect(await erase({ ...BEN, id: 'aud_second' })).toMatchObject({
    tombstone: undefined,
    records: 0,
  })
  expect(rowsOf('select * from audit_records')).toEqual(before)
  await write(30, 33)
  expect(await erase({ ...BEN, id: 'aud_third' })).toMatchObject({
    tombstone: 'aud_third',
    records: 1,
  })
  for (const verdict of await verdicts())
    expect(verdict).toMatchObject({ kind: 'intact', erasures: 2 })
})

test('a person who erases themselves is not named on the tombstone', async () => {
  await erase({ ...BEN, by: 'ben' })
  expect(JSON.stringify(rowsOf('select * from audit_records'))).not.toContain('"ben"')
  expect(await erase({ ...BEN, by: 'ben', id: 'aud_second' })).toMatchObject({
    tombstone: undefined,
  })
})

test('a record emptied without a tombstone, under that of others, or at another time is seen', async () => {
  await erase(BEN)
  const at = rowsOf('select erased_at from audit_records where position = 3')[0]?.erased_at
  const empty = "principal = '', error = '', input_hash = '', output_hash = '', salt = ''"
  for (const [change, position] of [
    [
      `update audit_records set ${empty}, erased_at = 5, erasure = 'aud_nobody' where position = 1`,
      1,
    ],
    [
      `update audit_records set ${empty}, erased_at = ${at}, erasure = 'aud_erasure' where position = 1`,
      0,
    ],
    ['update audit_records set erased_at = 7 where position = 3', 3],
    ["update audit_records set principal = 'eve' where position = 3", 3],
  ] as const) {
    database.raw.exec('savepoint clean')
    database.raw.exec(change)
    for (const verdict of await verdicts())
      expect(verdict).toMatchObject({ kind: 'broken', flaw: { position } })
    database.raw.exec('rollback to clean')
  }
  for (const verdict of await verdicts()) expect(verdict).toMatchObject({ kind: 'intact' })
})

test('a tombstone without the signature of a trusted key does not justify an emptied record, even if the app itself sequenced, signed and anchored it', async () => {
  const forged = erasedPlaces()
  forged.add(4)
  const seals = [
    '',
    sealErasure(
      { tenant: 'acme', id: 'aud_forged', at: 5, outcome: forged.outcome() },
      createAuditKey(),
    ),
  ]
  for (const seal of seals) {
    database.raw.exec('savepoint clean')
    const before = [...anchors]
    const stone = tombstoneRecord({
      id: 'aud_forged',
      tenant: 'acme',
      by: 'root',
      actor: 'user',
      at: 5,
      outcome: forged.outcome(),
      seal,
    })
    await database.step(appendRecords, recordBatch([stone]))
    database.raw.exec("update audit_records set created_at = 5 where id = 'aud_forged'")
    await sequence()
    expect(anchors.at(-1)?.size).toBe(21)
    // by itself it is a record like any other, and no erasure
    for (const verdict of await verdicts())
      expect(verdict).toMatchObject({ kind: 'intact', erasures: 0 })
    database.raw.exec(`update audit_records set principal = '', error = '', input_hash = '', output_hash = '', salt = '', erased_at = 5,
      erasure = 'aud_forged' where position = 4`)
    for (const verdict of await verdicts())
      expect(verdict).toMatchObject({
        kind: 'broken',
        flaw: { position: 4, what: expect.stringContaining('without a sealed tombstone') },
      })
    database.raw.exec('rollback to clean')
    anchors.splice(0, anchors.length, ...before)
  }
})

test('a seal is good for its own tenant, tombstone, time and places alone', () => {
  const erasure = { tenant: 'acme', id: 'aud_erasure', at: 5, outcome: 'erased 1 records: ab' }
  const keys = new Map(publicKeys.map((known) => [known.id, known]))
  const seal = sealErasure(erasure, key)
  expect(isSealed(erasure, seal, keys)).toBe(true)
  for (const change of [
    { tenant: 'globex' },
    { id: 'aud_other' },
    { at: 6 },
    { outcome: 'erased 1 records: ac' },
  ])
    expect(isSealed({ ...erasure, ...change }, seal, keys)).toBe(false)
  for (const other of [
    '',
    ':',
    `${key.id}:`,
    sealErasure(erasure, createAuditKey()),
    sealErasure(erasure, { ...createAuditKey(), id: key.id }),
  ])
    expect(isSealed(erasure, other, keys)).toBe(false)
})

test('a second tombstone of the same id is refused, and nothing of it is done', async () => {
  await erase(BEN)
  const before = rowsOf('select * from audit_records')
  await expect(erase({ ...BEN, principal: 'ann' })).rejects.toThrow(
    'an erasure has an id of its own',
  )
  expect(rowsOf('select * from audit_records')).toEqual(before)
})

test('a backup that brings an erased person back is seen', async () => {
  const columns = [
    'principal',
    'error',
    'input_hash',
    'output_hash',
    'salt',
    'erased_at',
    'erasure',
  ]
  const backup = rowsOf(
    `select ${columns.join(', ')}, position from audit_records where principal = 'ben'`,
  )
  await erase(BEN)
  const restore = database.raw.prepare(
    `update audit_records set ${columns.map((column) => `${column} = ?`).join(', ')} where position = ?`,
  )
  for (const row of backup)
    restore.run(...columns.map((column) => row[column] ?? null), row.position ?? null)
  for (const verdict of await verdicts())
    expect(verdict).toMatchObject({ kind: 'broken', flaw: { id: 'aud_erasure' } })
})

test('ended calls, their approval requests and evidence are emptied; running calls are left and reported', async () => {
  const call = (id: string, state: string, principal = 'ben') =>
    database.raw.exec(`insert into calls (call_id, tenant, principal, tool_id, key, holds_key, key_source, tool_version, definition_hash, input_hash,
      input, provider_key, scopes, irreversible, is_secret, caller, surface, request_id, state, fence, effect_port, effect_method, effect_args_hash,
      effect_started_at, effect_last_started_at, answer, created_at, updated_at) values ('${id}', 'acme', '${principal}', 'orders.place', '${id}', 1,
      'caller', '1', 'd', 'hash', '{"to":"ben"}', 'pk', '{"a":"own"}', 1, 0, '{"principal":"${principal}"}', 'process', 'req', '${state}', 1,
      'p', 'm', 'args', 1, 1, '{"kind":"output"}', 1, 1)`)
  const question = (id: string, state: string, expiresAt: number) =>
    database.raw.exec(`insert into approvals (id, tenant, principal, tool_id, tool_version, definition_hash, input_hash, call_id, kind, reversible, asks,
      shown, digest, state, created_at, expires_at, decision) values ('${id}', 'acme', 'ben', 'orders.place', '1', 'd', 'hash', '${id}', 'confirm', 0,
      'Give ben a lamp?', '{"to":"ben"}', 'digest', '${state}', 1, ${expiresAt}, '{"reason":"ben asked"}')`)
  for (const state of [
    'succeeded',
    'failed',
    'cancelled',
    'released',
    'unknown',
    'waiting',
    'queued',
    'claimed',
    'effect_started',
  ])
    call(state, state)
  call('anns', 'succeeded', 'ann')
  for (const id of ['succeeded', 'anns', 'unknown'])
    database.raw.exec(
      `insert into evidence (tenant, call_id, fence, what, text, at) values ('acme', '${id}', 1, 'person', 'ben said so', 1)`,
    )
  question('succeeded', 'used', 9e15)
  question('bound', 'denied', 9e15)
  question('lapsed', 'denied', 5)
  question('waiting', 'pending', 5)

  const erased = await erase(BEN)
  expect(erased).toMatchObject({
    calls: 4,
    approvals: 2,
    evidence: 1,
    underWay: ['claimed', 'effect_started', 'queued', 'unknown', 'waiting'],
    kept: ['bound', 'waiting'],
  })
  const empty = {
    input: '',
    input_hash: '',
    answer: null,
    caller: '{}',
    provider_key: '',
    effect_args_hash: '',
  }
  const states = {
    succeeded: 'pruned',
    failed: 'pruned',
    cancelled: 'cancelled',
    released: 'released',
  }
  for (const [id, state] of Object.entries(states))
    expect(rowsOf(`select * from calls where call_id = '${id}'`)[0]).toMatchObject({
      ...empty,
      state,
      key: id,
    })
  for (const id of [...erased.underWay, 'anns'])
    expect(rowsOf(`select * from calls where call_id = '${id}'`)[0]).toMatchObject({
      input: '{"to":"ben"}',
      input_hash: 'hash',
    })
  expect(
    rowsOf('select id, input_hash, asks, shown, decision from approvals order by id').map(
      ({ id, asks }) => [id, asks],
    ),
  ).toEqual([
    ['bound', 'Give ben a lamp?'],
    ['lapsed', ''],
    ['succeeded', ''],
    ['waiting', 'Give ben a lamp?'],
  ])
  expect(rowsOf('select call_id, text from evidence order by number')).toEqual([
    { call_id: 'succeeded', text: '' },
    { call_id: 'anns', text: 'ben said so' },
    { call_id: 'unknown', text: 'ben said so' },
  ])
  expect(await erase({ ...BEN, id: 'aud_second' })).toMatchObject({
    tombstone: undefined,
    calls: 0,
    approvals: 0,
    evidence: 0,
  })
})
