import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import { brokenContract, brokenStore } from '../mutants/broken.ts'
import { dropsTheKey } from '../mutants/known.ts'

function order(tool: string) {
  return { tool, input: { item: 'lamp' }, idempotencyKey: 'k1' }
}

function note(text: string) {
  return { tool: 'notes.add', input: { text }, idempotencyKey: `k ${text}` }
}

/** What is stored of a write, and what local effects commit together. */
export const kept: readonly Behaviour[] = [
  {
    id: 'kept.invalid-output',
    sentence:
      'a write whose output is invalid stays done, is never retried, and its key says so again',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore(
      'calls',
      'a ledger that frees the key of an answer in the wrong shape',
      (calls) => ({
        finish: (fence, ending, audit) =>
          calls.finish(
            fence,
            'answer' in ending && ending.answer.kind === 'invalid_output'
              ? { state: 'released' }
              : ending,
            audit,
          ),
      }),
    ),
    async run(world) {
      world.emulator.next('orders.make', { kind: 'malformed' })
      const first = await world.call(order('orders.place'))
      const again = await world.call(order('orders.place'))
      expect([codeOrStatus(first), first.status, codeOrStatus(again)]).toEqual([
        'TOOL_INVALID_OUTPUT',
        'error',
        'TOOL_INVALID_OUTPUT',
      ])
      expect(again.metadata).toMatchObject({
        source: 'replayed',
        original_call_id: first.metadata.call_id,
      })
      expect([countRequests(world, 'orders.make'), listEffects(world)]).toEqual([
        1,
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'kept.raw-output',
    sentence: 'the raw output of a write with an invalid output is stored with its row',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that discards invalid outputs', (calls) => ({
      finish: (fence, ending, audit) =>
        calls.finish(
          fence,
          'answer' in ending && ending.answer.kind === 'invalid_output'
            ? { ...ending, answer: { ...ending.answer, json: 'null' } }
            : ending,
          audit,
        ),
    })),
    async run(world) {
      world.emulator.next('orders.make', { kind: 'malformed' })
      const { metadata } = await world.call(order('orders.place'))
      const row = await world.stores.calls.get('acme', metadata.call_id)
      expect([row?.state, row?.answer]).toEqual([
        'succeeded',
        expect.objectContaining({ kind: 'invalid_output', json: '{"odd":true}' }),
      ])
    },
  },
  {
    id: 'kept.store-hiccup',
    sentence: 'a ledger that is unavailable for a moment while an answer is stored loses no answer',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore(
      'calls',
      'a ledger that reports its own failure as an invalid output',
      (calls) => ({
        async finish(fence, ending, audit) {
          try {
            return await calls.finish(fence, ending, audit)
          } catch {
            const answer = {
              kind: 'invalid_output',
              json: '{}',
              problem: 'could not be kept',
            } as const
            return calls.finish(fence, { state: 'succeeded', answer, isSecret: false }, audit)
          }
        },
      }),
    ),
    async run(world) {
      world.faults.break('calls.finish', 1)
      await world.call(order('orders.draft'))
      await world.clock.advance(60_000)
      const again = await world.call(order('orders.draft'))
      expect([
        codeOrStatus(again),
        (again.data as { readonly receipt?: string } | null)?.receipt,
      ]).toEqual(['success', 'orders-1'])
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'kept.transaction-once',
    sentence: 'a local effect and its answer commit together: a repeat answers and writes nothing',
    rules: '§3',
    needs: ['key'],
    mutant: dropsTheKey,
    async run(world) {
      const first = await world.call(note('milk'))
      const again = await world.call(note('milk'))
      expect([codeOrStatus(first), again.metadata.source, again.data]).toEqual([
        'success',
        'replayed',
        first.data,
      ])
      expect(await world.countNotes()).toBe(1)
    },
  },
  {
    id: 'kept.transaction-rolled-back',
    sentence: 'a local effect that fails leaves nothing behind, neither its writes nor its key',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore(
      'calls',
      'a database that commits what it has when a function throws',
      (calls) => ({
        transact: (run) =>
          calls.transact({ ...run, apply: (tx, args) => run.apply(tx, args).catch(() => null) }),
      }),
    ),
    async run(world) {
      expect(codeOrStatus(await world.call(note('break')))).toBe('TOOL_INTERNAL_ERROR')
      expect(codeOrStatus(await world.call(note('break')))).toBe('TOOL_INTERNAL_ERROR')
      expect(await world.countNotes()).toBe(0)
    },
  },
  {
    id: 'kept.transaction-timeout',
    sentence:
      'a local effect that exceeds its deadline is rolled back and does not delay the next one',
    rules: '§3',
    needs: ['key'],
    mutant: brokenContract('notes.add', 'a contract without a timeout', () => ({
      timeoutMs: 3_600_000,
    })),
    async run(world) {
      const stuck = await world.call(note('stuck'))
      const next = await world.call(note('bread'))
      expect([codeOrStatus(stuck), codeOrStatus(next)]).toEqual([
        'TOOL_EXECUTION_TIMEOUT',
        'success',
      ])
      expect(await world.countNotes()).toBe(1)
    },
  },
  {
    id: 'kept.transaction-invalid-output',
    sentence: 'a local effect whose output is invalid stays done and says so again',
    rules: '§3',
    needs: ['key'],
    mutant: brokenContract('notes.add', 'a contract that checks no output', () => ({
      outputValidation: 'disabled',
    })),
    async run(world) {
      const first = await world.call(note('odd'))
      const again = await world.call(note('odd'))
      expect([codeOrStatus(first), codeOrStatus(again)]).toEqual([
        'TOOL_INVALID_OUTPUT',
        'TOOL_INVALID_OUTPUT',
      ])
      expect(await world.countNotes()).toBe(1)
    },
  },
  {
    id: 'kept.transaction-audited',
    sentence:
      'a local effect commits together with its audit record: without the record there is no effect',
    rules: '§9',
    needs: ['key'],
    mutant: brokenStore(
      'calls',
      'a database that loses the record of what it commits',
      (calls) => ({
        transact: (run) => calls.transact({ ...run, audit: { ...run.audit, tenant: 'nowhere' } }),
      }),
    ),
    async run(world) {
      world.faults.break('calls.transact', 1)
      expect(codeOrStatus(await world.call(note('milk')))).not.toBe('success')
      expect(await world.countNotes()).toBe(0)
      expect(codeOrStatus(await world.call(note('milk')))).toBe('success')
      const records = (await world.audit()).filter(
        (record) => record.phase === 'outcome' && record.success,
      )
      expect([await world.countNotes(), records.length, records[0]?.output_hash.length]).toEqual([
        1, 1, 64,
      ])
    },
  },
]
