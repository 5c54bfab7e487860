import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import { brokenContract, brokenStore } from '../mutants/broken.ts'
import type { Ask, World } from '../world/world.ts'

/** Each way a call can end, and how the world is made to end it so. */
const ENDINGS: Readonly<
  Record<
    string,
    { readonly ask: Ask; readonly before?: (world: World) => void; readonly record: object }
  >
> = {
  'a read that worked': {
    ask: { tool: 'shelf.look', input: { item: 'lamp' } },
    record: { success: true, outcome: 'done', code: '', source: 'executed' },
  },
  'a write that worked': {
    ask: { tool: 'orders.draft', input: { item: 'lamp' } },
    record: { success: true, outcome: 'done', source: 'executed' },
  },
  'a local write': {
    ask: { tool: 'notes.add', input: { text: 'milk' } },
    record: { success: true, outcome: 'done', source: 'executed' },
  },
  'no such tool': {
    ask: { tool: 'nothing.here', input: {} },
    record: { success: false, code: 'TOOL_NOT_FOUND' },
  },
  'a bad input': {
    ask: { tool: 'shelf.look', input: { item: 7 } },
    record: { success: false, code: 'TOOL_INVALID_FIELD_TYPE' },
  },
  'a missing right': {
    ask: { tool: 'rights.capability', input: {} },
    record: { success: false, code: 'TOOL_CAPABILITY_MISSING' },
  },
  'a closed gate': {
    ask: { tool: 'orders.gated', input: { item: 'lamp' } },
    before: (world) => world.emulator.saying('closed'),
    record: { success: false, code: 'TOOL_GATE_CLOSED' },
  },
  'a gate that closed after the claim': {
    ask: { tool: 'orders.gated', input: { item: 'lamp' } },
    before: (world) => world.emulator.saying('open', 'closed'),
    record: { success: false, code: 'TOOL_GATE_CLOSED' },
  },
  'an open question': {
    ask: { tool: 'approve.confirm', input: { item: 'lamp' } },
    record: { success: false, outcome: 'pending' },
  },
  'an accepted job': {
    ask: { tool: 'jobs.export', input: { item: 'lamp' } },
    record: { success: true, outcome: 'accepted' },
  },
  'a fallback': {
    ask: { tool: 'shelf.fallback', input: { item: 'lamp' } },
    before: (world) => world.emulator.next('shelf.look', { kind: 'status', status: 503 }),
    record: { success: true, outcome: 'done', source: 'fallback' },
  },
  'a refusing provider': {
    ask: { tool: 'fax.send', input: { item: 'lamp' } },
    before: (world) => world.emulator.next('fax.make', { kind: 'status', status: 422 }),
    record: { success: false, code: 'TOOL_INVALID_FIELD_VALUE' },
  },
  'an unknown outcome': {
    ask: { tool: 'fax.send', input: { item: 'lamp' } },
    before: (world) => world.emulator.next('fax.make', { kind: 'lost-answer' }),
    record: { success: false, code: 'TOOL_OUTCOME_UNKNOWN' },
  },
  'a time-out': {
    ask: { tool: 'shelf.look', input: { item: 'lamp' } },
    before: (world) => world.emulator.next('shelf.look', { kind: 'hang' }),
    record: { success: false, code: 'TOOL_EXECUTION_TIMEOUT' },
  },
}

/** What is recorded, when, and what never is. */
export const records: readonly Behaviour[] = [
  {
    id: 'audit.every-outcome',
    sentence: 'every call leaves one record of how it ended, also a refused one',
    rules: '§9',
    needs: [],
    mutant: brokenStore('audit', 'an audit that keeps what went well', (audit) => ({
      append: (entry, durability) =>
        entry.code === '' ? audit.append(entry, durability) : undefined,
    })),
    async run(world) {
      for (const [name, { ask, before, record }] of Object.entries(ENDINGS)) {
        before?.(world)
        const { metadata } = await world.call(ask)
        const found = (await world.audit()).filter(
          (entry) => entry.call_id === metadata.call_id && entry.phase === 'outcome',
        )
        expect(found, name).toEqual([expect.objectContaining({ tool_name: ask.tool, ...record })])
      }
    },
  },
  {
    id: 'audit.fields',
    sentence:
      'a record says who did what by which surface, with hashes of what went in and came out',
    rules: '§9',
    needs: [],
    mutant: brokenStore('audit', 'an audit that forgets by which surface', (audit) => ({
      append: (entry, durability) => audit.append({ ...entry, surface: '' }, durability),
    })),
    async run(world) {
      const { metadata } = await world.call({
        tool: 'shelf.look',
        input: { item: 'lamp' },
        requestId: 'req-7',
      })
      const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
      expect((await world.audit())[0]).toEqual({
        id: expect.any(String),
        phase: 'outcome',
        call_id: metadata.call_id,
        request_id: 'req-7',
        tenant: 'acme',
        principal: 'ann',
        actor: 'user',
        surface: world.surface.name,
        tool_name: 'shelf.look',
        tool_version: '1.0.0',
        definition_hash: hash,
        input_hash: hash,
        output_hash: hash,
        success: true,
        outcome: 'done',
        code: '',
        error: '',
        duration_ms: 0,
        source: 'executed',
        // the store's time, which stands where the world's does, less the moment that a batch has
        // waited: within five seconds
        created_at: expect.closeTo(world.clock.now(), -4),
      })
    },
  },
  {
    id: 'audit.intent-first',
    sentence: 'an intent record is durable before the first byte leaves',
    rules: '§9',
    needs: [],
    mutant: brokenStore('calls', 'a ledger that writes the intent record later', () => ({
      startEffect: () => true,
    })),
    async run(world) {
      const seen: (readonly string[])[] = []
      world.emulator.onArrival(async () => {
        const rows = await world.audit()
        const row = await world.stores.calls.get('acme', rows.at(-1)?.call_id ?? '')
        seen.push([...rows.map(({ phase }) => phase), row?.state ?? 'no row'])
      })
      for (const tool of ['orders.draft', 'mail.send', 'fax.send', 'legacy.poke'])
        await world.call({ tool, input: { item: 'lamp' } })
      expect(seen.map((entries) => entries.slice(-2))).toEqual(
        Array(4).fill(['intent', 'effect_started']),
      )
    },
  },
  {
    id: 'audit.out-of-reach',
    sentence:
      'with the audit unavailable writes stop before anything leaves, and plain reads continue',
    rules: '§9',
    needs: [],
    mutant: brokenStore('calls', 'a ledger that goes on without its audit', (calls) => ({
      startEffect: async (fence, effect, intent) =>
        Promise.resolve(calls.startEffect(fence, effect, intent)).catch(() => true),
      finish: async (fence, ending, entry) =>
        Promise.resolve(calls.finish(fence, ending, entry)).catch(() => true),
    })),
    async run(world) {
      world.faults.breakAudit()
      for (const tool of ['orders.draft', 'fax.send', 'legacy.poke'])
        expect((await world.call({ tool, input: { item: 'lamp' } })).status, tool).toBe('error')
      expect((await world.call({ tool: 'notes.add', input: { text: 'milk' } })).status).toBe(
        'error',
      )
      expect([listEffects(world), await world.countNotes()]).toEqual([[], 0])
      expect(codeOrStatus(await world.call({ tool: 'shelf.look', input: { item: 'lamp' } }))).toBe(
        'success',
      )
    },
  },
  {
    id: 'audit.out-of-reach-after-the-effect',
    sentence:
      'a write whose record cannot be written is not reported as done, and is settled once it can',
    rules: '§9',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that finishes without its audit', (calls) => ({
      finish: async (fence, ending, entry) =>
        Promise.resolve(calls.finish(fence, ending, entry)).catch(() => true),
    })),
    async run(world) {
      const order = { tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      world.faults.break('calls.finish')
      expect((await world.call(order)).status).toBe('error')
      world.faults.clear()
      await world.clock.advance(60_000)
      expect([codeOrStatus(await world.call(order)), listEffects(world)]).toEqual([
        'success',
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'audit.sensitive-read',
    sentence: 'a read that must be recorded before its answer is not answered without its record',
    rules: '§9',
    needs: [],
    mutant: brokenContract(
      'shelf.confidential',
      'a contract that lets its record come later',
      () => ({ audit: 'batched' }),
    ),
    async run(world) {
      world.faults.breakAudit()
      const answer = await world.call({ tool: 'shelf.confidential', input: { item: 'lamp' } })
      expect([codeOrStatus(answer), answer.data, countRequests(world, 'shelf.look')]).toEqual([
        'TOOL_STORAGE_ERROR',
        null,
        1,
      ])
    },
  },
]
