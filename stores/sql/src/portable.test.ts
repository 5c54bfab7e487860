import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { translator } from './portable.ts'

const forPostgres = translator('postgres', 'database')
const forSqlite = translator('sqlite', 'database')

test('parameters are numbered for PostgreSQL and stay for SQLite', () => {
  expect(forPostgres('select ? where a = ? {lock}')).toBe('select $1 where a = $2 for update')
  expect(forSqlite('select ? where a = ? {lock}')).toBe('select ? where a = ? ')
})

test.each(["'it''s {now}?'", '"{lock} ""?"" "', '-- {now} ?\n', '/* ? {serial}\n? */'])(
  'what stands in %s is left alone',
  (quoted) => {
    expect(forPostgres(`? ${quoted} ?`)).toBe(`$1 ${quoted} $2`)
  },
)

test('words that are not ours stay', () => {
  expect(forPostgres("select '{}', {other}")).toBe("select '{}', {other}")
})

test('a text that is asked for again is the same', () => {
  expect(forPostgres('select ?')).toBe(forPostgres('select ?'))
})

test('the clock tells milliseconds, and a shifted one adds what the test says', () => {
  const database = new DatabaseSync(':memory:')
  database.exec(
    'create table test_clock (offset_ms bigint not null, stopped_at bigint); insert into test_clock values (86400000, null)',
  )
  const translate = (time: 'database' | 'shifted') => {
    const row = database.prepare(translator('sqlite', time)('select {now} as now')).get()
    return Number(row?.now)
  }
  const [plain, shifted] = [translate('database'), translate('shifted')]
  expect(Number.isInteger(plain)).toBe(true)
  expect(Math.abs(plain - Date.now())).toBeLessThan(60_000)
  expect(shifted - plain).toBeGreaterThanOrEqual(86_400_000)
})
