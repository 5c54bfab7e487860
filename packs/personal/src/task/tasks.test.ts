import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'
import type { TaskView } from './task-view.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
})
afterAll(() => world.close())

/** A person without any data who may delete tasks. */
function newPerson(name: string): Caller {
  return { ...ANN, principal: name, capabilities: ['task.delete'] }
}

async function captureTask(text: string, by: Caller): Promise<TaskView> {
  return (await world.data('task.capture', { text }, by)).task as TaskView
}

async function callRefused(tool: string, input: unknown, by: Caller) {
  const { status, error } = await world.call(tool, input, by)
  return {
    status,
    code: error?.code,
    message: error?.message,
    details: error?.details as Record<string, unknown> | undefined,
  }
}

const titles = (data: Record<string, unknown>) =>
  (data.tasks as TaskView[]).map(({ title }) => title)

test('a captured task is in the inbox, due in the person’s zone', async () => {
  const by = newPerson('capturer')
  const { task, recognised } = await world.data(
    'task.capture',
    { text: 'Call Bob tomorrow 5pm #errands !high @phone' },
    by,
  )
  expect(task).toMatchObject({
    title: 'Call Bob',
    state: 'inbox',
    priority: 'high',
    context: 'phone',
    tags: ['errands'],
    due: {
      day: '2026-01-16',
      time: '17:00',
      time_zone: 'Europe/Berlin',
      at: '2026-01-16T17:00:00+01:00',
    },
  })
  expect(recognised).toHaveLength(4)
})

test('an unknown project stays in the title and is reported', async () => {
  const { task, not_recognised } = await world.data(
    'task.capture',
    { text: 'Paint the fence +Garden' },
    newPerson('projectless'),
  )
  expect((task as TaskView).title).toBe('Paint the fence +Garden')
  expect(not_recognised).toEqual([{ text: '+Garden', reason: expect.stringContaining('"Garden"') }])
})

test('a waiting task has a person and a day, and loses both when it no longer waits', async () => {
  const by = newPerson('waiter')
  await captureTask('Get the key', by)
  expect(
    await callRefused('task.clarify', { task: 'Get the key', to: 'waiting_for' }, by),
  ).toMatchObject({
    code: 'TOOL_MISSING_REQUIRED_FIELD',
  })
  expect(
    (await world.data('task.delegate', { task: 'Get the key', to: 'Eve' }, by)).task,
  ).toMatchObject({
    state: 'waiting_for',
    waiting_for: 'Eve',
    waiting_since: '2026-01-15',
  })
  const { task } = await world.data('task.clarify', { task: 'Get the key', to: 'next_action' }, by)
  expect(task).not.toHaveProperty('waiting_for')
})

test('a transition that is not allowed is refused with from, to and the allowed states', async () => {
  const by = newPerson('finisher')
  const { id } = await captureTask('Sweep', by)
  await world.data('task.complete', { task: 'Sweep' }, by)
  expect(await callRefused('task.complete', { task: 'Sweep' }, by)).toMatchObject({
    status: 'failed',
    code: 'TOOL_INVALID_FIELD_VALUE',
    message: expect.stringContaining('"Sweep" is already completed'),
    details: { from: 'completed', to: 'completed', allowed: ['next_action', 'deleted'] },
  })
  expect(
    (await world.data('task.clarify', { task: id, to: 'next_action' }, by)).task,
  ).not.toHaveProperty('completed_at')
})

test('a deleted task is in no list and no search, and is restored by its id', async () => {
  const by = newPerson('deleter')
  const { id } = await captureTask('Old idea', by)
  await world.data('task.delete', { task: 'Old idea' }, by)
  expect(titles(await world.data('task.list', {}, by))).toEqual([])
  expect(await callRefused('task.details', { task: 'Old idea' }, by)).toMatchObject({
    code: 'TOOL_RESOURCE_NOT_FOUND',
  })
  expect(
    (await world.data('task.clarify', { task: id, to: 'someday_maybe' }, by)).task,
  ).toMatchObject({ state: 'someday_maybe' })
})

test('a deferred task is hidden until its day, and the answer warns when it is due earlier', async () => {
  const by = newPerson('putter')
  await captureTask('Pay the rent tomorrow', by)
  await world.data('task.clarify', { task: 'Pay the rent', to: 'next_action' }, by)
  expect(
    (await world.data('task.defer', { task: 'Pay the rent', until: 'in two weeks' }, by)).message,
  ).toContain('It is due on 2026-01-16, before it reappears.')
  expect((await world.data('task.next', {}, by)).actions).toEqual([])
  expect(
    await callRefused('task.defer', { task: 'Pay the rent', until: 'yesterday' }, by),
  ).toMatchObject({ code: 'TOOL_INVALID_FIELD_VALUE' })
  await world.data('task.defer', { task: 'Pay the rent', until: 'today' }, by)
  expect((await world.data('task.next', {}, by)).actions).toHaveLength(1)
})

test('next actions fit the context and the minutes, the most pressing first, each with its reason', async () => {
  const by = newPerson('doer')
  for (const [text, more] of [
    ['Ring the bank @phone ~5m', { due: '2026-01-15' }],
    ['Ring Grandma @phone ~60m', {}],
    ['Mow @garden ~10m', { priority: 'high' }],
    ['Think ~10m', {}],
  ] as const) {
    const { id } = await captureTask(text, by)
    await world.data('task.clarify', { task: id, to: 'next_action', ...more }, by)
  }
  const { actions } = await world.data('task.next', { context: 'phone', minutes: 15 }, by)
  const refusal = actions as { task: TaskView; reason: string }[]
  expect(refusal.map(({ task }) => task.title)).toEqual(['Ring the bank', 'Think'])
  expect(refusal[0]?.reason).toMatch(/^Due today/)
})

test('organizing proposes without a change, and applies all decisions or none', async () => {
  const by = newPerson('organizer')
  for (const text of [
    'Waiting for Tom’s answer',
    'Someday learn to sail',
    'Plan the summer party',
    'Buy milk',
  ])
    await captureTask(text, by)
  const { proposals } = await world.data('task.organize', {}, by)
  expect((proposals as { title: string; to: string }[]).map(({ to }) => to)).toEqual([
    'waiting_for',
    'someday_maybe',
    'project',
    'next_action',
  ])
  expect((await world.data('task.list', { state: 'inbox' }, by)).tasks).toHaveLength(4)
  const half = {
    decisions: [
      { task: 'Buy milk', to: 'next_action' },
      { task: 'No such thing', to: 'reference' },
    ],
  }
  expect(await callRefused('task.organize', half, by)).toMatchObject({
    code: 'TOOL_RESOURCE_NOT_FOUND',
  })
  expect((await world.data('task.list', { state: 'inbox' }, by)).tasks).toHaveLength(4)
})

test('several matches are listed', async () => {
  const by = newPerson('vague')
  await captureTask('Call Anna', by)
  await captureTask('Call Anton', by)
  const { code, details } = await callRefused('task.complete', { task: 'call an' }, by)
  expect(code).toBe('TOOL_INVALID_FIELD_VALUE')
  expect(details?.matches).toHaveLength(2)
  expect((await world.data('task.complete', { task: 'call annaa' }, by)).message).toBe(
    '"Call Anna" is completed.',
  )
})

test('pages contain every task once, in order, for any size, and pattern characters are literals', async () => {
  const by = newPerson('pager')
  const days = ['2026-03-01', '2026-02-01', '2026-02-01', '2026-04-01']
  for (const [index, day] of days.entries()) await captureTask(`Thing ${index} ${day}`, by)
  for (const name of ['Undated', '100% sure']) await captureTask(name, by)
  const whole = titles(await world.data('task.list', {}, by))
  const paged: string[] = []
  for (let cursor: unknown; ; ) {
    const page = await world.data(
      'task.list',
      { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      by,
    )
    paged.push(...titles(page))
    cursor = page.next_cursor
    if (cursor === undefined) break
  }
  expect(paged).toEqual(whole)
  expect(new Set(whole).size).toBe(6)
  expect(whole.slice(0, 4)).toEqual([
    expect.stringMatching(/[12]/),
    expect.stringMatching(/[12]/),
    'Thing 0',
    'Thing 3',
  ])
  expect(titles(await world.data('task.list', { text: '0%' }, by))).toEqual(['100% sure'])
  expect(titles(await world.data('task.list', { due_until: '2026-02-01' }, by))).toHaveLength(2)
  expect(await callRefused('task.list', { cursor: 'made-up' }, by)).toMatchObject({
    code: 'TOOL_INVALID_FIELD_VALUE',
  })
})

describe('two people in one tenant', () => {
  test('never see, name or change each other’s tasks, nor does an administrator', async () => {
    const { id } = await captureTask('Ann’s secret plan', ANN)
    await world.data(
      'task.clarify',
      { task: (await captureTask('Ann’s next plan', ANN)).id, to: 'next_action' },
      ANN,
    )
    for (const outsider of [BOB, ADMIN]) {
      const may: Caller = { ...outsider, capabilities: ['task.delete'] }
      expect(titles(await world.data('task.list', {}, may))).toEqual([])
      expect(await world.data('task.next', {}, may)).toMatchObject({ actions: [], considered: 0 })
      expect(await world.data('task.organize', {}, may)).toMatchObject({
        proposals: [],
        inbox_count: 0,
      })
      for (const said of [id, 'Ann’s secret plan', 'secret'])
        for (const [tool, more] of [
          ['task.details', {}],
          ['task.complete', {}],
          ['task.delete', {}],
          ['task.defer', { until: 'tomorrow' }],
          ['task.delegate', { to: 'me' }],
          ['task.clarify', { to: 'reference' }],
        ] as const) {
          const answer = await world.call(tool, { task: said, ...more }, may)
          expect([tool, answer.error?.code]).toEqual([tool, 'TOOL_RESOURCE_NOT_FOUND'])
          expect(answer.error?.details).toMatchObject({ available: [] })
        }
    }
    expect((await world.data('task.details', { task: id }, ANN)).task).toMatchObject({
      state: 'inbox',
    })
  })

  test('a wider scope still gives only the person’s own tasks', async () => {
    const wide: Caller = { ...BOB, capabilities: [{ name: 'task.read', scope: 'all' }] }
    await captureTask('Ann’s other plan', ANN)
    expect(titles(await world.data('task.list', {}, wide))).not.toContain('Ann’s other plan')
  })

  test('the same name in another tenant is another person', async () => {
    await captureTask('Ann’s third plan', ANN)
    expect(titles(await world.data('task.list', {}, { ...ANN, tenant: 'work' }))).toEqual([])
  })
})

test('a credential without task.delete cannot delete by any tool', async () => {
  const by = newPerson('narrowed')
  await captureTask('Keep me too', by)
  const narrowed: Caller = { ...by, scopes: ['task.read', 'task.write'] }
  expect(await callRefused('task.delete', { task: 'Keep me too' }, narrowed)).toMatchObject({
    code: 'TOOL_CAPABILITY_MISSING',
  })
  expect(
    await callRefused('task.clarify', { task: 'Keep me too', to: 'deleted' }, narrowed),
  ).toMatchObject({
    code: 'TOOL_CAPABILITY_MISSING',
    details: { missing_capabilities: ['task.delete'] },
  })
  expect(titles(await world.data('task.list', {}, narrowed))).toEqual(['Keep me too'])
  expect(
    (await world.call('task.clarify', { task: 'Keep me too', to: 'someday_maybe' }, narrowed))
      .status,
  ).toBe('success')
  expect(
    (await world.call('task.clarify', { task: 'Keep me too', to: 'deleted' }, by)).status,
  ).toBe('success')
})

test('an agent without task.delete cannot delete by any tool', async () => {
  const by = newPerson('principal')
  await captureTask('Keep me', by)
  const agent: Caller = { ...by, actor: 'ai_agent' }
  expect((await world.call('task.delete', { task: 'Keep me' }, agent)).error?.code).toBe(
    'TOOL_CAPABILITY_MISSING',
  )
  expect((await world.call('task.clarify', { task: 'Keep me', to: 'deleted' }, agent)).status).toBe(
    'failed',
  )
  expect(
    (await world.call('task.organize', { decisions: [{ task: 'Keep me', to: 'deleted' }] }, agent))
      .error?.code,
  ).toMatch(/INVALID/)
  expect((await world.data('task.list', {}, by)).tasks).toHaveLength(1)
  expect(
    (await world.call('task.clarify', { task: 'Keep me', to: 'reference' }, agent)).status,
  ).toBe('success')
})

test('dates parsed in the zone of the credential are parsed again in the zone that the person has set', async () => {
  const by: Caller = { ...newPerson('mover'), capabilities: ['preferences.write'] }
  world.clock.set(Date.parse('2026-01-15T11:00:00Z'))
  await world.data('system.preferences_set', { time_zone: 'Pacific/Kiritimati' }, by)
  expect((await captureTask('Swim tomorrow', by)).due).toEqual({ day: '2026-01-17' })
  expect(
    (
      await world.data(
        'task.clarify',
        { task: 'Swim', to: 'next_action', due: 'tomorrow 09:00' },
        by,
      )
    ).task,
  ).toMatchObject({
    due: { day: '2026-01-17', at: '2026-01-17T09:00:00+14:00' },
  })
  expect(await world.data('task.defer', { task: 'Swim', until: 'tomorrow' }, by)).toMatchObject({
    deferred_until: '2026-01-17',
  })
})

test('a time zone of the person moves their days', async () => {
  const by: Caller = { ...newPerson('traveller'), timeZone: 'Pacific/Kiritimati' }
  world.clock.set(Date.parse('2026-01-15T11:00:00Z'))
  expect((await captureTask('Swim tomorrow', by)).due).toEqual({ day: '2026-01-17' })
  expect((await captureTask('Swim tomorrow', newPerson('stayer'))).due).toEqual({
    day: '2026-01-16',
  })
})
