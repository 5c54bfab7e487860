import { type PackGiven, type PackNeeds, ToolError } from '@surehand/core'
import type { CalendarPort } from '../calendar-port.ts'
import { caldav } from './caldav.ts'
import { GOOGLE_CALENDAR_URL, googleCalendar } from './google-calendar.ts'
import { ownCalendars } from './own-calendars.ts'

/** What switches the other calendars on. Both are one account for the whole house: whoever may use the tools uses that account. */
export const CALENDAR_NEEDS = {
  secrets: {
    GOOGLE_CALENDAR_TOKEN: { for: 'the one Google account whose calendars everybody in this house reads and writes', optional: true },
    CALDAV_PASSWORD: { for: 'the one CalDAV account whose calendars everybody in this house reads and writes', optional: true },
  },
  settings: {
    GOOGLE_CALENDAR_URL: { for: "another address than Google's own, such as an emulator's" },
    CALDAV_URL: { for: 'the address of a CalDAV server, or of an account on it' },
    CALDAV_USERNAME: { for: 'the CalDAV account' },
  },
  hosts: ['www.googleapis.com'],
} satisfies PackNeeds

/** Google's calendars where there is a token, a CalDAV server's where there is an account, else the house's own. */
export function chooseCalendar(given: Pick<PackGiven, 'secret' | 'setting' | 'fetch' | 'values' | 'keepArtifact' | 'now'>): CalendarPort {
  const token = given.secret('GOOGLE_CALENDAR_TOKEN')
  const googleUrl = given.setting('GOOGLE_CALENDAR_URL')
  if (token !== undefined) {
    const trusted = googleUrl === undefined ? {} : { trusted: googleUrl }
    return googleCalendar({ baseUrl: googleUrl ?? GOOGLE_CALENDAR_URL, token, fetchFor: (tenant) => given.fetch({ tenant, ...trusted }) })
  }
  const [url, username, password] = [given.setting('CALDAV_URL'), given.setting('CALDAV_USERNAME'), given.secret('CALDAV_PASSWORD')]
  if (url !== undefined && username !== undefined && password !== undefined) {
    return caldav({ url, username, password, now: given.now, fetchFor: (tenant) => given.fetch({ tenant, trusted: url }) })
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
