import { createDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { BOB, openPersonalWorld, type PersonalWorld, seed } from '../../testing/personal-world.ts'
import { aiTools } from '../tools.ts'
import type { Explanation } from './explanation.ts'
import { aiSeed } from './fixtures/seed.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld({ postgresUrl: await createDatabase(inject('postgres')) })
  await seed(world, aiSeed)
  await world.data('time.deep_work_start', { subject: 'Writing' })
  world.clock.set(world.clock.now() + 50 * 60_000)
  await world.data('time.deep_work_stop', { focus: 4, interruptions: 1 })
})
afterAll(() => world.close())

const EXAMPLES = aiTools.flatMap(({ id, examples }) =>
  examples.map(({ name, input }) => [id, name, input] as const),
)

describe('on PostgreSQL', () => {
  test.each(EXAMPLES)('%s explains "%s"', async (id, _, input) => {
    expect(await world.call(id, input)).toMatchObject({ status: 'success' })
  })

  test.each(EXAMPLES.filter(([id]) => id.includes('explain')))(
    '%s adds up for "%s"',
    async (id, _, input) => {
      const { total_score, factors } = ((await world.data(id, input)) as unknown as Explanation)
        .factors
      expect(
        factors.reduce(
          (sum, { weighted_contribution }) => sum + Math.round(weighted_contribution * 1000),
          0,
        ),
      ).toBe(Math.round(total_score * 1000))
      expect(factors.reduce((sum, { weight }) => sum + Math.round(weight * 100), 0)).toBe(100)
    },
  )

  test('another person gets no explanation and no recommendation from it', async () => {
    expect(
      (await world.call('explain.habit', { habit_name: 'Morning meditation' }, BOB)).error,
    ).toMatchObject({
      details: { source_code: 'EXPLAIN_SUBJECT_NOT_FOUND' },
    })
    expect(await world.data('ai.recommend', {}, BOB)).toMatchObject({ recommendations: [] })
  })
})
