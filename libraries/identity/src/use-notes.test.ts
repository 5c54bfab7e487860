import { memoryStores } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { beforeEach, describe, expect, test } from 'vitest'
import { createTokenCache } from './identity.ts'
import { storedTokenUses } from './use-notes.ts'

const START = Date.parse('2026-02-01T10:00:00Z')
let nowMs = START
let timers: (() => void)[] = []
const clock = {
  now: () => nowMs,
  ticks: () => nowMs,
  after: (_: number, run: () => void) => {
    timers.push(run)
    return () => undefined
  },
}
let values: ValueStore
let writes = 0
let reads = 0

beforeEach(() => {
  nowMs = START
  timers = []
  writes = 0
  reads = 0
  const stored = memoryStores({ clock }).values
  values = {
    ...stored,
    get: (...of) => {
      reads++
      return stored.get(...of)
    },
    replace: async (...of) => {
      const isWritten = await stored.replace(...of)
      if (isWritten) writes++
      return isWritten
    },
  }
})

async function runTimers(): Promise<void> {
  const due = timers
  timers = []
  for (const run of due) run()
  await new Promise((resolve) => setImmediate(resolve))
}

describe('the last use of a token', () => {
  test('is written in the background, and at most once a minute by all nodes', async () => {
    const nodes = [storedTokenUses(values, clock), storedTokenUses(values, clock)]
    for (let second = 0; second < 120; second++) {
      nowMs = START + second * 1_000
      for (const node of nodes) node.note('home/t1')
      expect(reads + writes).toBeLessThanOrEqual(8)
      await runTimers()
    }
    expect(writes).toBe(2)
    expect(await nodes[0]?.read({ tenant: 'home', id: 't1' })).toBe(START + 60_000)
    expect(await nodes[0]?.read({ tenant: 'globex', id: 't1' })).toBeUndefined()
    expect(await nodes[0]?.read({ tenant: 'home', id: 't2' })).toBeUndefined()
  })

  test('touches no store while the request is answered', async () => {
    const uses = storedTokenUses(values, clock)
    const cache = createTokenCache(clock, uses.note)
    const caller = { tenant: 'home', principal: 'ann', actor: 'user' } as const
    const signedIn = {
      caller: { ...caller, roles: [], capabilities: [] },
      credential: 'home/t1',
    }
    cache.set('sh_text', signedIn, { ticks: nowMs + 500, expiresAt: Number.POSITIVE_INFINITY })
    for (let count = 0; count < 100; count++) cache.get('sh_text')
    expect({ reads, writes, timers: timers.length }).toEqual({ reads: 0, writes: 0, timers: 1 })
    await runTimers()
    expect(writes).toBe(1)
  })

  test('is lost where the store is away, and written with a later use', async () => {
    const away = { ...values, get: () => Promise.reject(new Error('away')) }
    const uses = storedTokenUses(away, clock)
    uses.note('home/t1')
    await runTimers()
    expect(writes).toBe(0)
    nowMs += 60_000
    uses.note('home/t1')
    expect(timers).toHaveLength(1)
  })
})
