import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'

// Thursday, 15 January 2026, 09:00 in Berlin.
const THURSDAY = Date.parse('2026-01-15T08:00:00Z')
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
})
beforeEach(() => world.clock.set(THURSDAY))
afterAll(() => world.close())

function newPerson(name: string, more: Partial<Caller> = {}): Caller {
  return { ...ANN, principal: name, ...more }
}

async function recordWork(by: Caller, from: string, to: string, focus?: number): Promise<void> {
  world.clock.set(Date.parse(from))
  await world.data('time.deep_work_start', { subject: 'Book' }, by)
  world.clock.set(Date.parse(to))
  await world.data('time.deep_work_stop', focus === undefined ? {} : { focus }, by)
}

async function toDo(by: Caller, title: string, more: object = {}): Promise<void> {
  await world.data('task.capture', { text: title }, by)
  await world.data('task.clarify', { task: title, to: 'next_action', ...more }, by)
}

test('one session runs at a time, and stopping none is refused', async () => {
  const by = newPerson('single')
  expect((await world.call('time.deep_work_stop', {}, by)).error?.code).toBe(
    'TOOL_RESOURCE_NOT_FOUND',
  )
  await world.data('time.deep_work_start', { subject: 'Book' }, by)
  const again = await world.call('time.deep_work_start', { subject: 'Film' }, by)
  expect(again.error).toMatchObject({
    code: 'TOOL_RESOURCE_ALREADY_EXISTS',
    details: { running: { subject: 'Book' } },
  })
  expect((await world.call('time.deep_work_start', {}, newPerson('wordless'))).error?.code).toBe(
    'TOOL_MISSING_REQUIRED_FIELD',
  )
})

test('a forgotten session is ended when it really ended, within a day and not before its start', async () => {
  const by = newPerson('forgetful')
  await world.data('time.deep_work_start', { subject: 'Book' }, by)
  world.clock.set(THURSDAY + 2 * DAY_MS)
  const end = (at: number) => ({ ended_at: new Date(at).toISOString() })
  for (const input of [
    {},
    end(THURSDAY - 1),
    end(THURSDAY + 3 * DAY_MS),
    end(THURSDAY + 25 * HOUR_MS),
  ])
    expect((await world.call('time.deep_work_stop', input, by)).error?.code).toBe(
      'TOOL_INVALID_FIELD_VALUE',
    )
  expect(
    (await world.data('time.deep_work_stop', end(THURSDAY + HOUR_MS), by)).session,
  ).toMatchObject({ minutes: 60 })
})

test('a session over midnight counts for both days, by the local clock', async () => {
  const by = newPerson('owl')
  await recordWork(by, '2026-01-15T22:00:00Z', '2026-01-16T01:00:00Z', 4)
  const { by_day, total_minutes, best_hours } = await world.data(
    'time.deep_work_report',
    { from: '2026-01-15', to: '2026-01-16' },
    by,
  )
  expect([by_day, total_minutes]).toEqual([
    [
      { day: '2026-01-15', minutes: 60 },
      { day: '2026-01-16', minutes: 120 },
    ],
    180,
  ])
  expect(best_hours).toEqual([
    { hour: 0, minutes: 60, focus: 4 },
    { hour: 1, minutes: 60, focus: 4 },
    { hour: 23, minutes: 60, focus: 4 },
  ])
  expect(
    await world.data('time.deep_work_report', { from: '2026-01-16', to: '2026-01-16' }, by),
  ).toMatchObject({ total_minutes: 120 })
})

test('a day is planned within its hours: due items, then the rest, around fixed times', async () => {
  const by = newPerson('planner')
  await toDo(by, 'Write', { minutes: 60, due: '2026-01-16' })
  await toDo(by, 'Tidy', { minutes: 30 })
  await toDo(by, 'Build a shed', { minutes: 1440, due: '2026-01-16' })
  await world.data(
    'habit.create',
    { name: 'Walk', target_duration: 20, reminder_time: '10:30' },
    by,
  )
  await world.data('habit.create', { name: 'Sleep early', reminder_time: '22:00' }, by)
  const plan = await world.data(
    'time.plan_day',
    { day: '2026-01-16', work_start: '09:30', work_end: '12:00' },
    by,
  )
  expect(
    (plan.blocks as { time: string; title: string }[]).map(({ time, title }) => [time, title]),
  ).toEqual([
    ['09:30–10:30', 'Write'],
    ['10:30–10:50', 'Walk'],
    ['10:50–11:20', 'Tidy'],
  ])
  expect((plan.not_placed as { title: string }[]).map(({ title }) => title).sort()).toEqual([
    'Build a shed',
    'Sleep early',
  ])
})

test('today is planned from now on', async () => {
  const by = newPerson('late')
  await toDo(by, 'Write', { minutes: 60 })
  world.clock.set(THURSDAY + 3 * HOUR_MS + 60_000)
  const { blocks } = await world.data('time.plan_day', {}, by)
  expect((blocks as { time: string }[]).map(({ time }) => time)).toEqual(['12:05–13:05'])
})

test('working hours are a preference, and hours that end before they begin are refused', async () => {
  const by = newPerson('early', { capabilities: ['preferences.write'] })
  await world.data('system.preferences_set', { work_start: '06:00', work_end: '07:00' }, by)
  await toDo(by, 'Write', { minutes: 60 })
  const { blocks } = await world.data('time.plan_day', { day: '2026-01-16' }, by)
  expect((blocks as { time: string }[]).map(({ time }) => time)).toEqual(['06:00–07:00'])
  expect(
    (await world.call('time.plan_day', { work_start: '17:00', work_end: '09:00' }, by)).error?.code,
  ).toBe('TOOL_INVALID_FIELD_VALUE')
})

test('a weekly review lists what was done, kept, missed, worked, slipped and stuck, and compares with the week before', async () => {
  const by = newPerson('weekly')
  world.clock.set(Date.parse('2026-01-12T08:00:00Z'))
  await world.data('project.create', { name: 'Boat' }, by)
  await world.data('habit.create', { name: 'Stretch' }, by)
  for (const [title, more] of [
    ['Pay rent', { due: '2026-01-13' }],
    ['Send letter', { due: '2026-01-14' }],
    ['Far away', { due: '2026-03-01' }],
  ] as const)
    await toDo(by, title, more)
  await world.data('task.capture', { text: 'A thought' }, by)
  await world.data('task.delegate', { task: 'Far away', to: 'Eve' }, by)
  await recordWork(by, '2026-01-05T08:00:00Z', '2026-01-05T09:00:00Z')
  world.clock.set(Date.parse('2026-01-13T08:00:00Z'))
  await world.data('task.complete', { task: 'Pay rent' }, by)
  await recordWork(by, '2026-01-14T08:00:00Z', '2026-01-14T10:00:00Z', 5)
  for (const date of ['2026-01-12', '2026-01-13', '2026-01-14'])
    await world.data('habit.record_completion', { habit_name: 'Stretch', date }, by)
  // The Monday after.
  world.clock.set(Date.parse('2026-01-19T08:00:00Z'))
  const review = await world.data('time.review_weekly', { week: '2026-W03' }, by)
  expect(review).toMatchObject({
    from: '2026-01-12',
    to: '2026-01-18',
    completed: { count: 1, tasks: [{ title: 'Pay rent' }] },
    captured_count: 4,
    slipped: { count: 1, tasks: [{ title: 'Send letter' }] },
    overdue: { count: 1 },
    inbox_count: 1,
    habits: [{ name: 'Stretch', outcome: 'missed', done: 3, expected: 7, current_streak: 0 }],
    deep_work: { minutes: 120, average_focus: 5, goal_minutes: 840 },
    waiting: { count: 1 },
    projects_without_next_action: ['Boat'],
    week_before: { completed_count: 0, deep_work_minutes: 60 },
  })
  expect(review.sentences).toEqual([
    '1 task completed: "Pay rent".',
    'Habits missed: "Stretch" (3 of 7).',
    '120 minutes of deep work, focus 5 of 5; the goal was 840.',
    '1 task slipped: "Send letter".',
    '1 task overdue now: "Send letter".',
    '1 in the inbox: clarify them with task.organize.',
    'Projects without a next action: "Boat".',
    '1 task waiting for others, the longest "Far away" for Eve since 2026-01-12.',
    'Compared with the week before: +1 tasks, +60 minutes of deep work.',
  ])
})

test("a week is Monday to Sunday in the person's zone, and an invalid week is refused", async () => {
  const by = newPerson('edge', { timeZone: 'Pacific/Kiritimati' })
  // Sunday noon in UTC is already Monday in that zone.
  world.clock.set(Date.parse('2026-01-18T12:00:00Z'))
  expect(await world.data('time.review_weekly', {}, by)).toMatchObject({
    week: '2026-W04',
    from: '2026-01-19',
  })
  expect((await world.call('time.review_weekly', { week: '2025-W53' }, by)).error?.code).toBe(
    'TOOL_INVALID_FIELD_VALUE',
  )
  expect(await world.data('time.review_weekly', { week: '2020-W53' }, by)).toMatchObject({
    from: '2020-12-28',
    to: '2021-01-03',
  })
})

test('a habit that is not done today is open until the day ends, then missed', async () => {
  const by = newPerson('habitual')
  await world.data('habit.create', { name: 'Stretch' }, by)
  expect((await world.data('time.review_daily', {}, by)).habits).toMatchObject([
    { outcome: 'open', expected: 0 },
  ])
  world.clock.set(THURSDAY + DAY_MS)
  expect((await world.data('time.review_daily', { day: 'yesterday' }, by)).habits).toMatchObject([
    { outcome: 'missed', done: 0, expected: 1 },
  ])
})

test('a task due today has not slipped until the day is over', async () => {
  const by = newPerson('ontime')
  await toDo(by, 'Whole day', { due: '2026-01-15' })
  await toDo(by, 'At ten', { due: '2026-01-15 10:00' })
  const listSlipped = async () =>
    (await world.data('time.review_daily', { day: '2026-01-15' }, by)).slipped
  expect(await listSlipped()).toMatchObject({ count: 0 })
  world.clock.set(THURSDAY + 2 * HOUR_MS)
  expect(await listSlipped()).toMatchObject({ count: 1, tasks: [{ title: 'At ten' }] })
  world.clock.set(THURSDAY + DAY_MS)
  expect(await listSlipped()).toMatchObject({ count: 2 })
})

test('the person’s words are stored with the review, for a week under any of its days', async () => {
  const by = newPerson('writer')
  await world.data(
    'time.review_note',
    { kind: 'weekly', day: '2026-01-14', notes: 'Too many meetings.' },
    by,
  )
  expect(await world.data('time.review_weekly', { week: '2026-01-18' }, by)).toMatchObject({
    notes: 'Too many meetings.',
  })
  expect(await world.data('time.review_daily', { day: '2026-01-14' }, by)).not.toHaveProperty(
    'notes',
  )
})

test('no person sees another’s hours, plans, reviews or words, nor does an administrator', async () => {
  const by = newPerson('private')
  await recordWork(by, '2026-01-15T06:00:00Z', '2026-01-15T07:00:00Z')
  await toDo(by, 'Hidden plan', { due: '2026-01-15' })
  await toDo(by, 'Hidden debt', { due: '2026-01-10' })
  await toDo(by, 'Hidden deed')
  await world.data('task.complete', { task: 'Hidden deed' }, by)
  await world.data(
    'time.review_note',
    { kind: 'daily', day: '2026-01-15', notes: 'Hidden words.' },
    by,
  )
  await world.data('time.deep_work_start', { subject: 'Hidden subject' }, by)
  for (const outsider of [BOB, ADMIN, { ...by, tenant: 'work' }]) {
    for (const tool of [
      'time.deep_work_report',
      'time.plan_day',
      'time.review_daily',
      'time.review_weekly',
    ])
      expect(JSON.stringify(await world.data(tool, {}, outsider))).not.toContain('Hidden')
    expect(await world.data('time.deep_work_report', {}, outsider)).toMatchObject({
      total_minutes: 0,
      session_count: 0,
    })
    expect((await world.call('time.deep_work_stop', {}, outsider)).error?.code).toBe(
      'TOOL_RESOURCE_NOT_FOUND',
    )
    expect(
      (await world.call('time.deep_work_start', { task: 'Hidden plan' }, outsider)).error?.code,
    ).toBe('TOOL_RESOURCE_NOT_FOUND')
    expect(
      (await world.data('time.deep_work_start', { subject: 'Mine' }, outsider)).session,
    ).toMatchObject({ subject: 'Mine' })
    expect((await world.data('time.deep_work_stop', {}, outsider)).session).toMatchObject({
      subject: 'Mine',
    })
  }
})
