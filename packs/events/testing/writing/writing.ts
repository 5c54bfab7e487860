import type { SeededRandom } from '@surehand/testing'
import type { CalendarDay } from '../calendar-day.ts'
import type { Facts } from '../facts.ts'
import type { Language, Price } from '../generated-case.ts'
import { writeGerman } from './de.ts'
import { writeEnglish } from './en.ts'
import { writeSpanish } from './es.ts'
import { writeFrench } from './fr.ts'

/**
 * `long`: with weekday and year; `open`: weekday, no year; `short`: abbreviated, no year; `plain`:
 * year, no weekday; `figures`: weekday and figures.
 */
export const DAY_FORMS = ['long', 'open', 'short', 'plain', 'figures'] as const
export type DayForm = (typeof DAY_FORMS)[number]

export type Labels = {
  readonly when: string
  readonly where: string
  readonly admission: string
  readonly time: string
}

/** How a language writes dates, times and prices on a flyer. */
export type Writing = {
  readonly weekday: (day: CalendarDay, form: 'long' | 'short') => string
  readonly month: (day: CalendarDay) => string
  readonly day: (day: CalendarDay, form: DayForm) => string
  readonly days: (from: CalendarDay, to: CalendarDay) => string
  /** `habit` is one of three forms: 0, 1, 2. */
  readonly time: (time: string, habit: number) => string
  readonly times: (from: string, to: string, habit: number) => string
  readonly doors: (doors: string, start: string) => string
  readonly weekly: (weekday: number) => string
  readonly monthly: (weekday: number) => string
  readonly price: (price: Price, habit: number) => string
  readonly presents: (who: string) => string
  readonly labels: Labels
  readonly noise: (noise: Noise) => readonly string[]
}

/** Facts in the footer of a flyer that are not about the event. */
export type Noise = {
  readonly saleFrom: CalendarDay
  readonly next: CalendarDay
  readonly phone: string
  readonly site: string
  readonly opens: string
  readonly closes: string
  readonly founded: number
  readonly city: string
}

export function createWriting(language: Language, region: string): Writing {
  switch (language) {
    case 'en':
      return writeEnglish(region)
    case 'de':
      return writeGerman()
    case 'fr':
      return writeFrench()
    case 'es':
      return writeSpanish()
  }
}

export function makeNoise(
  random: SeededRandom,
  { when, city }: Facts,
  dayPlus: (day: CalendarDay, count: number) => CalendarDay,
): Noise {
  return {
    saleFrom: dayPlus(when.day, -random.whole(20, 45)),
    next: dayPlus(when.day, random.whole(20, 60)),
    phone: `${random.whole(200, 989)} 555 ${String(random.whole(100, 199)).padStart(4, '0')}`,
    site: `www.${random.pick(['kultur', 'arts', 'halle', 'stage', 'lumen'])}-${random.pick(['haus', 'point', 'mill', 'nord'])}.example`,
    opens: random.pick(['09:00', '10:00', '11:00']),
    closes: random.pick(['17:00', '18:00', '19:00']),
    founded: random.whole(1951, 2015),
    city,
  }
}
