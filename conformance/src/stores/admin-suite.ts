import { expect } from 'vitest'
import type { OpenedStores, OpenStores } from './opened.ts'
import { aCall, anEntry, claimCall, EFFECT, fenceOf, LEASE_MS } from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'

const record = () => anEntry(aCall(), { phase: 'change' })
const policy = (value: string | undefined, expected?: number, id = 'tenant') =>
  ({ tenant: 'acme', kind: 'policy', id, value, expected }) as const

const fresh = (adminVersion: number) => ({
  call: aCall(),
  leaseMs: LEASE_MS,
  resumes: false,
  adminVersion,
})

async function put(
  { stores }: OpenedStores,
  value: string | undefined,
  expected?: number,
  id?: string,
) {
  return stores.admin.change(policy(value, expected, id), record())
}

const items: Promises = {
  "an item is created, changed and deleted, each raising its version and the tenant's": async (
    opened,
  ) => {
    const { admin } = opened.stores
    expect(await admin.version('acme')).toBe(0)
    expect(await put(opened, '{"a":1}')).toMatchObject({
      kind: 'changed',
      adminVersion: 1,
      item: { version: 1, value: '{"a":1}' },
    })
    expect(await put(opened, '{"a":2}', 1)).toMatchObject({
      kind: 'changed',
      adminVersion: 2,
      item: { version: 2 },
    })
    expect(await admin.get('acme', 'policy', 'tenant')).toMatchObject({
      value: '{"a":2}',
      version: 2,
      id: 'tenant',
      tenant: 'acme',
    })
    expect(await put(opened, undefined, 2)).toMatchObject({
      kind: 'changed',
      adminVersion: 3,
      item: undefined,
    })
    expect([
      await admin.get('acme', 'policy', 'tenant'),
      await admin.list('acme', 'policy'),
    ]).toEqual([undefined, []])
    expect(await admin.version('acme')).toBe(3)
  },
  'a change based on an old version changes nothing': async (opened) => {
    await put(opened, 'one')
    await put(opened, 'two', 1)
    for (const expected of [undefined, 1, 3])
      expect(await put(opened, 'late', expected)).toMatchObject({
        kind: 'stale',
        item: { value: 'two', version: 2 },
      })
    expect(await put(opened, 'x', 1, 'other')).toMatchObject({ kind: 'stale', item: undefined })
    expect(await opened.stores.admin.version('acme')).toBe(2)
  },
  'an item that was deleted and created again has another version': async (opened) => {
    await put(opened, 'one')
    await put(opened, undefined, 1)
    const again = await put(opened, 'two')
    expect(again).toMatchObject({ kind: 'changed', item: { value: 'two' } })
    expect(await put(opened, 'late', 1)).toMatchObject({ kind: 'stale' })
  },
  'of many simultaneous changes one is made, with one record': async (opened) => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(opened, String(index))),
    )
    expect(all.filter(({ kind }) => kind === 'changed')).toHaveLength(1)
    expect(await opened.stores.admin.version('acme')).toBe(1)
    expect(await opened.stores.audit.list({ tenant: 'acme' })).toHaveLength(1)
  },
  'items are listed by tenant and kind, in order': async (opened) => {
    const { admin } = opened.stores
    for (const id of ['b', 'a']) await put(opened, id, undefined, id)
    await admin.change({ ...policy('x'), tenant: 'globex' }, record())
    await admin.change({ ...policy('x'), kind: 'pin' }, record())
    expect((await admin.list('acme', 'policy')).map(({ id }) => id)).toEqual(['a', 'b'])
    const page = async (limit: number, after?: string) =>
      (await admin.list('acme', 'policy', { limit, after })).map(({ id }) => id)
    expect([await page(1), await page(1, 'a'), await page(1, 'b')]).toEqual([['a'], ['b'], []])
    expect([await admin.get('globex', 'policy', 'a'), await admin.version('globex')]).toEqual([
      undefined,
      1,
    ])
  },
}

const compared: Promises = {
  'a claim judged by an old version is outdated, and leaves no row': async (opened) => {
    const { calls } = opened.stores
    expect((await calls.claim(fresh(0))).kind).toBe('claimed')
    await put(opened, 'one')
    const old = fresh(0)
    expect((await calls.claim(old)).kind).toBe('outdated')
    expect(await calls.find(old.call)).toBeUndefined()
    expect((await calls.claim(fresh(1))).kind).toBe('claimed')
    expect((await calls.claim({ ...fresh(0), adminVersion: undefined })).kind).toBe('claimed')
    expect((await calls.claim({ ...fresh(0), guardMs: 1_000 })).kind).toBe('outdated')
  },
  "another tenant's changes block no write": async (opened) => {
    await opened.stores.admin.change({ ...policy('x'), tenant: 'globex' }, record())
    expect((await opened.stores.calls.claim(fresh(0))).kind).toBe('claimed')
  },
  'a held key is shown, whatever administrators changed since': async (opened) => {
    const call = aCall()
    await claimCall(opened, call)
    await put(opened, 'one')
    expect(
      (
        await opened.stores.calls.claim({
          call: aCall({ key: call.key }),
          leaseMs: LEASE_MS,
          resumes: false,
          adminVersion: 0,
        })
      ).kind,
    ).toBe('held')
  },
  'a call that waited is compared again, and a call that has begun ends': async (opened) => {
    const { calls } = opened.stores
    const [queued, begun] = [aCall(), aCall()]
    await calls.queue(queued, undefined)
    await calls.startEffect(
      fenceOf(await claimCall(opened, begun)),
      EFFECT,
      anEntry(begun, { phase: 'intent' }),
    )
    await put(opened, 'one')
    await opened.advance(LEASE_MS + 1)
    const back = async (call: typeof queued, adminVersion: number) =>
      (await calls.claim({ call, leaseMs: LEASE_MS, resumes: true, adminVersion })).kind
    expect([await back(queued, 0), await back(begun, 0), await back(queued, 1)]).toEqual([
      'outdated',
      'recover',
      'claimed',
    ])
  },
}

export const adminPromises: Promises = { ...items, ...compared }

/** The promises of administration: no change is lost, and no write uses outdated rules. */
export function adminSuite(name: string, open: OpenStores): void {
  registerSuite('administration', name, open, adminPromises)
}
