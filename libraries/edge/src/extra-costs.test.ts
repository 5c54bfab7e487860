import { fakeClock } from '@surehand/conformance'
import { expect, test } from 'vitest'
import { createEdge } from './authenticate.ts'
import { chargeBody, paceBody } from './extra-costs.ts'

const MEGABYTE = 1_048_576
const ANN = { credential: 'ann', maxBytes: 2 * MEGABYTE }

function open() {
  const clock = fakeClock()
  const edge = createEdge({ perToken: { perSecond: 10, burst: 40 }, clock })
  return { edge, left: () => edge.tokenLimiter.peek('ann')?.remaining ?? 40 }
}

function sentWith(headers: Readonly<Record<string, string>>) {
  return { header: (name: string): string | undefined => headers[name] }
}

test('a body counts as a request for each 64 KB before it is read, unless it is too large', () => {
  const { edge, left } = open()
  chargeBody(sentWith({ 'content-length': '65535' }), ANN, edge)
  expect(left()).toBe(40)
  chargeBody(sentWith({ 'content-length': String(MEGABYTE) }), ANN, edge)
  expect(left()).toBe(24)
  chargeBody(sentWith({ 'content-length': String(3 * MEGABYTE) }), ANN, edge)
  expect(left()).toBe(24)
  for (let times = 0; times < 3; times++)
    chargeBody(sentWith({ 'content-length': String(MEGABYTE) }), ANN, edge)
  expect(edge.tokenLimiter.take('ann').isExceeded).toBe(true)
})

test('a body in chunks counts when it has arrived', () => {
  const { edge, left } = open()
  const request = sentWith({ 'transfer-encoding': 'chunked' })
  chargeBody(request, ANN, edge)
  expect(left()).toBe(40)
  paceBody(request, { bytes: MEGABYTE, credential: 'ann' }, edge)
  expect(left()).toBe(24)
})

test('one part of a large body is worked on in a turn of the event loop, the tokens in turn', async () => {
  const { edge } = open()
  const request = sentWith({ 'content-length': '1' })
  const worked: string[] = []
  for (const credential of ['greedy', 'greedy', 'greedy', 'ann'])
    void paceBody(request, { bytes: MEGABYTE, credential }, edge)?.()?.then(() =>
      worked.push(credential),
    )
  const after: number[] = []
  for (let turns = 0; turns < 4; turns++) {
    await new Promise((resolve) => setImmediate(resolve))
    after.push(worked.length)
  }
  expect([after, worked]).toEqual([
    [1, 2, 3, 4],
    ['greedy', 'ann', 'greedy', 'greedy'],
  ])
})

test('a small body is worked on at once', () => {
  const { edge } = open()
  expect(paceBody(sentWith({}), { bytes: 65_535, credential: 'ann' }, edge)).toBeUndefined()
})
