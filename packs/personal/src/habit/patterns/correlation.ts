import { addDays, type Day, daysBetween } from '@surehand/dates'

/** A daily habit with the set of days on which it was done. */
type DoneDays = {
  readonly id: string
  readonly name: string
  readonly startedOn: Day
  readonly days: ReadonlySet<Day>
}

export type Correlation = {
  readonly habits: [string, string]
  /** The phi coefficient, −1 to 1: 1 when the two are always done on the same days. */
  readonly coefficient: number
  readonly days: number
}

const ENOUGH_DAYS = 30
const ENOUGH_OF_EACH = 5
const CLEAR = 0.3
// Chi-square with one degree of freedom at 0.1 %. Twenty habits form 190 pairs, and none of them
// should correlate by chance.
const BEYOND_CHANCE = 10.83

/** Pairs of habits that correlate positively or negatively beyond chance, the strongest first. */
export function findCorrelations(
  habits: readonly DoneDays[],
  { from, to }: { readonly from: Day; readonly to: Day },
): readonly Correlation[] {
  // Computed once, because there are many pairs.
  const days = daysOf(from, to)
  const found = habits.flatMap((one, index) =>
    habits.slice(index + 1).flatMap((other) => {
      const common = days.filter((day) => day >= one.startedOn && day >= other.startedOn)
      const correlation = correlate(one.days, other.days, common)
      return correlation === undefined
        ? []
        : [{ habits: [one.name, other.name] as [string, string], ...correlation }]
    }),
  )
  return found.sort((one, other) => Math.abs(other.coefficient) - Math.abs(one.coefficient))
}

function daysOf(from: Day, to: Day): readonly Day[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) =>
    addDays(from, index),
  )
}

/** Correlates two sets of days within the given days; undefined when there is not enough data. */
export function correlate(
  one: ReadonlySet<Day>,
  other: ReadonlySet<Day>,
  among: readonly Day[],
): { readonly coefficient: number; readonly days: number } | undefined {
  let [both, onlyOne, onlyOther, neither] = [0, 0, 0, 0]
  for (const day of among) {
    if (one.has(day)) other.has(day) ? both++ : onlyOne++
    else other.has(day) ? onlyOther++ : neither++
  }
  const days = among.length
  const sides = [both + onlyOne, onlyOther + neither, both + onlyOther, onlyOne + neither]
  if (days < ENOUGH_DAYS || sides.some((side) => side < ENOUGH_OF_EACH)) return undefined
  const phi =
    (both * neither - onlyOne * onlyOther) /
    Math.sqrt(sides.reduce((product, side) => product * side, 1))
  // The square root is rounded, so a perfect correlation could come out above 1.
  const coefficient = Math.max(-1, Math.min(1, phi))
  const isClear = Math.abs(coefficient) >= CLEAR && days * coefficient ** 2 >= BEYOND_CHANCE
  return isClear ? { coefficient, days } : undefined
}
