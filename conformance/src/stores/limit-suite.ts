import type { Bucket } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { OpenedStores, OpenStores } from './opened.ts'
import { type Promises, registerSuite } from './suite.ts'

const perSecond = (key: string, max: number): Bucket => ({ key, max, windowMs: 1_000 })
const budget = (key: string, max: number): Bucket => ({ key, max, windowMs: undefined })

async function passes({ stores }: OpenedStores, ...buckets: readonly Bucket[]): Promise<boolean> {
  return (await stores.limits.take(buckets)).ok
}

export const limitPromises: Promises = {
  'as many as the limit pass, also all at once': async (opened) => {
    const perHour = { key: 'a', max: 5, windowMs: 3_600_000 }
    const all = await Promise.all(Array.from({ length: 20 }, () => passes(opened, perHour)))
    expect(all.filter(Boolean)).toHaveLength(5)
  },
  'no sliding window holds more than the limit, and steady load gets through': async (opened) => {
    const passed: { readonly from: number; readonly to: number }[] = []
    for (let tick = 0; tick < 200; tick++) {
      for (let call = 0; call < 3; call++) {
        const from = opened.now()
        if (await passes(opened, perSecond('a', 10))) passed.push({ from, to: opened.now() })
      }
      await opened.advance(37)
    }
    // each was counted somewhere between `from` and `to`: what lies whole inside a window is in it
    // whatever the moment was
    const inside = (first: number) =>
      passed.filter(({ from, to }) => from >= first && to < first + 1_000)
    const fullest = Math.max(...passed.map(({ from }) => inside(from).length))
    expect(fullest).toBeLessThanOrEqual(10)
    expect(passed.length).toBeGreaterThanOrEqual(Math.floor((200 * 37) / 1_000) * 10 * 0.95)
  },
  'a refusal names the bucket and when to retry, and then one call passes': async (opened) => {
    for (let call = 0; call < 3; call++) await passes(opened, perSecond('a', 3))
    const refused = await opened.stores.limits.take([perSecond('a', 3)])
    expect(refused).toMatchObject({ ok: false, bucket: { key: 'a', max: 3 } })
    await opened.advance(refused.ok ? 0 : (refused.retryAfterMs ?? 0))
    expect(await passes(opened, perSecond('a', 3))).toBe(true)
  },
  'all buckets are taken or none': async (opened) => {
    await passes(opened, perSecond('narrow', 1))
    for (let call = 0; call < 5; call++)
      expect(await passes(opened, budget('wide', 3), perSecond('narrow', 1))).toBe(false)
    const left = [1, 2, 3, 4].map(() => passes(opened, budget('wide', 3)))
    expect((await Promise.all(left)).filter(Boolean)).toHaveLength(3)
  },
  'two calls that take the same buckets in another order do not hold each other up': async (
    opened,
  ) => {
    const [a, b] = [perSecond('a', 100), perSecond('b', 100)]
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? passes(opened, a, b) : passes(opened, b, a),
      ),
    )
    expect(all.every(Boolean)).toBe(true)
  },
  'a budget never refills': async (opened) => {
    for (let call = 0; call < 2; call++) expect(await passes(opened, budget('a', 2))).toBe(true)
    await opened.advance(400 * 86_400_000)
    expect(await opened.stores.limits.take([budget('a', 2)])).toMatchObject({
      ok: false,
      retryAfterMs: undefined,
    })
  },
  'a limit of 0 lets no call through': async (opened) => {
    expect([await passes(opened, perSecond('a', 0)), await passes(opened, budget('b', 0))]).toEqual(
      [false, false],
    )
  },
  'keys are independent of each other': async (opened) => {
    for (const key of ['a', 'a ', 'A', '__proto__', 'constructor', "'; drop table limits; --"])
      expect(await passes(opened, perSecond(key, 1)), key).toBe(true)
  },
}

/** The promises of the limiter. */
export function limitSuite(name: string, open: OpenStores): void {
  registerSuite('limits', name, open, limitPromises)
}
