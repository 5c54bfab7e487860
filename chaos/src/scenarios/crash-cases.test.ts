import { expect, test } from 'vitest'
import { FAILPOINTS } from '../node/failpoint.ts'
import { type CrashCase, crashCases, halfOf } from './crash-cases.ts'

const HALVES = [halfOf(crashCases(), 'first'), halfOf(crashCases(), 'second')]

test('in each half of the cases a process dies on both sides of every failpoint', () => {
  const sides = FAILPOINTS.flatMap((name) => [`before ${name}`, `after ${name}`])
  for (const half of HALVES) {
    const crashed = crashesIn(half)
    expect(sides.filter((side) => !crashed.has(side))).toEqual([])
  }
})

test('each half holds every crash, and both together hold every recovery class of it', () => {
  const withoutClass = (cases: readonly CrashCase[]) =>
    new Set(
      cases.map(({ kind: _, ...crash }) =>
        JSON.stringify([crash.manner, crash.action, crash.crashes]),
      ),
    )
  for (const half of HALVES) expect(withoutClass(half)).toEqual(withoutClass(crashCases()))
  const names = (cases: readonly CrashCase[]) => new Set(cases.map((one) => JSON.stringify(one)))
  expect(names(HALVES.flat())).toEqual(names(crashCases()))
})

function crashesIn(cases: readonly CrashCase[]): ReadonlySet<string> {
  return new Set(cases.flatMap(({ crashes }) => crashes.map(({ at, side }) => `${side} ${at}`)))
}
