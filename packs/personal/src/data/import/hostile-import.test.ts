import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ANN, openPersonalWorld, type PersonalWorld } from '../../../testing/personal-world.ts'
import { mayWriteProjects } from '../data-import.ts'
import { consented } from '../fixtures/consented.ts'
import { exportOf, ROWS, type Rows } from '../fixtures/rows.ts'
import { checkRow } from './check-row.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
})
afterAll(() => world.close())

const AT = Date.UTC(2026, 0, 2)
const when = { now: Date.UTC(2026, 0, 15, 8), today: '2026-01-15' }
const user: Caller = { ...ANN, principal: 'mallory', roles: ['user'] }
const bringIn = async (data: Rows, caller: Caller) =>
  (
    await consented(world, {
      tool: 'data.import',
      input: { format: 'json', content: exportOf(data), dry_run: false },
      caller,
    })
  ).data

test('without project.write an import skips projects and imports the rest', async () => {
  const { projects = [], project_members = [], project_log = [], tasks = [] } = ROWS
  expect(
    await bringIn({ projects, project_members, project_log, tasks }, { ...user, tenant: 'a' }),
  ).toMatchObject({
    added: { tasks: 3 },
    added_total: 3,
    problems_total: 4,
  })
  expect(await world.query("select id from pm_projects where tenant = 'a'")).toEqual([])
})

test.each<[string, Partial<Caller>, boolean]>([
  ['a power user', { roles: ['power_user'] }, true],
  ['a caller with the capability', { roles: ['user'], capabilities: ['project.*'] }, true],
  ['a user', { roles: ['user'] }, false],
  ['a power user with a narrow credential', { scopes: ['data.import'] }, false],
  ['an agent', { actor: 'ai_agent' }, false],
  ['an agent that was handed it', { actor: 'ai_agent', delegated: ['project.write'] }, true],
  [
    'a caller with it under a condition',
    { roles: ['user'], capabilities: [{ name: 'project.write', conditions: [] }] },
    false,
  ],
])('%s may write projects by an import: %j is %s', (_who, change, may) => {
  expect(mayWriteProjects({ ...ANN, ...change })).toBe(may)
})

test('an id that reads like a name is replaced, and references to it find the new one', async () => {
  const ann = { ...ANN, tenant: 'b' }
  const [task, project] = [ROWS.tasks?.[1] ?? {}, ROWS.projects?.[0] ?? {}]
  await bringIn(
    { projects: [{ ...project, id: 'Garden' }], tasks: [{ ...task, project_id: 'Garden' }] },
    ann,
  )
  const [found] = await world.query(
    "select p.id, t.project_id from pm_projects p left join pm_tasks t on t.tenant = p.tenant where p.tenant = 'b'",
  )
  expect(found?.id).toMatch(/^own_[0-9a-f]{26}$/)
  expect(found?.project_id).toBe(found?.id)
})

test.each<
  [keyof typeof ROWS & Parameters<typeof checkRow>[0], Readonly<Record<string, unknown>>, string]
>([
  ['preferences', { value: 'Mars/Base' }, 'value is not valid for time_zone'],
  ['preferences', { name: 'constructor' }, 'is not a known preference'],
  ['notes', { path: '../../../etc/P.md' }, 'path must be a Markdown file'],
  ['notes', { properties: 'x' }, 'properties must be an object'],
  ['notes', { properties: 'null' }, 'properties must be an object'],
  [
    'notes',
    { properties: `{"x":${'['.repeat(5_000)}${']'.repeat(5_000)}}` },
    'properties must be an object',
  ],
  ['notes', { tags: '{}' }, 'tags must be a list of texts'],
  ['reviews', { body: 'x' }, 'body must be the notes of a review'],
  ['reviews', { kind: 'yearly' }, 'kind must be one of'],
  ['tasks', { created_at: 8_640_000_000_000_000 }, 'created_at must be an instant'],
  ['tasks', { created_at: 1 }, 'created_at must be an instant'],
  ['tasks', { due_day: '2999-01-01' }, 'due_day must be a day'],
  ['deep_work', { stopped_at: AT }, 'stopped_at is before started_at'],
  ['deep_work', { started_at: Date.UTC(2001, 0, 1) }, 'is longer than a day'],
  ['deep_work', { started_at: Date.UTC(2001, 0, 1), stopped_at: null }, 'is longer than a day'],
  ['habit_records', { day: '2026-01-16' }, 'day is in the future'],
])('a row of %s with %j is reported', (family, change, problem) => {
  expect(checkRow(family, { ...ROWS[family]?.[0], ...change }, when)).toEqual({
    ok: false,
    problem: expect.stringContaining(problem),
  })
})

test.each<[Readonly<Record<string, unknown>>, object]>([
  [{ state: 'completed', completed_at: null }, { completed_at: ROWS.tasks?.[0]?.updated_at }],
  [{ state: 'deleted' }, { deleted_at: ROWS.tasks?.[0]?.updated_at }],
  [{ state: 'waiting_for' }, { waiting_for: 'somebody', waiting_since: '2026-01-02' }],
  [{ title: 'Dig\u001b[2J\nhere' }, { title: 'Dig [2J here' }],
])('a task with %j gets the missing columns: %j', (change, filled) => {
  expect(checkRow('tasks', { ...ROWS.tasks?.[0], ...change }, when)).toMatchObject({
    ok: true,
    row: filled,
  })
})

test('a working day that would end before it begins is not imported, whatever is stored', async () => {
  const at = (name: string, value: string) => ({ name, value, updated_at: AT })
  const ann = { ...ANN, tenant: 'c' }
  expect(await bringIn({ preferences: [at('work_start', '18:00')] }, ann)).toMatchObject({
    added_total: 0,
    problems_total: 1,
  })
  const both = { preferences: [at('work_start', '18:00'), at('work_end', '23:00')] }
  expect(await bringIn(both, ann)).toMatchObject({ added_total: 2, problems: [] })
})

test('imported days of a habit count in its streak and move its start day', async () => {
  const ann = { ...ANN, tenant: 'd' }
  await world.data('habit.create', { name: 'Read' }, ann)
  await world.data('habit.record_completion', { habit_name: 'Read' }, ann)
  const [habit] = await world.query("select id from pm_habits where tenant = 'd'")
  const days = ['2026-01-14', '2026-01-12', '2026-01-13']
  const habit_records = days.map((day) => ({
    habit_id: String(habit?.id),
    day,
    zone: 'Europe/Berlin',
    recorded_at: AT,
  }))
  await bringIn({ habit_records }, ann)
  expect(await world.data('habit.status', { habit_name: 'Read' }, ann)).toMatchObject({
    habit_info: { started_on: '2026-01-12' },
    streak: { current: 4 },
  })
})

test('a time without a zone is read in the zone of the tenant, unless the person has set one', async () => {
  const { timeZone, ...zoe } = { ...ANN, tenant: 'e' }
  await world.data(
    'system.config_set',
    { name: 'default_time_zone', value: 'Pacific/Auckland' },
    { ...zoe, roles: ['admin'] },
  )
  await bringIn(
    {
      tasks: [
        {
          id: 'task_1',
          title: 'Dig',
          state: 'inbox',
          due_day: '2026-02-01',
          due_time: '09:00',
          created_at: AT,
          updated_at: AT,
        },
      ],
    },
    zoe,
  )
  expect(await world.query("select due_zone from pm_tasks where tenant = 'e'")).toEqual([
    { due_zone: 'Pacific/Auckland' },
  ])
})
