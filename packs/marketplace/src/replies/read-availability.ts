import { rememberLast } from './remember-last.ts'
import type { ReadReplyOptions } from './reply-reading.ts'

/** When the vendor says the thing can be had. */
export type AvailabilityReading = {
  /** In English: `tomorrow 15:00`. */
  readonly words: string
  /** A date, or a date and time with offset. */
  readonly at?: string
}

type Time = { readonly hour: number; readonly minute: number }
type DayFound = { readonly words: string; readonly offset: number }

const WEEKDAYS: readonly (readonly [string, RegExp])[] = [
  ['Monday', /\b(?:monday|mon|lundi|ku ?wa mbere|jumatatu)\b/],
  ['Tuesday', /\b(?:tuesday|tues?|mardi|ku ?wa kabiri|jumanne)\b/],
  ['Wednesday', /\b(?:wednesday|wed|mercredi|ku ?wa gatatu|jumatano)\b/],
  ['Thursday', /\b(?:thursday|thurs?|thu|jeudi|ku ?wa kane|alhamisi)\b/],
  ['Friday', /\b(?:friday|fri|vendredi|ku ?wa gatanu|ijumaa)\b/],
  ['Saturday', /\b(?:saturday|sat|samedi|ku ?wa gatandatu|jumamosi)\b/],
  ['Sunday', /\b(?:sunday|dimanche|ku cyumweru|jumapili)\b/],
]
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['morning', /\b(?:morning|matin|mu ?gitondo|muri iki gitondo|asubuhi)\b/],
  ['afternoon', /\b(?:afternoon|apres[- ]midi|nyuma ya saa sita|ku gicamunsi|mchana|alasiri)\b/],
  ['evening', /\b(?:evening|tonight|soir|soiree|nimugoroba|ku ?mugoroba|jioni)\b/],
]

// Kinyarwanda counts hours from six, as Swahili does: saa moya is seven.
const HOURS: Readonly<Record<string, number>> = {
  moya: 7,
  mbili: 8,
  mbiri: 8,
  tatu: 9,
  yine: 10,
  ine: 10,
  nne: 10,
  tanu: 11,
  tano: 11,
  sita: 12,
  saba: 13,
  munani: 14,
  nane: 14,
  cyenda: 15,
  tisa: 15,
  kenda: 15,
  kumi: 16,
  "kumi n'imwe": 17,
  'kumi na moja': 17,
  'kumi na mbili': 18,
  "kumi n'ebyiri": 18,
}
const SAA = new RegExp(
  `\\bsaa (${Object.keys(HOURS)
    .sort((one, other) => other.length - one.length)
    .join('|')})( n'?igice)?\\b`,
)
const CLOCKS: readonly RegExp[] = [
  /\b(?<hour>[01]?\d|2[0-3]) ?(?:h|heures?)(?: ?(?<minute>[0-5]\d))?\b/,
  /\b(?<hour>[01]?\d|2[0-3]):(?<minute>[0-5]\d)(?: ?(?<half>[ap])\.?m)?\b/,
  /\b(?<hour>1[0-2]|0?[1-9]) ?(?<half>[ap])\.?m\b/,
]
const OPENING =
  /\b(?:open|opens|opening|close|closes|closed|closing|ouvert|ouvre|ouvrons|ferme|fermons|fermeture|dufunga|dufungura|turafunga|working hours|horaires?|until|jusqu'a|before|avant|from .{1,12} to)\b[^.\n]{0,30}/g
const DURATION =
  /\b(?:in|within|dans|mu|after|apres) (?<count>\d{1,2}|one|two|an|a|une?|deux) ?(?<unit>h|hours?|hrs?|heures?|mins?|minutes?|days?|jours?|weeks?|semaines?|iminsi)\b/
const COUNTS: Readonly<Record<string, number>> = {
  one: 1,
  an: 1,
  a: 1,
  un: 1,
  une: 1,
  two: 2,
  deux: 2,
}

/** When a folded reply says the thing can be had; undefined where it does not. */
export function readAvailability(
  text: string,
  { now, timeZone }: ReadReplyOptions,
): AvailabilityReading | undefined {
  const said = text.replace(OPENING, ' ')
  const local = localNow(now, timeZone)
  const wait = DURATION.exec(said)
  if (wait !== null) return readWait(wait, now, timeZone)
  const day = findDay(said, local.day)
  const part = PARTS.find(([, form]) => form.test(said))?.[0]
  const time = findTime(said)
  if (day === undefined && part === undefined && time === undefined)
    return /\b(?:now|right away|immediately|maintenant|tout de suite|ubu|ubungubu|nonaha|sasa|sasa hivi)\b/.test(
      said,
    )
      ? { words: 'now' }
      : undefined
  const offset = day?.offset ?? 0
  const date = addDays(local.day, offset)
  const clock = time === undefined ? undefined : `${pad(time.hour)}:${pad(time.minute)}`
  const words = [day?.words ?? 'today', clock ?? part].filter((word) => word !== undefined)
  return {
    words: words.join(' '),
    at: clock === undefined ? date : `${date}T${clock}:00${offsetAt(date, clock, timeZone)}`,
  }
}

function readWait(wait: RegExpExecArray, now: number, timeZone: string): AvailabilityReading {
  const { count = '', unit = '' } = wait.groups ?? {}
  const many = COUNTS[count] ?? Number(count)
  const plural = many === 1 ? '' : 's'
  if (/^(?:days?|jours?|iminsi)/.test(unit))
    return { words: `in ${many} day${plural}`, at: addDays(localNow(now, timeZone).day, many) }
  if (/^(?:week|semaine)/.test(unit))
    return { words: `in ${many} week${plural}`, at: addDays(localNow(now, timeZone).day, 7 * many) }
  const minutes = unit.startsWith('m') ? many : many * 60
  const at = localNow(now + minutes * 60_000, timeZone)
  const name = unit.startsWith('m') ? 'minute' : 'hour'
  return {
    words: `in ${many} ${name}${plural}`,
    at: `${at.day}T${at.time}:00${offsetAt(at.day, at.time, timeZone)}`,
  }
}

function findDay(said: string, today: string): DayFound | undefined {
  if (/\b(?:day after tomorrow|apres[- ]demain|ejobundi|kesho kutwa)\b/.test(said))
    return { words: 'in 2 days', offset: 2 }
  if (/\b(?:tomorrow|demain|kesho)\b|\bejo\b(?! hashize)/.test(said))
    return { words: 'tomorrow', offset: 1 }
  const weekday = weekdayOf(today)
  const named = WEEKDAYS.findIndex(([, form]) => form.test(said))
  if (named !== -1)
    return { words: WEEKDAYS[named]?.[0] ?? '', offset: ((named - weekday + 6) % 7) + 1 }
  if (
    /\b(?:next week|la semaine prochaine|semaine prochaine|icyumweru gitaha|wiki ijayo)\b/.test(
      said,
    )
  )
    return { words: 'next week', offset: 7 - weekday }
  if (/\b(?:next month|le mois prochain|mois prochain|ukwezi gutaha|mwezi ujao)\b/.test(said))
    return { words: 'next month', offset: daysToNextMonth(today) }
  // "not today" says when it cannot be had.
  if (/(?<!not |pas )\b(?:today|tonight|aujourd'hui|ce soir|uyu ?munsi|leo)\b/.test(said))
    return { words: 'today', offset: 0 }
  return undefined
}

function findTime(said: string): Time | undefined {
  const saa = SAA.exec(said)
  if (saa !== null) return { hour: HOURS[saa[1] ?? ''] ?? 0, minute: saa[2] === undefined ? 0 : 30 }
  for (const form of CLOCKS) {
    const { hour, minute, half } = form.exec(said)?.groups ?? {}
    if (hour === undefined) continue
    const base = half === undefined ? Number(hour) : Number(hour) % 12
    return { hour: half === 'p' ? base + 12 : base, minute: Number(minute ?? 0) }
  }
  return undefined
}

// Making one takes longer than reading a reply.
const clockIn = rememberLast(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
)

function localNow(now: number, timeZone: string): { readonly day: string; readonly time: string } {
  const parts = clockIn(timeZone).formatToParts(now)
  const part = (name: string) => parts.find(({ type }) => type === name)?.value ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    time: `${part('hour')}:${part('minute')}`,
  }
}

function offsetAt(day: string, time: string, timeZone: string): string {
  const guess = Date.parse(`${day}T${time}:00Z`)
  const name = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(guess)
    .find(({ type }) => type === 'timeZoneName')?.value
  return name === undefined || name === 'GMT' ? '+00:00' : name.replace('GMT', '')
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** 0 is Monday. */
function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
}

function daysToNextMonth(day: string): number {
  const date = new Date(`${day}T00:00:00Z`)
  const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  return Math.round((next - date.getTime()) / 86_400_000)
}

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
