import type { CallRow, Ending, NewCall } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { OpenedStores } from './opened.ts'
import { askQuestion, GIVEN, parkRun, resumeRun, stateOf, waitingFor } from './run-samples.ts'
import {
  aCall,
  anEntry,
  aQuestion,
  claimCall,
  DONE,
  fenceOf,
  LEASE_MS,
  RELEASED,
  startEffect,
  UNKNOWN,
} from './samples.ts'
import type { Promises } from './suite.ts'

type Made = (opened: OpenedStores) => Promise<string>

const endStep = async (opened: OpenedStores, ending: Ending): Promise<string> => {
  const row = await claimCall(opened, aCall())
  await opened.stores.calls.finish(fenceOf(row), ending, anEntry(row))
  return row.callId
}
const asks = async ({ stores }: OpenedStores): Promise<NewCall> => {
  const call = aCall({ inputHash: 'e'.repeat(64) })
  await stores.approvals.ask(aQuestion(call, { expiresMs: 1_000 }), call)
  return call
}

/** Calls that are not over. */
const UNDER_WAY: Readonly<Record<string, Made>> = {
  waiting: async (opened) => (await asks(opened)).callId,
  queued: async ({ stores }) => (await stores.calls.queue(aCall())).row.callId,
  parked: async (opened) => (await parkRun(opened)).callId,
  claimed: async (opened) => (await claimCall(opened, aCall())).callId,
  effect_started: async (opened) => (await startEffect(opened, aCall())).callId,
  unknown: (opened) => endStep(opened, UNKNOWN),
}

const OVER: Readonly<Record<string, Made>> = {
  'no row': async () => 'call_nobody',
  succeeded: (opened) => endStep(opened, DONE),
  released: (opened) => endStep(opened, RELEASED),
  cancelled: async (opened) => {
    const call = await asks(opened)
    await opened.stores.calls.cancel(call.tenant, call.callId)
    return call.callId
  },
  'waiting for an approval that cannot be given any more': async (opened) => {
    const call = await asks(opened)
    await opened.advance(1_000)
    return call.callId
  },
}

/** Is the row still ours, with nothing noted on it? */
async function expectAwake({ stores }: OpenedStores, row: CallRow): Promise<void> {
  expect(await stores.calls.get(row.tenant, row.callId)).toMatchObject({
    state: 'claimed',
    fence: row.fence,
    spentMs: 0,
  })
  expect(await stores.calls.renew(fenceOf(row), LEASE_MS)).toBe(true)
}

export const parking: Promises = {
  'a parked run has no holder: no lease expires, and it cannot be claimed': async (opened) => {
    const call = aCall()
    const row = await parkRun(opened, { spentMs: 1_234 }, call)
    expect(await opened.stores.calls.get(call.tenant, call.callId)).toMatchObject({
      state: 'parked',
      leaseUntil: undefined,
      spentMs: 1_234,
      input: call.input,
    })
    await opened.advance(24 * 3_600_000)
    expect(await opened.stores.calls.abandoned(10)).toEqual([])
    expect([
      (await resumeRun(opened, call)).kind,
      await opened.stores.calls.renew(fenceOf(row), LEASE_MS),
    ]).toEqual(['held', false])
    expect(await opened.stores.calls.cancel(call.tenant, call.callId)).toBe(false)
    expect(await opened.stores.runs.park(fenceOf(row), waitingFor())).toBe('lost')
  },
  'a run that was woken is claimed with what it has spent': async (opened) => {
    const call = aCall()
    await parkRun(opened, { spentMs: 1_234, wakeInMs: 0 }, call)
    await opened.stores.runs.wakeDue(10)
    expect(await resumeRun(opened, call)).toMatchObject({
      kind: 'claimed',
      row: { spentMs: 1_234, isToStop: false, fence: 2 },
    })
  },
  'a run waits for steps that are under way, whatever they do': async (opened) => {
    for (const [name, make] of Object.entries(UNDER_WAY)) {
      const row = await claimCall(opened, aCall())
      const calls = [await make(opened)]
      expect([
        name,
        await opened.stores.runs.park(fenceOf(row), waitingFor({ calls: [...calls, ...calls] })),
      ]).toEqual([name, 'parked'])
    }
  },
  'a run stays awake when one of its steps is over': async (opened) => {
    for (const [name, make] of Object.entries(OVER)) {
      const row = await claimCall(opened, aCall())
      const calls = [(await claimCall(opened, aCall())).callId, await make(opened)]
      expect([
        name,
        await opened.stores.runs.park(fenceOf(row), waitingFor({ calls, spentMs: 5 })),
      ]).toEqual([name, 'awake'])
      await expectAwake(opened, row)
    }
  },
  'a run waits for open questions, and stays awake when one was answered, closed, lapsed or never asked':
    async (opened) => {
      const { runs } = opened.stores
      const row = await claimCall(opened, aCall())
      const [open, answered, lapsed] = [
        await askQuestion(opened, row, { path: 'a' }),
        await askQuestion(opened, row, { path: 'b' }),
        await askQuestion(opened, row, { path: 'c', expiresMs: 1_000 }),
      ]
      const other = await claimCall(opened, aCall())
      const closed = await askQuestion(opened, other)
      await runs.closeQuestions(other.tenant, other.callId)
      await runs.answer(answered.tenant, answered.id, GIVEN, anEntry(row))
      await opened.advance(1_000)
      for (const id of [answered.id, lapsed.id, closed.id, 'ask_nobody'])
        expect([
          id,
          await runs.park(fenceOf(row), waitingFor({ questions: [open.id, id] })),
        ]).toEqual([id, 'awake'])
      await expectAwake(opened, row)
      expect(await runs.park(fenceOf(row), waitingFor({ questions: [open.id] }))).toBe('parked')
    },
  'a run that must stop is not parked, nor is a run of another holder': async (opened) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    expect(await runs.park({ ...fenceOf(row), fence: row.fence + 1 }, waitingFor())).toBe('lost')
    await runs.askToStop(row.tenant, row.callId)
    expect(await runs.park(fenceOf(row), waitingFor())).toBe('awake')
    await expectAwake(opened, row)
  },
  'what has waited long enough is put on the list, the longest due first and no more than asked for':
    async (opened) => {
      const { runs } = opened.stores
      const [second, first, later, never] = [
        await parkRun(opened, { wakeInMs: 20_000 }),
        await parkRun(opened, { wakeInMs: 10_000 }),
        await parkRun(opened, { wakeInMs: 600_000 }),
        await parkRun(opened),
      ]
      expect(await runs.wakeDue(10)).toBe(0)
      await opened.advance(60_000)
      expect([
        await runs.wakeDue(1),
        await stateOf(opened, first),
        await stateOf(opened, second),
      ]).toEqual([1, 'queued', 'parked'])
      expect([
        await runs.wakeDue(10),
        await stateOf(opened, second),
        await runs.wakeDue(10),
      ]).toEqual([1, 'queued', 0])
      expect([await stateOf(opened, later), await stateOf(opened, never)]).toEqual([
        'parked',
        'parked',
      ])
    },
}

export const stops: Promises = {
  'a stop request reaches queued, parked and running calls, and no others': async (opened) => {
    const { calls, runs } = opened.stores
    const tenant = 'acme'
    const entries = [
      UNDER_WAY.queued,
      UNDER_WAY.parked,
      UNDER_WAY.claimed,
      UNDER_WAY.effect_started,
    ] as Made[]
    for (const make of entries) {
      const callId = await make(opened)
      expect([
        await calls.isToStop(tenant, callId),
        await runs.askToStop('globex', callId),
      ]).toEqual([false, false])
      expect([await runs.askToStop(tenant, callId), await calls.isToStop(tenant, callId)]).toEqual([
        true,
        true,
      ])
      expect(await calls.isToStop('globex', callId)).toBe(false)
    }
    for (const make of [UNDER_WAY.waiting, UNDER_WAY.unknown, ...Object.values(OVER)] as Made[]) {
      const callId = await make(opened)
      expect([await runs.askToStop(tenant, callId), await calls.isToStop(tenant, callId)]).toEqual([
        false,
        false,
      ])
    }
  },
  'a parked run that must stop is queued, and its claim says so': async (opened) => {
    const call = aCall()
    await parkRun(opened, { wakeInMs: 1_000 }, call)
    await opened.stores.runs.askToStop(call.tenant, call.callId)
    expect(await stateOf(opened, call)).toBe('queued')
    expect(await resumeRun(opened, call)).toMatchObject({
      kind: 'claimed',
      row: { isToStop: true },
    })
  },
}
