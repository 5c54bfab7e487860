import { fakeClock } from '@surehand/conformance'
import { describe, expect, test } from 'vitest'
import { createOpenStreams, type Stream } from './open-streams.ts'

function stream(tenant: string, principal: string, more: Partial<Stream> = {}): Stream {
  return {
    caller: { tenant, principal },
    credential: `${tenant}/${principal}`,
    isStillAuthorized: async () => true,
    end: () => undefined,
    ...more,
  }
}

describe('open streams', () => {
  const limits = { perPrincipal: 2, perTenant: 3, total: 4 }

  test('are counted by principal, tenant and process, until they are closed', () => {
    const streams = createOpenStreams(limits, fakeClock())
    const leave = streams.open(stream('acme', 'ann'))
    streams.open(stream('acme', 'ann'))
    expect(() => streams.open(stream('acme', 'ann'))).toThrow('you have 2, which is the limit')
    streams.open(stream('acme', 'ben'))
    expect(() => streams.open(stream('acme', 'cem'))).toThrow('your tenant has 3')
    streams.open(stream('other', 'ann'))
    expect(() => streams.open(stream('third', 'ann'))).toThrow('this server has 4')
    leave()
    leave()
    streams.open(stream('acme', 'ann'))
    expect(() => streams.open(stream('third', 'ann'))).toThrow('this server has 4')
  })

  test('of one credential are checked together, and end within a second when it is revoked', async () => {
    const clock = fakeClock()
    const streams = createOpenStreams({ ...limits, perPrincipal: 3 }, clock)
    let checks = 0
    let isValid = true
    const ended: string[] = []
    const isStillAuthorized = async () => {
      checks++
      return isValid
    }
    for (const name of ['one', 'two'])
      streams.open(stream('acme', 'ann', { isStillAuthorized, end: () => ended.push(name) }))
    streams.open(stream('other', 'ben', { end: () => ended.push('ben') }))
    await clock.advance(400)
    expect([checks, ended]).toEqual([1, []])
    isValid = false
    await clock.advance(400)
    expect([checks, ended]).toEqual([2, ['one', 'two']])
  })

  test('that only listen end when the server stops, also those opened later', async () => {
    const streams = createOpenStreams(limits, fakeClock())
    const ended: string[] = []
    const makeStream = (name: string, onlyListens: boolean) =>
      stream('acme', name, { onlyListens, end: () => void ended.push(name) })
    streams.open(makeStream('listens', true))
    streams.open(makeStream('calls', false))
    streams.endListening()
    expect(ended).toEqual(['listens'])
    streams.open(makeStream('late', true))
    await Promise.resolve()
    expect(ended).toEqual(['listens', 'late'])
  })

  test('stay open while the store cannot be asked, and nothing is asked when all are closed', async () => {
    const clock = fakeClock()
    const streams = createOpenStreams(limits, clock)
    let checks = 0
    let isEnded = false
    const leave = streams.open(
      stream('acme', 'ann', {
        isStillAuthorized: async () => {
          checks++
          throw new Error('out of reach')
        },
        end: () => {
          isEnded = true
        },
      }),
    )
    await clock.advance(400)
    expect([checks, isEnded]).toEqual([1, false])
    leave()
    await clock.advance(4_000)
    expect(checks).toBe(1)
  })
})
