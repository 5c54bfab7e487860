import { beforeEach, expect, test } from 'vitest'
import { createAuditKey } from './audit-key.ts'
import { eraseStep } from './erase.ts'
import { type OpenDatabase, openInMemory } from './fixtures/sqlite-database.ts'

const BOSS = {
  tenant: 'acme',
  principal: 'boss',
  by: 'root',
  actor: 'user',
  id: 'aud_erasure',
  key: createAuditKey(),
}

let database: OpenDatabase
beforeEach(() => {
  database = openInMemory()
})

function insert(table: string, row: Readonly<Record<string, string | number | null>>): void {
  const columns = Object.keys(row)
  database.raw
    .prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    .run(...Object.values(row))
}

const LATER = 9e15
const BOUND = {
  tenant: 'acme',
  principal: 'ann',
  tool_id: 'orders.place',
  tool_version: '1',
  definition_hash: 'd',
  input_hash: 'hash',
}

function question(id: string, more: Readonly<Record<string, string | number | null>>): void {
  const shown = JSON.stringify({
    asks: 'A lamp?',
    ...(more.edited_by ? { edited_by: more.edited_by } : {}),
  })
  const result = {
    kind: 'confirm',
    reversible: 0,
    asks: 'A lamp?',
    shown,
    digest: 'digest',
    created_at: 1,
    expires_at: LATER,
  }
  insert('approvals', { id, ...BOUND, call_id: id, ...result, ...more })
}

function call(id: string, state: string): void {
  const made = {
    holds_key: 1,
    key_source: 'caller',
    provider_key: 'pk',
    scopes: '{}',
    irreversible: 1,
    is_secret: 0,
    caller: '{}',
  }
  const times = {
    surface: 'process',
    request_id: 'req',
    state,
    fence: 1,
    created_at: 1,
    updated_at: 1,
  }
  insert('calls', { call_id: id, ...BOUND, key: id, input: '{}', ...made, ...times })
}

const witness = (id: string, text: string) =>
  insert('evidence', { tenant: 'acme', call_id: id, fence: 1, what: 'person', text, at: 1 })
const decision = (by: string, more = {}) =>
  JSON.stringify({ verdict: 'deny', by, credential: 'own', ...more, at: 7 })
const rowsOf = (text: string) => database.raw.prepare(text).all()

test('the name and reason of an erased decider are removed; the decision, its time and its credential stay', async () => {
  question('denied', { state: 'denied', decision: decision('boss', { reason: 'boss says no' }) })
  question('other', { state: 'denied', decision: decision('Boss', { reason: 'my "by":"boss"' }) })
  question('wild', { state: 'denied', decision: decision('b%ss') })
  expect(await database.step(eraseStep, BOSS)).toMatchObject({
    tombstone: 'aud_erasure',
    approvals: 1,
    kept: [],
  })
  expect(rowsOf('select id, asks, decision from approvals order by number')).toEqual([
    { id: 'denied', asks: 'A lamp?', decision: decision('') },
    { id: 'other', asks: 'A lamp?', decision: decision('Boss', { reason: 'my "by":"boss"' }) },
    { id: 'wild', asks: 'A lamp?', decision: decision('b%ss') },
  ])
  expect(await database.step(eraseStep, { ...BOSS, id: 'aud_again' })).toMatchObject({
    tombstone: undefined,
    approvals: 0,
  })
  expect(
    await database.step(eraseStep, { ...BOSS, id: 'aud_wild', principal: 'b%ss' }),
  ).toMatchObject({ approvals: 1 })
})

test('the name of an erased editor is removed once the request is closed; until then it is reported as kept', async () => {
  question('open', { state: 'pending', edited_by: 'boss' })
  question('closed', { state: 'used', edited_by: 'boss' })
  expect(await database.step(eraseStep, BOSS)).toMatchObject({ approvals: 1, kept: ['open'] })
  expect(rowsOf('select id, edited_by, shown from approvals order by number')).toEqual([
    { id: 'open', edited_by: 'boss', shown: '{"asks":"A lamp?","edited_by":"boss"}' },
    { id: 'closed', edited_by: '', shown: '{"asks":"A lamp?","edited_by":""}' },
  ])
  database.raw.exec("update approvals set state = 'replaced'")
  expect(await database.step(eraseStep, { ...BOSS, id: 'aud_again' })).toMatchObject({
    approvals: 1,
    kept: [],
  })
  expect(JSON.stringify(rowsOf('select * from approvals'))).not.toContain('boss')
})

test('a delegation from or to an erased person is forgotten, also of a request that is open', async () => {
  question('to', { state: 'pending', delegate: 'boss', delegated_by: 'carl', delegated_at: 1 })
  question('by', { state: 'used', delegate: 'carl', delegated_by: 'boss', delegated_at: 1 })
  question('other', { state: 'used', delegate: 'carl', delegated_by: 'dora', delegated_at: 1 })
  expect(await database.step(eraseStep, BOSS)).toMatchObject({ approvals: 2, kept: [] })
  const left = rowsOf('select id, delegate, delegated_by, delegated_at from approvals')
  expect(left).toEqual([
    { id: 'to', delegate: null, delegated_by: null, delegated_at: null },
    { id: 'by', delegate: null, delegated_by: null, delegated_at: null },
    { id: 'other', delegate: 'carl', delegated_by: 'dora', delegated_at: 1 },
  ])
})

test('a witness is not named any more once the call is settled; until then a second person must be told from the first', async () => {
  const addStatement = (by: string) => JSON.stringify({ by, text: 'I looked.' })
  for (const [id, state] of Object.entries({ settled: 'released', open: 'unknown' })) {
    call(id, state)
    witness(id, addStatement('boss'))
    witness(id, addStatement('carl'))
    witness(id, 'boss said so')
  }
  expect(await database.step(eraseStep, BOSS)).toMatchObject({ evidence: 1, underWay: ['open'] })
  const readRest = (id: string) =>
    rowsOf(`select text from evidence where call_id = '${id}' order by number`).map(
      ({ text }) => text,
    )
  expect(readRest('settled')).toEqual([
    JSON.stringify({ by: '', text: '' }),
    addStatement('carl'),
    'boss said so',
  ])
  expect(readRest('open')).toEqual([addStatement('boss'), addStatement('carl'), 'boss said so'])
})

test('an approval whose call was cancelled is emptied; a denial that still applies is kept, and reported', async () => {
  const theirs = { principal: 'boss' }
  question('cancelled', { ...theirs, state: 'approved', decision: decision('ann') })
  question('running', { ...theirs, state: 'approved', decision: decision('ann') })
  question('binding', { ...theirs, state: 'denied', decision: decision('ann') })
  call('cancelled', 'cancelled')
  call('running', 'queued')
  expect(await database.step(eraseStep, BOSS)).toMatchObject({
    approvals: 1,
    kept: ['binding', 'running'],
  })
  expect(rowsOf('select id, asks from approvals order by id')).toEqual([
    { id: 'binding', asks: 'A lamp?' },
    { id: 'cancelled', asks: '' },
    { id: 'running', asks: 'A lamp?' },
  ])
})
