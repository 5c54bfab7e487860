import { contractCases, runContractCase } from '@surehand/conformance'
import { addDays } from '@surehand/dates'
import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { BOB } from '../../testing/personal-world.ts'
import { openTenants, type Tenants } from '../../testing/tenants.ts'
import { habitTools } from '../tools.ts'
import { habitSeed } from './fixtures/seed.ts'

let url: string
let tenants: Tenants

beforeAll(async () => {
  url = await createEmptyDatabase(inject('postgres'))
  tenants = openTenants({ postgresUrl: url })
})
afterAll(async () => {
  await tenants.close()
  await dropDatabase(url)
})

// These tests cover what depends on the database. Refusals before the database is reached are the
// same on both stores.
const KINDS = ['happy path', 'replay', 'conflict']

describe.each(habitTools)('$id on PostgreSQL', (tool) => {
  const cases = contractCases(tool).filter(({ kind }) => KINDS.includes(kind))
  test.each(cases)('$kind: $name', async (one) => {
    await runContractCase(
      one,
      tool,
      tenants.opener(() => (tool.id === 'habit.create' ? [] : habitSeed)),
    )
  })
})

describe('concurrent calls on PostgreSQL', () => {
  test('that create a habit of one name create one, and the others are refused', async () => {
    const world = await tenants.open()
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.call('habit.create', { name: 'Read' })),
    )
    expect(answers.filter(({ status }) => status === 'success')).toHaveLength(1)
    expect(new Set(answers.map(({ error }) => error?.code))).toEqual(
      new Set([undefined, 'TOOL_RESOURCE_ALREADY_EXISTS']),
    )
  })

  test('that record days of one habit leave the correct streak', async () => {
    const world = await tenants.open([{ tool: 'habit.create', input: { name: 'Read' } }])
    const record = (back: number) =>
      world.call('habit.record_completion', {
        habit_name: 'Read',
        date: addDays('2026-01-15', -back),
      })
    const answers = await Promise.all(Array.from({ length: 12 }, (_, back) => record(back)))
    expect(answers.map(({ error }) => error)).toEqual(answers.map(() => undefined))
    expect(await world.data('habit.list', {})).toMatchObject({
      habits: [{ streak: { current: 12, longest: 12 } }],
    })
  })

  test('that record one day leave one record', async () => {
    const world = await tenants.open([{ tool: 'habit.create', input: { name: 'Read' } }])
    await Promise.all(
      [1, 2, 3, 4, 5].map((quality) =>
        world.call('habit.record_completion', { habit_name: 'Read', quality }),
      ),
    )
    expect(await world.data('habit.status', { habit_name: 'Read' })).toMatchObject({
      completion: { total: 1 },
      streak: { current: 1 },
    })
  })

  test('of different people do not affect each other', async () => {
    const world = await tenants.open(habitSeed)
    expect(await world.data('habit.list', { status: 'all' }, BOB)).toMatchObject({
      habits: [],
      total: 0,
    })
    expect((await world.call('habit.status', { habit_name: 'Budget' }, BOB)).error?.code).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
  })
})
