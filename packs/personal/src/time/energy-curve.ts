import { addDays } from '@surehand/dates'
import type { Opened } from '../task/opening.ts'
import type { Level } from '../task/task.ts'
import { type HourTotal, totalsOf } from './deep-work-totals.ts'
import { sessionsIn } from './read-sessions.ts'

/** How much energy there usually is, by the hour of the day. */
export type EnergyCurve = {
  readonly levels: readonly Level[]
  readonly from: 'your sessions' | 'the usual day'
}

const LOOKED_AT_DAYS = 60
// an hour that was tried for less says nothing yet
const TELLING_MINUTES = 60

// what most people's days are like: best before noon, worst after lunch
const USUAL: readonly Level[] = Array.from({ length: 24 }, (_, hour) => {
  if (hour >= 8 && hour < 12) return 'high'
  return (hour >= 6 && hour < 8) || hour === 12 || (hour >= 15 && hour < 18) ? 'medium' : 'low'
})

/** The person's own hours, where deep work has shown them; the usual day for the rest. */
export function curveOf(byHour: readonly HourTotal[]): EnergyCurve {
  const levels = USUAL.map((usual, hour) => shown(byHour[hour]) ?? usual)
  return {
    levels,
    from: byHour.some((total) => shown(total) !== undefined) ? 'your sessions' : 'the usual day',
  }
}

function shown(total: HourTotal | undefined): Level | undefined {
  if (total?.focus === undefined || total.minutes < TELLING_MINUTES) return undefined
  return total.focus >= 4 ? 'high' : total.focus >= 2.5 ? 'medium' : 'low'
}

export async function energyCurve(own: Opened): Promise<EnergyCurve> {
  const range = { from: addDays(own.here.today, -LOOKED_AT_DAYS), to: own.here.today }
  return curveOf(totalsOf(await sessionsIn(own, range), range, own.here).byHour)
}
