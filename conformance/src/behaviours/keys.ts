import { CanonicalText, canonicalJson, scopedKey } from '@surehand/core/internal'
import type { KeyScope } from '@surehand/core/ports'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import {
  brokenContract,
  brokenRequest,
  brokenStore,
  brokenSurface,
  brokenTool,
  without,
} from '../mutants/broken.ts'
import { ann, bob, person } from '../world/people.ts'

/** A ledger whose keys are scoped by less than they should be. */
function scopedBy(breaks: string, narrow: (scope: KeyScope) => Partial<KeyScope>): Mutant {
  return brokenStore('calls', breaks, (calls) => ({
    find: (scope) => calls.find({ ...scope, ...narrow(scope) }),
    claim: (request) =>
      calls.claim({ ...request, call: { ...request.call, ...narrow(request.call) } }),
  }))
}

const lamp = { tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' }

/** Whose key it is, and who makes it. */
export const keys: readonly Behaviour[] = [
  {
    id: 'keys.tenants-never-meet',
    sentence: 'keys of two tenants never collide, whatever characters their names contain',
    rules: '§3',
    needs: ['key'],
    mutant: scopedBy('a ledger that joins tenant and principal with a colon', (scope) => ({
      tenant: 'all',
      principal: `${scope.tenant}:${scope.principal}`,
    })),
    async run(world) {
      const first = await world.call({ ...lamp, caller: person('c', { tenant: 'a:b' }) })
      const second = await world.call({ ...lamp, caller: person('b:c', { tenant: 'a' }) })
      expect([codeOrStatus(first), codeOrStatus(second)]).toEqual(['success', 'success'])
      expect(listEffects(world)).toEqual(['orders lamp', 'orders lamp'])
    },
  },
  {
    id: 'keys.principals-never-meet',
    sentence: 'keys of two people in one tenant never collide',
    rules: '§3',
    needs: ['key'],
    mutant: scopedBy('a ledger that scopes keys by tenant alone', () => ({ principal: 'all' })),
    async run(world) {
      await world.call({ ...lamp, caller: ann })
      const second = await world.call({ ...lamp, caller: bob })
      expect([codeOrStatus(second), second.metadata.source]).toEqual(['success', 'executed'])
      expect(new Set(world.emulator.effects.map((effect) => effect.key)).size).toBe(2)
    },
  },
  {
    id: 'keys.tools-never-meet',
    sentence: 'one key may be used for two tools',
    rules: '§3',
    needs: ['key'],
    mutant: scopedBy('a ledger that scopes keys by caller alone', () => ({ toolId: 'all' })),
    async run(world) {
      await world.call(lamp)
      const second = await world.call({ ...lamp, tool: 'orders.place' })
      expect([codeOrStatus(second), second.metadata.source]).toEqual(['success', 'executed'])
      expect(listEffects(world)).toHaveLength(2)
    },
  },
  {
    id: 'keys.two-sources-differ',
    sentence: 'a key in the request that differs from the key in the input is refused',
    rules: '§3',
    needs: ['key', 'keyField'],
    mutant: brokenRequest('a surface that lets the input win', (request) =>
      without(request, 'idempotencyKey'),
    ),
    async run(world) {
      const answer = await world.call({
        tool: 'keys.field',
        input: { item: 'lamp', idempotencyKey: 'one' },
        idempotencyKey: 'another',
      })
      expect(codeOrStatus(answer)).toBe('TOOL_INVALID_INPUT')
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'keys.printable',
    sentence: 'a key is 1 to 255 printable characters, and anything else is refused',
    rules: '§3',
    needs: ['key'],
    mutant: brokenRequest('a surface that truncates keys', (request) =>
      request.idempotencyKey === undefined
        ? request
        : { ...request, idempotencyKey: `${request.idempotencyKey.trim().slice(0, 200)}.` },
    ),
    async run(world) {
      for (const idempotencyKey of ['', 'x'.repeat(256), 'line\nbreak', 'null\u0000'])
        expect(
          codeOrStatus(await world.call({ ...lamp, idempotencyKey })),
          JSON.stringify(idempotencyKey),
        ).toBe('TOOL_INVALID_INPUT')
      expect(listEffects(world)).toEqual([])
      expect(codeOrStatus(await world.call({ ...lamp, idempotencyKey: 'x'.repeat(255) }))).toBe(
        'success',
      )
    },
  },
  {
    id: 'keys.derived',
    sentence:
      "a key derived from the input's natural identity makes a repeat the same call, and another input a conflict",
    rules: '§3',
    needs: [],
    mutant: brokenContract('keys.derived', 'a contract that forgets its natural identity', () => ({
      idempotency: 'caller',
    })),
    async run(world) {
      const order = { tool: 'keys.derived', input: { item: 'lamp', quantity: 1 } }
      const first = await world.call(order)
      const repeat = await world.call(order)
      const other = await world.call({ ...order, input: { item: 'lamp', quantity: 2 } })
      expect([codeOrStatus(first), repeat.metadata.source, codeOrStatus(other)]).toEqual([
        'success',
        'replayed',
        'TOOL_IDEMPOTENCY_CONFLICT',
      ])
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'keys.host-call',
    sentence: "a framework's tool-call id becomes a key only together with its run id",
    rules: '§3',
    needs: ['hostCall'],
    mutant: brokenRequest('an adapter that hands on the tool-call id without its run', (request) =>
      request.hostCall === undefined
        ? request
        : { ...request, hostCall: { ...request.hostCall, run: '' } },
    ),
    async run(world) {
      const order = { tool: 'orders.draft', input: { item: 'lamp' } }
      await world.call({ ...order, hostCall: { run: 'r1', toolCall: 'call_0' } })
      const again = await world.call({ ...order, hostCall: { run: 'r1', toolCall: 'call_0' } })
      const otherRun = await world.call({ ...order, hostCall: { run: 'r2', toolCall: 'call_0' } })
      expect([again.metadata.source, otherRun.metadata.source]).toEqual(['replayed', 'executed'])
      expect(listEffects(world)).toHaveLength(2)
    },
  },
  {
    id: 'keys.fresh-is-the-call-id',
    sentence:
      'without a key from the caller the call id is the key; it is returned and can be replayed',
    rules: '§3',
    needs: ['key'],
    mutant: brokenSurface('a surface that makes up call ids of its own', (surface) => ({
      async call(request) {
        const envelope = await surface.call(request)
        return {
          ...envelope,
          metadata: { ...envelope.metadata, call_id: `request-${envelope.metadata.call_id}` },
        }
      },
    })),
    async run(world) {
      const first = await world.call({ tool: 'orders.draft', input: { item: 'lamp' } })
      const again = await world.call({
        tool: 'orders.draft',
        input: { item: 'lamp' },
        idempotencyKey: first.metadata.call_id,
      })
      expect([again.metadata.source, again.data]).toEqual(['replayed', first.data])
      expect(countRequests(world, 'orders.make')).toBe(1)
    },
  },
  {
    id: 'keys.uuid-field',
    sentence: 'a tool that demands a UUID key gets one derived from any key, always the same',
    rules: '§3',
    needs: ['key'],
    mutant: brokenRequest('a surface that writes the key into the input itself', (request) => ({
      ...request,
      input: { ...(request.input as object), idempotencyKey: request.idempotencyKey },
    })),
    async run(world) {
      const first = await world.call({
        tool: 'keys.uuid',
        input: { item: 'lamp' },
        idempotencyKey: 'order 7',
      })
      await world.call({ tool: 'keys.uuid', input: { item: 'lamp' }, idempotencyKey: 'order 8' })
      const again = await world.call({
        tool: 'keys.uuid',
        input: { item: 'lamp' },
        idempotencyKey: 'order 7',
      })
      expect([codeOrStatus(first), again.metadata.source]).toEqual(['success', 'replayed'])
      const fields = world.emulator.effects.map((effect) => String(effect.args.field))
      expect(
        fields.every((field) =>
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(field),
        ),
      ).toBe(true)
      expect(new Set(fields).size).toBe(2)
    },
  },
  {
    id: 'keys.not-part-of-the-input',
    sentence: 'the key is not part of the input hash',
    rules: '§1',
    needs: ['key'],
    mutant: brokenTool(
      'keys.field',
      'a schema that hashes its key field with the rest',
      (tool) => ({
        input: {
          ...tool.input,
          write: (value) => new CanonicalText(canonicalJson(value)),
        },
      }),
    ),
    async run(world) {
      await world.call({ tool: 'keys.field', input: { item: 'lamp' }, idempotencyKey: 'one' })
      await world.call({ tool: 'keys.field', input: { item: 'lamp', idempotencyKey: 'two' } })
      const hashes = (await world.audit())
        .filter((record) => record.phase === 'outcome')
        .map((record) => record.input_hash)
      expect(hashes).toHaveLength(2)
      expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/)
      expect(hashes[1]).toBe(hashes[0])
    },
  },
  {
    id: 'keys.models-make-none',
    sentence:
      'a key that a model writes into its input is ignored: two calls with it are two calls',
    rules: '§3',
    needs: ['model'],
    mutant: brokenRequest('a surface that trusts a key written by a model', (request) =>
      without(request, 'writtenBy'),
    ),
    async run(world) {
      const order = {
        tool: 'keys.field',
        input: { item: 'lamp', idempotencyKey: 'made up' },
        writtenBy: 'model',
      } as const
      const first = await world.call(order)
      const second = await world.call(order)
      expect([codeOrStatus(first), codeOrStatus(second), second.metadata.source]).toEqual([
        'success',
        'success',
        'executed',
      ])
      expect(listEffects(world)).toHaveLength(2)
    },
  },
  {
    id: 'keys.hidden-from-models',
    sentence: "the schema a model sees has neither the key field nor the caller's own fields",
    rules: '§3',
    needs: [],
    mutant: brokenSurface('a surface that publishes the whole schema', () => ({
      modelSchema: () => ({
        properties: { item: {}, owner: {}, sessionId: {}, company: {}, idempotencyKey: {} },
        required: [],
      }),
    })),
    async run(world) {
      const schema = world.surface.modelSchema('me.make') as {
        readonly properties: object
        readonly required: readonly string[]
      }
      expect(Object.keys(schema.properties)).toEqual(['item'])
      expect(schema.required).toEqual(['item'])
      expect(scopedKey(JSON.stringify(schema))).not.toContain('idempotencyKey')
    },
  },
]
