import { expect } from 'vitest'
import { askingAgain } from './ask-again.ts'
import { delegating } from './delegating.ts'
import type { OpenStores } from './opened.ts'
import {
  aCall,
  anEntry,
  approvedByPerson,
  aQuestion,
  claimCall,
  deniedByPerson,
  LEASE_MS,
} from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'

const decisionRecord = anEntry(aCall(), { phase: 'decision' })

const MINUTE = 60_000

const asking: Promises = {
  'a request for approval reserves the row and stores the whole request': async ({
    stores,
    now,
  }) => {
    const call = aCall()
    const question = aQuestion(call)
    const { expiresMs, ...kept } = question
    const asked = await stores.approvals.ask(question, call)
    expect(asked).toMatchObject({
      kind: 'asked',
      approval: { ...kept, state: 'pending', decision: undefined },
    })
    const approval = await stores.approvals.get(call.tenant, question.id)
    expect(Math.abs((approval?.expiresAt ?? 0) - now() - expiresMs)).toBeLessThan(2_000)
    expect(await stores.calls.find(call)).toMatchObject({
      state: 'waiting',
      approvalId: question.id,
      input: call.input,
    })
  },
  'two requests under one key share one approval request': async ({ stores }) => {
    const call = aCall({ key: 'k1' })
    const first = await stores.approvals.ask(aQuestion(call), call)
    const again = aCall({ key: 'k1' })
    const second = await stores.approvals.ask(aQuestion(again), again)
    expect([second.kind, 'approval' in second && second.approval.id]).toEqual([
      'pending',
      'approval' in first && first.approval.id,
    ])
  },
  'two simultaneous requests make one approval request': async ({ stores }) => {
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const call = aCall({ key: 'k1' })
        return stores.approvals.ask(aQuestion(call), call)
      }),
    )
    expect(all.filter(({ kind }) => kind === 'asked')).toHaveLength(1)
    expect(await stores.approvals.list('acme', 'pending')).toHaveLength(1)
  },
  'a call without a stable key finds its approval request by the input': async ({ stores }) => {
    const [first, second, other] = [
      aCall({ keySource: 'fresh' }),
      aCall({ keySource: 'fresh' }),
      aCall({ keySource: 'fresh', inputHash: 'b'.repeat(64) }),
    ]
    const asked = await stores.approvals.ask(aQuestion(first), first)
    expect(await stores.approvals.ask(aQuestion(second), second)).toMatchObject({
      kind: 'pending',
      approval: { id: 'approval' in asked ? asked.approval.id : '' },
    })
    expect((await stores.approvals.ask(aQuestion(other), other)).kind).toBe('asked')
  },
  "two keys of the caller's are two approval requests": async ({ stores }) => {
    const [first, second] = [aCall(), aCall()]
    await stores.approvals.ask(aQuestion(first), first)
    expect((await stores.approvals.ask(aQuestion(second), second)).kind).toBe('asked')
  },
  'a key with an approval request takes no other request': async ({ stores }) => {
    const call = aCall({ key: 'k1' })
    await stores.approvals.ask(aQuestion(call), call)
    const other = aCall({ key: 'k1', inputHash: 'b'.repeat(64) })
    expect(await stores.approvals.ask(aQuestion(other), other)).toMatchObject({
      kind: 'held',
      row: { callId: call.callId },
    })
  },
  'a key whose call went on is answered from its row': async (opened) => {
    const call = aCall()
    await claimCall(opened, call)
    expect((await opened.stores.approvals.ask(aQuestion(call), call)).kind).toBe('held')
  },
  'approval requests are listed by tenant and state': async ({ stores }) => {
    const [open, denied, foreign] = [
      aCall(),
      aCall({ inputHash: 'b'.repeat(64) }),
      aCall({ tenant: 'globex' }),
    ]
    for (const call of [open, denied, foreign]) await stores.approvals.ask(aQuestion(call), call)
    const [, second] = await stores.approvals.list('acme')
    await stores.approvals.decide('acme', second?.id ?? '', deniedByPerson, decisionRecord)
    expect((await stores.approvals.list('acme')).length).toBe(2)
    expect((await stores.approvals.list('acme', 'pending')).map(({ callId }) => callId)).toEqual([
      open.callId,
    ])
    expect((await stores.approvals.list('acme', 'denied')).map(({ callId }) => callId)).toEqual([
      denied.callId,
    ])
    expect(await stores.approvals.get('globex', second?.id ?? '')).toBeUndefined()
  },
  "a list holds the newest requests up to its limit, and one principal's only if asked for":
    async ({ stores }) => {
      const calls = ['1', '2', '3'].map((digit) => aCall({ inputHash: digit.repeat(64) }))
      const foreign = aCall({ principal: 'bob', inputHash: 'b'.repeat(64) })
      for (const call of [...calls, foreign]) await stores.approvals.ask(aQuestion(call), call)
      const list = async (filter: { principal?: string; limit?: number; before?: string }) =>
        (await stores.approvals.list('acme', 'pending', filter)).map(({ callId }) => callId)
      const [first, second, third] = calls.map(({ callId }) => callId)
      expect(await list({ limit: 2 })).toEqual([third, foreign.callId])
      expect(await list({ principal: calls[0]?.principal ?? '', limit: 2 })).toEqual([
        second,
        third,
      ])
      const older = (await stores.approvals.list('acme', 'pending')).at(-2)
      expect(await list({ limit: 2, before: older?.id ?? '' })).toEqual([first, second])
      expect(await list({ limit: 2, before: 'appr_unknown' })).toEqual([])
    },
  'what waits is listed in pages by expiry, and a decision between two pages hides nothing':
    async ({ stores }) => {
      const calls = ['1', '2', '3', '4'].map((digit) => aCall({ inputHash: digit.repeat(64) }))
      const minutes = [40, 10, 30, 20]
      for (const [place, call] of calls.entries()) {
        const expiresMs = (minutes[place] ?? 0) * MINUTE
        await stores.approvals.ask(aQuestion(call, { expiresMs }), call)
      }
      const [last, first, third, second] = calls.map(({ callId }) => callId)
      const list = (at: number, id: string, limit: number) =>
        stores.approvals.list('acme', 'pending', { expiringAfter: { at, id }, limit })
      const page = await list(0, '', 2)
      expect(page.map(({ callId }) => callId)).toEqual([first, second])
      const end = page.at(-1)
      // A denial holds for as long as the request was open, so it expires later than the request.
      await stores.approvals.decide('acme', end?.id ?? '', deniedByPerson, decisionRecord)
      const rest = await list(end?.expiresAt ?? 0, end?.id ?? '', 10)
      expect(rest.map(({ callId }) => callId)).toEqual([third, last])
      expect((await list(0, '', 10)).map(({ callId }) => callId)).toEqual([first, third, last])
    },
  'requests that expire together are listed once each, whatever the size of the pages': async ({
    stores,
  }) => {
    const calls = ['1', '2', '3'].map((digit) => aCall({ inputHash: digit.repeat(64) }))
    for (const call of calls) await stores.approvals.ask(aQuestion(call), call)
    const listed: string[] = []
    for (let place = { at: 0, id: '' }; listed.length < 10; ) {
      const [next] = await stores.approvals.list('acme', 'pending', {
        expiringAfter: place,
        limit: 1,
      })
      if (next === undefined) break
      listed.push(next.callId)
      place = { at: next.expiresAt, id: next.id }
    }
    expect(listed.toSorted()).toEqual(calls.map(({ callId }) => callId).toSorted())
  },
}

const deciding: Promises = {
  'an approval queues the row, and one claim uses it up': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    const decided = await stores.approvals.decide(
      call.tenant,
      question.id,
      approvedByPerson,
      decisionRecord,
    )
    expect(decided).toMatchObject({
      kind: 'decided',
      approval: { state: 'approved', decision: { ...approvedByPerson, at: expect.any(Number) } },
    })
    expect(await stores.calls.find(call)).toMatchObject({ state: 'queued' })
    const both = await Promise.all(
      [1, 2].map(async () =>
        stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }),
      ),
    )
    expect(both.map(({ kind }) => kind).sort()).toEqual(['claimed', 'held'])
    expect(await stores.approvals.get(call.tenant, question.id)).toMatchObject({ state: 'used' })
  },
  'an approval wakes a worker, a denial does not': async ({ stores, advance }) => {
    const [yes, no] = [aCall(), aCall({ inputHash: 'b'.repeat(64) })]
    const woken: string[] = []
    const stop = stores.jobs.work(async ({ callId }) => void woken.push(callId))
    for (const [call, verdict] of [
      [yes, approvedByPerson],
      [no, deniedByPerson],
    ] as const) {
      const question = aQuestion(call)
      await stores.approvals.ask(question, call)
      await stores.approvals.decide(call.tenant, question.id, verdict, decisionRecord)
    }
    await advance(5_000)
    await stop()
    expect(woken).toEqual([yes.callId])
  },
  'of two simultaneous decisions one counts': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    const both = await Promise.all(
      [approvedByPerson, deniedByPerson].map(async (decision) =>
        stores.approvals.decide(call.tenant, question.id, decision, decisionRecord),
      ),
    )
    expect(both.map(({ kind }) => kind).sort()).toEqual(['closed', 'decided'])
  },
  'an unknown approval request is missing, also one of another tenant': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    expect(
      (await stores.approvals.decide('globex', question.id, approvedByPerson, decisionRecord)).kind,
    ).toBe('missing')
    expect(
      (await stores.approvals.decide(call.tenant, 'appr_nothing', approvedByPerson, decisionRecord))
        .kind,
    ).toBe('missing')
  },
  'a denial binds the same input under any key until it expires, and frees the key': async ({
    stores,
    advance,
  }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    await advance(MINUTE / 2)
    await stores.approvals.decide(call.tenant, question.id, deniedByPerson, decisionRecord)
    for (const more of [{ key: call.key }, {}, { keySource: 'fresh' as const }]) {
      const again = aCall(more)
      expect((await stores.approvals.ask(aQuestion(again), again)).kind).toBe('denied')
    }
    for (const other of [
      { principal: 'bob' },
      { tenant: 'globex' },
      { inputHash: 'b'.repeat(64) },
      { toolId: 'orders.draft' },
    ]) {
      const call = aCall(other)
      expect((await stores.approvals.ask(aQuestion(call), call)).kind).toBe('asked')
    }
    await advance(MINUTE)
    const later = aCall()
    expect((await stores.approvals.ask(aQuestion(later), later)).kind).toBe('asked')
  },
  'an expired approval request is closed, and its key may be asked for again': async ({
    stores,
    advance,
  }) => {
    const call = aCall({ key: 'k1' })
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    await advance(MINUTE)
    expect(await stores.approvals.get(call.tenant, question.id)).toMatchObject({ state: 'expired' })
    expect(
      (await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord))
        .kind,
    ).toBe('closed')
    const again = aCall({ key: 'k1' })
    expect((await stores.approvals.ask(aQuestion(again), again)).kind).toBe('asked')
  },
  'an expired approval allows nothing': async ({ stores, advance }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord)
    await advance(MINUTE)
    expect(
      (await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }))
        .kind,
    ).toBe('approval_lapsed')
  },
  'a call that was cancelled while waiting is not revived by an approval': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    await stores.calls.cancel(call.tenant, call.callId)
    await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord)
    expect(await stores.calls.get(call.tenant, call.callId)).toMatchObject({ state: 'cancelled' })
    expect(
      (await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }))
        .kind,
    ).not.toBe('claimed')
  },
  'an edit closes the old approval request and puts a new one in its row': async ({ stores }) => {
    const call = aCall({ key: 'k1' })
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    const edited = { ...call, inputHash: 'e'.repeat(64), input: '{"item":"small lamp"}' }
    const next = aQuestion(edited, { asks: 'Make a small lamp?' })
    expect(
      await stores.approvals.replace(call.tenant, question.id, {
        question: next,
        call: edited,
        audit: decisionRecord,
      }),
    ).toMatchObject({
      kind: 'decided',
      approval: { id: next.id, state: 'pending' },
    })
    expect(await stores.approvals.get(call.tenant, question.id)).toMatchObject({
      state: 'replaced',
    })
    expect(
      (await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord))
        .kind,
    ).toBe('closed')
    expect(await stores.calls.find(call)).toMatchObject({
      state: 'waiting',
      approvalId: next.id,
      input: edited.input,
      inputHash: edited.inputHash,
    })
    await stores.approvals.decide(call.tenant, next.id, approvedByPerson, decisionRecord)
    expect(
      (
        await stores.calls.claim({
          call: edited,
          leaseMs: LEASE_MS,
          resumes: true,
          guardMs: undefined,
        })
      ).kind,
    ).toBe('claimed')
  },
  'a decided approval request is not edited': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord)
    expect(
      (
        await stores.approvals.replace(call.tenant, question.id, {
          question: aQuestion(call),
          call,
          audit: decisionRecord,
        })
      ).kind,
    ).toBe('closed')
  },
}

export const approvalPromises: Promises = {
  ...asking,
  ...deciding,
  ...delegating,
  ...askingAgain,
}

/**
 * The promises of approvals: one request per call, one decision per request, one use per approval.
 */
export function approvalSuite(name: string, open: OpenStores): void {
  registerSuite('approvals', name, open, approvalPromises)
}
