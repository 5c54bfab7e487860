import { expect } from 'vitest'
import { aNote, parked, resumed, VALUE } from './run-samples.ts'
import { aCall, claimed, fenceOf, LEASE_MS } from './samples.ts'
import type { Promises } from './suite.ts'

const ERROR = {
  kind: 'error',
  code: 'TOOL_RESOURCE_NOT_FOUND',
  message: 'Gone.',
  details: '{"a":1}',
  data: '{"success":false}',
} as const
const UNDO = { tool: 'orders.refund 1.0.0', json: '{"order":"1"}' }

/** What a run was told, and how far it is. */
export const journals: Promises = {
  'what a run was told comes back to the letter, in the order it was begun': async (opened) => {
    const { runs } = opened.stores
    const row = await claimed(opened, aCall())
    const told = [
      aNote({ path: 'z' }),
      aNote({ path: 'a', answer: VALUE, undo: UNDO }),
      aNote({ path: 'm/é"%', what: 'ask', answer: ERROR, isWrite: false }),
      ...Array.from({ length: 80 }, (_, index) =>
        aNote({ path: `each/${80 - index}`, what: 'now' }),
      ),
    ]
    expect(await runs.write(fenceOf(row), told.slice(0, 1))).toBe('written')
    expect(await runs.write(fenceOf(row), told.slice(1))).toBe('written')
    expect(await runs.journal(row.tenant, row.callId)).toEqual(told)
    expect(await runs.write(fenceOf(row), [])).toBe('written')
    expect([
      await runs.journal('globex', row.callId),
      await runs.journal(row.tenant, 'call_other'),
    ]).toEqual([[], []])
  },
  'an answer is put into its place once, with its undo, and stays what it was': async (opened) => {
    const { runs } = opened.stores
    const row = await claimed(opened, aCall())
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
  'a place that is written twice at once has the first answer': async (opened) => {
    const { runs } = opened.stores
    const row = await claimed(opened, aCall())
    const note = aNote()
    const answered = { ...note, answer: VALUE }
    expect(await runs.write(fenceOf(row), [note, answered, { ...note, answer: ERROR }])).toBe(
      'written',
    )
    expect(await runs.journal(row.tenant, row.callId)).toEqual([answered])
  },
  'whoever lost the row, or let its lease run out, writes nothing': async (opened) => {
    const { runs } = opened.stores
    const call = aCall()
    const old = fenceOf(await claimed(opened, call))
    await opened.advance(LEASE_MS)
    expect(await runs.write(old, [aNote()])).toBe('lost')
    await resumed(opened, call)
    expect([
      await runs.write(old, [aNote()]),
      await runs.write({ ...old, tenant: 'globex' }, [aNote()]),
    ]).toEqual(['lost', 'lost'])
    const waiting = await parked(opened)
    expect(await runs.write(fenceOf(waiting), [aNote()])).toBe('lost')
    for (const { tenant, callId } of [call, waiting])
      expect(await runs.journal(tenant, callId)).toEqual([])
  },
  'a run that is to stop hears so when it writes, and what it wrote stands': async (opened) => {
    const { runs } = opened.stores
    const row = await claimed(opened, aCall())
    await runs.askToStop(row.tenant, row.callId)
    expect(await runs.write(fenceOf(row), [aNote()])).toBe('cancelled')
    expect(await runs.journal(row.tenant, row.callId)).toHaveLength(1)
  },
  'the newest word on how far it is counts up, and is its holder’s alone': async (opened) => {
    const { runs } = opened.stores
    const call = aCall()
    const old = await claimed(opened, call)
    expect(await runs.progress(call.tenant, call.callId)).toBeUndefined()
    for (const json of ['{"done":1}', '{"done":2}']) await runs.setProgress(fenceOf(old), json)
    await opened.advance(LEASE_MS)
    await resumed(opened, call)
    await runs.setProgress(fenceOf(old), '{"done":3}')
    expect(await runs.progress(call.tenant, call.callId)).toEqual({ number: 2, json: '{"done":2}' })
    expect(await runs.progress('globex', call.callId)).toBeUndefined()
  },
}
