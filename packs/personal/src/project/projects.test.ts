import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPersonalWorld, type PersonalWorld } from '../../testing/personal-world.ts'

const DAY = 86_400_000

// A world for each test: limits are counted by the clock of the database, which a test cannot move.
let world: PersonalWorld
function inAWorld(): void {
  beforeAll(async () => {
    world = await openPersonalWorld()
  })
  afterAll(() => world.close())
}

async function task(text: string): Promise<void> {
  await world.data('task.capture', { text })
  await world.data('task.clarify', { task: text.replace(/ [+!].*$/, ''), to: 'next_action' })
}

describe('project.create', () => {
  inAWorld()

  test('refuses a name that the person has, in any case', async () => {
    await world.data('project.create', { name: 'Roof' })
    expect((await world.call('project.create', { name: '  ROOF ' })).error).toMatchObject({
      code: 'TOOL_RESOURCE_ALREADY_EXISTS',
      message:
        'You already have a project called "ROOF". Change it with project.update, or choose another name.',
    })
  })

  test("reads the target day in the person's zone", async () => {
    const { project_info } = (await world.data('project.create', {
      name: 'Late',
      target_completion: '2026-02-01T23:30:00Z',
    })) as {
      project_info: { target_day: string }
    }
    expect(project_info.target_day).toBe('2026-02-02')
  })

  test('refuses a text without a date', async () => {
    expect(
      (await world.call('project.create', { name: 'Never', target_completion: 'xyzzy' })).error,
    ).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      details: { validation_errors: [{ field: 'target_completion' }] },
    })
  })
})

describe('project.status', () => {
  inAWorld()

  test('leaves health and progress out while they are unknown', async () => {
    await world.data('project.create', { name: 'Fresh' })
    const { status_metrics } = (await world.data('project.status', { project_name: 'fresh' })) as {
      status_metrics: object
    }
    expect(Object.keys(status_metrics).sort()).toEqual(['last_updated', 'priority'])
  })

  test('computes progress from tasks, and lists completed work, next actions and risks', async () => {
    await world.data('project.create', {
      name: 'Kitchen',
      target_completion: '2026-03-01',
      phase: 'walls',
    })
    for (const text of [
      'Paint the wall +Kitchen',
      'Buy tiles +Kitchen !high',
      'Lay tiles +Kitchen',
      'Call the plumber +Kitchen',
    ])
      await task(text)
    await world.data('task.complete', { task: 'Paint the wall' })
    await world.data('project.update', {
      project_name: 'Kitchen',
      completed_work: ['Plan drawn'],
      add_risks: [{ text: 'Tiles may run out', severity: 'high' }],
      add_blocks: ['No water'],
    })
    expect(await world.data('project.status', { project_name: 'kitchen' })).toMatchObject({
      basic_info: {
        name: 'Kitchen',
        current_phase: 'walls',
        team_members: ['ann'],
        target_completion: '2026-03-01T23:59:00+01:00',
      },
      status_metrics: { progress: 25, health: 'good', priority: 'medium' },
      completed_work: expect.arrayContaining(['Plan drawn', 'Paint the wall']),
      next_actions: ['Buy tiles', expect.any(String), expect.any(String)],
      risks: [
        'Tiles may run out (high)',
        'Obstacle: No water',
        'One obstacle has been open since 2026-01-15',
      ],
    })
  })

  test('lists the candidates for an ambiguous name', async () => {
    await world.data('project.create', { name: 'House north' })
    await world.data('project.create', { name: 'House south' })
    expect((await world.call('project.status', { project_name: 'house' })).error).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      message:
        '"house" matches "House north", "House south". Name one project in full, or use its id.',
    })
  })
})

describe('project.update', () => {
  inAWorld()

  test('changes only the given fields, and null clears them', async () => {
    await world.data('project.create', {
      name: 'Cars',
      description: 'All of them',
      phase: 'one',
      priority: 'low',
      progress: 10,
    })
    expect(
      await world.data('project.update', {
        project_name: 'cars',
        phase: null,
        progress: null,
        new_name: 'Bicycles',
      }),
    ).toMatchObject({
      project_info: expect.not.objectContaining({
        current_phase: expect.anything(),
        progress: expect.anything(),
      }),
    })
    expect(
      await world.data('project.update', { project_name: 'bicycles', priority: 'high' }),
    ).toMatchObject({
      project_info: { name: 'Bicycles', description: 'All of them', priority: 'high' },
    })
  })

  test('refuses a transition that is not allowed, and lists the allowed ones', async () => {
    await world.data('project.create', { name: 'Boat' })
    await world.data('project.update', { project_name: 'Boat', state: 'archived' })
    expect(
      (await world.call('project.update', { project_name: 'Boat', state: 'completed' })).error,
    ).toMatchObject({
      code: 'TOOL_INVALID_FIELD_VALUE',
      details: { from: 'archived', to: 'completed', allowed: ['active', 'deleted'] },
    })
  })

  test('a deleted project is not found by name, and is restored by its id unless its name is taken', async () => {
    const { project_info } = (await world.data('project.create', { name: 'Tree' })) as {
      project_info: { id: string }
    }
    await world.data('project.update', { project_name: 'Tree', state: 'deleted' })
    expect((await world.call('project.status', { project_name: 'Tree' })).error?.code).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
    await world.data('project.create', { name: 'Tree' })
    expect(
      (await world.call('project.update', { project_name: project_info.id, state: 'active' })).error
        ?.code,
    ).toBe('TOOL_RESOURCE_ALREADY_EXISTS')
    expect(
      await world.data('project.update', {
        project_name: project_info.id,
        state: 'active',
        new_name: 'Old tree',
      }),
    ).toMatchObject({
      project_info: { id: project_info.id, name: 'Old tree', state: 'active' },
    })
  })

  test('closes risks and obstacles by their text, and refuses those that are not open', async () => {
    await world.data('project.create', { name: 'Well' })
    await world.data('project.update', {
      project_name: 'Well',
      add_blocks: ['Ground is frozen'],
      add_risks: [{ text: 'Pump too weak' }],
    })
    await world.data('project.update', {
      project_name: 'Well',
      resolve_blocks: ['frozen'],
      resolve_risks: ['pump'],
    })
    expect(await world.data('project.status', { project_name: 'Well' })).toMatchObject({
      risks: [],
    })
    expect(
      (await world.call('project.update', { project_name: 'Well', resolve_blocks: ['frozen'] }))
        .error?.code,
    ).toBe('TOOL_RESOURCE_NOT_FOUND')
  })

  test('a change that fails in part is not applied at all', async () => {
    await world.data('project.create', { name: 'Pond' })
    const refused = await world.call('project.update', {
      project_name: 'Pond',
      phase: 'digging',
      remove_members: ['nobody'],
    })
    expect(refused.error).toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
      message: 'nobody is not a member of "Pond".',
    })
    expect(await world.query("select phase from pm_projects where name = 'Pond'")).toEqual([
      { phase: null },
    ])
  })
})

describe('with worlds of their own', () => {
  let own: PersonalWorld
  beforeAll(async () => {
    own = await openPersonalWorld()
    const projects = [
      { name: 'Alpha', priority: 'low', progress: 90, target_completion: '2026-12-31' },
      { name: 'Beta', priority: 'high', progress: 0, target_completion: '2026-01-16' },
      { name: 'Gamma', priority: 'medium' },
    ]
    for (const project of projects) await own.data('project.create', project)
    own.clock.set(own.clock.now() + 3 * DAY)
  })
  afterAll(() => own.close())

  const names = (answer: unknown) =>
    (answer as { projects: readonly { name: string }[] }).projects.map(({ name }) => name)

  test.each([
    ['name', ['Alpha', 'Beta', 'Gamma']],
    ['priority', ['Beta', 'Gamma', 'Alpha']],
    ['progress', ['Alpha', 'Beta', 'Gamma']],
    ['health', ['Beta', 'Alpha', 'Gamma']],
  ])('the list sorts by %s, with unknown values last', async (sort, expected) => {
    expect(names(await own.data('project.list', { sort }))).toEqual(expected)
  })

  test('the list is returned in pages', async () => {
    const first = await own.data('project.list', { sort: 'name', limit: 2 })
    expect([names(first), first.total]).toEqual([['Alpha', 'Beta'], 3])
    const second = await own.data('project.list', {
      sort: 'name',
      limit: 2,
      cursor: first.next_cursor,
    })
    expect([names(second), second.next_cursor]).toEqual([['Gamma'], undefined])
  })

  test('a misspelt name is found and reported as such', async () => {
    const found = await own.data('project.search', { query: 'Gamna' })
    expect([names(found), found.matched_by]).toEqual([['Gamma'], 'spelling'])
  })

  test('a percent sign in a search is a literal', async () => {
    expect(await own.data('project.search', { query: '%' })).toMatchObject({
      projects: [],
      total: 0,
    })
  })

  test('projects without a next action are named', async () => {
    expect(await own.data('project.next_actions', {})).toMatchObject({
      next_actions: [],
      without_next_action: ['Alpha', 'Beta', 'Gamma'],
    })
  })

  test('statistics count the projects and tasks', async () => {
    expect(await own.data('project.statistics', { weeks: 2 })).toMatchObject({
      projects: {
        total: 3,
        by_state: { active: 3, completed: 0 },
        by_priority: { high: 1, medium: 1, low: 1 },
        by_health: { critical: 1, excellent: 1, unknown: 1 },
      },
      tasks: { open: 0, completed: 0, overdue: 0, completed_in_period: 0 },
      throughput: [
        { week_start: '2026-01-05', completed: 0 },
        { week_start: '2026-01-12', completed: 0 },
      ],
    })
  })

  test('a passed target is a risk with the project as its evidence', async () => {
    expect(await own.data('project.risks', { project_name: 'Beta' })).toMatchObject({
      projects: [
        {
          health: 'critical',
          risks: [
            {
              source: 'computed',
              severity: 'high',
              text: 'Its target day 2026-01-16 has passed with 0 % done',
              evidence: [{ kind: 'project' }],
            },
          ],
        },
      ],
    })
  })
})
