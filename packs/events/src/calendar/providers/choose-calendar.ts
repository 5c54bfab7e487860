import { isToolError, ToolError } from '@surehand/core'
import type { PackGiven, PackNeeds } from '@surehand/core/host'
import type { CalendarOwner, CalendarPort } from '../calendar-port.ts'
import { caldav } from './caldav.ts'
import {
  GOOGLE_CALENDAR_URL,
  type GoogleCalendarOptions,
  googleCalendar,
} from './google-calendar.ts'
import { ownCalendars } from './own-calendars.ts'

/** What switches the other calendars on. A token or a password is one account for the whole house; a credential is each tenant's own. */
export const CALENDAR_NEEDS = {
  secrets: {
    GOOGLE_CALENDAR_TOKEN: {
      for: 'the one Google account whose calendars everybody in this house reads and writes',
      optional: true,
    },
    CALDAV_PASSWORD: {
      for: 'the one CalDAV account whose calendars everybody in this house reads and writes',
      optional: true,
    },
  },
  settings: {
    GOOGLE_CALENDAR_URL: { for: "another address than Google's own, such as an emulator's" },
    GOOGLE_CALENDAR_CREDENTIAL: {
      for: "the name of the credential that is each tenant's (or person's) own Google account",
    },
    GOOGLE_CALENDAR_HOUSE_ACCOUNT: {
      for: '"fallback": tenants without that credential use GOOGLE_CALENDAR_TOKEN',
    },
    CALDAV_URL: { for: 'the address of a CalDAV server, or of an account on it' },
    CALDAV_USERNAME: { for: 'the CalDAV account' },
  },
  hosts: ['www.googleapis.com'],
} satisfies PackNeeds

/** Google's calendars where there is a credential or a token, a CalDAV server's where there is an account, else the house's own. */
export function chooseCalendar(
  given: Pick<PackGiven, 'secret' | 'setting' | 'fetch' | 'values' | 'keepArtifact' | 'now'>,
): CalendarPort {
  const googleFetch = googleFetchOf(given)
  if (googleFetch !== undefined)
    return googleCalendar({
      baseUrl: given.setting('GOOGLE_CALENDAR_URL') ?? GOOGLE_CALENDAR_URL,
      fetchFor: googleFetch,
    })
  const [url, username, password] = [
    given.setting('CALDAV_URL'),
    given.setting('CALDAV_USERNAME'),
    given.secret('CALDAV_PASSWORD'),
  ]
  if (url !== undefined && username !== undefined && password !== undefined) {
    return caldav({
      url,
      username,
      password,
      now: given.now,
      fetchFor: (tenant) => given.fetch({ tenant, trusted: url }),
    })
  }
  // half an account would put what people write where they don't look for it
  if (url !== undefined || username !== undefined || password !== undefined)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'A CalDAV account is CALDAV_URL, CALDAV_USERNAME and CALDAV_PASSWORD: set all three, or none.',
    )
  const { values, keepArtifact, now } = given
  return ownCalendars({ values, keepArtifact, now })
}

/** With each tenant's own account where a credential is named; with the house's where none is, or where the setting says so. */
function googleFetchOf(
  given: Pick<PackGiven, 'secret' | 'setting' | 'fetch'>,
): GoogleCalendarOptions['fetchFor'] | undefined {
  const [token, credential] = [
    given.secret('GOOGLE_CALENDAR_TOKEN'),
    given.setting('GOOGLE_CALENDAR_CREDENTIAL'),
  ]
  const url = given.setting('GOOGLE_CALENDAR_URL')
  const trusted = url === undefined ? {} : { trusted: url }
  const ofHouse =
    token === undefined
      ? undefined
      : ({ tenant }: CalendarOwner) => withToken(given.fetch({ tenant, ...trusted }), token)
  if (credential === undefined) return ofHouse
  const ofTenant = ({ tenant, principal }: CalendarOwner) =>
    given.fetch({ tenant, ...trusted, account: { credential, principal } })
  if (ofHouse === undefined || given.setting('GOOGLE_CALENDAR_HOUSE_ACCOUNT') !== 'fallback')
    return ofTenant
  return (owner) => orHouse(ofTenant(owner), ofHouse(owner))
}

type Fetch = typeof globalThis.fetch

/** With a token of the house: whoever calls, it is that one account's calendars they see. */
export function withToken(send: Fetch, token: string): Fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}

/** The house's account for tenants that have none of their own; one that has some trouble is not passed over for it. */
function orHouse(own: Fetch, house: Fetch): Fetch {
  return async (input, init) => {
    try {
      return await own(input, init)
    } catch (thrown) {
      // said before anything is sent
      if (isToolError(thrown) && thrown.details?.source_code === 'credential_missing')
        return house(input, init)
      throw thrown
    }
  }
}
