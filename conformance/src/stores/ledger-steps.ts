import type { Ending, LocalRun, NewCall } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { OpenedStores } from './opened.ts'
import {
  aNote,
  askQuestion,
  GIVEN,
  parkedWithStep,
  parkRun,
  resumeRun,
  stateOf,
  waitingFor,
} from './run-samples.ts'
import {
  aCall,
  anEntry,
  aQuestion,
  claimCall,
  DONE,
  deniedByPerson,
  fenceOf,
  LEASE_MS,
  RELEASED,
  UNKNOWN,
} from './samples.ts'
import type { Promises } from './suite.ts'
import { addItem } from './suite-transactions.ts'

const WHY = {
  kind: 'error',
  code: 'TOOL_CANCELLED',
  message: 'Stopped.',
  details: '{"a":1}',
  data: 'null',
} as const
const ENDINGS: readonly Ending[] = [
  DONE,
  { state: 'failed', answer: WHY, isSecret: false },
  UNKNOWN,
  RELEASED,
  { state: 'cancelled', answer: WHY, isSecret: false },
]

/** A run that waits for a step that waits for approval. */
async function parkedWithQuestion(opened: OpenedStores) {
  const run = await claimCall(opened, aCall())
  const step = aCall({ parentId: run.callId })
  const question = aQuestion(step)
  await opened.stores.approvals.ask(question, step)
  await opened.stores.runs.park(fenceOf(run), waitingFor({ calls: [step.callId] }))
  return { run, step, question }
}

function localRun(call: NewCall, resumes: boolean): LocalRun {
  return {
    claim: { call, leaseMs: LEASE_MS, resumes },
    name: addItem.name,
    apply: addItem.apply as LocalRun['apply'],
    args: { name: call.callId },
    timeoutMs: 60_000,
    audit: anEntry(call),
  }
}

const wakeUps: Promises = {
  'a step that ends wakes the run that waits for it, however it ends': async (opened) => {
    for (const ending of ENDINGS) {
      const { run, step } = await parkedWithStep(opened)
      expect(await stateOf(opened, run)).toBe('parked')
      expect(
        await opened.stores.calls.finish(
          { ...fenceOf(step), parentId: step.parentId },
          ending,
          anEntry(step),
        ),
      ).toBe(true)
      expect([ending.state, await stateOf(opened, run), await stateOf(opened, step)]).toEqual([
        ending.state,
        'queued',
        ending.state,
      ])
    }
  },
  'a step ended by another fence wakes no run, nor does one that is queued again': async (
    opened,
  ) => {
    const { run, step } = await parkedWithStep(opened)
    const fence = { ...fenceOf(step), parentId: step.parentId }
    expect(
      await opened.stores.calls.finish({ ...fence, fence: step.fence + 1 }, DONE, anEntry(step)),
    ).toBe(false)
    expect(await opened.stores.calls.finish(fence, { state: 'queued' }, anEntry(step))).toBe(true)
    expect(await stateOf(opened, run)).toBe('parked')
  },
  'a run that works is not put on the list by its steps': async (opened) => {
    const run = await claimCall(opened, aCall())
    const step = await claimCall(opened, aCall({ parentId: run.callId }))
    await opened.stores.calls.finish(
      { ...fenceOf(step), parentId: run.callId },
      DONE,
      anEntry(step),
    )
    expect(await opened.stores.calls.get(run.tenant, run.callId)).toMatchObject({
      state: 'claimed',
      fence: run.fence,
    })
  },
  'a local effect wakes the run it is a step of, and says whose step it was': async (opened) => {
    const run = await claimCall(opened, aCall())
    const step = aCall({ parentId: run.callId })
    await opened.stores.calls.queue(step)
    await opened.stores.runs.park(fenceOf(run), waitingFor({ calls: [step.callId] }))
    expect(await opened.stores.calls.transact(localRun(step, true))).toMatchObject({
      kind: 'done',
      fence: { parentId: run.callId },
    })
    expect(await stateOf(opened, run)).toBe('queued')
  },
  'a cancelled step, one that was denied and one that a person settled wake their runs': async (
    opened,
  ) => {
    const { calls, approvals } = opened.stores
    const [cancelled, denied] = [await parkedWithQuestion(opened), await parkedWithQuestion(opened)]
    expect(await calls.cancel(cancelled.step.tenant, cancelled.step.callId)).toBe(true)
    await approvals.decide(
      denied.step.tenant,
      denied.question.id,
      deniedByPerson,
      anEntry(denied.step, { phase: 'decision' }),
    )
    const run = await claimCall(opened, aCall())
    const step = await claimCall(opened, aCall({ parentId: run.callId }))
    await calls.finish({ ...fenceOf(step), parentId: run.callId }, UNKNOWN, anEntry(step))
    expect(await opened.stores.runs.park(fenceOf(run), waitingFor({ calls: [step.callId] }))).toBe(
      'parked',
    )
    await calls.resolve(step.tenant, step.callId, DONE, anEntry(step, { phase: 'decision' }))
    expect(
      await Promise.all([cancelled.run, denied.run, run].map((one) => stateOf(opened, one))),
    ).toEqual(['queued', 'queued', 'queued'])
  },
  'a run that is woken by a step, an answer, a stop or a timer has a job': async (opened) => {
    const { stores } = opened
    const { run, step } = await parkedWithStep(opened)
    const asking = await claimCall(opened, aCall())
    const question = await askQuestion(opened, asking)
    await stores.runs.park(fenceOf(asking), waitingFor({ questions: [question.id] }))
    const [stopped, timed, left] = [
      await parkRun(opened),
      await parkRun(opened, { wakeInMs: 1 }),
      await parkRun(opened),
    ]
    const woken = new Set<string>()
    const stop = stores.jobs.work(async ({ callId }) => void woken.add(callId))
    await stores.calls.finish({ ...fenceOf(step), parentId: run.callId }, DONE, anEntry(step))
    await stores.runs.answer(question.tenant, question.id, GIVEN, anEntry(asking))
    await stores.runs.askToStop(stopped.tenant, stopped.callId)
    await opened.advance(1_000)
    expect(await stores.runs.wakeDue(10)).toBe(1)
    await opened.advance(5_000)
    await stop()
    expect([...woken].sort()).toEqual(
      [run, asking, stopped, timed].map(({ callId }) => callId).sort(),
    )
    expect(await stateOf(opened, left)).toBe('parked')
  },
}

const rows: Promises = {
  'a row says whose step it is, also after an edit of its question': async (opened) => {
    const { calls, approvals } = opened.stores
    const step = aCall({ parentId: 'call_run' })
    const question = aQuestion(step)
    await approvals.ask(question, step)
    expect(await calls.get(step.tenant, step.callId)).toMatchObject({
      parentId: 'call_run',
      isToStop: false,
      spentMs: 0,
    })
    const { parentId: _, ...edited } = { ...step, inputHash: 'f'.repeat(64) }
    await approvals.replace(step.tenant, question.id, {
      question: aQuestion(edited),
      call: edited,
      audit: anEntry(step, { phase: 'decision' }),
    })
    expect(await calls.find(step)).toMatchObject({
      parentId: 'call_run',
      inputHash: edited.inputHash,
    })
  },
  'an end without a result stores its reason': async (opened) => {
    for (const state of ['unknown', 'released', 'cancelled'] as const) {
      const call = aCall()
      const ending = { state, answer: WHY, isSecret: false } as const
      expect(
        await opened.stores.calls.finish(
          fenceOf(await claimCall(opened, call)),
          ending,
          anEntry(call),
        ),
      ).toBe(true)
      expect(await opened.stores.calls.get(call.tenant, call.callId)).toMatchObject({
        state,
        answer: WHY,
      })
    }
  },
  'a run with journal entries is not cancelled while queued': async (opened) => {
    const { calls, runs } = opened.stores
    const call = aCall()
    const row = await claimCall(opened, call)
    await runs.write(fenceOf(row), [aNote()])
    await calls.finish(fenceOf(row), { state: 'queued' }, anEntry(call))
    expect([await calls.cancel(call.tenant, call.callId), await stateOf(opened, call)]).toEqual([
      false,
      'queued',
    ])
  },
}

/** So many calls on the list, of one tool. */
async function queueCall(
  { stores }: OpenedStores,
  count: number,
  more: Partial<NewCall> = {},
): Promise<readonly NewCall[]> {
  const all = Array.from({ length: count }, () => aCall(more))
  for (const call of all) await stores.calls.queue(call)
  return all
}

const busy: Promises = {
  'of many simultaneous jobs of a tool as many run as its limit allows': async (opened) => {
    const all = await queueCall(opened, 6)
    const kinds = (await Promise.all(all.map((call) => resumeRun(opened, call, 2)))).map(
      ({ kind }) => kind,
    )
    expect(kinds.toSorted()).toEqual(['busy', 'busy', 'busy', 'busy', 'claimed', 'claimed'])
  },
  'a caller over the concurrency limit changes nothing, and is admitted when a call has ended or its lease has expired':
    async (opened) => {
      const { calls } = opened.stores
      const [first, second, third] = (await queueCall(opened, 3)) as [NewCall, NewCall, NewCall]
      const before = await calls.get(second.tenant, second.callId)
      const row = await resumeRun(opened, first, 1)
      expect(await resumeRun(opened, second, 1)).toEqual({ kind: 'busy' })
      expect(await calls.get(second.tenant, second.callId)).toEqual({
        ...before,
        readAt: expect.any(Number),
      })
      if (!('row' in row)) throw new Error(row.kind)
      await calls.finish(fenceOf(row.row), DONE, anEntry(first))
      expect([
        (await resumeRun(opened, second, 1)).kind,
        (await resumeRun(opened, third, 1)).kind,
      ]).toEqual(['claimed', 'busy'])
      await opened.advance(LEASE_MS + 1)
      expect((await resumeRun(opened, third, 1)).kind).toBe('claimed')
    },
  'who is parked, other tools and other tenants leave their turn to others, and a first claim asks for none':
    async (opened) => {
      await parkRun(opened)
      for (const more of [{}, { toolId: 'orders.other' }, { tenant: 'globex' }]) {
        const [call] = (await queueCall(opened, 1, more)) as [NewCall]
        expect([more, (await resumeRun(opened, call, 1)).kind]).toEqual([more, 'claimed'])
      }
      expect(
        (
          await opened.stores.calls.claim({
            call: aCall(),
            leaseMs: LEASE_MS,
            resumes: false,
            atMost: 1,
          })
        ).kind,
      ).toBe('claimed')
    },
  'a local effect waits for its turn as well': async (opened) => {
    const [first, second] = (await queueCall(opened, 2)) as [NewCall, NewCall]
    await resumeRun(opened, first, 1)
    const run = localRun(second, true)
    expect(
      await opened.stores.calls.transact({ ...run, claim: { ...run.claim, atMost: 1 } }),
    ).toEqual({ kind: 'busy' })
    expect(await opened.stores.calls.query('select name from suite_items')).toEqual([])
  },
}

/** Steps of runs, and who is let in. */
export const steps: Promises = { ...wakeUps, ...rows, ...busy }
