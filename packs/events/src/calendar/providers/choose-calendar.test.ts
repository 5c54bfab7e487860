import { memoryStores } from '@surehand/core'
import { expect, test } from 'vitest'
import { chooseCalendar } from './choose-calendar.ts'

const QUERY = {
  tenant: 'acme',
  principal: 'ann',
  calendarId: 'primary',
  fromMs: 0,
  toMs: 1,
  timeZone: 'UTC',
  shows: 'occurrences',
} as const

/** Where a house that is set up like this asks for its calendars, and what it trusts. */
async function askedBy(
  secrets: Record<string, string>,
  settings: Record<string, string>,
): Promise<readonly string[]> {
  const asked: string[] = []
  const calendar = chooseCalendar({
    secret: (name) => secrets[name],
    setting: (name) => settings[name],
    fetch: ({ tenant, trusted }) => {
      return async (input) => {
        asked.push(`${tenant} ${new URL(String(input)).host} ${trusted ?? 'nobody'}`)
        throw new TypeError('fetch failed')
      }
    },
    values: memoryStores().values,
    keepArtifact: async () => ({ url: 'https://house.example/x' }),
    now: () => 0,
  })
  await calendar.read(QUERY, AbortSignal.timeout(60_000)).catch(() => undefined)
  return asked
}

test.each([
  ['its own', {}, {}, []],
  ['Google’s with a token', { GOOGLE_CALENDAR_TOKEN: 'x' }, {}, ['acme www.googleapis.com nobody']],
  [
    'an emulator’s with a token and its address',
    { GOOGLE_CALENDAR_TOKEN: 'x' },
    { GOOGLE_CALENDAR_URL: 'http://127.0.0.1:9/calendar/v3' },
    ['acme 127.0.0.1:9 http://127.0.0.1:9/calendar/v3'],
  ],
  [
    'a CalDAV server’s with an account',
    { CALDAV_PASSWORD: 'x' },
    { CALDAV_URL: 'http://10.0.0.1/', CALDAV_USERNAME: 'ann' },
    ['acme 10.0.0.1 http://10.0.0.1/'],
  ],
])('a house has %s', async (_, secrets, settings, asked) => {
  expect(await askedBy(secrets, settings)).toEqual(asked)
})

test('a house with half an account does not start', async () => {
  const half = askedBy({ CALDAV_PASSWORD: 'x' }, { CALDAV_URL: 'http://10.0.0.1/' })
  await expect(half).rejects.toMatchObject({ code: 'TOOL_CONFIGURATION_ERROR' })
})
