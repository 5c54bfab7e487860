import { memoryStores } from '@surehand/core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type RunningRedis, startRedis } from './fixtures/start-redis.ts'
import { redisValues } from './providers/redis-values.ts'
import { type PlanValues, storedPlans } from './providers/stored-plans.ts'

let redis: RunningRedis
let values: ReturnType<typeof redisValues>
beforeAll(async () => {
  redis = await startRedis(inject('redis'))
  values = redisValues(redis.url)
})
afterAll(async () => {
  await values.close()
  await redis.stop()
})

describe.each<[string, () => PlanValues]>([
  ['Redis', () => values],
  // The same promises, by the store that the conformance suite has tested.
  ['our own store', () => own],
])('%s', (_, open) => {
  test('keeps values by tenant, and replaces only what was read', async () => {
    const store = open()
    const key = 'travel/plan/ann/p1'
    expect(await store.get('home', key)).toBeUndefined()
    const change = (expected: string | undefined, value: string) =>
      store.replace('home', key, { expected, value, ttlMs: 60_000 })
    expect(await change('nothing', 'a')).toBe(false)
    expect(await change(undefined, 'a')).toBe(true)
    expect(await change(undefined, 'b')).toBe(false)
    expect(await change('a', 'ü "b" 🙂')).toBe(true)
    expect(await store.get('home', key)).toBe('ü "b" 🙂')
    expect(await store.get('other', key)).toBeUndefined()
  })

  test('lists the values of a prefix, and no others', async () => {
    const store = open()
    for (const key of ['travel/plan/ben/1', 'travel/plan/ben/2', 'travel/plan/ben2/1'])
      await store.replace('home', key, { expected: undefined, value: key })
    expect(await store.list('home', 'travel/plan/ben/')).toEqual(
      ['travel/plan/ben/1', 'travel/plan/ben/2'].map((key) => ({ key, value: key })),
    )
    expect(await store.list('other', 'travel/plan/ben/')).toEqual([])
  })

  test('forgets a value at the end of its life', async () => {
    const store = open()
    const key = 'travel/plan/cleo/1'
    await store.replace('home', key, { expected: undefined, value: 'x', ttlMs: 60 })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await store.get('home', key)).toBeUndefined()
    expect(await store.list('home', 'travel/plan/cleo/')).toEqual([])
    expect(await store.replace('home', key, { expected: undefined, value: 'y' })).toBe(true)
  })

  test('of 20 writers at once, each replaces in turn and none is lost', async () => {
    const store = open()
    const key = 'travel/plan/dora/1'
    await store.replace('home', key, { expected: undefined, value: '0' })
    const add = async (): Promise<void> => {
      for (;;) {
        const expected = await store.get('home', key)
        const value = String(Number(expected) + 1)
        if (await store.replace('home', key, { expected, value })) return
      }
    }
    await Promise.all(Array.from({ length: 20 }, add))
    expect(await store.get('home', key)).toBe('20')
  })
})

const own = memoryStores().values

const FIELDS = {
  title: 'Lisbon',
  destinations: ['Lisbon'],
  startDate: '2027-05-10',
  endDate: '2027-05-17',
  travelers: 2,
  budget: null,
  preferences: {},
}

test('plans in Redis are changed once for a key', async () => {
  const plans = storedPlans(values, Date.now)
  const { signal } = new AbortController()
  const name = { tenant: 'home', userId: 'eve', planId: 'p1' }
  const operation = { kind: 'create', fields: FIELDS } as const
  const create = { ...name, idempotencyKey: 'k1', operation }
  const [first, again] = [await plans.change(create, signal), await plans.change(create, signal)]
  expect(again).toEqual(first)
  expect(await plans.list(name, signal)).toHaveLength(1)
})

test('a Redis that cannot be reached is an error of the table, and is found again when it is back', async () => {
  const first = await startRedis(inject('redis'))
  const port = Number(new URL(first.url).port)
  const store = redisValues(first.url)
  await store.replace('home', 'travel/plan/fay/1', { expected: undefined, value: 'x' })
  await first.stop()
  await expect(store.get('home', 'travel/plan/fay/1')).rejects.toMatchObject({
    code: 'TOOL_EXTERNAL_SERVICE_ERROR',
  })
  const second = await startRedis(inject('redis'), port)
  await expect
    .poll(() => Promise.resolve(store.get('home', 'travel/plan/fay/1')).catch(() => 'away'), {
      timeout: 20_000,
    })
    .toBeUndefined()
  await store.close()
  await second.stop()
})
