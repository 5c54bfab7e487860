import type { SeededRandom } from '@surehand/testing'
import {
  addDays,
  type CalendarDay,
  nextFirstWeekday,
  nextWeekday,
  weekdayOf,
} from './calendar-day.ts'
import type { Language, Price } from './made-case.ts'
import { type Home, type Hours, NAMES, type Occasion, type Venue } from './names/names.ts'

/** When a thing is, before anybody wrote it down. */
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

export function makeFacts(chance: SeededRandom, language: Language): Facts {
  const names = NAMES[language]
  const home = chance.pick(names.homes)
  const city = chance.pick(home.cities)
  const today = addDays('2026-10-05', chance.whole(0, 300))
  const occasion = chance.is(0.25)
    ? chance.pick(names.whole)
    : names.join(chance.pick(names.heads), chance.pick(names.epithets))
  const address = names.address(chance.pick(names.streets), chance.whole(2, 140), {
    region: home.region,
    city,
    postcode: chance.whole(10_111, 96_999),
  })
  return {
    language,
    home,
    // at this hour it is the same day in all of the zones above
    now: Date.parse(`${today}T15:00:00Z`),
    today,
    occasion,
    tagline: chance.pick(names.taglines),
    presenter: chance.pick(names.presenters),
    venue: chance.pick(names.venues),
    city,
    address,
    when: makeWhen(chance, today, occasion),
    price: makePrice(chance, home.currency),
  }
}

export function startTime(chance: SeededRandom, hours: Hours): string {
  return chance.pick(STARTS[hours])
}

/** So many hours later, never past midnight. */
export function later(time: string, hours: number): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const end = Math.min(hour + hours, 23)
  return `${String(end).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}

/** Whether "every Tuesday", said on a Tuesday, begins today is nobody's to say: never today's. */
export function otherWeekday(chance: SeededRandom, today: CalendarDay): number {
  return ((weekdayOf(today) - 1 + chance.whole(1, 6)) % 7) + 1
}

function makePrice(chance: SeededRandom, currency: string): Price | undefined {
  if (chance.is(0.25)) return undefined
  return { amount: chance.is(0.25) ? 0 : chance.pick(PRICES[currency] ?? [10]), currency }
}

function makeWhen(chance: SeededRandom, today: CalendarDay, occasion: Occasion): When {
  // far enough for tickets to be sold, near enough for a date without its year
  const day = nextWeekday(
    addDays(today, chance.whole(6, 170)),
    chance.pick([1, 2, 3, 4, 5, 5, 6, 6, 6, 7, 7]),
  )
  const time = startTime(chance, occasion.hours)
  if (occasion.canLast && chance.is(0.6))
    return { kind: 'days', day, endDay: addDays(day, chance.whole(1, 3)) }
  const shape = chance.whole(1, 20)
  const weekday = otherWeekday(chance, today)
  if (shape <= 2) return { kind: 'weekly', day: nextWeekday(today, weekday), weekday, time }
  if (shape === 3) return { kind: 'monthly', day: nextFirstWeekday(today, weekday), weekday, time }
  if (shape === 4) return { kind: 'all-day', day }
  if (shape <= 7 && occasion.hours === 'evening')
    return { kind: 'once', day, time, doors: earlier(time) }
  return shape <= 13
    ? { kind: 'once', day, time, endTime: later(time, chance.whole(2, 3)) }
    : { kind: 'once', day, time }
}

function earlier(time: string): string {
  return `${String(Number(time.slice(0, 2)) - 1).padStart(2, '0')}${time.slice(2)}`
}
