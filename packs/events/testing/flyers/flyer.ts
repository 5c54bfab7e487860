import type { SeededRandom } from '@surehand/testing'
import { addDays, dateParts } from '../calendar-day.ts'
import type { Facts, When } from '../facts.ts'
import {
  createWriting,
  DAY_FORMS,
  type DayForm,
  type Labels,
  makeNoise,
  type Writing,
} from '../writing/writing.ts'

/** The texts of a flyer, without a layout. */
export type Flyer = {
  readonly title: string
  readonly presenter?: string
  readonly tagline?: string
  readonly dayLine: string
  readonly timeLine?: string
  /** The date in three parts, for layouts that show it large; only for one day. */
  readonly block?: { readonly top: string; readonly middle: string; readonly bottom: string }
  readonly venue: string
  readonly address: string
  readonly priceLine?: string
  readonly labels: Labels
  /** Small text in the footer. */
  readonly notes: readonly string[]
}

export function makeFlyer(random: SeededRandom, facts: Facts): Flyer {
  const writing = createWriting(facts.language, facts.home.region)
  const habit = random.whole(0, 2)
  const { day, time } = lines(facts.when, writing, { habit, form: random.pick(DAY_FORMS) })
  const notes = random
    .shuffle(writing.noise(makeNoise(random, facts, addDays)))
    .slice(0, random.whole(1, 4))
  return {
    title: facts.occasion.title,
    ...(random.is(0.4) && { presenter: writing.presents(facts.presenter) }),
    ...(random.is(0.6) && { tagline: facts.tagline }),
    dayLine: day,
    ...(time !== undefined && { timeLine: time }),
    ...dateBlock(facts.when, writing),
    venue: facts.venue.name,
    address: facts.address,
    ...(facts.price && { priceLine: writing.price(facts.price, habit) }),
    labels: writing.labels,
    notes,
  }
}

function lines(
  when: When,
  writing: Writing,
  { habit, form }: { habit: number; form: DayForm },
): { day: string; time?: string } {
  switch (when.kind) {
    case 'once': {
      const day = writing.day(when.day, form)
      if (when.doors) return { day, time: writing.doors(when.doors, when.time) }
      return {
        day,
        time: when.endTime
          ? writing.times(when.time, when.endTime, habit)
          : writing.time(when.time, habit),
      }
    }
    case 'all-day':
      return { day: writing.day(when.day, form) }
    case 'days':
      return { day: writing.days(when.day, when.endDay) }
    case 'weekly':
      return { day: writing.weekly(when.weekday), time: writing.time(when.time, habit) }
    case 'monthly':
      return { day: writing.monthly(when.weekday), time: writing.time(when.time, habit) }
  }
}

function dateBlock(when: When, writing: Writing): Pick<Flyer, 'block'> {
  if (when.kind !== 'once' && when.kind !== 'all-day') return {}
  const { date, year } = dateParts(when.day)
  return {
    block: {
      top: writing.weekday(when.day, 'long'),
      middle: `${date}`,
      bottom: `${writing.month(when.day)} ${year}`,
    },
  }
}
