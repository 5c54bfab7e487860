import { addDays, type Day, daysBetween } from '@surehand/dates'

/** A daily habit as the set of days on which it was done. */
export type DoneDays = {
  readonly id: string
  readonly name: string
  readonly startedOn: Day
  readonly days: ReadonlySet<Day>
}

export type Correlation = {
  readonly habits: [string, string]
  /** −1 to 1: whether the two are done on the same days (the phi coefficient). */
  readonly coefficient: number
  readonly days: number
}

const ENOUGH_DAYS = 30
const ENOUGH_OF_EACH = 5
const CLEAR = 0.3
// chi-square with one degree of freedom at 0.1 %: with twenty habits there are 190 pairs, and chance must not find friends among them
const BEYOND_CHANCE = 10.83

/** Pairs of habits that go together or keep each other away, the clearest first; only those that hardly come by chance. */
export function findCorrelations(
  habits: readonly DoneDays[],
  { from, to }: { readonly from: Day; readonly to: Day },
): readonly Correlation[] {
  // once for all pairs: there are many of them
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

/** Of two sets of days, among these; undefined where they do not say enough. */
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
  // the root is rounded: two that are always done together must not come out as more than that
  const coefficient = Math.max(-1, Math.min(1, phi))
  const isClear = Math.abs(coefficient) >= CLEAR && days * coefficient ** 2 >= BEYOND_CHANCE
  return isClear ? { coefficient, days } : undefined
}
