import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import type { Database } from '../database.ts'
import { defineStep, type Sql, type Step } from '../step.ts'
import { ITEMS, itemNames } from './fixtures/items.ts'
import { openPostgresDatabase } from './open-postgres-database.ts'

let url: string
let database: Database

beforeEach(async () => {
  url = await createDatabase(inject('postgres'))
  database = await openPostgresDatabase({ url, packs: [ITEMS] })
})
afterEach(() => database.close())

type Form = Pick<Step<unknown, unknown>, 'mode' | 'statements'>

const DURABLE: Form = { mode: 'durable', statements: 'many' }

function doing<R>(run: (sql: Sql) => Promise<R>, form: Form = DURABLE): Promise<R> {
  return database.step(
    defineStep('test.doing', form, (sql) => run(sql)),
    undefined,
  )
}

const ADD = 'insert into items (name) values (?)'

describe('a step', () => {
  test('of many statements is all or none', async () => {
    const broken = doing(async (sql) => {
      await sql.run(ADD, 'a')
      await sql.run('insert into nowhere values (1)')
    })
    await expect(broken).rejects.toMatchObject({ code: 'TOOL_STORAGE_ERROR' })
    expect(await itemNames(database)).toEqual([])
  })

  test('that goes on after one of its statements failed has not happened, and is not told as done', async () => {
    const stubborn = doing(async (sql) => {
      await sql.run(ADD, 'a')
      await sql.run('insert into nowhere values (1)').catch(() => undefined)
    })
    await expect(stubborn).rejects.toMatchObject({ code: 'TOOL_STORAGE_ERROR' })
    expect(await itemNames(database)).toEqual([])
  })

  test('that throws leaves its session clean for the next', async () => {
    for (let index = 0; index < 30; index++) {
      const thrown = doing(async (sql) => {
        await sql.run(ADD, 'a')
        throw new TypeError('enough')
      })
      await expect(thrown).rejects.toThrow('enough')
    }
    expect(await doing((sql) => sql.run(ADD, 'a'), { mode: 'durable', statements: 'one' })).toBe(1)
    expect(await itemNames(database)).toEqual(['a'])
  })

  test.each<[Form['mode'], Form['statements'], string]>([
    ['durable', 'one', 'on'],
    ['durable', 'many', 'on'],
    ['lazy', 'one', 'off'],
    ['lazy', 'many', 'off'],
  ])('that is %s, of %s, waits for the disk: %s', async (mode, statements, expected) => {
    const show = () => doing((sql) => sql.get('show synchronous_commit'), { mode, statements })
    const shown = await Promise.all(Array.from({ length: 20 }, show))
    expect(new Set(shown.map((row) => row?.synchronous_commit))).toEqual(new Set([expected]))
  })

  test('of one statement, or that only reads, begins no transaction', async () => {
    const began = async (sql: Sql) => {
      const first = await sql.get('select now() as at')
      await pause(2)
      return first?.at === (await sql.get('select now() as at'))?.at
    }
    const forms: Form[] = [
      { mode: 'durable', statements: 'one' },
      { mode: 'read', statements: 'many' },
      DURABLE,
    ]
    expect(await Promise.all(forms.map((form) => doing(began, form)))).toEqual([false, false, true])
  })

  test('that meets another in a deadlock is tried again, and both are done', async () => {
    await doing((sql) => sql.run("insert into items (name) values ('a'), ('b')"))
    const both = (first: string, second: string) =>
      doing(async (sql) => {
        await sql.run('update items set size = size + 1 where name = ?', first)
        await pause(100)
        await sql.run('update items set size = size + 1 where name = ?', second)
      })
    await Promise.all([both('a', 'b'), both('b', 'a')])
    expect(await database.query('select size from items', [])).toEqual([{ size: 2 }, { size: 2 }])
  })

  test('sees numbers as numbers, and a truth as 1 or 0', async () => {
    const seen = await doing((sql) =>
      sql.get(
        "select 9007199254740991::bigint as big, 1.25::numeric as exact, true as yes, 'a' as text, null as none",
      ),
    )
    expect(seen).toEqual({ big: 9007199254740991, exact: 1.25, yes: 1, text: 'a', none: null })
  })
})

describe('two statements as one', () => {
  const mark = (from: string, to: string) => ({
    text: 'update items set name = ? where name = ?',
    values: [to, from],
  })
  const note = (name: string, size: number) => ({
    text: 'insert into items (name, size) select cast(? as text), cast(? as bigint)',
    values: [name, size],
  })

  test('both happen when the first changes a row', async () => {
    await doing((sql) => sql.run(ADD, 'a'))
    expect(
      await doing((sql) => sql.runBoth(mark('a', 'b'), note('noted', 7)), {
        mode: 'durable',
        statements: 'one',
      }),
    ).toBe(true)
    expect(await database.query('select name, size from items order by name', [])).toEqual([
      { name: 'b', size: 0 },
      { name: 'noted', size: 7 },
    ])
  })

  test('neither happens when the first changes none', async () => {
    expect(
      await doing((sql) => sql.runBoth(mark('nobody', 'b'), note('noted', 7)), {
        mode: 'durable',
        statements: 'one',
      }),
    ).toBe(false)
    expect(await itemNames(database)).toEqual([])
  })
})

describe('a lock', () => {
  test('blocks others that lock the same name until the transaction ends, and none that lock another', async () => {
    const order: string[] = []
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const locking = (name: string, who: string, then?: Promise<void>) =>
      doing(async (sql) => {
        await sql.lock(name)
        order.push(who)
        await then
      })
    const first = locking('a', 'first', released)
    await pause(100)
    const second = locking('a', 'second')
    await locking('b', 'other')
    order.push('released')
    release()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'other', 'released', 'second'])
  })
})

describe('a session that is lost', () => {
  test('costs its own step an error and affects no other', async () => {
    const killer = new pg.Client({ connectionString: url })
    await killer.connect()
    const end = () =>
      killer.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'surehand-%' and pid <> pg_backend_pid() and datname = current_database()",
      )
    const interrupted = doing(async (sql) => {
      await sql.run(ADD, 'a')
      await end()
      await pause(50)
      await sql.run(ADD, 'b')
    })
    await expect(interrupted).rejects.toMatchObject({ code: 'TOOL_STORAGE_ERROR' })
    // Idle sessions were ended too, and one may be lent before its end has arrived here.
    await expect.poll(() => itemNames(database)).toEqual([])
    await end()
    await expect.poll(() => doing((sql) => sql.run(ADD, 'c')).then(() => 'done')).toBe('done')
    await expect.poll(() => itemNames(database)).toEqual(['c'])
    await killer.end()
  })
})

describe('a query', () => {
  test.each([
    "insert into items (name) values ('x')",
    'begin',
    'select 1; drop table items',
    "with x as (insert into items (name) values ('x') returning 1) select 1",
  ])('does not do %j', async (text) => {
    await expect(database.query(text, [])).rejects.toMatchObject({
      code: expect.stringMatching(/^TOOL_(?:CONFIGURATION|STORAGE)_ERROR$/),
    })
    expect(await itemNames(database)).toEqual([])
  })

  test('may begin with a comment, and asks with values', async () => {
    expect(await database.query("-- what is it?\nselect ? || '?' as result", ['a'])).toEqual([
      { result: 'a?' },
    ])
    expect(await database.query('values (1)', [])).toEqual([{ column1: 1 }])
  })
})
