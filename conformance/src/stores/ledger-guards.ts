import type { NewCall } from '@surehand/core/ports'
import { expect } from 'vitest'
import {
  aCall,
  anEntry,
  approvedByPerson,
  aQuestion,
  claimCall,
  DONE,
  fenceOf,
  LEASE_MS,
  RELEASED,
  whenVisible,
} from './samples.ts'
import type { Promises } from './suite.ts'

const GUARD_MS = 600_000
const wish = (more: Partial<NewCall> = {}) =>
  aCall({ irreversible: true, keySource: 'fresh', ...more })
const guardedClaim = (call: NewCall, guardMs: number | undefined = GUARD_MS) => ({
  call,
  leaseMs: LEASE_MS,
  resumes: false,
  guardMs,
})

/** What holds one wish against the same, told again under another key. */
export const guards: Promises = {
  'an equal input of the last minutes is found under any key, and no other': async (opened) => {
    const { calls } = opened.stores
    const inputHash = 'a'.repeat(64)
    const first = aCall({ inputHash, irreversible: true })
    await calls.finish(fenceOf(await claimCall(opened, first)), DONE, anEntry(first))
    await opened.advance(60_000)
    const wish = (more = {}) =>
      aCall({ inputHash, irreversible: true, keySource: 'fresh', ...more })
    expect((await calls.recent(wish(), 600_000))?.callId).toBe(first.callId)
    for (const other of [
      { inputHash: 'b'.repeat(64) },
      { principal: 'bob' },
      { tenant: 'globex' },
      { toolId: 'orders.draft' },
    ])
      expect(await calls.recent(wish(other), 600_000)).toBeUndefined()
    await opened.advance(600_000)
    expect(await calls.recent(wish(), 600_000)).toBeUndefined()
  },
  'a call without an effect is no earlier call': async (opened) => {
    const call = aCall({ irreversible: true })
    await opened.stores.calls.finish(
      fenceOf(await claimCall(opened, call)),
      RELEASED,
      anEntry(call),
    )
    expect(await opened.stores.calls.recent(aCall({ irreversible: true }), 600_000)).toBeUndefined()
  },
  'of many with one input and no stable key one gets the claim, and the others are shown it':
    async ({ stores }) => {
      const claim = () => whenVisible(async () => stores.calls.claim(guardedClaim(wish())))
      const all = await Promise.all(Array.from({ length: 10 }, claim))
      const winner = all.find(({ kind }) => kind === 'claimed')
      expect(all.filter(({ kind }) => kind === 'duplicate')).toHaveLength(9)
      expect(new Set(all.map((claim) => ('row' in claim ? claim.row.callId : '')))).toEqual(
        new Set([winner !== undefined && 'row' in winner ? winner.row.callId : 'none']),
      )
    },
  'a reversible call is compared only with calls whose outcome is unknown': async (opened) => {
    const { calls } = opened.stores
    const like = () => wish({ irreversible: false })
    const done = like()
    await calls.finish(fenceOf(await claimCall(opened, done)), DONE, anEntry(done))
    const lost = like()
    const claim = await calls.claim(guardedClaim(lost))
    expect(claim.kind).toBe('claimed')
    await calls.finish(fenceOf(await claimCall(opened, like())), DONE, anEntry(done))
    const row = await calls.get(lost.tenant, lost.callId)
    if (row !== undefined) await calls.finish(fenceOf(row), { state: 'unknown' }, anEntry(lost))
    const again = like()
    expect(await calls.claim(guardedClaim(again))).toMatchObject({
      kind: 'duplicate',
      row: { callId: lost.callId, state: 'unknown' },
    })
    expect(await calls.find(again)).toBeUndefined()
    for (const other of [{ inputHash: 'b'.repeat(64) }, { principal: 'bob' }])
      expect((await calls.claim(guardedClaim(wish({ irreversible: false, ...other })))).kind).toBe(
        'claimed',
      )
    expect(await calls.queue(like(), GUARD_MS)).toMatchObject({ kind: 'duplicate' })
    await opened.advance(GUARD_MS)
    expect((await calls.claim(guardedClaim(like()))).kind).toBe('claimed')
  },
  'a duplicate leaves no row': async ({ stores }) => {
    await stores.calls.claim(guardedClaim(wish()))
    const again = wish()
    await stores.calls.claim(guardedClaim(again))
    expect([
      await stores.calls.find(again),
      await stores.calls.get(again.tenant, again.callId),
    ]).toEqual([undefined, undefined])
  },
  'the guard holds for the time it is given, and only where it is asked for': async (opened) => {
    const { calls } = opened.stores
    await calls.claim(guardedClaim(wish()))
    expect((await calls.claim({ ...guardedClaim(wish()), guardMs: undefined })).kind).toBe(
      'claimed',
    )
    await opened.advance(GUARD_MS + 1)
    expect((await calls.claim(guardedClaim(wish()))).kind).toBe('claimed')
  },
  "the guard lets other principals' calls and calls without an effect through": async (opened) => {
    const { calls } = opened.stores
    const first = await claimCall(opened, wish())
    for (const other of [
      { inputHash: 'b'.repeat(64) },
      { principal: 'bob' },
      { tenant: 'globex' },
      { toolId: 'orders.draft' },
    ])
      expect((await calls.claim(guardedClaim(wish(other)))).kind).toBe('claimed')
    await calls.finish(fenceOf(first), RELEASED, anEntry(first))
    expect((await calls.claim(guardedClaim(wish()))).kind).toBe('claimed')
  },
  'a queued call is guarded like a claim, and a duplicate wakes no worker': async ({
    stores,
    advance,
  }) => {
    const woken: string[] = []
    const stop = stores.jobs.work(async ({ callId }) => void woken.push(callId))
    const [first, second] = [wish(), wish()]
    expect((await stores.calls.queue(first, GUARD_MS)).kind).toBe('queued')
    expect(await stores.calls.queue(second, GUARD_MS)).toMatchObject({
      kind: 'duplicate',
      row: { callId: first.callId },
    })
    expect(await stores.calls.claim(guardedClaim(wish()))).toMatchObject({
      kind: 'duplicate',
      row: { callId: first.callId },
    })
    await advance(5_000)
    await stop()
    expect(woken).toEqual([first.callId])
  },
  'a repeated call is not its own duplicate': async ({ stores }) => {
    const call = wish()
    await stores.calls.queue(call, GUARD_MS)
    expect((await stores.calls.claim({ ...guardedClaim(call), resumes: true })).kind).toBe(
      'claimed',
    )
  },
  'an edited call is guarded by its edited input': async ({ stores }) => {
    const call = wish()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    const edited = { ...call, inputHash: 'e'.repeat(64) }
    const next = aQuestion(edited)
    await stores.approvals.replace(call.tenant, question.id, {
      question: next,
      call: edited,
      audit: anEntry(call, { phase: 'decision' }),
    })
    await stores.approvals.decide(
      call.tenant,
      next.id,
      approvedByPerson,
      anEntry(call, { phase: 'decision' }),
    )
    expect(
      (await stores.calls.recent(wish({ inputHash: edited.inputHash }), GUARD_MS))?.callId,
    ).toBe(call.callId)
    expect(await stores.calls.recent(wish(), GUARD_MS)).toBeUndefined()
  },
}
