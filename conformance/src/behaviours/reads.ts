import { fromProviderStatus } from '@surehand/core/host'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import {
  brokenContract,
  brokenProvider,
  brokenStore,
  brokenSurface,
  brokenTool,
} from '../mutants/broken.ts'
import { forgetfulCache, oneCacheForAll } from '../mutants/known.ts'
import { agentOf, ann, annOfGlobex, bob, person } from '../world/people.ts'
import type { World } from '../world/world.ts'

const look = (tool: string) => ({ tool, input: { item: 'lamp' } })

async function sources(
  world: World,
  tool: string,
  ...callers: readonly (typeof ann)[]
): Promise<readonly (string | undefined)[]> {
  const seen: (string | undefined)[] = []
  for (const caller of callers)
    seen.push((await world.call({ ...look(tool), caller })).metadata.source)
  return seen
}

/** What is cached, for which caller, and which fallback answers when the provider fails. */
export const reads: readonly Behaviour[] = [
  {
    id: 'cache.answers-again',
    sentence: 'a cached read answers again without a provider call until it expires',
    rules: '§7',
    needs: [],
    mutant: forgetfulCache,
    async run(world) {
      const first = await world.call(look('shelf.cached'))
      const again = await world.call(look('shelf.cached'))
      expect([again.metadata.source, again.data, countRequests(world, 'shelf.look')]).toEqual([
        'cached',
        first.data,
        1,
      ])
    },
  },
  {
    id: 'cache.ends',
    sentence: 'an expired answer is not returned from the cache',
    rules: '§7',
    needs: [],
    mutant: brokenStore('cache', 'a cache that never expires', (cache) => ({
      set: (key, value, ttlMs) => cache.set(key, value, ttlMs * 1_000),
    })),
    async run(world) {
      await world.call(look('shelf.cached'))
      await world.clock.advance(60_000)
      expect((await world.call(look('shelf.cached'))).metadata.source).toBe('executed')
    },
  },
  {
    id: 'cache.principals',
    sentence: "one person's cached answer is not another's",
    rules: '§7',
    needs: [],
    mutant: oneCacheForAll,
    async run(world) {
      expect(await sources(world, 'shelf.cached', ann, bob, ann)).toEqual([
        'executed',
        'executed',
        'cached',
      ])
    },
  },
  {
    id: 'cache.rights',
    sentence:
      'callers with different roles, capabilities, scopes or delegation have different cache entries',
    rules: '§7',
    needs: [],
    mutant: oneCacheForAll,
    async run(world) {
      const callers = [
        ann,
        person('ann', { roles: ['admin'] }),
        person('ann', { roles: ['a,b'] }),
        person('ann', { roles: ['a', 'b'] }),
        person('ann', { capabilities: ['lamps.read'] }),
        person('ann', { capabilities: [{ name: 'lamps.read', scope: 'own' }] }),
        person('ann', { capabilities: ['lamps.read@own'] }),
        agentOf(ann),
        agentOf(ann, { delegated: ['*'] }),
        agentOf(ann, { delegated: [] }),
      ]
      expect(await sources(world, 'shelf.cached', ...callers)).toEqual(
        Array(callers.length).fill('executed'),
      )
    },
  },
  {
    id: 'cache.tenants',
    sentence: 'a cached answer never crosses tenants, not even a shared one',
    rules: '§7',
    needs: [],
    mutant: oneCacheForAll,
    async run(world) {
      expect(await sources(world, 'shelf.cached', ann, annOfGlobex)).toEqual([
        'executed',
        'executed',
      ])
      expect(await sources(world, 'shelf.shared', ann, bob, annOfGlobex)).toEqual([
        'executed',
        'cached',
        'executed',
      ])
    },
  },
  {
    id: 'cache.policy',
    sentence: 'a new policy version invalidates cached answers',
    rules: '§7',
    needs: [],
    mutant: oneCacheForAll,
    async run(world) {
      world.policies.set('acme', { version: 1 })
      await world.call(look('shelf.cached'))
      world.policies.set('acme', { version: 2 })
      expect((await world.call(look('shelf.cached'))).metadata.source).toBe('executed')
    },
  },
  {
    id: 'cache.definition',
    sentence: 'a changed tool definition invalidates cached answers',
    rules: '§7',
    needs: [],
    mutant: oneCacheForAll,
    async run(world) {
      await world.call(look('shelf.cached'))
      const redeployed = await world.process({
        tools: (tools) =>
          tools.map((tool) => (tool.id === 'shelf.cached' ? { ...tool, version: '2.0.0' } : tool)),
      })
      expect((await redeployed.call(look('shelf.cached'))).metadata.source).toBe('executed')
    },
  },
  {
    id: 'cache.never-navigation',
    sentence: 'navigation is neither cached nor shared',
    rules: '§7',
    needs: [],
    mutant: brokenContract('shelf.goto', 'a contract that caches navigation', () => ({
      cache: { ttlMs: () => 60_000, shared: false, fresh: () => false },
    })),
    async run(world) {
      expect(await sources(world, 'shelf.goto', ann, ann)).toEqual(['executed', 'executed'])
      expect(countRequests(world, 'shelf.look')).toBe(2)
    },
  },
  {
    id: 'cache.out-of-reach',
    sentence: 'an unavailable cache costs time, never the answer',
    rules: '§7',
    needs: [],
    mutant: brokenTool('shelf.cached', 'a tool that needs its cache', (tool) => ({
      check: () => {
        throw new TypeError(`${tool.id} has no cache`)
      },
    })),
    async run(world) {
      world.faults.break('cache.get')
      expect(codeOrStatus(await world.call(look('shelf.cached')))).toBe('success')
      world.faults.clear()
      world.faults.break('cache.set')
      expect(
        codeOrStatus(await world.call({ ...look('shelf.cached'), input: { item: 'chair' } })),
      ).toBe('success')
    },
  },
  {
    id: 'fallback.is-degraded',
    sentence: 'a fallback is a success marked as degraded that names what failed',
    rules: '§7',
    needs: [],
    mutant: brokenSurface('a surface that drops warnings', (surface) => ({
      async call(request) {
        const { metadata, ...envelope } = await surface.call(request)
        const { degraded, warnings, ...rest } = metadata
        return { ...envelope, metadata: rest }
      },
    })),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'status', status: 503 })
      const answer = await world.call(look('shelf.fallback'))
      expect([codeOrStatus(answer), answer.data]).toEqual(['success', { item: 'lamp', serial: -1 }])
      expect(answer.metadata).toMatchObject({
        source: 'fallback',
        degraded: true,
        warnings: [expect.stringContaining('shelf says 503')],
      })
    },
  },
  {
    id: 'fallback.never-kept',
    sentence: 'a fallback is never cached: the next call asks the provider',
    rules: '§7',
    needs: [],
    mutant: brokenTool('shelf.fallback', 'a tool that falls back by itself', (tool) => {
      const { work } = tool
      if (work.kind !== 'execute') return {}
      return {
        work: {
          kind: 'execute',
          execute: (execution) =>
            work.execute(execution).catch(() => ({ item: 'lamp', serial: -1 })),
        },
      }
    }),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'status', status: 503 })
      await world.call(look('shelf.fallback'))
      const next = await world.call(look('shelf.fallback'))
      expect([next.metadata.source, next.metadata.degraded, next.data]).toEqual([
        'executed',
        undefined,
        { item: 'lamp', serial: 2 },
      ])
    },
  },
  {
    id: 'fallback.not-for-refusals',
    sentence: 'a fallback replaces failures, never refusals',
    rules: '§7',
    needs: [],
    mutant: brokenProvider(
      'shelf.look',
      'an adapter that calls a refusal an outage',
      (right) => (args, signal) =>
        right(args, signal).catch(() => {
          throw fromProviderStatus(503, 'Down.')
        }),
    ),
    async run(world) {
      for (const status of [400, 403, 404, 410, 422]) {
        world.emulator.next('shelf.look', { kind: 'status', status })
        const answer = await world.call(look('shelf.fallback'))
        expect([answer.status, answer.data], String(status)).toEqual(['failed', null])
      }
    },
  },
  {
    id: 'fallback.in-time',
    sentence: 'a fallback that hangs does not extend the deadline',
    rules: '§6',
    needs: [],
    mutant: brokenContract('shelf.stuckFallback', 'a contract without a timeout', () => ({
      timeoutMs: 3_600_000,
    })),
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'deaf', ms: 3_600_000 })
      const answer = await world.call({ tool: 'shelf.stuckFallback', input: { item: 'stuck' } })
      expect([answer.status, answer.data]).toEqual(['error', null])
    },
  },
  {
    id: 'output.lenient',
    sentence: 'a lenient tool returns an invalid output with a warning; a strict one does not',
    rules: '§12',
    needs: [],
    mutant: brokenContract('shelf.lenient', 'a contract that checks nothing', () => ({
      outputValidation: 'disabled',
    })),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'malformed' }, { kind: 'malformed' })
      const lenient = await world.call(look('shelf.lenient'))
      const strict = await world.call(look('shelf.look'))
      expect([codeOrStatus(lenient), lenient.data, lenient.metadata.warnings?.length]).toEqual([
        'success',
        { odd: true },
        1,
      ])
      expect([codeOrStatus(strict), strict.data, listEffects(world)]).toEqual([
        'TOOL_INVALID_OUTPUT',
        null,
        [],
      ])
    },
  },
]
