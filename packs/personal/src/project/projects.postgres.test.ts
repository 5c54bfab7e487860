import { createDatabase } from '@surehand/sql/testing/database'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'
import { projectTools } from '../tools.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld({ postgresUrl: await createDatabase(inject('postgres')) })
  await world.data('project.create', {
    name: 'Kitchen',
    priority: 'high',
    target_completion: '2026-03-01',
    members: ['bob'],
  })
  for (const text of ['Buy tiles +Kitchen !high', 'Lay tiles +Kitchen'])
    await world.data('task.capture', { text })
  for (const task of ['Buy tiles', 'Lay tiles'])
    await world.data('task.clarify', { task, to: 'next_action' })
  await world.data('task.complete', { task: 'Lay tiles' })
  await world.data('project.update', {
    project_name: 'Kitchen',
    completed_work: ['Plan drawn'],
    add_risks: [{ text: 'Dust', severity: 'low' }],
    add_blocks: ['No water'],
  })
})
afterAll(() => world.close())

describe('on PostgreSQL', () => {
  test.each(projectTools.filter(({ contract }) => !contract.isWrite).map(({ id }) => id))(
    '%s answers',
    async (id) => {
      const inputs: Readonly<Record<string, unknown>> = {
        'project.status': { project_name: 'kitchen' },
        'project.search': { query: 'kit' },
      }
      expect(await world.call(id, inputs[id] ?? {})).toMatchObject({ status: 'success' })
    },
  )

  test('a project is returned as on SQLite', async () => {
    expect(await world.data('project.status', { project_name: 'kitchen' })).toMatchObject({
      basic_info: {
        name: 'Kitchen',
        team_members: ['ann', 'bob'],
        target_completion: '2026-03-01T23:59:00+01:00',
      },
      status_metrics: { progress: 50, health: 'good', priority: 'high' },
      completed_work: expect.arrayContaining(['Plan drawn', 'Lay tiles']),
      next_actions: ['Buy tiles'],
      risks: ['Dust (low)', 'Obstacle: No water', 'One obstacle has been open since 2026-01-15'],
    })
  })

  test.each(['health', 'priority', 'name', 'progress'])('the list sorts by %s', async (sort) => {
    expect(await world.data('project.list', { sort })).toMatchObject({
      projects: [{ name: 'Kitchen', progress: 50, open_tasks: 1, overdue_tasks: 0 }],
      total: 1,
    })
  })

  test('statistics are numbers, not texts', async () => {
    expect(
      await world.data('project.statistics', { project_name: 'Kitchen', weeks: 1 }),
    ).toMatchObject({
      tasks: { open: 1, completed: 1, overdue: 0, completed_in_period: 1 },
      throughput: [{ week_start: '2026-01-12', completed: 1 }],
      forecast: { remaining: 1, per_week: 1 },
      deep_work_minutes: 0,
    })
  })

  test('of two that claim a name at once, one gets it', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.call('project.create', { name: 'Race' })),
    )
    expect(answers.map(({ status, error }) => error?.code ?? status).sort()).toEqual([
      'TOOL_RESOURCE_ALREADY_EXISTS',
      'TOOL_RESOURCE_ALREADY_EXISTS',
      'success',
    ])
  })

  test('concurrent changes of one project are all kept', async () => {
    await world.data('project.create', { name: 'Roof' })
    const changes = [
      { phase: 'beta' },
      { priority: 'high' },
      { description: 'Tiles' },
      { path: '/roof' },
    ]
    await Promise.all(
      changes.map((change) => world.data('project.update', { project_name: 'Roof', ...change })),
    )
    expect(
      await world.query(
        "select phase, priority, description, path from pm_projects where name = 'Roof'",
      ),
    ).toEqual([{ phase: 'beta', priority: 'high', description: 'Tiles', path: '/roof' }])
  })

  test.each([
    ['project', 'project_name'],
    ['habit', 'habit_name'],
  ])('of those created or renamed to one %s name at once, one gets it', async (kind, named) => {
    for (const name of ['One', 'Two', 'Three']) await world.data(`${kind}.create`, { name })
    const answers = await Promise.all([
      ...['One', 'Two', 'Three'].map((name) =>
        world.call(`${kind}.update`, { [named]: name, new_name: 'Same' }),
      ),
      world.call(`${kind}.create`, { name: 'Same' }),
    ])
    expect(answers.map(({ status, error }) => error?.code ?? status).sort()).toEqual([
      ...Array.from({ length: 3 }, () => 'TOOL_RESOURCE_ALREADY_EXISTS'),
      'success',
    ])
    expect(await world.query(`select owner from pm_${kind}s where name = 'Same'`)).toHaveLength(1)
  })

  test('of those that add a note of one title at once, one succeeds', async () => {
    const answers = await Promise.all(
      [1, 2, 3].map(() => world.call('knowledge.note_add', { title: 'Race' })),
    )
    expect(answers.map(({ status, error }) => error?.code ?? status).sort()).toEqual([
      'TOOL_RESOURCE_ALREADY_EXISTS',
      'TOOL_RESOURCE_ALREADY_EXISTS',
      'success',
    ])
  })

  test('a taken name refuses a rename as a whole', async () => {
    await world.data('project.create', { name: 'Bath' })
    expect(
      (
        await world.call('project.update', {
          project_name: 'Bath',
          new_name: 'KITCHEN',
          phase: 'x',
        })
      ).error?.code,
    ).toBe('TOOL_RESOURCE_ALREADY_EXISTS')
    expect(await world.query("select phase from pm_projects where name = 'Bath'")).toEqual([
      { phase: null },
    ])
  })

  test('a member reads and does not write; others, including an administrator, do neither', async () => {
    expect(await world.data('project.list', {}, BOB)).toMatchObject({
      projects: [{ name: 'Kitchen', role: 'member' }],
      total: 1,
    })
    expect(
      (await world.call('project.update', { project_name: 'Kitchen', phase: 'mine' }, BOB)).error
        ?.code,
    ).toBe('TOOL_RESOURCE_ACCESS_DENIED')
    expect(await world.data('project.list', {}, ADMIN)).toMatchObject({ projects: [], total: 0 })
    expect(await world.call('project.status', { project_name: 'Kitchen' }, ADMIN)).toMatchObject({
      error: {
        code: 'TOOL_RESOURCE_NOT_FOUND',
        details: { searched_name: 'Kitchen', available_projects: [] },
      },
    })
    expect((await world.call('project.status', { project_name: 'Kitchen' }, ANN)).status).toBe(
      'success',
    )
  })
})
