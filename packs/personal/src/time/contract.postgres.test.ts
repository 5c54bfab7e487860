import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
  seed,
} from '../../testing/personal-world.ts'
import { timeSeed } from './fixtures/seed.ts'

let url: string
let world: PersonalWorld
beforeAll(async () => {
  url = await createEmptyDatabase(inject('postgres'))
  world = await openPersonalWorld({ postgresUrl: url })
  await seed(world, timeSeed('time.plan_day'))
})
afterAll(async () => {
  await world.close()
  await dropDatabase(url)
})

test('every time tool works on PostgreSQL as on SQLite', async () => {
  await world.data('time.deep_work_start', { task: 'Write the report', planned_minutes: 60 })
  expect((await world.call('time.deep_work_start', { subject: 'More' })).error?.code).toBe(
    'TOOL_RESOURCE_ALREADY_EXISTS',
  )
  world.clock.set(world.clock.now() + 50 * 60_000)
  expect((await world.data('time.deep_work_stop', { focus: 4 })).session).toMatchObject({
    subject: 'Write the report',
    minutes: 50,
  })
  expect(await world.data('time.deep_work_report', {})).toMatchObject({
    total_minutes: 50,
    average_focus: 4,
    session_count: 1,
  })
  const { blocks } = await world.data('time.plan_day', { day: '2026-01-16' })
  expect((blocks as { title: string }[]).map(({ title }) => title)).toEqual([
    'Write the report',
    'Stretch',
  ])
  await world.data('time.review_note', { kind: 'daily', notes: 'Good.' })
  await world.data('time.review_note', { kind: 'daily', notes: 'Very good.' })
  expect(await world.data('time.review_daily', {})).toMatchObject({
    notes: 'Very good.',
    deep_work: { minutes: 50 },
  })
  expect(await world.data('time.review_weekly', {})).toMatchObject({
    week: '2026-W03',
    deep_work: { minutes: 50 },
    week_before: { deep_work_minutes: 0 },
  })
  expect(await world.data('time.deep_work_report', {}, BOB)).toMatchObject({ total_minutes: 0 })
})

test('of two sessions that start at once, one runs', async () => {
  const answers = await Promise.all(
    ['a', 'b'].map((subject) =>
      world.call('time.deep_work_start', { subject }, { ...ANN, principal: 'eve' }),
    ),
  )
  expect(answers.map(({ status, error }) => error?.code ?? status).sort()).toEqual([
    'TOOL_RESOURCE_ALREADY_EXISTS',
    'success',
  ])
})
