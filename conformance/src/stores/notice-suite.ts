import { expect } from 'vitest'
import type { OpenedStores, OpenStores } from './opened.ts'
import { aCall, anEntry, DONE, LEASE_MS } from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'

/** Makes a call with a subscriber, and ends it. */
async function endCallWithNotice(
  { stores: { calls } }: Pick<OpenedStores, 'stores'>,
  { isEnded = true, notify = 'ops', tenant = 'acme' } = {},
): Promise<string> {
  const call = aCall({ notify, tenant })
  const claim = await calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
  if (claim.kind !== 'claimed') throw new Error(claim.kind)
  if (isEnded)
    await calls.finish(
      { tenant: call.tenant, callId: call.callId, fence: claim.row.fence },
      DONE,
      anEntry(call),
    )
  return call.callId
}

const OPS = { tenant: 'acme', webhook: 'ops' }

export const noticePromises: Promises = {
  'a notice is delivered when the call has ended, and not before': async (opened) => {
    const { notices } = opened.stores
    await endCallWithNotice(opened, { isEnded: false })
    expect(await notices.due(OPS, 10, 1_000)).toEqual([])
    const callId = await endCallWithNotice(opened)
    expect(await notices.due(OPS, 10, 1_000)).toMatchObject([
      { tenant: 'acme', callId, webhook: 'ops', state: 'succeeded', tries: 0 },
    ])
  },
  'a held notice belongs to its holder until the hold expires': async (opened) => {
    const { notices } = opened.stores
    const callId = await endCallWithNotice(opened)
    const both = await Promise.all([notices.due(OPS, 10, 60_000), notices.due(OPS, 10, 60_000)])
    expect(both.flat()).toHaveLength(1)
    await opened.advance(60_001)
    expect(await notices.due(OPS, 10, 60_000)).toMatchObject([{ callId, tries: 1 }])
  },
  'a notice is delivered again after the pause, and never after it was acknowledged or abandoned':
    async (opened) => {
      const { notices } = opened.stores
      const [one, two] = [await endCallWithNotice(opened), await endCallWithNotice(opened)]
      await notices.due(OPS, 10, 60_000)
      await notices.settle({ tenant: 'acme', callId: one }, { kind: 'again', afterMs: 5_000 })
      await notices.settle({ tenant: 'acme', callId: two }, { kind: 'given_up' })
      await opened.advance(4_000)
      expect(await notices.endpoints()).toEqual([])
      expect(await notices.due(OPS, 10, 60_000)).toEqual([])
      await opened.advance(1_001)
      expect(await notices.endpoints()).toEqual([OPS])
      expect(await notices.due(OPS, 10, 60_000)).toMatchObject([{ callId: one, tries: 1 }])
      await notices.settle({ tenant: 'acme', callId: one }, { kind: 'heard' })
      await opened.advance(120_000)
      expect(await notices.due(OPS, 10, 60_000)).toEqual([])
    },
  'each endpoint has its own queue: another webhook and another tenant are named beside it': async (
    opened,
  ) => {
    const { notices } = opened.stores
    const first = await endCallWithNotice(opened)
    await endCallWithNotice(opened)
    const billing = await endCallWithNotice(opened, { notify: 'billing' })
    const foreign = await endCallWithNotice(opened, { tenant: 'other' })
    const names = (await notices.endpoints()).map(({ tenant, webhook }) => `${tenant} ${webhook}`)
    expect(names.toSorted()).toEqual(['acme billing', 'acme ops', 'other ops'])
    expect(await notices.due(OPS, 1, 60_000)).toMatchObject([{ callId: first }])
    expect(await notices.due({ tenant: 'acme', webhook: 'billing' }, 5, 60_000)).toMatchObject([
      { callId: billing },
    ])
    expect(await notices.due({ tenant: 'other', webhook: 'ops' }, 5, 60_000)).toMatchObject([
      { tenant: 'other', callId: foreign },
    ])
    expect(await notices.endpoints()).toEqual([OPS])
  },
  'of new notices and those to be sent again, the call that ended first comes first': async (
    opened,
  ) => {
    const { notices } = opened.stores
    const ended: string[] = []
    for (let index = 0; index < 2; index++) {
      ended.push(await endCallWithNotice(opened))
      await opened.advance(10)
    }
    await notices.due(OPS, 1, 1_000)
    await opened.advance(1_001)
    ended.push(await endCallWithNotice(opened))
    const due = await notices.due(OPS, 2, 60_000)
    expect(due.map(({ callId }) => callId).toSorted()).toEqual(ended.slice(0, 2).toSorted())
    expect(await notices.due(OPS, 2, 60_000)).toMatchObject([{ callId: ended[2] }])
  },
  'a delivery is listed with its last result and its next attempt, the newest call first': async (
    opened,
  ) => {
    const { notices } = opened.stores
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      ids.push(await endCallWithNotice(opened))
      await opened.advance(10)
    }
    await endCallWithNotice(opened, { isEnded: false })
    await endCallWithNotice(opened, { notify: 'billing' })
    await endCallWithNotice(opened, { tenant: 'other' })
    const [one = '', two = '', three = ''] = ids
    expect(await notices.list(OPS, { limit: 10 })).toMatchObject(
      [three, two, one].map((callId) => ({ callId, delivery: 'waiting', tries: 0 })),
    )
    await notices.due(OPS, 10, 60_000)
    await notices.settle({ tenant: 'acme', callId: one }, { kind: 'heard' }, { status: 204 })
    const again = { kind: 'again', afterMs: 5_000 } as const
    await notices.settle({ tenant: 'acme', callId: two }, again, { status: 503 })
    const trouble = 'The host cannot be reached.'
    await notices.settle({ tenant: 'acme', callId: three }, { kind: 'given_up' }, { trouble })
    const listed = await notices.list(OPS, { limit: 10 })
    const toolId = aCall().toolId
    const at = expect.any(Number)
    const ended = { toolId, state: 'succeeded', endedAt: at, tries: 1 }
    const final = { ...ended, nextAttemptAt: undefined }
    expect(listed).toEqual([
      { ...final, callId: three, delivery: 'abandoned', lastResult: { trouble, at } },
      {
        ...ended,
        callId: two,
        delivery: 'waiting',
        nextAttemptAt: at,
        lastResult: { status: 503, at },
      },
      { ...final, callId: one, delivery: 'delivered', lastResult: { status: 204, at } },
    ])
    const [newest, waiting] = listed
    expect((waiting?.nextAttemptAt ?? 0) - (waiting?.lastResult?.at ?? 0)).toBe(5_000)
    expect(await notices.list(OPS, { limit: 1 })).toEqual([newest])
    expect(await notices.list(OPS, { limit: 10, before: newest })).toEqual(listed.slice(1))
  },
  'a call without a subscriber leaves no notice': async (opened) => {
    const { calls, notices } = opened.stores
    const call = aCall()
    const claim = await calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
    if (claim.kind === 'claimed')
      await calls.finish(
        { tenant: call.tenant, callId: call.callId, fence: claim.row.fence },
        DONE,
        anEntry(call),
      )
    expect(await notices.due(OPS, 10, 1_000)).toEqual([])
  },
}

/** The promises of words about ended calls. */
export function noticeSuite(name: string, open: OpenStores): void {
  registerSuite('notices', name, open, noticePromises)
}
