import { describe, expect, test } from 'vitest'
import { createAuthThrottle } from './auth-throttle.ts'
import { createRateLimiter } from './rate-limiter.ts'
import type { RemoteClient } from './remote-address.ts'

function clockAt(): {
  ticks: number
  readonly clock: {
    readonly now: () => number
    readonly ticks: () => number
    readonly after: () => () => void
  }
} {
  const at = {
    ticks: 0,
    clock: { now: () => at.ticks, ticks: () => at.ticks, after: () => () => undefined },
  }
  return at
}

const from = (peer: string): RemoteClient => ({ header: () => undefined, peerAddress: () => peer })

function openThrottle() {
  const time = clockAt()
  const throttle = createAuthThrottle({ perSecond: 1, burst: 3 }, 0, time.clock)
  const looked: string[] = []
  const show = async (peer: string, credential?: string): Promise<string> => {
    try {
      const found = await throttle.authenticate(from(peer), credential, async (text) => {
        looked.push(text)
        return text.startsWith('good') ? text : undefined
      })
      return found ?? 'not valid'
    } catch (thrown) {
      return (thrown as { readonly details: { readonly source_code: string } }).details.source_code
    }
  }
  const tryShow = async (peer: string, credential: string) =>
    throttle.tryAuthenticate(from(peer), credential, async (text) => {
      looked.push(text)
      return text.startsWith('good') ? text : undefined
    })
  return { time, looked, show, tryShow }
}

describe('a client without a valid credential', () => {
  test('is throttled after a few attempts, and nothing is looked up meanwhile', async () => {
    const { looked, show } = openThrottle()
    const said = []
    for (const guess of ['a', 'b', 'c', 'd', 'e']) said.push(await show('1.1.1.1', guess))
    expect(said).toEqual([
      'not valid',
      'not valid',
      'not valid',
      'too_many_requests',
      'too_many_requests',
    ])
    expect(looked).toEqual(['a', 'b', 'c'])
  })

  test('cannot use a valid credential while it is throttled, or it could simply go on guessing', async () => {
    const { show } = openThrottle()
    for (const guess of ['a', 'b', 'c']) await show('1.1.1.1', guess)
    expect(await show('1.1.1.1', 'good')).toBe('too_many_requests')
  })

  test('is served again as time goes by', async () => {
    const { time, show } = openThrottle()
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    time.ticks += 1_000
    expect([
      await show('1.1.1.1', 'good'),
      await show('1.1.1.1', 'e'),
      await show('1.1.1.1', 'f'),
    ]).toEqual(['good', 'not valid', 'too_many_requests'])
  })

  test('is not counted without any: a web page locks out no client of its machine', async () => {
    const { show } = openThrottle()
    const said = []
    for (let turn = 0; turn < 41; turn++) said.push(await show('1.1.1.1'))
    expect([new Set(said), await show('1.1.1.1', 'good')]).toEqual([new Set(['not valid']), 'good'])
  })

  test('does not affect clients of another address', async () => {
    const { show } = openThrottle()
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    expect(await show('2.2.2.2', 'good')).toBe('good')
  })

  test('does not affect a client of the same address that was served before', async () => {
    const { show } = openThrottle()
    await show('1.1.1.1', 'good, of a neighbour')
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    expect([
      await show('1.1.1.1', 'good, of a neighbour'),
      await show('1.1.1.1', 'good, of another'),
    ]).toEqual(['good, of a neighbour', 'too_many_requests'])
  })
})

describe('tryAuthenticate, before another handler authenticates', () => {
  test('has counted the failure, and the next handler neither looks up nor counts again', async () => {
    const { looked, show, tryShow } = openThrottle()
    for (const guess of ['a', 'b'])
      expect([await tryShow('1.1.1.1', guess), await show('1.1.1.1', guess)]).toEqual([
        undefined,
        'not valid',
      ])
    expect(await show('1.1.1.1', 'c')).toBe('not valid')
    expect(await show('1.1.1.1', 'd')).toBe('too_many_requests')
    expect(looked).toEqual(['a', 'b', 'c'])
  })

  test('accepts only known credentials where too many attempts have failed', async () => {
    const { show, tryShow } = openThrottle()
    expect(await tryShow('1.1.1.1', 'good, of a neighbour')).toBe('good, of a neighbour')
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    expect([
      await tryShow('1.1.1.1', 'good, of a neighbour'),
      await tryShow('1.1.1.1', 'good, of another'),
    ]).toEqual(['good, of a neighbour', undefined])
  })
})

test('of a thousand guesses at once a limited number is looked up, and each of those counts', async () => {
  const { time, looked, show } = openThrottle()
  const said = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => show('1.1.1.1', `guess ${index}`)),
  )
  expect([looked.length, said.filter((one) => one === 'not valid').length]).toEqual([256, 3])
  time.ticks += 5_000
  expect(await show('1.1.1.1', 'good')).toBe('too_many_requests')
  // The debt is bounded.
  time.ticks += 15_000
  expect(await show('1.1.1.1', 'good')).toBe('good')
})

test('a good credential is never counted', async () => {
  const { show } = openThrottle()
  for (let turn = 0; turn < 20; turn++) expect(await show('1.1.1.1', 'good')).toBe('good')
})

test('a flood of names drops the bucket that was unused longest, and no other', () => {
  const limit = createRateLimiter({ perSecond: 1, burst: 2 }, clockAt().clock)
  for (const name of ['quiet', 'busy', 'quiet', 'busy']) limit.take(name)
  for (let index = 0; index < 19_998; index++) limit.take(`flood ${index}`)
  expect([limit.take('busy').isExceeded, limit.peek('quiet')?.isExceeded]).toEqual([true, true])
  limit.take('one more')
  expect([limit.peek('busy')?.isExceeded, limit.peek('quiet')]).toEqual([true, undefined])
})
