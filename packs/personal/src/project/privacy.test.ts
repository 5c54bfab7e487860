import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'

const SECRET = 'Surprise party'
const OUTSIDER = { ...ANN, tenant: 'elsewhere' }

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
  await world.data('project.create', { name: SECRET, description: `${SECRET} for Bob` }, ANN)
  await world.data(
    'project.update',
    {
      project_name: SECRET,
      add_risks: [{ text: `${SECRET} leaks` }],
      completed_work: [`${SECRET} cake ordered`],
    },
    ANN,
  )
  await world.data('task.capture', { text: `Book the band +${SECRET.replace(' ', '_')}` }, ANN)
  await world.data('task.clarify', { task: 'Book the band', to: 'next_action' }, ANN)
  await world.data('project.create', { name: 'Garden', members: ['bob'] }, ANN)
})
afterAll(() => world.close())

const READS: readonly (readonly [string, unknown])[] = [
  ['project.list', { sort: 'health' }],
  ['project.list', { sort: 'name', states: ['active', 'on_hold', 'completed', 'archived'] }],
  ['project.search', { query: 'party' }],
  ['project.search', { query: 'Surprse party' }],
  ['project.status', { project_name: SECRET }],
  ['project.next_actions', {}],
  ['project.next_actions', { project_name: SECRET }],
  ['project.risks', {}],
  ['project.risks', { project_name: 'surprise' }],
  ['project.statistics', { project_name: SECRET }],
  ['ai.explain_project_health', { project_name: SECRET }],
  ['ai.recommend', {}],
]

describe.each([
  ['another person of the tenant', BOB],
  ['an administrator', ADMIN],
  ['a person of the same name in another tenant', OUTSIDER],
])('%s', (_, caller) => {
  test.each(READS)(
    'learns nothing of a project of another person by %s %j',
    async (tool, input) => {
      const { data, error } = await world.call(tool, input, caller)
      const answer = JSON.stringify([data, error])
      // An error may repeat what the caller asked for.
      expect(
        answer
          .replaceAll(JSON.stringify((input as { project_name?: string }).project_name ?? ''), '')
          .replaceAll(`called \\"${SECRET}\\"`, ''),
      ).not.toMatch(/party|band|cake/i)
    },
  )

  test('sees what is shared with them, and nothing that is shared with others', async () => {
    const { projects } = (await world.data('project.list', {}, caller)) as {
      projects: readonly { name: string }[]
    }
    expect(projects.map(({ name }) => name)).toEqual(caller === BOB ? ['Garden'] : [])
  })

  test('cannot change it, by name or by id', async () => {
    const [row] = await world.query('select id from pm_projects where name = ?', SECRET)
    for (const project_name of [SECRET, String(row?.id)])
      expect(
        (await world.call('project.update', { project_name, state: 'deleted' }, caller)).error
          ?.code,
      ).toBe('TOOL_RESOURCE_NOT_FOUND')
    expect(await world.query('select state from pm_projects where name = ?', SECRET)).toEqual([
      { state: 'active' },
    ])
  })
})

describe('a member', () => {
  test('sees the project, as a member', async () => {
    expect(await world.data('project.list', {}, BOB)).toMatchObject({
      projects: [{ name: 'Garden', role: 'member' }],
      total: 1,
    })
    expect(await world.data('project.status', { project_name: 'Garden' }, BOB)).toMatchObject({
      basic_info: { team_members: ['ann', 'bob'] },
    })
  })

  test('cannot change it, and learns who owns it', async () => {
    expect(
      await world.call('project.update', { project_name: 'Garden', phase: 'mine' }, BOB),
    ).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RESOURCE_ACCESS_DENIED', details: { owner: 'ann' } },
    })
    expect(await world.query("select phase from pm_projects where name = 'Garden'")).toEqual([
      { phase: null },
    ])
  })

  test('loses access when the owner removes them, and their tasks leave the project', async () => {
    await world.data('project.create', { name: 'Shed', members: ['bob'] }, ANN)
    await world.data('task.capture', { text: 'Saw the planks +Shed' }, BOB)
    await world.data('task.clarify', { task: 'Saw the planks', to: 'next_action' }, BOB)
    expect(await world.data('project.status', { project_name: 'Shed' }, ANN)).toMatchObject({
      next_actions: ['Saw the planks'],
    })
    await world.data('project.update', { project_name: 'Shed', remove_members: ['bob'] }, ANN)
    expect(await world.data('project.status', { project_name: 'Shed' }, ANN)).toMatchObject({
      next_actions: [],
    })
    expect((await world.call('project.status', { project_name: 'Shed' }, BOB)).error?.code).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
  })

  test('an own project wins over a shared one of the same name', async () => {
    await world.data('project.create', { name: 'Cellar', phase: 'theirs', members: ['bob'] }, ANN)
    await world.data('project.create', { name: 'Cellar', phase: 'own' }, BOB)
    expect(await world.data('project.status', { project_name: 'cellar' }, BOB)).toMatchObject({
      basic_info: { current_phase: 'own' },
    })
  })
})

test("a task filed under another person's project shows its owner, and a part of the name does not file it there", async () => {
  expect(await world.data('task.capture', { text: 'Rake +Garden' }, BOB)).toMatchObject({
    task: { project: 'Garden (of ann)' },
  })
  expect(await world.data('task.capture', { text: 'Hide it +Gard' }, BOB)).toMatchObject({
    task: { title: 'Hide it +Gard' },
    recognised: [],
  })
  expect(
    (await world.call('task.clarify', { task: 'Hide it', to: 'next_action', project: 'Gard' }, BOB))
      .error?.code,
  ).toBe('TOOL_RESOURCE_NOT_FOUND')
})

test('an agent may read, but by default not write', async () => {
  const agent = { ...ANN, actor: 'ai_agent' as const }
  expect((await world.call('project.status', { project_name: 'Garden' }, agent)).status).toBe(
    'success',
  )
  expect(
    (await world.call('project.update', { project_name: 'Garden', phase: 'x' }, agent)).error?.code,
  ).toBe('TOOL_CAPABILITY_MISSING')
})

test('a plain user may read projects, but not write them or have them explained', async () => {
  const user = { ...ANN, roles: ['user'] }
  expect((await world.call('project.list', {}, user)).status).toBe('success')
  expect((await world.call('project.create', { name: 'Attic' }, user)).error?.code).toBe(
    'TOOL_CAPABILITY_MISSING',
  )
  expect(
    (await world.call('ai.explain_project_health', { project_name: 'Garden' }, user)).error?.code,
  ).toBe('TOOL_CAPABILITY_MISSING')
})
