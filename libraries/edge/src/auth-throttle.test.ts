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

function house() {
  const time = clockAt()
  const strangers = createAuthThrottle({ perSecond: 1, burst: 3 }, 0, time.clock)
  const looked: string[] = []
  const show = async (peer: string, credential?: string): Promise<string> => {
    try {
      const found = await strangers.authenticate(from(peer), credential, async (text) => {
        looked.push(text)
        return text.startsWith('good') ? text : undefined
      })
      return found ?? 'nobody'
    } catch (thrown) {
      return (thrown as { readonly details: { readonly source_code: string } }).details.source_code
    }
  }
  const recognize = async (peer: string, credential: string) =>
    strangers.tryAuthenticate(from(peer), credential, async (text) => {
      looked.push(text)
      return text.startsWith('good') ? text : undefined
    })
  return { time, looked, show, recognize }
}

describe('whoever shows no credential that holds', () => {
  test('is told to wait after a few tries, and nothing is looked up for them meanwhile', async () => {
    const { looked, show } = house()
    const said = []
    for (const guess of ['a', 'b', 'c', 'd', 'e']) said.push(await show('1.1.1.1', guess))
    expect(said).toEqual(['nobody', 'nobody', 'nobody', 'too_many_requests', 'too_many_requests'])
    expect(looked).toEqual(['a', 'b', 'c'])
  })

  test('may not even try a right one then, or it would only have to guess on', async () => {
    const { show } = house()
    for (const guess of ['a', 'b', 'c']) await show('1.1.1.1', guess)
    expect(await show('1.1.1.1', 'good')).toBe('too_many_requests')
  })

  test('is served again as time goes by', async () => {
    const { time, show } = house()
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    time.ticks += 1_000
    expect([
      await show('1.1.1.1', 'good'),
      await show('1.1.1.1', 'e'),
      await show('1.1.1.1', 'f'),
    ]).toEqual(['good', 'nobody', 'too_many_requests'])
  })

  test('is counted without any credential too', async () => {
    const { show } = house()
    const said = []
    for (let turn = 0; turn < 4; turn++) said.push(await show('1.1.1.1'))
    expect(said.at(-1)).toBe('too_many_requests')
  })

  test('holds up nobody at another address', async () => {
    const { show } = house()
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    expect(await show('2.2.2.2', 'good')).toBe('good')
  })

  test('holds up nobody at the same address who was served before', async () => {
    const { show } = house()
    await show('1.1.1.1', 'good, of a neighbour')
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    expect([
      await show('1.1.1.1', 'good, of a neighbour'),
      await show('1.1.1.1', 'good, of another'),
    ]).toEqual(['good, of a neighbour', 'too_many_requests'])
  })
})

describe('a door that leaves strangers to another', () => {
  test('has counted them, and the other neither looks nor counts again', async () => {
    const { looked, show, recognize } = house()
    for (const guess of ['a', 'b'])
      expect([await recognize('1.1.1.1', guess), await show('1.1.1.1', guess)]).toEqual([
        undefined,
        'nobody',
      ])
    expect(await show('1.1.1.1', 'c')).toBe('nobody')
    expect(await show('1.1.1.1', 'd')).toBe('too_many_requests')
    expect(looked).toEqual(['a', 'b', 'c'])
  })

  test('knows nobody where too many have guessed, but for those who were known before', async () => {
    const { show, recognize } = house()
    expect(await recognize('1.1.1.1', 'good, of a neighbour')).toBe('good, of a neighbour')
    for (const guess of ['a', 'b', 'c', 'd']) await show('1.1.1.1', guess)
    expect([
      await recognize('1.1.1.1', 'good, of a neighbour'),
      await recognize('1.1.1.1', 'good, of another'),
    ]).toEqual(['good, of a neighbour', undefined])
  })
})

test('of a thousand guesses at once only so many are looked up, and all of those are counted', async () => {
  const { time, looked, show } = house()
  const said = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => show('1.1.1.1', `guess ${index}`)),
  )
  expect([looked.length, said.filter((one) => one === 'nobody').length]).toEqual([256, 3])
  time.ticks += 5_000
  expect(await show('1.1.1.1', 'good')).toBe('too_many_requests')
  // a debt has an end
  time.ticks += 15_000
  expect(await show('1.1.1.1', 'good')).toBe('good')
})

test('a good credential is never counted', async () => {
  const { show } = house()
  for (let turn = 0; turn < 20; turn++) expect(await show('1.1.1.1', 'good')).toBe('good')
})

test('a flood of names forgets the one that was quiet longest, and no other', () => {
  const limit = createRateLimiter({ perSecond: 1, burst: 2 }, clockAt().clock)
  for (const name of ['quiet', 'busy', 'quiet', 'busy']) limit.take(name)
  for (let index = 0; index < 19_998; index++) limit.take(`flood ${index}`)
  expect([limit.take('busy').isExceeded, limit.peek('quiet')?.isExceeded]).toEqual([true, true])
  limit.take('one more')
  expect([limit.peek('busy')?.isExceeded, limit.peek('quiet')]).toEqual([true, undefined])
})
