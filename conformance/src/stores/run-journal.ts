import { expect } from 'vitest'
import { aNote, parkRun, resumeRun, VALUE } from './run-samples.ts'
import { aCall, claimCall, fenceOf, LEASE_MS } from './samples.ts'
import type { Promises } from './suite.ts'

const ERROR = {
  kind: 'error',
  code: 'TOOL_RESOURCE_NOT_FOUND',
  message: 'Gone.',
  details: '{"a":1}',
  data: '{"success":false}',
} as const
const UNDO = { tool: 'orders.refund 1.0.0', json: '{"order":"1"}' }

/** A run's journal and its progress. */
export const journals: Promises = {
  'journal entries are returned exactly as written, in the order they were begun': async (
    opened,
  ) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const entries = [
      aNote({ path: 'z' }),
      aNote({ path: 'a', answer: VALUE, undo: UNDO }),
      aNote({ path: 'm/é"%', what: 'ask', answer: ERROR, isWrite: false }),
      ...Array.from({ length: 80 }, (_, index) =>
        aNote({ path: `each/${80 - index}`, what: 'now' }),
      ),
    ]
    expect(await runs.write(fenceOf(row), entries.slice(0, 1))).toBe('written')
    expect(await runs.write(fenceOf(row), entries.slice(1))).toBe('written')
    expect(await runs.journal(row.tenant, row.callId)).toEqual(entries)
    expect(await runs.write(fenceOf(row), [])).toBe('written')
    expect([
      await runs.journal('globex', row.callId),
      await runs.journal(row.tenant, 'call_other'),
    ]).toEqual([[], []])
  },
  'an answer is stored at its path once, with its compensation, and is not changed': async (
    opened,
  ) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const [first, second] = [aNote({ path: 'a' }), aNote({ path: 'b' })]
    await runs.write(fenceOf(row), [first, second])
    await runs.write(fenceOf(row), [{ ...first, answer: VALUE, undo: UNDO, isSecret: false }])
    await runs.write(fenceOf(row), [
      { ...first, answer: ERROR, undo: { tool: 'other', json: '{}' } },
    ])
    expect(await runs.journal(row.tenant, row.callId)).toEqual([
      { ...first, answer: VALUE, undo: UNDO },
      second,
    ])
  },
  'a path that is written twice at once has the first answer': async (opened) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    const note = aNote()
    const answered = { ...note, answer: VALUE }
    expect(await runs.write(fenceOf(row), [note, answered, { ...note, answer: ERROR }])).toBe(
      'written',
    )
    expect(await runs.journal(row.tenant, row.callId)).toEqual([answered])
  },
  'a driver that lost its claim or its lease writes nothing': async (opened) => {
    const { runs } = opened.stores
    const call = aCall()
    const old = fenceOf(await claimCall(opened, call))
    await opened.advance(LEASE_MS)
    expect(await runs.write(old, [aNote()])).toBe('lost')
    await resumeRun(opened, call)
    expect([
      await runs.write(old, [aNote()]),
      await runs.write({ ...old, tenant: 'globex' }, [aNote()]),
    ]).toEqual(['lost', 'lost'])
    const waiting = await parkRun(opened)
    expect(await runs.write(fenceOf(waiting), [aNote()])).toBe('lost')
    for (const { tenant, callId } of [call, waiting])
      expect(await runs.journal(tenant, callId)).toEqual([])
  },
  'a run that must stop is informed when it writes, and its entry is stored': async (opened) => {
    const { runs } = opened.stores
    const row = await claimCall(opened, aCall())
    await runs.askToStop(row.tenant, row.callId)
    expect(await runs.write(fenceOf(row), [aNote()])).toBe('cancelled')
    expect(await runs.journal(row.tenant, row.callId)).toHaveLength(1)
  },
  'progress counts up, and only the holder of the claim reports it': async (opened) => {
    const { runs } = opened.stores
    const call = aCall()
    const old = await claimCall(opened, call)
    expect(await runs.progress(call.tenant, call.callId)).toBeUndefined()
    for (const json of ['{"done":1}', '{"done":2}']) await runs.setProgress(fenceOf(old), json)
    await opened.advance(LEASE_MS)
    await resumeRun(opened, call)
    await runs.setProgress(fenceOf(old), '{"done":3}')
    expect(await runs.progress(call.tenant, call.callId)).toEqual({ number: 2, json: '{"done":2}' })
    expect(await runs.progress('globex', call.callId)).toBeUndefined()
  },
}
