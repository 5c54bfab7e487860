import type { NewCall } from '@surehand/core/ports'
import { expect } from 'vitest'
import { claims } from './ledger-claims.ts'
import { guards } from './ledger-guards.ts'
import { steps } from './ledger-steps.ts'
import type { OpenStores } from './opened.ts'
import { parkRun } from './run-samples.ts'
import {
  aCall,
  anEntry,
  claimCall,
  DONE,
  EFFECT,
  fenceOf,
  LEASE_MS,
  RELEASED,
  startEffect,
  UNKNOWN,
} from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'

const fences: Promises = {
  'every write of a taken-over claim is refused': async (opened) => {
    const call = aCall()
    const old = fenceOf(await claimCall(opened, call))
    await opened.advance(LEASE_MS + 1)
    await opened.stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined })
    const { calls } = opened.stores
    expect(await calls.startEffect(old, EFFECT, anEntry(call, { phase: 'intent' }))).toBe(false)
    expect(await calls.renew(old, LEASE_MS)).toBe(false)
    expect(await calls.abandon(old)).toBe(false)
    expect(await calls.finish(old, DONE, anEntry(call))).toBe(false)
    expect(await calls.get(call.tenant, call.callId)).toMatchObject({
      state: 'claimed',
      answer: undefined,
    })
    expect(await opened.stores.audit.list({ tenant: call.tenant })).toEqual([])
  },
  'an effect does not begin under an expired lease': async (opened) => {
    const call = aCall()
    const row = await claimCall(opened, call)
    await opened.advance(LEASE_MS)
    expect(
      await opened.stores.calls.startEffect(
        fenceOf(row),
        EFFECT,
        anEntry(call, { phase: 'intent' }),
      ),
    ).toBe(false)
  },
  'an effect begins with its intent written down': async (opened) => {
    const call = aCall()
    await startEffect(opened, call)
    expect(await opened.stores.calls.get(call.tenant, call.callId)).toMatchObject({
      state: 'effect_started',
      effect: EFFECT,
    })
    expect(
      (await opened.stores.audit.list({ tenant: call.tenant })).map(({ phase }) => phase),
    ).toEqual(['intent'])
  },
  'of two finishes under one fence one counts, with one record': async (opened) => {
    const call = aCall()
    const fence = fenceOf(await claimCall(opened, call))
    const { calls, audit } = opened.stores
    const both = await Promise.all([
      calls.finish(fence, DONE, anEntry(call)),
      calls.finish(fence, RELEASED, anEntry(call)),
    ])
    expect([...both].sort()).toEqual([false, true])
    expect(await audit.list({ tenant: call.tenant })).toHaveLength(1)
  },
  'a finished row keeps its answer to the letter, and holds its key': async (opened) => {
    const call = aCall()
    const row = await startEffect(opened, call)
    expect(await opened.stores.calls.finish(fenceOf(row), DONE, anEntry(call))).toBe(true)
    const kept = await opened.stores.calls.find(call)
    expect(kept).toMatchObject({
      state: 'succeeded',
      leaseUntil: undefined,
      answer: DONE.state === 'succeeded' ? DONE.answer : undefined,
    })
    await opened.advance(LEASE_MS * 10)
    expect(await opened.stores.calls.abandoned(10)).toEqual([])
    expect(
      (
        await opened.stores.calls.claim({
          call,
          leaseMs: LEASE_MS,
          resumes: true,
          guardMs: undefined,
        })
      ).kind,
    ).toBe('held')
  },
  'a stored error is returned with all its parts': async (opened) => {
    const call = aCall()
    const answer = {
      kind: 'error',
      code: 'TOOL_RESOURCE_NOT_FOUND',
      message: 'Gone.',
      details: '{"a":1}',
      data: '{"success":false}',
    } as const
    await opened.stores.calls.finish(
      fenceOf(await claimCall(opened, call)),
      { state: 'failed', answer, isSecret: false },
      anEntry(call),
    )
    expect(await opened.stores.calls.find(call)).toMatchObject({ state: 'failed', answer })
  },
  'a released key is free, and keeps its provider key for the same input': async (opened) => {
    const call = aCall({ key: 'k1' })
    await opened.stores.calls.finish(
      fenceOf(await claimCall(opened, call)),
      RELEASED,
      anEntry(call),
    )
    const same = await claimCall(opened, aCall({ key: 'k1' }))
    expect(same.providerKey).toBe(call.providerKey)
    await opened.stores.calls.finish(fenceOf(same), RELEASED, anEntry(same))
    const other = aCall({ key: 'k1', inputHash: 'f'.repeat(64) })
    expect((await claimCall(opened, other)).providerKey).toBe(other.providerKey)
  },
}

const endings: Promises = {
  'an unknown row is settled once, with a record': async (opened) => {
    const call = aCall()
    const { calls, audit } = opened.stores
    await calls.finish(fenceOf(await startEffect(opened, call)), UNKNOWN, anEntry(call))
    const settle = async () =>
      calls.resolve(call.tenant, call.callId, DONE, anEntry(call, { phase: 'decision' }))
    expect([...(await Promise.all([settle(), settle()]))].sort()).toEqual([false, true])
    expect(await calls.find(call)).toMatchObject({ state: 'succeeded' })
    expect(
      (await audit.list({ tenant: call.tenant })).filter(({ phase }) => phase === 'decision'),
    ).toHaveLength(1)
  },
  'only an unknown call can be settled': async (opened) => {
    const call = aCall()
    await claimCall(opened, call)
    expect(await opened.stores.calls.resolve(call.tenant, call.callId, DONE, anEntry(call))).toBe(
      false,
    )
    expect(await opened.stores.calls.resolve('globex', call.callId, DONE, anEntry(call))).toBe(
      false,
    )
  },
  'evidence is kept in order and changes nothing': async (opened) => {
    const call = aCall()
    const row = await startEffect(opened, call)
    await opened.stores.calls.finish(fenceOf(row), UNKNOWN, anEntry(call))
    for (const text of ['one', 'two'])
      await opened.stores.calls.addEvidence(fenceOf(row), {
        fence: row.fence,
        what: 'late_result',
        text,
        at: opened.now(),
      })
    expect(
      (await opened.stores.calls.evidence(call.tenant, call.callId)).map(({ text }) => text),
    ).toEqual(['one', 'two'])
    expect(await opened.stores.calls.evidence('globex', call.callId)).toEqual([])
    expect(await opened.stores.calls.find(call)).toMatchObject({ state: 'unknown' })
  },
  'only what waits or is queued is cancelled': async (opened) => {
    const { calls } = opened.stores
    const [queued, running] = [aCall(), aCall()]
    await calls.queue(queued, undefined)
    await claimCall(opened, running)
    expect([
      await calls.cancel('globex', queued.callId),
      await calls.cancel(queued.tenant, queued.callId),
    ]).toEqual([false, true])
    expect([
      await calls.cancel(queued.tenant, queued.callId),
      await calls.cancel(running.tenant, running.callId),
    ]).toEqual([false, false])
    expect(
      (await calls.claim({ call: queued, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }))
        .kind,
    ).toBe('held')
  },
  'a call is queued once, and is claimed by the next resuming worker': async (opened) => {
    const { calls } = opened.stores
    const call = aCall({ key: 'k1' })
    expect((await calls.queue(call, undefined)).kind).toBe('queued')
    expect(await calls.queue(aCall({ key: 'k1' }), undefined)).toMatchObject({
      kind: 'held',
      row: { callId: call.callId, state: 'queued' },
    })
    const both = await Promise.all(
      [1, 2].map(async () =>
        calls.claim({ call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }),
      ),
    )
    expect(both.map(({ kind }) => kind).sort()).toEqual(['claimed', 'held'])
  },
  'a released job is queued again, with its input, for the next worker': async (opened) => {
    const { calls } = opened.stores
    const call = aCall()
    await calls.queue(call, undefined)
    const claim = await calls.claim({
      call,
      leaseMs: LEASE_MS,
      resumes: true,
      guardMs: undefined,
    })
    if (!('row' in claim)) throw new Error(claim.kind)
    expect(
      await calls.finish(
        fenceOf(claim.row),
        { state: 'queued' },
        anEntry(call, { success: false }),
      ),
    ).toBe(true)
    expect(await calls.get(call.tenant, call.callId)).toMatchObject({
      state: 'queued',
      input: call.input,
      leaseUntil: undefined,
    })
    expect(
      (
        await calls.claim({
          call: aCall({ key: call.key }),
          leaseMs: LEASE_MS,
          resumes: false,
          guardMs: undefined,
        })
      ).kind,
    ).toBe('held')
    expect(
      (await calls.claim({ call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined })).kind,
    ).toBe('claimed')
  },
  "another tenant's row is not there": async (opened) => {
    const call = aCall()
    await claimCall(opened, call)
    expect(await opened.stores.calls.get('globex', call.callId)).toBeUndefined()
  },
}

const openCalls: Promises = {
  'what waits, is parked, runs or is unknown is listed, newest first, and nothing else': async (
    opened,
  ) => {
    const { calls } = opened.stores
    const [done, queued, running, begunOne, unknown] = [
      'done',
      'queued',
      'running',
      'begun',
      'unknown',
    ].map((key) => aCall({ key })) as [NewCall, NewCall, NewCall, NewCall, NewCall]
    await calls.finish(fenceOf(await claimCall(opened, done)), DONE, anEntry(done))
    await calls.queue(queued)
    await opened.advance(10)
    const waiting = await parkRun(opened)
    await opened.advance(10)
    await claimCall(opened, running)
    await opened.advance(10)
    await startEffect(opened, begunOne)
    await opened.advance(10)
    await calls.finish(fenceOf(await startEffect(opened, unknown)), UNKNOWN, anEntry(unknown))
    const { tenant, principal } = done
    const listed = await calls.open({ tenant, limit: 10 })
    expect(listed.map(({ callId, state }) => [callId, state])).toEqual([
      [unknown.callId, 'unknown'],
      [begunOne.callId, 'effect_started'],
      [running.callId, 'claimed'],
      [waiting.callId, 'parked'],
      [queued.callId, 'queued'],
    ])
    expect(listed[0]).toMatchObject({
      tenant,
      principal,
      toolId: unknown.toolId,
      toolVersion: unknown.toolVersion,
    })
    expect(await calls.open({ tenant, limit: 2 })).toEqual(listed.slice(0, 2))
    const before = listed[1]?.callId ?? ''
    expect(await calls.open({ tenant, limit: 10, before })).toEqual(listed.slice(2))
    expect(await calls.open({ tenant, limit: 10, before: 'call_unknown' })).toEqual([])
    expect(await calls.open({ tenant, principal, limit: 10 })).toEqual(listed)
    expect(await calls.open({ tenant, principal: 'unknown', limit: 10 })).toEqual([])
    expect(await calls.open({ tenant: 'elsewhere', limit: 10 })).toEqual([])
    const unknownOf = unknown.toolId
    expect(await calls.open({ tenant, unknownOf, limit: 10 })).toEqual(listed.slice(0, 1))
    expect(await calls.open({ tenant, unknownOf: 'other.tool', limit: 10 })).toEqual([])
  },
}

export const ledgerPromises: Promises = {
  ...claims,
  ...guards,
  ...fences,
  ...endings,
  ...openCalls,
  ...steps,
}

/** The promises of the ledger: one row a keyed call, each method one atomic step. */
export function ledgerSuite(name: string, open: OpenStores): void {
  registerSuite('ledger', name, open, ledgerPromises)
}
