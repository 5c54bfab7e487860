import type { SeededRandom } from '@surehand/testing'
import {
  addDays,
  type CalendarDay,
  isoWeekday,
  nextFirstWeekday,
  nextWeekday,
} from './calendar-day.ts'
import type { Language, Price } from './generated-case.ts'
import { type Home, type Hours, NAMES, type Occasion, type Venue } from './names/names.ts'

/** The time of an event, before it is written as text. */
export type When =
  | {
      readonly kind: 'once'
      readonly day: CalendarDay
      readonly time: string
      readonly endTime?: string
      readonly doors?: string
    }
  | { readonly kind: 'all-day'; readonly day: CalendarDay }
  | { readonly kind: 'days'; readonly day: CalendarDay; readonly endDay: CalendarDay }
  | {
      readonly kind: 'weekly' | 'monthly'
      readonly day: CalendarDay
      readonly weekday: number
      readonly time: string
    }

export type Facts = {
  readonly language: Language
  readonly home: Home
  readonly now: number
  readonly today: CalendarDay
  readonly occasion: Occasion
  readonly tagline: string
  readonly presenter: string
  readonly venue: Venue
  readonly city: string
  readonly address: string
  readonly when: When
  readonly price: Price | undefined
}

const STARTS: Readonly<Record<Hours, readonly string[]>> = {
  morning: ['09:00', '09:30', '10:00', '10:30', '11:00'],
  noon: ['12:00', '12:30', '13:00'],
  afternoon: ['14:00', '14:30', '15:00', '16:00', '16:30', '17:00'],
  evening: ['18:30', '19:00', '19:30', '20:00', '20:30', '21:00'],
}
const PRICES: Readonly<Record<string, readonly number[]>> = {
  EUR: [5, 8, 10, 12, 15, 7.5, 18, 22],
  USD: [10, 12, 15, 20, 25, 8, 17.5],
  GBP: [5, 7, 8, 12, 14, 9.5],
  CHF: [10, 15, 20, 25, 28],
  MXN: [80, 120, 150, 200],
}

export function makeFacts(random: SeededRandom, language: Language): Facts {
  const names = NAMES[language]
  const home = random.pick(names.homes)
  const city = random.pick(home.cities)
  const today = addDays('2026-10-05', random.whole(0, 300))
  const occasion = random.is(0.25)
    ? random.pick(names.whole)
    : names.join(random.pick(names.heads), random.pick(names.epithets))
  const address = names.address(random.pick(names.streets), random.whole(2, 140), {
    region: home.region,
    city,
    postcode: random.whole(10_111, 96_999),
  })
  return {
    language,
    home,
    // At this hour it is the same date in all of these zones.
    now: Date.parse(`${today}T15:00:00Z`),
    today,
    occasion,
    tagline: random.pick(names.taglines),
    presenter: random.pick(names.presenters),
    venue: random.pick(names.venues),
    city,
    address,
    when: makeWhen(random, today, occasion),
    price: makePrice(random, home.currency),
  }
}

export function startTime(random: SeededRandom, hours: Hours): string {
  return random.pick(STARTS[hours])
}

/** The time that many hours later, at most midnight. */
export function later(time: string, hours: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const end = Math.min(hour + hours, 23)
  return `${String(end).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** A weekday other than today's: "every Tuesday" is ambiguous on a Tuesday. */
export function otherWeekday(random: SeededRandom, today: CalendarDay): number {
  return ((isoWeekday(today) - 1 + random.whole(1, 6)) % 7) + 1
}

function makePrice(random: SeededRandom, currency: string): Price | undefined {
  if (random.is(0.25)) return undefined
  return { amount: random.is(0.25) ? 0 : random.pick(PRICES[currency] ?? [10]), currency }
}

function makeWhen(random: SeededRandom, today: CalendarDay, occasion: Occasion): When {
  // Far enough for a ticket sale, near enough for a date without a year.
  const day = nextWeekday(
    addDays(today, random.whole(6, 170)),
    random.pick([1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7]),
  )
  const time = startTime(random, occasion.hours)
  if (occasion.canLast && random.is(0.6))
    return { kind: 'days', day, endDay: addDays(day, random.whole(1, 3)) }
  const shape = random.whole(1, 20)
  const weekday = otherWeekday(random, today)
  if (shape <= 2) return { kind: 'weekly', day: nextWeekday(today, weekday), weekday, time }
  if (shape === 3) return { kind: 'monthly', day: nextFirstWeekday(today, weekday), weekday, time }
  if (shape === 4) return { kind: 'all-day', day }
  if (shape <= 7 && occasion.hours === 'evening')
    return { kind: 'once', day, time, doors: hourBefore(time) }
  return shape <= 13
    ? { kind: 'once', day, time, endTime: later(time, random.whole(2, 3)) }
    : { kind: 'once', day, time }
}

function hourBefore(time: string): string {
  return `${String(Number(time.slice(0, 2)) - 1).padStart(2, '0')}${time.slice(2)}`
}
