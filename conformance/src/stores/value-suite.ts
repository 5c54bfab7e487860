import { expect } from 'vitest'
import type { OpenStores } from './opened.ts'
import { type Promises, registerSuite } from './suite.ts'

export const valuePromises: Promises = {
  'a value is kept, replaced and deleted': async ({ stores: { values } }) => {
    await values.set('acme', 'plan', 'one')
    await values.set('acme', 'plan', 'zwei é')
    expect(await values.get('acme', 'plan')).toBe('zwei é')
    expect([await values.delete('acme', 'plan'), await values.delete('acme', 'plan')]).toEqual([
      true,
      false,
    ])
    expect(await values.get('acme', 'plan')).toBeUndefined()
  },
  'a value is replaced only if it is the one that was read': async ({ stores: { values } }) => {
    const change = { expected: undefined, value: 'one' }
    expect(await values.replace('acme', 'plan', change)).toBe(true)
    expect(await values.replace('acme', 'plan', change)).toBe(false)
    const won = await Promise.all(
      ['a', 'b', 'c', 'd'].map((value) =>
        values.replace('acme', 'plan', { expected: 'one', value }),
      ),
    )
    expect(won.filter((isChanged) => isChanged)).toHaveLength(1)
    expect(['a', 'b', 'c', 'd'][won.indexOf(true)]).toBe(await values.get('acme', 'plan'))
    expect(await values.replace('globex', 'plan', { expected: 'a', value: 'x' })).toBe(false)
  },
  'an expired value counts as none for a replacement': async ({ stores: { values }, advance }) => {
    await values.set('acme', 'plan', 'one', 1_000)
    await advance(1_000)
    expect(await values.replace('acme', 'plan', { expected: 'one', value: 'x' })).toBe(false)
    const change = { expected: undefined, value: 'two', ttlMs: 1_000 }
    expect(await values.replace('acme', 'plan', change)).toBe(true)
    expect(await values.get('acme', 'plan')).toBe('two')
    await advance(1_000)
    expect(await values.get('acme', 'plan')).toBeUndefined()
  },
  'a value with a life time ends, one without does not': async ({
    stores: { values },
    advance,
  }) => {
    await values.set('acme', 'short', '1', 1_000)
    await values.set('acme', 'long', '1')
    await advance(1_000)
    expect([await values.get('acme', 'short'), await values.get('acme', 'long')]).toEqual([
      undefined,
      '1',
    ])
    expect((await values.list('acme', '')).map(({ key }) => key)).toEqual(['long'])
    expect(await values.delete('acme', 'short')).toBe(false)
  },
  'a value that is set again without a life time lasts': async ({
    stores: { values },
    advance,
  }) => {
    await values.set('acme', 'a', '1', 1_000)
    await values.set('acme', 'a', '2')
    await advance(2_000)
    expect(await values.get('acme', 'a')).toBe('2')
  },
  'keys never cross tenants': async ({ stores: { values } }) => {
    await values.set('a:b', 'c', '1')
    await values.set('a', 'b:c', '2')
    expect([
      await values.get('a:b', 'c'),
      await values.get('a', 'b:c'),
      await values.get('a', 'c'),
    ]).toEqual(['1', '2', undefined])
    expect(await values.list('a', '')).toEqual([{ key: 'b:c', value: '2' }])
    expect(await values.delete('globex', 'c')).toBe(false)
  },
  'a prefix is compared literally, and the list is in order': async ({ stores: { values } }) => {
    for (const key of ['plan/b', 'plan/a', 'plan%', 'plan_', 'plans', 'Plan/a', 'x'])
      await values.set('acme', key, '1')
    const listKeys = async (prefix: string) =>
      (await values.list('acme', prefix)).map(({ key }) => key)
    expect(await listKeys('plan/')).toEqual(['plan/a', 'plan/b'])
    expect(await listKeys('plan%')).toEqual(['plan%'])
    expect(await listKeys('plan_')).toEqual(['plan_'])
  },
}

/** The promises of plain values. */
export function valueSuite(name: string, open: OpenStores): void {
  registerSuite('values', name, open, valuePromises)
}
