import { isTimeZone, offsetText } from './civil.ts'
import type { Reading } from './reading.ts'

export type Zone = {
  readonly timeZone: string
  readonly offset?: string
  /** `local time` names none. */
  readonly isLocal?: true
  readonly end: number
}

const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['CET', 'Europe/Paris'],
  ['CEST', 'Europe/Paris'],
  ['MEZ', 'Europe/Berlin'],
  ['MESZ', 'Europe/Berlin'],
  ['BST', 'Europe/London'],
  ['WET', 'Europe/Lisbon'],
  ['WEST', 'Europe/Lisbon'],
  ['EET', 'Europe/Athens'],
  ['EEST', 'Europe/Athens'],
  ['EST', 'America/New_York'],
  ['EDT', 'America/New_York'],
  ['ET', 'America/New_York'],
  ['CST', 'America/Chicago'],
  ['CDT', 'America/Chicago'],
  ['CT', 'America/Chicago'],
  ['MST', 'America/Denver'],
  ['MDT', 'America/Denver'],
  ['MT', 'America/Denver'],
  ['PST', 'America/Los_Angeles'],
  ['PDT', 'America/Los_Angeles'],
  ['PT', 'America/Los_Angeles'],
  ['JST', 'Asia/Tokyo'],
  ['AEST', 'Australia/Sydney'],
  ['AEDT', 'Australia/Sydney'],
])
// no fixed zone has a name for half an hour: the places that keep such a time
const BROKEN_ZONES = [
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Tehran',
  'Asia/Kabul',
  'Asia/Yangon',
  'Australia/Darwin',
  'Australia/Eucla',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Marquesas',
  'Pacific/Chatham',
]
const NAMED: ReadonlyMap<string, string> = new Map([
  ['eastern', 'America/New_York'],
  ['central', 'America/Chicago'],
  ['mountain', 'America/Denver'],
  ['pacific', 'America/Los_Angeles'],
])
const CITIES: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('timeZone').flatMap((name) => {
    const city = name.split('/').at(-1)?.replaceAll('_', ' ').toLowerCase()
    return city === undefined || !name.includes('/') ? [] : [[city, name] as const]
  }),
)

/** A text without the abbreviations of zones behind its times: ET and EST are words of French. */
export function withoutZones({ text, folded }: Pick<Reading, 'text' | 'folded'>): string {
  const kept: string[] = []
  let from = 0
  for (const { 0: name, index } of text.matchAll(
    /(?<=(?:\d ?[ap]\.?m\.?|\d:\d\d) ?\(?)[a-z]{2,4}(?![\p{L}\p{N}])/giu,
  )) {
    if (!ABBREVIATIONS.has(name)) continue
    kept.push(folded.slice(from, index))
    from = index + name.length
  }
  return [...kept, folded.slice(from)].join(' ')
}

/** The time zone that is named right behind a time. */
export function zoneAfter(reading: Reading, index: number, atMs: number): Zone | undefined {
  return (
    byOffset(reading, index, atMs) ??
    byAbbreviation(reading, index, atMs) ??
    byPlace(reading, index) ??
    byName(reading, index)
  )
}

function byOffset({ text, timeZone }: Reading, index: number, atMs: number): Zone | undefined {
  const match =
    /^(?::\d{2}(?:\.\d+)?)?\s*\(?(?:(Z)(?![\p{L}\p{N}])|(?:UTC|GMT)\s?([+-−])(\d{1,2})(?::?(\d{2}))?|([+-])(\d{2}):(\d{2}))\)?/u.exec(
      text.slice(index, index + 30),
    )
  if (match === null) return undefined
  const end = index + match[0].length
  if (match[1] !== undefined) return { timeZone: 'UTC', offset: '+00:00', end }
  const sign = (match[2] ?? match[5]) === '+' ? '+' : '-'
  const hours = Number(match[3] ?? match[6])
  const offset = `${sign}${String(hours).padStart(2, '0')}:${match[4] ?? match[7] ?? '00'}`
  if (offset.slice(1) > '14:00') return undefined
  if (offsetText(atMs, timeZone) === offset) return { timeZone, offset, end }
  // the names of the fixed zones count the other way
  const fixed = hours === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${hours}`
  const named =
    offset.endsWith(':00') && isTimeZone(fixed)
      ? fixed
      : BROKEN_ZONES.find((name) => offsetText(atMs, name) === offset)
  return named === undefined ? undefined : { timeZone: named, offset, end }
}

function byAbbreviation(
  { text, timeZone }: Reading,
  index: number,
  atMs: number,
): Zone | undefined {
  const match = /^\s*\(?([A-Z]{2,4})(?![\p{L}\p{N}])\)?/u.exec(text.slice(index, index + 12))
  const named = match === null ? undefined : ABBREVIATIONS.get(match[1] ?? '')
  if (match === null || named === undefined) return undefined
  // who lives in Vienna and writes CET means Vienna
  const same = offsetText(atMs, named) === offsetText(atMs, timeZone) && named !== 'UTC'
  return { timeZone: same ? timeZone : named, end: index + match[0].length }
}

function byPlace({ folded, timeZone }: Reading, index: number): Zone | undefined {
  const match =
    /^\s*,?\s*\(?(?:([a-z][a-z ]{2,20}?) time|heure de ([a-z][a-z ]{2,20})|hora de ([a-z][a-z ]{2,20})|([a-z]{3,20}?)er zeit|(local time|ortszeit|heure locale|hora local))(?!\p{L})/u.exec(
      folded.slice(index, index + 45),
    )
  if (match === null) return undefined
  const end = index + match[0].length
  if (match[5] !== undefined) return { timeZone, isLocal: true, end }
  const name = (match[1] ?? match[2] ?? match[3] ?? match[4] ?? '').trim()
  const found = NAMED.get(name) ?? CITIES.get(name)
  return found === undefined ? undefined : { timeZone: found, end }
}

function byName({ text }: Reading, index: number): Zone | undefined {
  const match = /^\s*,?\s*[([]?([A-Z][A-Za-z]+\/[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_]+)?)[)\]]?/.exec(
    text.slice(index, index + 50),
  )
  const name = match?.[1]
  return match === null || name === undefined || !isTimeZone(name)
    ? undefined
    : { timeZone: name, end: index + match[0].length }
}
