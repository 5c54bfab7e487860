import { ToolError } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { isTimeZone } from '@surehand/dates'

export type SettingValue = string | number | boolean

/** A setting: its default, its meaning, and a check of its values. */
type Setting = {
  readonly about: string
  readonly initial: SettingValue
  /** What is expected, when this value is invalid; undefined when it is valid. */
  readonly expected: (value: SettingValue) => string | undefined
}

export function oneOf<const V extends string>(
  values: readonly V[],
  about: string,
): Setting & { readonly initial: V } {
  const [first] = values
  // Erased: an empty list of values is a bug in the table and is found when it is loaded.
  const initial = first as V
  return {
    about,
    initial,
    expected: (value) =>
      values.some((one) => one === value) ? undefined : `one of ${values.join(', ')}`,
  }
}

export function wholeNumber(
  about: string,
  bounds: { readonly min: number; readonly max: number; readonly initial: number },
): Setting & { readonly initial: number } {
  const { min, max, initial } = bounds
  const isFit = (value: SettingValue) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
  return {
    about,
    initial,
    expected: (value) => (isFit(value) ? undefined : `a whole number from ${min} to ${max}`),
  }
}

export function wallTime(about: string, initial: string): Setting & { readonly initial: string } {
  const isFit = (value: SettingValue) =>
    typeof value === 'string' && /^([01]\d|2[0-3]):[0-5]\d$/.test(value)
  return {
    about,
    initial,
    expected: (value) => (isFit(value) ? undefined : 'a time of the day, such as 09:00'),
  }
}

export function timeZone(about: string): Setting & { readonly initial: string } {
  const isFit = (value: SettingValue) =>
    typeof value === 'string' && value.length <= 64 && isTimeZone(value)
  return {
    about,
    initial: 'UTC',
    expected: (value) => (isFit(value) ? undefined : 'a time zone, such as Europe/Berlin'),
  }
}

export function locale(about: string): Setting & { readonly initial: string } {
  return {
    about,
    initial: 'en',
    expected: (value) => (isLocale(value) ? undefined : 'a language tag, such as de-AT'),
  }
}

function isLocale(value: SettingValue): boolean {
  if (typeof value !== 'string' || value.length > 35) return false
  try {
    return Intl.getCanonicalLocales(value).length === 1
  } catch {
    return false // A RangeError: not a language tag.
  }
}

/** Refuses a value that the setting does not accept. */
export function checkSetting(name: string, setting: Setting, value: SettingValue): void {
  const wanted = setting.expected(value)
  if (wanted === undefined) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${name} must be ${wanted}, not ${JSON.stringify(value)}.`,
    {
      details: {
        validation_errors: [{ field: name, error: `must be ${wanted}`, provided_value: value }],
      },
    },
  )
}

/**
 * Converts stored values to the types of their settings; a value that is no longer valid counts as
 * not set.
 */
export function readSettings(
  settings: Readonly<Record<string, Setting>>,
  rows: readonly Row[],
): ReadonlyMap<string, SettingValue> {
  const found = new Map<string, SettingValue>()
  for (const { name, value } of rows) {
    const setting = Object.hasOwn(settings, String(name)) ? settings[String(name)] : undefined
    if (setting === undefined) continue
    const read = parseValue(setting.initial, String(value))
    if (setting.expected(read) === undefined) found.set(String(name), read)
  }
  return found
}

function parseValue(like: SettingValue, text: string): SettingValue {
  switch (typeof like) {
    case 'number':
      return Number(text)
    case 'boolean':
      return text === 'true'
    default:
      return text
  }
}
