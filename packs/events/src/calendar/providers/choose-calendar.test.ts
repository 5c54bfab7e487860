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

/** The requests that an app with this configuration sends: tenant, host and trusted address. */
async function requestsSent(
  secrets: Record<string, string>,
  settings: Record<string, string>,
): Promise<readonly string[]> {
  const requests: string[] = []
  const calendar = chooseCalendar({
    secret: (name) => secrets[name],
    setting: (name) => settings[name],
    fetch: ({ tenant, trusted }) => {
      return async (input) => {
        requests.push(`${tenant} ${new URL(String(input)).host} ${trusted ?? 'none'}`)
        throw new TypeError('fetch failed')
      }
    },
    values: memoryStores().values,
    keepArtifact: async () => ({ url: 'https://app.example/x' }),
    now: () => 0,
  })
  await calendar.read(QUERY, AbortSignal.timeout(60_000)).catch(() => undefined)
  return requests
}

test.each([
  ['its own calendars', {}, {}, []],
  [
    'Google Calendar with a token',
    { GOOGLE_CALENDAR_TOKEN: 'x' },
    {},
    ['acme www.googleapis.com none'],
  ],
  [
    'an emulator with a token and its address',
    { GOOGLE_CALENDAR_TOKEN: 'x' },
    { GOOGLE_CALENDAR_URL: 'http://127.0.0.1:9/calendar/v3' },
    ['acme 127.0.0.1:9 http://127.0.0.1:9/calendar/v3'],
  ],
  [
    'a CalDAV server with an account',
    { CALDAV_PASSWORD: 'x' },
    { CALDAV_URL: 'http://10.0.0.1/', CALDAV_USERNAME: 'ann' },
    ['acme 10.0.0.1 http://10.0.0.1/'],
  ],
])('the app uses %s', async (_, secrets, settings, requests) => {
  expect(await requestsSent(secrets, settings)).toEqual(requests)
})

test('an incomplete CalDAV account is a configuration error', async () => {
  const incomplete = requestsSent({ CALDAV_PASSWORD: 'x' }, { CALDAV_URL: 'http://10.0.0.1/' })
  await expect(incomplete).rejects.toMatchObject({ code: 'TOOL_CONFIGURATION_ERROR' })
})
