import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { knownMigrations, missingMigrations } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'

const pack = (names: readonly string[]) => ({
  name: 'shop',
  data: {
    migrations: names.map((name) => ({
      name,
      statements: { sqlite: [`${name} s`], postgres: [`${name} p`] },
    })),
    transactions: '',
  },
})

test("the stores' own come first, then a pack's in its order, each for its dialect", () => {
  const known = knownMigrations([pack(['2', '1'])], 'postgres')
  expect(known[0]).toMatchObject({ owner: 'surehand', name: '0001-ledger' })
  expect(known.slice(-2)).toEqual([
    { owner: 'shop', name: '2', statements: ['2 p'] },
    { owner: 'shop', name: '1', statements: ['1 p'] },
  ])
})

test('a pack without tables has nothing to apply', () => {
  expect(knownMigrations([{ name: 'plain', data: undefined }], 'sqlite')).toEqual(
    knownMigrations(undefined, 'sqlite'),
  )
})

test('a name that a pack lists twice is refused', () => {
  expect(() => knownMigrations([pack(['1', '1'])], 'sqlite')).toThrow('twice')
})

test('what is applied is not missing, and the rest stays in order', () => {
  const known = knownMigrations([pack(['1', '2', '3'])], 'sqlite')
  const applied = known.filter(({ owner, name }) => owner === 'surehand' || name === '2')
  expect(missingMigrations(known, applied).map(({ name }) => name)).toEqual(['1', '3'])
})

test('what a newer version of a pack applied is refused; what a pack that is not here applied is not', () => {
  const known = knownMigrations([pack(['1'])], 'sqlite')
  expect(() => missingMigrations(known, [{ owner: 'shop', name: '2' }])).toThrow('newer version')
  expect(missingMigrations(known, [{ owner: 'elsewhere', name: '2' }])).toEqual(known)
})

// A change here would never reach a database that has applied the migration: write a new one.
test('the migrations that installations have applied do not change', () => {
  const known = MIGRATIONS.map(
    ({ name, statements }) => `${name} ${hash('sha256', JSON.stringify(statements)).slice(0, 8)}`,
  )
  expect(known.slice(0, 9)).toMatchInlineSnapshot(`
    [
      "0001-ledger 936d7d24",
      "0002-audit 4f45df8a",
      "0003-limits-and-values 5f06e18f",
      "0004-administration 51dc7835",
      "0005-jobs 643c6a6f",
      "0006-audit-tree 345f5026",
      "0007-unknown-calls 40988aa0",
      "0008-runs 393df4e8",
      "0009-audit-requests 71eee293",
    ]
  `)
})
