import type { Caller } from '@surehand/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  ADMIN,
  ANN,
  BOB,
  openPersonalWorld,
  type PersonalWorld,
} from '../../testing/personal-world.ts'

const RIGHTS = ['preferences.read', 'preferences.write']
const ann: Caller = { ...ANN, capabilities: RIGHTS }
const bob: Caller = {
  tenant: BOB.tenant,
  principal: 'bob',
  actor: 'user',
  roles: ['user'],
  capabilities: RIGHTS,
}

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
})
afterAll(() => world.close())

async function preference(name: string, caller: Caller): Promise<unknown> {
  const { preferences } = (await world.data('system.preferences_get', {}, caller)) as {
    preferences: readonly { name: string; value: unknown; from: string }[]
  }
  const found = preferences.find((one) => one.name === name)
  return [found?.value, found?.from]
}

test('a preference is that of the person, else of their credential, else of the tenant, else the default', async () => {
  expect([await preference('time_zone', ann), await preference('time_zone', bob)]).toEqual([
    ['Europe/Berlin', 'your sign-in'],
    ['UTC', 'default'],
  ])
  await world.data('system.config_set', { name: 'default_time_zone', value: 'Asia/Tokyo' }, ADMIN)
  await world.data('system.preferences_set', { time_zone: 'Europe/Lisbon' }, ann)
  expect([await preference('time_zone', ann), await preference('time_zone', bob)]).toEqual([
    ['Europe/Lisbon', 'you'],
    ['Asia/Tokyo', 'the house'],
  ])
  await world.data('system.preferences_set', { time_zone: null }, ann)
  expect(await preference('time_zone', ann)).toEqual(['Europe/Berlin', 'your sign-in'])
})

test.each([
  [{ time_zone: 'Mars/Base' }, 'time_zone must be a time zone'],
  [{ locale: 'not a locale' }, 'locale must be a language tag'],
  [{ work_start: '25:00' }, 'work_start must be a time'],
  [{ work_start: '18:00' }, 'ends before it begins'],
  [{}, 'Nothing to change'],
])('%j is refused with the expected value', async (input, words) => {
  const refused = await world.call('system.preferences_set', input, ann)
  expect([refused.status, refused.error?.message]).toEqual([
    'failed',
    expect.stringContaining(words),
  ])
})

test('settings of the tenant are for administrators, and config_set returns the previous value', async () => {
  expect(
    (await world.call('system.config_set', { name: 'calendar_feed', value: 'off' }, ann)).error
      ?.code,
  ).toBe('TOOL_ROLE_NOT_AUTHORIZED')
  expect(
    (await world.call('system.config_set', { name: 'calendar_feed', value: 'maybe' }, ADMIN)).error
      ?.code,
  ).toBe('TOOL_INVALID_FIELD_VALUE')
  expect(
    await world.data('system.config_set', { name: 'calendar_feed', value: 'off' }, ADMIN),
  ).toEqual({
    name: 'calendar_feed',
    value: 'off',
    previous: null,
  })
  expect((await world.call('data.calendar_feed', {}, ann)).error?.code).toBe('TOOL_GATE_CLOSED')
  expect(
    await world.data('system.config_set', { name: 'calendar_feed', value: null }, ADMIN),
  ).toMatchObject({ previous: 'off' })
  expect((await world.call('data.calendar_feed', {}, ann)).status).toBe('success')
  expect(
    (
      await world.call(
        'system.config_set',
        { name: 'vault_sync', value: 'off' },
        { ...ADMIN, actor: 'ai_agent' },
      )
    ).status,
  ).toBe('failed')
})

test('the status counts, and names no person', async () => {
  await world.data('knowledge.note_add', { title: 'Of Ann', body: '12345' }, ann)
  const status = await world.data('system.status', {}, ADMIN)
  expect(status).toMatchObject({
    people: 1,
    note_characters: 5,
    rows: { notes: 1, tasks: 0 },
    switches: { vault_sync: 'on' },
  })
  expect(JSON.stringify(status)).not.toContain('ann')
})
