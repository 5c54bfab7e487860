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

/**
 * The settings that enable other calendars. A token or a password is one account for the whole app;
 * a credential belongs to each tenant.
 */
export const CALENDAR_NEEDS = {
  secrets: {
    GOOGLE_CALENDAR_TOKEN: {
      for: 'the one Google account whose calendars every person of this app reads and writes',
      optional: true,
    },
    CALDAV_PASSWORD: {
      for: 'the one CalDAV account whose calendars every person of this app reads and writes',
      optional: true,
    },
  },
  settings: {
    GOOGLE_CALENDAR_URL: { for: "another address than Google's own, such as an emulator's" },
    GOOGLE_CALENDAR_CREDENTIAL: {
      for: "the name of the credential that is each tenant's (or person's) own Google account",
    },
    GOOGLE_CALENDAR_APP_ACCOUNT: {
      for: '"fallback": tenants without that credential use GOOGLE_CALENDAR_TOKEN',
    },
    CALDAV_URL: { for: 'the address of a CalDAV server, or of an account on it' },
    CALDAV_USERNAME: { for: 'the CalDAV account' },
  },
  hosts: ['www.googleapis.com'],
} satisfies PackNeeds

/**
 * Google's calendars where there is a credential or a token, a CalDAV server's where there is an
 * account, else the local ones.
 */
export function chooseCalendar(
  given: Pick<PackGiven, 'secret' | 'setting' | 'fetch' | 'values' | 'keepArtifact' | 'now'>,
): CalendarPort {
  const googleFetch = chooseGoogleFetch(given)
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
  // An incomplete account would put events where people do not look for them.
  if (url !== undefined || username !== undefined || password !== undefined)
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'A CalDAV account is CALDAV_URL, CALDAV_USERNAME and CALDAV_PASSWORD: set all three, or none.',
    )
  const { values, keepArtifact, now } = given
  return ownCalendars({ values, keepArtifact, now })
}

/**
 * Uses each tenant's own account where a credential is named, and the app's where none is or where
 * the setting says so.
 */
function chooseGoogleFetch(
  given: Pick<PackGiven, 'secret' | 'setting' | 'fetch'>,
): GoogleCalendarOptions['fetchFor'] | undefined {
  const [token, credential] = [
    given.secret('GOOGLE_CALENDAR_TOKEN'),
    given.setting('GOOGLE_CALENDAR_CREDENTIAL'),
  ]
  const url = given.setting('GOOGLE_CALENDAR_URL')
  const trusted = url === undefined ? {} : { trusted: url }
  const ofApp =
    token === undefined
      ? undefined
      : ({ tenant }: CalendarOwner) => withToken(given.fetch({ tenant, ...trusted }), token)
  if (credential === undefined) return ofApp
  const ofTenant = ({ tenant, principal }: CalendarOwner) =>
    given.fetch({ tenant, ...trusted, account: { credential, principal } })
  if (ofApp === undefined || given.setting('GOOGLE_CALENDAR_APP_ACCOUNT') !== 'fallback')
    return ofTenant
  return (owner) => orAppAccount(ofTenant(owner), ofApp(owner))
}

type Fetch = typeof globalThis.fetch

/** Sends with the app's token: every caller sees the calendars of that one account. */
export function withToken(send: Fetch, token: string): Fetch {
  return (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${token}`)
    return send(input, { ...init, headers })
  }
}

/**
 * Uses the app's account for tenants without one; a tenant account with a problem is not replaced
 * by it.
 */
function orAppAccount(own: Fetch, app: Fetch): Fetch {
  return async (input, init) => {
    try {
      return await own(input, init)
    } catch (thrown) {
      // Thrown before anything is sent.
      if (isToolError(thrown) && thrown.details?.source_code === 'credential_missing')
        return app(input, init)
      throw thrown
    }
  }
}
