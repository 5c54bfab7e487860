import { expect, test } from 'vitest'
import { FAILPOINTS } from '../node/failpoint.ts'
import { crashCases } from './crash-cases.ts'

test('a process dies on both sides of every failpoint', () => {
  const crashed = new Set(
    crashCases().flatMap(({ crashes }) => crashes.map(({ at, side }) => `${side} ${at}`)),
  )
  const missing = FAILPOINTS.flatMap((name) => [`before ${name}`, `after ${name}`]).filter(
    (place) => !crashed.has(place),
  )
  expect(missing).toEqual([])
})
