import type { Caller } from '@surehand/core'
import { isDay } from '@surehand/dates'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'
import { findCorrelations } from '../habit/habit-analyze-patterns.ts'
import { extractHints } from '../task/task-capture.ts'
import { addUp, daysOf, sliceSession } from './deep-work-totals.ts'

// Thursday, 09:00 in Berlin.
const THURSDAY = Date.parse('2026-01-15T08:00:00Z')
const DAY_MS = 86_400_000
const YEARS = { id: 'dw', subject: 'x', startedAt: THURSDAY - 4000 * DAY_MS, stoppedAt: THURSDAY }

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
})
beforeEach(() => world.clock.set(THURSDAY))
afterAll(() => world.close())

const newPerson = (principal: string, more: Partial<Caller> = {}): Caller => ({
  ...ANN,
  principal,
  ...more,
})
const listNames = (list: unknown) =>
  (list as readonly { readonly title: string }[]).map(({ title }) => title)

test('days are between the years 1900 and 2200, and others are refused everywhere', async () => {
  expect(['1899-12-31', '1900-01-01', '2200-12-31', '2201-01-01', '9999-12-31'].map(isDay)).toEqual(
    [false, true, true, false, false],
  )
  for (const [tool, input] of [
    ['time.review_daily', { day: '9999-12-31' }],
    ['time.deep_work_report', { from: '9999-12-30', to: '9999-12-31' }],
    ['time.review_weekly', { week: '9999-W52' }],
    ['time.plan_day', { day: '9999-12-31' }],
    ['habit.today_plan', { date: '9999-12-31' }],
    ['task.list', { due_until: '9999-12-31' }],
  ] as const)
    expect([tool, (await world.call(tool, input)).error?.code]).toEqual([
      tool,
      'TOOL_INVALID_FIELD_VALUE',
    ])
})

test('days at the end of the four-digit years are counted to their end', () => {
  expect(daysOf({ from: '9999-12-30', to: '9999-12-31' })).toEqual(['9999-12-30', '9999-12-31'])
  const habits = ['a', 'b'].map((id) => ({
    id,
    name: id,
    startedOn: '9999-12-30',
    days: new Set<string>(),
  }))
  expect(findCorrelations(habits, { from: '9999-12-30', to: '9999-12-31' })).toEqual([])
})

test('a session of years counts for its first day, and only within the requested days', () => {
  const at = { now: THURSDAY, zone: 'UTC' }
  expect(sliceSession(YEARS, at)).toHaveLength(24)
  expect(
    sliceSession(YEARS, {
      ...at,
      within: { start: YEARS.startedAt, end: YEARS.startedAt + 2 * 3_600_000 },
    }),
  ).toHaveLength(2)
  expect(addUp([YEARS], { from: '2026-01-14', to: '2026-01-15' }, at).minutes).toBe(0)
})

test('an invalid zone is skipped, and that of the tenant applies when neither person nor credential has one', async () => {
  const { timeZone: _, ...nowhere } = newPerson('zoneless')
  const zone = async (by: Caller) => (await world.data('habit.today_plan', {}, by)).time_zone
  expect(await zone({ ...nowhere, timeZone: 'Mars/Base' })).toBe('UTC')
  expect(
    (
      await world.call(
        'task.capture',
        { text: 'Swim tomorrow' },
        { ...nowhere, timeZone: 'Mars/Base' },
      )
    ).status,
  ).toBe('success')
  const admin = { ...ADMIN, tenant: 'office' }
  await world.data('system.config_set', { name: 'default_time_zone', value: 'Asia/Tokyo' }, admin)
  expect(await zone({ ...nowhere, tenant: 'office' })).toBe('Asia/Tokyo')
  expect(await zone({ ...nowhere, tenant: 'office', timeZone: 'Europe/Paris' })).toBe(
    'Europe/Paris',
  )
})

test('a time in another zone falls on the local day', async () => {
  const by = newPerson('caller')
  // 22:00 tonight in Berlin.
  await world.data('task.capture', { text: 'Join the call 2026-01-16 06:00 JST' }, by)
  await world.data('task.clarify', { task: 'Join', to: 'next_action' }, by)
  // 05:00 tomorrow in Berlin.
  await world.data('task.capture', { text: 'Send file 2026-01-15 20:00 PST' }, by)
  expect(listNames((await world.data('task.list', { due_until: 'today' }, by)).tasks)).toEqual([
    'Join the call',
  ])
  expect((await world.data('task.next', {}, by)).actions).toMatchObject([
    { reason: expect.stringMatching(/^Due today at 22:00/) },
  ])
  const { due_next_day } = await world.data('time.review_daily', {}, by)
  expect(listNames((due_next_day as { tasks: unknown }).tasks)).toEqual(['Send file'])
})

test('a first day that was removed does not stay the start day', async () => {
  const by = newPerson('mistaken')
  await world.data('habit.create', { name: 'Run' }, by)
  for (const completed of [true, false])
    await world.data(
      'habit.record_completion',
      { habit_name: 'Run', date: '2025-10-27', completed },
      by,
    )
  expect(await world.query("select started_on from pm_habits where owner = 'mistaken'")).toEqual([
    { started_on: '2026-01-15' },
  ])
})

test('a plan cut short lists what is due first and counts all', async () => {
  const by = newPerson('short')
  for (const name of ['Aerobics', 'Zumba']) await world.data('habit.create', { name }, by)
  await world.data('habit.record_completion', { habit_name: 'Aerobics' }, by)
  expect(await world.data('habit.today_plan', { limit: 1 }, by)).toMatchObject({
    due: [{ name: 'Zumba' }],
    summary: { due: 1, done: 1 },
  })
})

test('an inherited property name is not a priority', () => {
  expect(extractHints('Write the !constructor').hints).toEqual([])
})

test('a delegated task keeps its notes, is found in any case, and is visible once it no longer waits', async () => {
  const by = newPerson('giver')
  await world.data('task.capture', { text: 'Paint @phone', notes: 'Blue.' }, by)
  await world.data(
    'task.delegate',
    { task: 'Paint', to: 'Zoë', follow_up: '2026-02-01', notes: 'Asked.' },
    by,
  )
  expect(JSON.stringify(await world.data('task.details', { task: 'Paint' }, by))).toContain(
    'Blue.\\nAsked.',
  )
  expect(
    listNames((await world.data('task.list', { waiting_for: 'ZOË', deferred: 'shown' }, by)).tasks),
  ).toEqual(['Paint'])
  await world.data('task.clarify', { task: 'Paint', to: 'next_action' }, by)
  expect((await world.data('task.next', {}, by)).actions).toHaveLength(1)
  expect(await world.data('ai.recommend', { context: '@Phone' }, by)).toMatchObject({
    considered: { tasks: 1 },
  })
  expect(await world.data('task.defer', { task: 'Paint', until: 'today' }, by)).toMatchObject({
    times_deferred: 0,
  })
})

test('a former member does not see the new name of a project', async () => {
  await world.data('project.create', { name: 'Shed', members: ['bob'] }, ANN)
  await world.data('task.capture', { text: 'Saw +Shed' }, BOB)
  expect(JSON.stringify(await world.data('task.list', {}, BOB))).toContain('Shed')
  await world.data('project.update', { project_name: 'Shed', remove_members: ['bob'] }, ANN)
  expect(JSON.stringify(await world.data('task.list', {}, BOB))).not.toContain('Shed')
})
