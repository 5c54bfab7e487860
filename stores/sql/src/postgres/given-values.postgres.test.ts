import { aCall, anEntry, aQuestion, fenceOf } from '@surehand/conformance'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createDatabase } from '../../testing/create-database.ts'
import type { SqlStores } from '../sql-stores.ts'
import { openPostgres } from '../sql-stores.ts'
import { ITEMS } from './fixtures/items.ts'

let stores: SqlStores

beforeEach(async () => {
  stores = await openPostgres({ url: await createDatabase(inject('postgres')), packs: [ITEMS] })
})
afterEach(() => stores.close())

const claim = (more: Parameters<typeof aCall>[0], leaseMs = 30_000) =>
  stores.calls.claim({ call: aCall(more), leaseMs, resumes: false })

test('a NUL comes back as it was, wherever it stood', async () => {
  const claimed = await claim({ requestId: 'a\0b' })
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  const fence = fenceOf(claimed.row)
  await stores.calls.addEvidence(fence, { fence: 1, what: 'late_error', text: 'a\0b', at: 1 })
  await stores.values.set('acme', 'a\0', 'a\0b')
  const call = aCall({ inputHash: 'other' })
  const asked = await stores.approvals.ask(aQuestion(call, { asks: 'Send "a\0b"?' }), call)
  expect(await stores.calls.get(fence.tenant, fence.callId)).toMatchObject({ requestId: 'a\0b' })
  expect(await stores.calls.evidence(fence.tenant, fence.callId)).toMatchObject([{ text: 'a\0b' }])
  expect(await stores.values.list('acme', 'a')).toEqual([{ key: 'a\0', value: 'a\0b' }])
  expect(asked).toMatchObject({ kind: 'asked', approval: { asks: 'Send "a\0b"?' } })
})

test('two keys that differ in a NUL alone are two keys', async () => {
  const keys = ['a', 'a\0', 'a\ufffd', 'a\ue0000', '\0a']
  for (const key of keys) await stores.values.set('acme', key, key)
  expect(await Promise.all(keys.map((key) => stores.values.get('acme', key)))).toEqual(keys)
  const claims = await Promise.all(keys.map((principal) => claim({ principal, key: 'one' })))
  expect(claims.map(({ kind }) => kind)).toEqual(keys.map(() => 'claimed'))
})

test('half a millisecond is rounded, wherever a time is given', async () => {
  const claimed = await claim({}, 30_000.5)
  if (claimed.kind !== 'claimed') throw new Error(claimed.kind)
  expect(await stores.calls.renew(fenceOf(claimed.row), 30_000.5)).toBe(true)
  await stores.values.set('acme', 'k', 'v', 60_000.5)
  expect(await stores.values.get('acme', 'k')).toBe('v')
  expect(await stores.limits.take([{ key: 'a', max: 1, windowMs: 1_000.5 }])).toEqual({ ok: true })
  expect(await stores.calls.recent(aCall(), 1_000.5)).toBeUndefined()
  const call = aCall({ inputHash: 'other' })
  expect((await stores.approvals.ask(aQuestion(call, { expiresMs: 60_000.5 }), call)).kind).toBe(
    'asked',
  )
})

test('what a record says of its duration is kept in fractions', async () => {
  await stores.audit.append(anEntry(aCall(), { duration_ms: 1.25 }), 'before-answer')
  expect(await stores.audit.list({ tenant: 'acme' })).toMatchObject([{ duration_ms: 1.25 }])
})
