import { createEmptyDatabase, dropDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
  seed,
} from '../../testing/personal-world.ts'
import { TASK_SEED } from './fixtures/seed.ts'
import type { TaskView } from './task-view.ts'

let url: string
let world: PersonalWorld
beforeAll(async () => {
  url = await createEmptyDatabase(inject('postgres'))
  world = await openPersonalWorld({ postgresUrl: url })
  await seed(world, TASK_SEED)
})
afterAll(async () => {
  await world.close()
  await dropDatabase(url)
})

const mayDelete = { ...ANN, capabilities: ['task.delete'] }
const titles = (data: Record<string, unknown>) =>
  (data.tasks as TaskView[]).map(({ title }) => title)

test('every task tool works on PostgreSQL as on SQLite', async () => {
  const { task } = await world.data('task.capture', {
    text: 'Call Bob tomorrow 5pm #errands !high @phone ~15m',
  })
  expect(task).toMatchObject({
    title: 'Call Bob',
    due: { at: '2026-01-16T17:00:00+01:00' },
    tags: ['errands'],
    minutes: 15,
  })
  await world.data('task.clarify', {
    task: 'Renew the passport',
    to: 'next_action',
    due: '2026-01-15',
    priority: 'high',
  })
  expect((await world.data('task.next', { energy: 'low' })).actions).toMatchObject([
    { rank: 1, task: { title: 'Renew the passport' } },
    { rank: 2, task: { title: 'Ring the dentist' } },
  ])
  expect(titles(await world.data('task.list', { tag: 'papers' }))).toEqual(['Renew the passport'])
  expect((await world.data('task.organize', {})).proposals).toHaveLength(3)
  await world.data('task.organize', { decisions: [{ task: 'Learn to sail', to: 'someday_maybe' }] })
  await world.data('task.defer', { task: 'plants', until: '2026-02-01' })
  await world.data('task.delegate', { task: 'Water the plants', to: 'Eve' })
  expect((await world.data('task.details', { task: 'watr the plants' })).task).toMatchObject({
    waiting_for: 'Eve',
    deferred_until: '2026-02-01',
  })
  await world.data('task.complete', { task: 'dentist' })
  await world.data('task.delete', { task: 'Learn to sail' }, mayDelete)
  expect(titles(await world.data('task.list', { state: 'completed', sort: 'completed' }))).toEqual([
    'Ring the dentist',
  ])
  expect(titles(await world.data('task.list', {}, BOB))).toEqual([])
})

test('pages continue where they ended', async () => {
  for (const day of ['03-01', '02-01', '04-01'])
    await world.data('task.capture', { text: `Due 2026-${day}` }, BOB)
  const first = await world.data('task.list', { limit: 2 }, BOB)
  const second = await world.data('task.list', { limit: 2, cursor: first.next_cursor }, BOB)
  expect((first.tasks as unknown[]).length + (second.tasks as unknown[]).length).toBe(3)
  expect(second).not.toHaveProperty('next_cursor')
})

test('when a task is completed twice at once, the second call is refused', async () => {
  await world.data('task.capture', { text: 'Once' }, BOB)
  const answers = await Promise.all(
    [1, 2].map(() => world.call('task.complete', { task: 'Once' }, BOB)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual(['failed', 'success'])
})
