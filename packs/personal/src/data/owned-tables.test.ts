import { expect, test } from 'vitest'
import { FAMILIES, NOT_EXPORTED } from './families.ts'
import { ALL_TABLES, OWNED_TABLES } from './owned-tables.ts'

test('every table is exported or listed as derived, so that a new one cannot be forgotten', () => {
  expect(ALL_TABLES.map(({ family }) => family).toSorted()).toEqual(
    [...FAMILIES, ...NOT_EXPORTED].toSorted(),
  )
})

test('every table belongs to a person, except those whose deletion is written out', () => {
  const shared = ALL_TABLES.filter((table) => !OWNED_TABLES.includes(table)).map(
    ({ family }) => family,
  )
  expect(shared.toSorted()).toEqual(['project_members', 'system'])
})

test('tables are parsed as they are declared', () => {
  const records = ALL_TABLES.find(({ family }) => family === 'habit_records')
  expect(records?.key).toEqual(['habit_id', 'day'])
  expect(records?.columns).toContainEqual({ name: 'quality', type: 'whole', isRequired: false })
  expect(records?.columns).toContainEqual({ name: 'day', type: 'text', isRequired: true })
})
