import type { Stores } from '@surehand/core'
import type { LocalRun } from '@surehand/core/ports'
import { expect } from 'vitest'
import { aCall, anEntry, approvedByPerson, aQuestion, LEASE_MS } from './samples.ts'
import type { Promises } from './suite.ts'
import { addItem } from './suite-transactions.ts'

const decisionRecord = anEntry(aCall(), { phase: 'decision' })
const EFFECT = { port: 'shop', method: 'order', argsHash: 'a' }

/** A call whose approval is used up by a claim. */
async function approvedAndClaimed(stores: Stores) {
  const call = aCall()
  const question = aQuestion(call)
  await stores.approvals.ask(question, call)
  await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord)
  const claimed = await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true })
  if (claimed.kind !== 'claimed') throw new Error(`The claim is ${claimed.kind}.`)
  const { tenant, callId, fence } = claimed.row
  return { call, question, fence: { tenant, callId, fence } }
}

/** How a call whose approved facts have changed is asked about again. */
export const askingAgain: Promises = {
  'a claimed call waits again for a new request, and the used approval says why': async ({
    stores,
    advance,
    now,
  }) => {
    const { call, question, fence } = await approvedAndClaimed(stores)
    await stores.calls.startEffect(fence, EFFECT, anEntry(call))
    const next = aQuestion(call, { asks: 'Make a dearer lamp?' })
    expect(
      await stores.approvals.askAgain(fence, {
        question: next,
        replaces: question.id,
        audit: anEntry(call, { phase: 'decision', outcome: 'facts_changed' }),
      }),
    ).toMatchObject({ id: next.id, state: 'pending', asks: next.asks, callId: call.callId })
    expect(await stores.calls.get(call.tenant, call.callId)).toMatchObject({
      state: 'waiting',
      approvalId: next.id,
      input: call.input,
      key: call.key,
      leaseUntil: undefined,
      effect: undefined,
    })
    const used = await stores.approvals.get(call.tenant, question.id)
    expect(used).toMatchObject({
      state: 'used',
      decision: {
        ...approvedByPerson,
        voided: { reason: 'facts_changed', replacedBy: next.id, at: expect.any(Number) },
      },
    })
    expect(Math.abs((used?.decision?.voided?.at ?? 0) - now())).toBeLessThan(2_000)
    const records = await stores.audit.list({ tenant: call.tenant, callId: call.callId })
    expect(records.some(({ outcome }) => outcome === 'facts_changed')).toBe(true)
    await advance(LEASE_MS + 1_000)
    expect(await stores.calls.abandoned(10)).toEqual([])
    await stores.approvals.decide(call.tenant, next.id, approvedByPerson, decisionRecord)
    expect((await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true })).kind).toBe(
      'claimed',
    )
  },
  'only the process that holds the claim asks again': async ({ stores, advance }) => {
    const { call, question, fence } = await approvedAndClaimed(stores)
    await advance(LEASE_MS * 2)
    await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true })
    const again = { question: aQuestion(call), replaces: question.id, audit: decisionRecord }
    expect(await stores.approvals.askAgain(fence, again)).toBeUndefined()
    expect(await stores.approvals.askAgain({ ...fence, tenant: 'globex' }, again)).toBeUndefined()
    expect(await stores.approvals.list(call.tenant, 'pending')).toEqual([])
    expect((await stores.approvals.get(call.tenant, question.id))?.decision?.voided).toBe(undefined)
  },
  'a claim for another approval than the one in the row is refused': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord)
    const claim = async (approvalId: string) =>
      (await stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true, approvalId })).kind
    expect(await claim('appr_before')).toBe('held')
    expect(await claim(question.id)).toBe('claimed')
  },
  'a transaction for another approval than the one in the row is not run': async ({ stores }) => {
    const call = aCall()
    const question = aQuestion(call)
    await stores.approvals.ask(question, call)
    await stores.approvals.decide(call.tenant, question.id, approvedByPerson, decisionRecord)
    const transact = async (approvalId: string) =>
      (
        await stores.calls.transact({
          claim: { call, leaseMs: LEASE_MS, resumes: true, approvalId },
          name: addItem.name,
          apply: addItem.apply as LocalRun['apply'],
          args: { name: approvalId },
          timeoutMs: 60_000,
          audit: anEntry(call),
        })
      ).kind
    expect([await transact('appr_before'), await transact(question.id)]).toEqual(['held', 'done'])
    expect(await stores.calls.query('select name from suite_items')).toEqual([
      { name: question.id },
    ])
  },
}
