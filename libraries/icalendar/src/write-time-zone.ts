import { Temporal } from 'temporal-polyfill'
import { localOf } from './calendar-time.ts'
import { contentLine } from './content-line.ts'

/** How far ahead a zone's changes are looked at; a rule that holds for all of them is taken to go on. */
const YEARS_AHEAD = 12
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/**
 * A VTIMEZONE from a little before the first time that is in it. Google and Apple know the zone by its name;
 * Radicale and Outlook go by what stands here.
 */
export function writeTimeZone(timeZone: string, sinceMs: number): readonly string[] {
  const since = Temporal.Instant.fromEpochMilliseconds(sinceMs)
    .toZonedDateTimeISO(timeZone)
    .subtract({ years: 1 })
  const changes = changesOf(since)
  const yearly = yearlyRules(changes)
  return [
    'BEGIN:VTIMEZONE',
    contentLine('TZID', timeZone),
    contentLine('X-LIC-LOCATION', timeZone),
    ...observance({ at: since, from: since, isFirst: true }),
    ...changes.flatMap((change) => observance(change, yearly.get(change))),
    'END:VTIMEZONE',
  ]
}

type Change = {
  readonly at: Temporal.ZonedDateTime
  readonly from: Temporal.ZonedDateTime
  readonly isFirst?: true
}

function changesOf(since: Temporal.ZonedDateTime): readonly Change[] {
  const until = since.add({ years: YEARS_AHEAD })
  const changes: Change[] = []
  let at = since.getTimeZoneTransition('next')
  while (at !== null && Temporal.ZonedDateTime.compare(at, until) < 0) {
    const from = at.subtract({ nanoseconds: 1 })
    if (from.offsetNanoseconds !== at.offsetNanoseconds) changes.push({ at, from })
    at = at.getTimeZoneTransition('next')
  }
  return changes
}

/** The first change of each row that goes on by one rule to the end of what was looked at, and its rule. */
function yearlyRules(changes: readonly Change[]): ReadonlyMap<Change, string | 'told'> {
  const rules = new Map<Change, string>()
  const rows = Map.groupBy(
    changes,
    ({ at, from }) => `${from.offset} ${at.offset} ${whenOf(from).month}`,
  )
  for (const row of rows.values()) {
    const [first] = row
    const rule = first === undefined || row.length < YEARS_AHEAD - 1 ? undefined : ruleOf(row)
    if (first === undefined || rule === undefined) continue
    for (const change of row) rules.set(change, change === first ? rule : 'told')
  }
  return rules
}

function ruleOf(row: readonly Change[]): string | undefined {
  const moments = row.map(({ from }) => whenOf(from))
  const [first] = moments
  if (
    first === undefined ||
    moments.some(({ weekday, time }) => weekday !== first.weekday || time !== first.time)
  )
    return undefined
  const weekday = WEEKDAYS[first.weekday - 1]
  if (moments.every(({ isLast }) => isLast))
    return `FREQ=YEARLY;BYMONTH=${first.month};BYDAY=-1${weekday}`
  if (moments.every(({ week }) => week === first.week))
    return `FREQ=YEARLY;BYMONTH=${first.month};BYDAY=${first.week}${weekday}`
  return undefined
}

type When = {
  readonly month: number
  readonly weekday: number
  readonly week: number
  readonly isLast: boolean
  readonly time: string
}

// on the clock that was right until then: that is how a VTIMEZONE tells it
function whenOf(before: Temporal.ZonedDateTime): When {
  const clock = before.toPlainDateTime().add({ nanoseconds: 1 })
  return {
    month: clock.month,
    weekday: clock.dayOfWeek,
    week: Math.ceil(clock.day / 7),
    isLast: clock.day > clock.daysInMonth - 7,
    time: clock.toPlainTime().toString(),
  }
}

function observance({ at, from, isFirst }: Change, rule?: string): readonly string[] {
  if (rule === 'told') return []
  const january = at.with({ month: 1, day: 1 }).offsetNanoseconds
  const july = at.with({ month: 7, day: 1 }).offsetNanoseconds
  const kind = at.offsetNanoseconds > Math.min(january, july) ? 'DAYLIGHT' : 'STANDARD'
  const start = isFirst
    ? localOf(at)
    : from.toPlainDateTime().add({ nanoseconds: 1 }).toString({ smallestUnit: 'second' })
  return [
    `BEGIN:${kind}`,
    `DTSTART:${start.replace(/[-:]/g, '')}`,
    `TZOFFSETFROM:${offsetOf(from)}`,
    `TZOFFSETTO:${offsetOf(at)}`,
    ...(rule === undefined ? [] : [`RRULE:${rule}`]),
    `END:${kind}`,
  ]
}

// of a zone's first years an offset has seconds, which the format allows and few readers do
const offsetOf = (moment: Temporal.ZonedDateTime): string => moment.offset.replaceAll(':', '')
