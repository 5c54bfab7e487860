import type { Caller } from '@surehand/core'
import type { Reader } from '../personal-data.ts'
import {
  locale,
  oneOf,
  readSettings,
  type SettingValue,
  timeZone,
  wallTime,
  wholeNumber,
} from './setting.ts'
import { SELECT_SYSTEM_SETTINGS, SYSTEM_SETTINGS } from './system-settings.ts'

/** The settings that a person makes for themselves. */
export const PREFERENCES = {
  time_zone: timeZone('The time zone of your days'),
  locale: locale('Your language and region'),
  week_start: oneOf(['monday', 'sunday', 'saturday'], 'The first day of your week'),
  work_start: wallTime('When your working day begins', '09:00'),
  work_end: wallTime('When your working day ends', '17:00'),
  deep_work_goal_minutes: wholeNumber('Your daily goal for deep work, in minutes', {
    min: 0,
    max: 960,
    initial: 120,
  }),
} as const

export type PreferenceName = keyof typeof PREFERENCES
export const PREFERENCE_NAMES = Object.keys(PREFERENCES) as readonly PreferenceName[]

type Preference = {
  readonly value: SettingValue
  readonly from: 'you' | 'your sign-in' | 'the house' | 'default'
}

const SELECT_OWN = 'select name, value from pm_preferences where tenant = ? and owner = ?'
const TENANT_SETTINGS: Readonly<Partial<Record<PreferenceName, keyof typeof SYSTEM_SETTINGS>>> = {
  time_zone: 'default_time_zone',
  locale: 'default_locale',
  week_start: 'default_week_start',
}

/**
 * The preferences that apply to a person: their own, else those of their credential, else those of
 * the tenant, else the defaults.
 */
export async function readPreferences(
  caller: Caller,
  read: Reader,
): Promise<Readonly<Record<PreferenceName, Preference>>> {
  const own = readSettings(PREFERENCES, await read(SELECT_OWN, caller.tenant, caller.principal))
  const tenant = readSettings(SYSTEM_SETTINGS, await read(SELECT_SYSTEM_SETTINGS, caller.tenant))
  const entries = PREFERENCE_NAMES.map(
    (name) => [name, choosePreference(name, { own, tenant }, caller)] as const,
  )
  // Erased: every name of the table is among the entries.
  return Object.fromEntries(entries) as Record<PreferenceName, Preference>
}

type Known = ReadonlyMap<string, SettingValue>

function choosePreference(
  name: PreferenceName,
  { own, tenant }: { readonly own: Known; readonly tenant: Known },
  caller: Caller,
): Preference {
  const personal = own.get(name)
  if (personal !== undefined) return { value: personal, from: 'you' }
  const signIn =
    name === 'time_zone' ? caller.timeZone : name === 'locale' ? caller.locale : undefined
  if (signIn !== undefined) return { value: signIn, from: 'your sign-in' }
  const tenantValue = tenant.get(TENANT_SETTINGS[name] ?? '')
  return tenantValue === undefined
    ? { value: PREFERENCES[name].initial, from: 'default' }
    : { value: tenantValue, from: 'the house' }
}
