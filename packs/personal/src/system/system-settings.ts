import type { Person } from '../person.ts'
import type { Reader } from '../personal-data.ts'
import { locale, oneOf, readSettings, type SettingValue, timeZone, wholeNumber } from './setting.ts'

/** The settings that an administrator makes for a whole tenant. */
export const SYSTEM_SETTINGS = {
  default_time_zone: timeZone('The time zone of people who have not set one'),
  default_locale: locale('The language and region of people who have not set one'),
  default_week_start: oneOf(
    ['monday', 'sunday', 'saturday'],
    'The first day of the week of people who have not set one',
  ),
  calendar_feed: oneOf(
    ['on', 'off'],
    'Whether people may subscribe to their due dates as a calendar',
  ),
  vault_sync: oneOf(['on', 'off'], 'Whether notes may be synced with a folder of Markdown files'),
  aggregate_reports: oneOf(
    ['on', 'off'],
    'Whether data.analyze may return numbers over all people',
  ),
  import_max_items: wholeNumber('The maximum number of items in one import', {
    min: 1,
    max: 20_000,
    initial: 5_000,
  }),
} as const

type SystemSettingName = keyof typeof SYSTEM_SETTINGS
export const SYSTEM_SETTING_NAMES = Object.keys(SYSTEM_SETTINGS) as readonly SystemSettingName[]

export const SELECT_SYSTEM_SETTINGS = 'select name, value from pm_system where tenant = ?'

/** Every setting of a tenant: the value that was set, else the default. */
export async function systemSettings(
  { tenant }: Pick<Person, 'tenant'>,
  read: Reader,
): Promise<Readonly<Record<SystemSettingName, SettingValue>>> {
  const set = readSettings(SYSTEM_SETTINGS, await read(SELECT_SYSTEM_SETTINGS, tenant))
  const entries = SYSTEM_SETTING_NAMES.map(
    (name) => [name, set.get(name) ?? SYSTEM_SETTINGS[name].initial] as const,
  )
  // Erased: every name of the table is among the entries.
  return Object.fromEntries(entries) as Record<SystemSettingName, SettingValue>
}
