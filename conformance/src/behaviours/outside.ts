import { lookUp, sameKey, ToolError } from '@surehand/core'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import { brokenContract, brokenPort, brokenProvider, brokenStore } from '../mutants/broken.ts'
import { forgetsWhenItBegan, keyOfEachRequest } from '../mutants/known.ts'

function order(tool: string, idempotencyKey = 'k1') {
  return { tool, input: { item: 'lamp' }, idempotencyKey }
}

/** What a provider's answer means for the key. */
export const outside: readonly Behaviour[] = [
  {
    id: 'outside.no-byte-left',
    sentence: 'a failure before any byte was sent releases the key',
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider(
      'fax.make',
      'an adapter that reports a refused connection as an unspecific failure',
      (right) => (args, signal) =>
        right(args, signal).catch(() => {
          throw new ToolError('TOOL_NETWORK_ERROR', 'It did not work.')
        }),
    ),
    async run(world) {
      world.emulator.next('fax.make', { kind: 'connect-refused' })
      expect(codeOrStatus(await world.call(order('fax.send')))).toBe('TOOL_NETWORK_ERROR')
      const again = await world.call(order('fax.send'))
      expect([codeOrStatus(again), again.metadata.source]).toEqual(['success', 'executed'])
      expect(listEffects(world)).toEqual(['fax lamp'])
    },
  },
  {
    id: 'outside.refusal-is-kept',
    sentence:
      "a provider's 400, 404, 410 or 422 is stored as the key's answer and not requested again",
    rules: '§3',
    needs: ['key'],
    mutant: brokenContract('fax.send', 'a contract that releases the key on refusals', () => ({
      onRefusal: 'release',
    })),
    async run(world) {
      for (const status of [400, 404, 410, 422]) {
        world.emulator.next('fax.make', { kind: 'status', status })
        const first = await world.call(order('fax.send', `k${status}`))
        const again = await world.call(order('fax.send', `k${status}`))
        expect(again.error, String(status)).toEqual(first.error)
        expect(again.metadata).toMatchObject({
          source: 'replayed',
          original_call_id: first.metadata.call_id,
        })
      }
      expect([countRequests(world, 'fax.make'), listEffects(world)]).toEqual([4, []])
    },
  },
  {
    id: 'outside.not-our-fault',
    sentence:
      "a provider's 401, 403 or 429 releases the key, because nothing happened and the call is not at fault",
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider(
      'fax.make',
      'an adapter that reports every 4xx as a refusal',
      (right) => (args, signal) =>
        right(args, signal).catch((thrown: ToolError) => {
          throw new ToolError(thrown.code, thrown.message, { effect: 'refused' })
        }),
    ),
    async run(world) {
      for (const status of [401, 403, 429]) {
        world.emulator.next('fax.make', { kind: 'status', status })
        const first = await world.call(order('fax.send', `k${status}`))
        const again = await world.call(order('fax.send', `k${status}`))
        expect([first.data, codeOrStatus(again), again.metadata.source], String(status)).toEqual([
          null,
          'success',
          'executed',
        ])
      }
      expect(listEffects(world)).toHaveLength(3)
    },
  },
  {
    id: 'outside.release-on-refusal',
    sentence: 'where the contract says so, a refusal releases the key for another attempt',
    rules: '§3',
    needs: ['key'],
    mutant: brokenContract('orders.message', 'a contract that stores refusals', () => ({
      onRefusal: 'keep',
    })),
    async run(world) {
      world.emulator.next('orders.make', { kind: 'status', status: 422 })
      expect(codeOrStatus(await world.call(order('orders.message')))).toBe(
        'TOOL_INVALID_FIELD_VALUE',
      )
      expect(codeOrStatus(await world.call(order('orders.message')))).toBe('success')
    },
  },
  {
    id: 'outside.unclear-status',
    sentence:
      'a 408, 409, 425 or 5xx leaves the effect open: without a way to find out, the outcome is unknown',
    rules: '§3',
    needs: ['key'],
    mutant: brokenPort(
      'fax',
      'a port that wrongly promises deduplication by key',
      sameKey({ validFor: '1h' }),
    ),
    async run(world) {
      for (const status of [408, 409, 425, 500]) {
        world.emulator.next('fax.make', { kind: 'status', status })
        expect(
          codeOrStatus(await world.call(order('fax.send', `k${status}`))),
          String(status),
        ).toBe('TOOL_OUTCOME_UNKNOWN')
      }
    },
  },
  {
    id: 'outside.same-key-again',
    sentence: 'a provider that deduplicates by key is sent the same key again, and acts once',
    rules: '§3',
    needs: ['key'],
    mutant: keyOfEachRequest,
    async run(world) {
      world.emulator.next('orders.make', { kind: 'lost-answer' })
      const answer = await world.call(order('orders.place'))
      expect(codeOrStatus(answer)).toBe('success')
      expect(new Set(world.emulator.arrivals.map((arrival) => arrival.args.key)).size).toBe(1)
      expect([countRequests(world, 'orders.make'), listEffects(world)]).toEqual([
        2,
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'outside.same-key-over-calls',
    sentence: 'an unsettled call is continued by the next one with the same provider key',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore(
      'calls',
      'a ledger that makes a new provider key for each claim',
      (calls) => {
        let claims = 0
        return {
          async claim(request) {
            const claim = await calls.claim(request)
            return 'row' in claim
              ? { ...claim, row: { ...claim.row, providerKey: `claim ${++claims}` } }
              : claim
          },
        }
      },
    ),
    async run(world) {
      world.emulator.next('orders.make', { kind: 'lost-answer' })
      expect(codeOrStatus(await world.call(order('orders.draft')))).toBe('TOOL_NETWORK_ERROR')
      expect(codeOrStatus(await world.call(order('orders.draft')))).toBe('success')
      expect(new Set(world.emulator.arrivals.map((arrival) => arrival.args.key)).size).toBe(1)
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'outside.same-key-expired',
    sentence: "a provider is not sent the key again after the key's validity has expired",
    rules: '§3',
    needs: ['key'],
    mutant: forgetsWhenItBegan,
    async run(world) {
      world.emulator.next('orders.make', { kind: 'lost-answer' })
      await world.call(order('orders.draft'))
      await world.clock.advance(61 * 60_000)
      expect(codeOrStatus(await world.call(order('orders.draft')))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect(countRequests(world, 'orders.make')).toBe(1)
    },
  },
  {
    id: 'outside.look-up-found',
    sentence: 'an effect that the look-up finds is recorded as done, once',
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider(
      'mail.find',
      'a look-up that never finds anything',
      () => async () => null,
    ),
    async run(world) {
      world.emulator.next('mail.make', { kind: 'lost-answer' })
      const answer = await world.call(order('mail.send'))
      const again = await world.call(order('mail.send'))
      expect([codeOrStatus(answer), again.metadata.source, again.data]).toEqual([
        'success',
        'replayed',
        answer.data,
      ])
      expect([countRequests(world, 'mail.make'), listEffects(world)]).toEqual([1, ['mail lamp']])
    },
  },
  {
    id: 'outside.look-up-absent',
    sentence: 'while the request may still arrive, an absent effect leaves the outcome unknown',
    rules: '§3',
    needs: ['key'],
    mutant: brokenPort(
      'mail',
      'a port that calls a request settled at once',
      lookUp({ method: 'find', settle: '1ms' }),
    ),
    async run(world) {
      world.emulator.next('mail.make', { kind: 'lost-request' })
      expect(codeOrStatus(await world.call(order('mail.send')))).toBe('TOOL_OUTCOME_UNKNOWN')
      await world.clock.advance(3_600_000)
      expect(codeOrStatus(await world.call(order('mail.send')))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect([countRequests(world, 'mail.make'), listEffects(world)]).toEqual([1, []])
    },
  },
  {
    id: 'outside.absent-after-settle',
    sentence: 'an effect that is absent after the settling time may be made',
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider(
      'parcels.find',
      'a look-up that reports an effect that did not happen',
      () => async () => ({
        receipt: 'made up',
        item: 'lamp',
        extra: null,
      }),
    ),
    async run(world) {
      world.emulator.next('parcels.make', { kind: 'lost-request' })
      const startedAt = world.clock.now()
      expect(codeOrStatus(await world.call(order('parcels.ship')))).toBe('success')
      expect(world.clock.now() - startedAt).toBeGreaterThanOrEqual(2_000)
      expect(listEffects(world)).toEqual(['parcels lamp'])
    },
  },
  {
    id: 'outside.cannot-be-known',
    sentence:
      'without any way to find out, the outcome is unknown, a repeat says so too, and nothing runs twice',
    rules: '§3',
    needs: ['key'],
    mutant: brokenProvider(
      'fax.make',
      'an adapter that reports a lost answer as a refused connection',
      (right) => (args, signal) =>
        right(args, signal).catch(() => {
          throw new ToolError('TOOL_NETWORK_ERROR', 'It did not work.', { effect: 'none' })
        }),
    ),
    async run(world) {
      world.emulator.next('fax.make', { kind: 'lost-answer' })
      const first = await world.call(order('fax.send'))
      const again = await world.call(order('fax.send'))
      expect([codeOrStatus(first), first.status, codeOrStatus(again)]).toEqual([
        'TOOL_OUTCOME_UNKNOWN',
        'error',
        'TOOL_OUTCOME_UNKNOWN',
      ])
      expect([countRequests(world, 'fax.make'), listEffects(world)]).toEqual([1, ['fax lamp']])
    },
  },
  {
    id: 'outside.undeclared-effect',
    sentence:
      'a write whose ports declare no effect counts as one effect without a way to find out',
    rules: '§3',
    needs: ['key'],
    mutant: brokenPort(
      'legacy',
      'a port that wrongly promises deduplication by key',
      sameKey({ validFor: '1h' }),
    ),
    async run(world) {
      world.emulator.next('legacy.make', { kind: 'lost-answer' })
      expect(codeOrStatus(await world.call(order('legacy.poke')))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect(codeOrStatus(await world.call(order('legacy.poke')))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect(countRequests(world, 'legacy.make')).toBe(1)
    },
  },
  {
    id: 'outside.swallowed-failure',
    sentence: "a tool that swallows its provider's failure does not turn it into a success",
    rules: '§3',
    needs: ['key'],
    mutant: brokenPort('fax', 'a port that declares its effect as a read', 'read'),
    async run(world) {
      world.emulator.next('fax.make', { kind: 'lost-request' })
      expect(codeOrStatus(await world.call(order('fax.careless')))).toBe('TOOL_OUTCOME_UNKNOWN')
    },
  },
]
