import { expect } from 'vitest'
import type { OpenedStores, OpenStores } from './opened.ts'
import { aCall, anEntry, DONE, LEASE_MS } from './samples.ts'
import { type Promises, registerSuite } from './suite.ts'

/** Makes a call that somebody wants to hear of, and ends it. */
async function ended(
  { stores: { calls } }: Pick<OpenedStores, 'stores'>,
  isEnded = true,
): Promise<string> {
  const call = aCall({ notify: 'ops' })
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

export const noticePromises: Promises = {
  'an end is told when it is there, and not before': async (opened) => {
    const { notices } = opened.stores
    await ended(opened, false)
    expect(await notices.due(10, 1_000)).toEqual([])
    const callId = await ended(opened)
    expect(await notices.due(10, 1_000)).toMatchObject([
      { tenant: 'acme', callId, webhook: 'ops', state: 'succeeded', tries: 0 },
    ])
  },
  'what is held is nobody else’s, until the holder has died': async (opened) => {
    const { notices } = opened.stores
    const callId = await ended(opened)
    const both = await Promise.all([notices.due(10, 60_000), notices.due(10, 60_000)])
    expect(both.flat()).toHaveLength(1)
    await opened.advance(60_001)
    expect(await notices.due(10, 60_000)).toMatchObject([{ callId, tries: 1 }])
  },
  'it is told again after the pause, and never after it was heard or given up': async (opened) => {
    const { notices } = opened.stores
    const [one, two] = [await ended(opened), await ended(opened)]
    await notices.due(10, 60_000)
    await notices.settle({ tenant: 'acme', callId: one }, { kind: 'again', afterMs: 5_000 })
    await notices.settle({ tenant: 'acme', callId: two }, { kind: 'given_up' })
    await opened.advance(4_000)
    expect(await notices.due(10, 60_000)).toEqual([])
    await opened.advance(1_001)
    expect(await notices.due(10, 60_000)).toMatchObject([{ callId: one, tries: 1 }])
    await notices.settle({ tenant: 'acme', callId: one }, { kind: 'heard' })
    await opened.advance(120_000)
    expect(await notices.due(10, 60_000)).toEqual([])
  },
  'a call nobody asked about is told to nobody': async (opened) => {
    const { calls, notices } = opened.stores
    const call = aCall()
    const claim = await calls.claim({ call, leaseMs: LEASE_MS, resumes: false })
    if (claim.kind === 'claimed')
      await calls.finish(
        { tenant: call.tenant, callId: call.callId, fence: claim.row.fence },
        DONE,
        anEntry(call),
      )
    expect(await notices.due(10, 1_000)).toEqual([])
  },
}

/** The promises of words about ended calls. */
export function noticeSuite(name: string, open: OpenStores): void {
  registerSuite('notices', name, open, noticePromises)
}
