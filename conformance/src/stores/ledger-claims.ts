import { expect } from 'vitest'
import { aNote } from './run-samples.ts'
import {
  aCall,
  anEntry,
  aQuestion,
  claimCall,
  EFFECT,
  fenceOf,
  LEASE_MS,
  startEffect,
} from './samples.ts'
import type { Promises } from './suite.ts'

const GIVEN_VALUE = { kind: 'value', json: '1' } as const

/** Who gets a row, and for how long. */
export const claims: Promises = {
  'a claim makes the row, with everything the call brought': async ({ stores, now }) => {
    const call = aCall()
    expect(await stores.calls.find(call)).toBeUndefined()
    const claim = await stores.calls.claim({
      call,
      leaseMs: LEASE_MS,
      resumes: false,
      guardMs: undefined,
    })
    expect(claim).toMatchObject({
      kind: 'claimed',
      row: { ...call, state: 'claimed', fence: expect.any(Number) },
    })
    const row = await stores.calls.find(call)
    expect(row).toMatchObject({
      ...call,
      state: 'claimed',
      effect: undefined,
      answer: undefined,
      approvalId: undefined,
    })
    expect(row?.leaseUntil).toBeGreaterThan(now())
    expect(await stores.calls.get(call.tenant, call.callId)).toEqual({
      ...row,
      readAt: expect.any(Number),
    })
  },
  'a lease stands on the clock of the machine too, and only the lease that was judged is taken over':
    async ({ stores }) => {
      const at = { boot: 'b', ticks: 1_000 }
      const call = aCall()
      const fresh = { call, leaseMs: LEASE_MS, resumes: false, at } as const
      const claim = await stores.calls.claim(fresh)
      const row = 'row' in claim ? claim.row : undefined
      expect(row).toMatchObject({ leaseBoot: { boot: 'b', ticks: 1_000 + LEASE_MS }, deaths: 0 })
      const fence = fenceOf(row as never)
      expect(await stores.calls.abandoned(10, { boot: 'b', ticks: 999 + LEASE_MS })).toEqual([])
      const over = { boot: 'b', ticks: 1_000 + LEASE_MS }
      expect(await stores.calls.abandoned(10, { ...over, boot: 'c' })).toEqual([])
      expect(await stores.calls.abandoned(10, over)).toMatchObject([{ callId: call.callId }])
      await stores.calls.renew(fence, LEASE_MS, { boot: 'b', ticks: 2_000 })
      const takeOver = { call, leaseMs: LEASE_MS, resumes: true, at } as const
      const renewed = await stores.calls.get(call.tenant, call.callId)
      expect(renewed).toMatchObject({ leaseBoot: { boot: 'b', ticks: 2_000 + LEASE_MS } })
      const old = { fence: fence.fence, leaseUntil: -1 }
      expect((await stores.calls.claim({ ...takeOver, expired: old })).kind).toBe('held')
      const taken = await stores.calls.claim({ ...takeOver, expired: renewed })
      expect(taken).toMatchObject({ kind: 'claimed', row: { fence: fence.fence + 1, deaths: 1 } })
    },
  'an effect stands on the clock of the machine that sent it last': async (opened) => {
    const { stores } = opened
    const row = await claimCall(opened, aCall())
    const send = (boot: string, ticks: number) =>
      stores.calls.startEffect(fenceOf(row), EFFECT, anEntry(row), { boot, ticks })
    const times = async () => (await stores.calls.get(row.tenant, row.callId))?.effect?.bootTimes
    await send('b', 5)
    await send('b', 7)
    expect(await times()).toEqual({ boot: 'b', startedTicks: 5, lastStartedTicks: 7 })
    await send('c', 9)
    expect(await times()).toEqual({ boot: 'c', startedTicks: undefined, lastStartedTicks: 9 })
  },
  'a claim that was given up counts no death, and a run counts anew from each finished step':
    async (opened) => {
      const { stores } = opened
      let row = await claimCall(opened, aCall())
      const takeOver = async (): Promise<number> => {
        const { fence, leaseUntil } = (await stores.calls.get(row.tenant, row.callId)) ?? row
        const claim = await stores.calls.claim({
          call: row,
          leaseMs: LEASE_MS,
          resumes: true,
          expired: { fence, leaseUntil },
        })
        if (!('row' in claim)) throw new Error(claim.kind)
        row = claim.row
        return row.deaths
      }
      await stores.calls.abandon(fenceOf(row))
      expect([await takeOver(), await takeOver()]).toEqual([0, 1])
      await stores.runs.write(fenceOf(row), [aNote({ path: 'a', answer: GIVEN_VALUE })])
      expect([await takeOver(), await takeOver()]).toEqual([1, 2])
    },
  'of many callers with one key one gets the claim, and the others its row': async ({ stores }) => {
    const key = 'k1'
    const all = await Promise.all(
      Array.from({ length: 20 }, async () =>
        stores.calls.claim({
          call: aCall({ key }),
          leaseMs: LEASE_MS,
          resumes: false,
          guardMs: undefined,
        }),
      ),
    )
    expect(all.filter(({ kind }) => kind === 'claimed')).toHaveLength(1)
    expect(all.filter(({ kind }) => kind === 'held')).toHaveLength(19)
    expect(new Set(all.map((claim) => ('row' in claim ? claim.row.callId : ''))).size).toBe(1)
  },
  'keys of two tenants, principals or tools are independent': async ({ stores }) => {
    const scopes = [
      { tenant: 'a:b', principal: 'c' },
      { tenant: 'a', principal: 'b:c' },
      { tenant: 'a', principal: 'b' },
      { tenant: 'a', principal: 'b', toolId: 'c' },
      { tenant: '2:a', principal: '' },
      { tenant: '__proto__', principal: 'constructor' },
    ]
    for (const scope of scopes)
      expect(
        (
          await stores.calls.claim({
            call: aCall({ key: 'k', ...scope }),
            leaseMs: LEASE_MS,
            resumes: false,
            guardMs: undefined,
          })
        ).kind,
      ).toBe('claimed')
  },
  'a key of 255 characters is kept whole': async ({ stores }) => {
    const [long, longer] = [
      aCall({ key: `${'x'.repeat(254)}a` }),
      aCall({ key: `${'x'.repeat(254)}b` }),
    ]
    await stores.calls.claim({ call: long, leaseMs: LEASE_MS, resumes: false, guardMs: undefined })
    expect(
      (
        await stores.calls.claim({
          call: longer,
          leaseMs: LEASE_MS,
          resumes: false,
          guardMs: undefined,
        })
      ).kind,
    ).toBe('claimed')
  },
  'a claim that comes back never makes a row': async ({ stores }) => {
    const call = aCall()
    const claim = await stores.calls.claim({
      call,
      leaseMs: LEASE_MS,
      resumes: true,
      guardMs: undefined,
    })
    expect(['claimed', 'recover']).not.toContain(claim.kind)
    expect(await stores.calls.find(call)).toBeUndefined()
  },
  'a live lease holds, also against a resuming caller': async (opened) => {
    const call = aCall()
    await claimCall(opened, call)
    for (const resumes of [false, true])
      expect(
        (await opened.stores.calls.claim({ call, leaseMs: LEASE_MS, resumes, guardMs: undefined }))
          .kind,
      ).toBe('held')
  },
  'an expired lease is listed, and is taken over by one of those who come back, with a higher fence':
    async (opened) => {
      const call = aCall()
      const row = await claimCall(opened, call)
      expect(await opened.stores.calls.abandoned(10)).toEqual([])
      await opened.advance(LEASE_MS)
      expect((await opened.stores.calls.abandoned(10)).map(({ callId }) => callId)).toEqual([
        call.callId,
      ])
      const both = await Promise.all(
        [1, 2, 3].map(async () =>
          opened.stores.calls.claim({ call, leaseMs: LEASE_MS, resumes: true, guardMs: undefined }),
        ),
      )
      const winners = both.filter(({ kind }) => kind === 'claimed')
      expect(winners).toHaveLength(1)
      expect(winners[0] && 'row' in winners[0] ? winners[0].row.fence : 0).toBeGreaterThan(
        row.fence,
      )
      expect(await opened.stores.calls.abandoned(10)).toEqual([])
    },
  'an expired lease with a started effect is returned for recovery, with the stored effect': async (
    opened,
  ) => {
    const call = aCall()
    await startEffect(opened, call)
    const startedAt = opened.now()
    await opened.advance(LEASE_MS + 5_000)
    const claim = await opened.stores.calls.claim({
      call,
      leaseMs: LEASE_MS,
      resumes: true,
      guardMs: undefined,
    })
    expect(claim).toMatchObject({
      kind: 'recover',
      row: { state: 'effect_started', providerKey: call.providerKey, effect: EFFECT },
    })
    const effect = 'row' in claim ? claim.row.effect : undefined
    expect(Math.abs((effect?.startedAt ?? 0) - startedAt)).toBeLessThan(2_000)
  },
  'a caller with the key of an expired lease gets the row, not the claim': async (opened) => {
    const call = aCall()
    await claimCall(opened, call)
    await opened.advance(LEASE_MS + 1)
    expect(
      (
        await opened.stores.calls.claim({
          call: { ...aCall(), key: call.key },
          leaseMs: LEASE_MS,
          resumes: false,
          guardMs: undefined,
        })
      ).kind,
    ).toBe('held')
  },
  'a renewed lease lasts as long again': async (opened) => {
    const call = aCall()
    const row = await claimCall(opened, call)
    await opened.advance(LEASE_MS / 2)
    expect(await opened.stores.calls.renew(fenceOf(row), LEASE_MS)).toBe(true)
    await opened.advance(LEASE_MS / 2 + 1_000)
    expect(await opened.stores.calls.abandoned(10)).toEqual([])
    await opened.advance(LEASE_MS / 2)
    expect(await opened.stores.calls.abandoned(10)).toHaveLength(1)
  },
  'an abandoned lease is free to be recovered at once': async (opened) => {
    const call = aCall()
    const row = await startEffect(opened, call)
    expect(await opened.stores.calls.abandon(fenceOf(row))).toBe(true)
    expect(
      (
        await opened.stores.calls.claim({
          call,
          leaseMs: LEASE_MS,
          resumes: true,
          guardMs: undefined,
        })
      ).kind,
    ).toBe('recover')
  },
  'no more rows are listed as abandoned than were asked for': async (opened) => {
    for (let index = 0; index < 5; index++) await claimCall(opened, aCall())
    await opened.advance(LEASE_MS + 1)
    expect(await opened.stores.calls.abandoned(3)).toHaveLength(3)
  },
  'a queued call whose wake-up was lost is listed after a minute': async (opened) => {
    const call = aCall()
    await opened.stores.calls.queue(call, undefined)
    await opened.advance(50_000)
    expect(await opened.stores.calls.abandoned(10)).toEqual([])
    await opened.advance(10_000)
    expect((await opened.stores.calls.abandoned(10)).map(({ callId }) => callId)).toEqual([
      call.callId,
    ])
  },
  'the least recently touched rows are listed first': async (opened) => {
    const [first, second, third] = [aCall(), aCall(), aCall()]
    const row = await claimCall(opened, first)
    await opened.advance(1_000)
    await opened.stores.calls.queue(second, undefined)
    await opened.advance(1_000)
    await claimCall(opened, third)
    await opened.advance(1_000)
    await opened.stores.calls.renew(fenceOf(row), LEASE_MS)
    await opened.advance(60_000)
    const listIds = async (limit: number) =>
      (await opened.stores.calls.abandoned(limit)).map(({ callId }) => callId)
    expect(await listIds(10)).toEqual([second.callId, third.callId, first.callId])
    expect(await listIds(1)).toEqual([second.callId])
  },
  'a key whose approval request has expired is free for a claim and for the queue': async ({
    stores,
    advance,
  }) => {
    const [first, second] = [aCall({ key: 'k1' }), aCall({ key: 'k2' })]
    for (const call of [first, second]) await stores.approvals.ask(aQuestion(call), call)
    const claim = async () =>
      stores.calls.claim({
        call: aCall({ key: 'k1' }),
        leaseMs: LEASE_MS,
        resumes: false,
        guardMs: undefined,
      })
    const queue = async () => stores.calls.queue(aCall({ key: 'k2' }), undefined)
    expect([(await claim()).kind, (await queue()).kind]).toEqual(['held', 'held'])
    await advance(60_000)
    expect([(await claim()).kind, (await queue()).kind]).toEqual(['claimed', 'queued'])
  },
}
