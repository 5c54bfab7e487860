import type { Row } from '@surehand/core/internal'
import type { LocalRun } from '@surehand/core/ports'
import { describe, expect, test } from 'vitest'
import type { Database } from '../../database.ts'
import { aLocalRun } from '../fixtures/a-local-run.ts'
import { addNote, notesOf } from '../fixtures/fixture-steps.ts'
import { openFixture } from '../fixtures/open-fixture.ts'

const TIMES = new Set(['created_at', 'updated_at'])

/** Of the table's one row for this call all that is neither a time nor its number. */
async function rowOf({ query }: Database, table: string, { claim }: LocalRun): Promise<Row> {
  const [row = {}] = await query(`select * from ${table} where call_id = ?`, [claim.call.callId])
  return Object.fromEntries(
    Object.entries(row).filter(([column]) => !TIMES.has(column) && column !== 'number'),
  )
}

function withKey(run: LocalRun, { claim }: LocalRun): LocalRun {
  return { ...run, claim: { ...run.claim, call: { ...run.claim.call, key: claim.call.key } } }
}

async function kinds(
  result: readonly Promise<{ readonly kind: string }>[],
): Promise<readonly string[]> {
  return (await Promise.allSettled(result)).map((one) =>
    one.status === 'fulfilled' ? one.value.kind : String(one.reason.code ?? one.reason.message),
  )
}

const notes = async ({ step }: Database): Promise<readonly string[]> =>
  (await step(notesOf, '')).ids

test('what a call leaves is the same whether it was run together with others or one by one', async () => {
  const database = await openFixture()
  const run = aLocalRun('add', { id: 'a' })
  await database.transact(run)
  const together = [
    await rowOf(database, 'calls', run),
    await rowOf(database, 'audit_records', run),
  ]
  const other = await openFixture()
  const again = withKey(aLocalRun('add', { id: 'again' }), run)
  // its key twice in its group: they are run one by one
  expect(await kinds([run, again].map(other.transact))).toEqual(['done', 'held'])
  expect([await rowOf(other, 'calls', run), await rowOf(other, 'audit_records', run)]).toEqual(
    together,
  )
  expect(together[0]).toMatchObject({
    state: 'succeeded',
    fence: 1,
    input: '',
    lease_until: null,
    holds_key: 1,
  })
})

const TIMES_OF_CALLS = `select c.created_at = c.updated_at and c.created_at = r.created_at as same,
  abs(c.created_at - {now}) < 60000 as now, typeof(c.created_at) as type
  from calls c join audit_records r on r.call_id = c.call_id`

test('its times are those of the database', async () => {
  const database = await openFixture({ groupCommit: 'on' })
  const run = aLocalRun('add', { id: 'a' })
  await database.transact(run)
  const [times] = await database.query(TIMES_OF_CALLS, [])
  expect(times).toEqual({ same: 1, now: 1, type: 'integer' })
})

describe('beside steps, as those that write traces and audit records', () => {
  test('calls are still written together, at the end of their functions', async () => {
    const database = await openFixture({ groupCommit: 'on' })
    const slow = ['a', 'b'].map((id) => aLocalRun('dawdle', { id, forMs: 50 }))
    const step = database.step(addNote, { id: 'note', text: '' })
    expect(await kinds(slow.map(database.transact))).toEqual(['done', 'done'])
    expect((await step)?.id).toBe('note')
    // One by one, the row of a call is written before its function runs, and its record after it.
    expect(await database.query(TIMES_OF_CALLS, [])).toEqual([
      { same: 1, now: 1, type: 'integer' },
      { same: 1, now: 1, type: 'integer' },
    ])
  })

  test('a step that fails affects no call, and is reported to its own caller', async () => {
    const database = await openFixture()
    await database.step(addNote, { id: 'there', text: '' })
    const failing = database.step(addNote, { id: 'there', text: 'again' }).then(
      () => 'written',
      () => 'failed',
    )
    const runs = ['a', 'b'].map((id) => aLocalRun('add', { id }))
    expect(await kinds(runs.map(database.transact))).toEqual(['done', 'done'])
    expect(await failing).toBe('failed')
    expect(await notes(database)).toEqual(['a', 'b', 'there'])
  })
})

describe('a key that comes again', () => {
  test('does not run its function, though that would be over its time by now', async () => {
    const database = await openFixture()
    const first = aLocalRun('add', { id: 'first' })
    await database.transact(first)
    const again = withKey(
      aLocalRun('dawdle', { id: 'again', forMs: 3_600_000 }, { timeoutMs: 20_000 }),
      first,
    )
    expect(await kinds([database.transact(again)])).toEqual(['held'])
  })

  test('costs its neighbours nothing: they are not run twice', async () => {
    const database = await openFixture()
    const first = aLocalRun('add', { id: 'first' })
    await database.transact(first)
    const again = withKey(aLocalRun('add', { id: 'again' }), first)
    const slow = aLocalRun('dawdle', { id: 'slow', forMs: 3_000 }, { timeoutMs: 5_500 })
    expect(await kinds([slow, again].map(database.transact))).toEqual(['done', 'held'])
  })
})

test('groups of every size and mixture leave one row and one record a call', async () => {
  const database = await openFixture()
  let calls = 0
  for (const size of [1, 2, 3, 5, 9, 17, 31, 70, 200]) {
    const runs = Array.from({ length: size }, (_, index) => {
      const run = aLocalRun('add', { id: `${size}-${index}` })
      const principal = size % 2 === 0 ? 'ann' : `p${index % 3}`
      return { ...run, claim: { ...run.claim, call: { ...run.claim.call, principal } } }
    })
    expect(new Set(await kinds(runs.map(database.transact)))).toEqual(new Set(['done']))
    calls += size
  }
  const [counted] = await database.query(
    `select count(*) as calls, count(distinct principal) as principals, (select count(*) from audit_records) as records,
      (select count(*) from calls c join audit_records r on r.call_id = c.call_id) as both from calls`,
    [],
  )
  expect(counted).toEqual({ calls, principals: 4, records: calls, both: calls })
})

test('what a function does after SQLite has ended its transaction is not kept', async () => {
  const database = await openFixture()
  await database.step(addNote, { id: 'there', text: '' })
  const result = await kinds([database.transact(aLocalRun('endByItself', { id: 'there' }))])
  expect(result).toEqual(['TOOL_STORAGE_ERROR'])
  expect(await notes(database)).toEqual(['there'])
})

describe('in a group', () => {
  test('a key that was used before is answered from its row, and everything else is done once', async () => {
    const database = await openFixture()
    const first = aLocalRun('add', { id: 'first' })
    await database.transact(first)
    const again = withKey(aLocalRun('add', { id: 'again' }), first)
    const others = ['a', 'b', 'c', 'd'].map((id) => aLocalRun('add', { id }))
    expect(
      await kinds([...others.slice(0, 2), again, ...others.slice(2)].map(database.transact)),
    ).toEqual(['done', 'done', 'held', 'done', 'done'])
    expect(await notes(database)).toEqual(['a', 'b', 'c', 'd', 'first'])
  })

  test('of two calls with one key the first is done, and the second sees its answer', async () => {
    const database = await openFixture()
    const first = aLocalRun('add', { id: 'first' })
    const second = withKey(aLocalRun('add', { id: 'second' }), first)
    expect(await kinds([first, second].map(database.transact))).toEqual(['done', 'held'])
    expect(await notes(database)).toEqual(['first'])
  })

  test('a function that refuses or throws affects no other call, and its own error is reported', async () => {
    const database = await openFixture()
    const names = ['add', 'refuse', 'add', 'breakDown', 'add']
    const result = await kinds(
      names.map((name, index) => database.transact(aLocalRun(name, { id: `${index}` }))),
    )
    expect(result).toEqual(['done', 'TOOL_RESOURCE_NOT_FOUND', 'done', 'a bug', 'done'])
    expect(await notes(database)).toEqual(['0', '2', '4'])
  })

  test('a call judged by rules that have changed since is refused, and nothing of it is done', async () => {
    const database = await openFixture()
    const judgedBy = (adminVersion: number, id: string): LocalRun => {
      const run = aLocalRun('add', { id })
      return { ...run, claim: { ...run.claim, adminVersion } }
    }
    expect(
      await kinds([judgedBy(0, 'a'), judgedBy(7, 'b'), judgedBy(0, 'c')].map(database.transact)),
    ).toEqual(['done', 'outdated', 'done'])
    expect(await notes(database)).toEqual(['a', 'c'])
  })
})
