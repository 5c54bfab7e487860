import type { SeededRandom } from '@surehand/testing'
import { addDays, partsOf } from '../calendar-day.ts'
import type { Facts, When } from '../facts.ts'
import {
  DAY_FORMS,
  type DayForm,
  type Labels,
  makeNoise,
  type Writing,
  writingOf,
} from '../writing/writing.ts'

/** What is printed, before it has a layout. */
export type Flyer = {
  readonly title: string
  readonly presenter?: string
  readonly tagline?: string
  readonly dayLine: string
  readonly timeLine?: string
  /** The day in three pieces, for layouts that show it big; only for one day. */
  readonly block?: { readonly top: string; readonly middle: string; readonly bottom: string }
  readonly venue: string
  readonly address: string
  readonly priceLine?: string
  readonly labels: Labels
  /** At the foot, small. */
  readonly notes: readonly string[]
}

export function makeFlyer(chance: SeededRandom, facts: Facts): Flyer {
  const writing = writingOf(facts.language, facts.home.region)
  const habit = chance.whole(0, 2)
  const { day, time } = lines(facts.when, writing, { habit, form: chance.pick(DAY_FORMS) })
  const notes = chance
    .shuffle(writing.noise(makeNoise(chance, facts, addDays)))
    .slice(0, chance.whole(1, 4))
  return {
    title: facts.occasion.title,
    ...(chance.is(0.4) && { presenter: writing.presents(facts.presenter) }),
    ...(chance.is(0.6) && { tagline: facts.tagline }),
    dayLine: day,
    ...(time !== undefined && { timeLine: time }),
    ...blockOf(facts.when, writing),
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

function blockOf(when: When, writing: Writing): Pick<Flyer, 'block'> {
  if (when.kind !== 'once' && when.kind !== 'all-day') return {}
  const { date, year } = partsOf(when.day)
  return {
    block: {
      top: writing.weekday(when.day, 'long'),
      middle: `${date}`,
      bottom: `${writing.month(when.day)} ${year}`,
    },
  }
}
