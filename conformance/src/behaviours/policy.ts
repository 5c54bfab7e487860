import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, listEffects } from '../judge.ts'
import { brokenContract } from '../mutants/broken.ts'
import { noPolicy } from '../mutants/known.ts'
import { ann, annOfGlobex, bob } from '../world/people.ts'
import { decideApproval } from './decide-approval.ts'

const look = (tool: string) => ({ tool, input: { item: 'lamp' } })

/** What a tenant may tighten. */
export const policy: readonly Behaviour[] = [
  {
    id: 'policy.disabled',
    sentence: 'a tenant disables a tool for itself only',
    rules: '§2',
    needs: [],
    mutant: noPolicy,
    async run(world) {
      world.policies.set('acme', { version: 1, disabledTools: ['orders.*'] })
      const answers = [
        await world.call(look('orders.draft')),
        await world.call({ ...look('orders.draft'), caller: annOfGlobex }),
      ]
      expect([answers.map(codeOrStatus), listEffects(world).length]).toEqual([
        ['TOOL_TEMPORARILY_DISABLED', 'success'],
        1,
      ])
      world.policies.set('acme', { version: 2, enabledTools: ['shelf.*'] })
      expect([
        codeOrStatus(await world.call(look('mail.send'))),
        codeOrStatus(await world.call(look('shelf.look'))),
      ]).toEqual(['TOOL_TEMPORARILY_DISABLED', 'success'])
    },
  },
  {
    id: 'policy.limit',
    sentence: "a tenant's limit applies beside the tool's own, to all its people together",
    rules: '§2',
    needs: [],
    mutant: noPolicy,
    async run(world) {
      world.policies.set('acme', {
        version: 1,
        limits: [{ tools: 'shelf.*', calls: 2, windowMs: 60_000 }],
      })
      const words = []
      for (const caller of [ann, bob, ann])
        words.push(codeOrStatus(await world.call({ ...look('shelf.look'), caller })))
      expect(words).toEqual(['success', 'success', 'TOOL_RATE_LIMIT_EXCEEDED'])
    },
  },
  {
    id: 'policy.limit-said-twice',
    sentence: "a tenant's limit that says the same as the tool's own does not halve it",
    rules: '§2',
    needs: [],
    mutant: {
      breaks: 'a policy that is half as generous',
      policy: () => ({ version: 1, limits: [{ tools: '*', calls: 1, windowMs: 60_000 }] }),
    },
    async run(world) {
      world.policies.set('acme', {
        version: 1,
        limits: [{ tools: 'shelf.twoLimits', calls: 2, windowMs: 60_000 }],
      })
      const words = []
      for (let call = 0; call < 3; call++)
        words.push(codeOrStatus(await world.call(look('shelf.twoLimits'))))
      expect(words).toEqual(['success', 'success', 'TOOL_RATE_LIMIT_EXCEEDED'])
    },
  },
  {
    id: 'policy.approval',
    sentence:
      'a tenant can require approval where the tool requires none, for writes and for reads',
    rules: '§2',
    needs: [],
    mutant: noPolicy,
    async run(world) {
      world.policies.set('acme', {
        version: 1,
        approvals: [
          { tools: 'orders.*', kind: 'confirm' },
          { tools: 'shelf.look', kind: 'confirm' },
        ],
      })
      const [write, read] = [
        await world.call(look('orders.draft')),
        await world.call(look('shelf.look')),
      ]
      expect([codeOrStatus(write), codeOrStatus(read), listEffects(world)]).toEqual([
        'TOOL_APPROVAL_REQUIRED',
        'TOOL_APPROVAL_REQUIRED',
        [],
      ])
      await decideApproval(world, write, 'approve')
      await decideApproval(world, read, 'approve')
      const answers = [
        await world.surface.answer(ann, write.metadata.call_id),
        await world.surface.answer(ann, read.metadata.call_id),
      ]
      expect([answers.map(codeOrStatus), listEffects(world)]).toEqual([
        ['success', 'success'],
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'policy.timeout',
    sentence: 'a tenant shortens the time a tool may take',
    rules: '§2',
    needs: [],
    mutant: noPolicy,
    async run(world) {
      world.policies.set('acme', { version: 1, timeouts: [{ tools: '*', maxMs: 100 }] })
      world.emulator.next('shelf.look', { kind: 'slow', ms: 500 })
      const startedAt = world.clock.now()
      expect(codeOrStatus(await world.call(look('shelf.look')))).toBe('TOOL_EXECUTION_TIMEOUT')
      expect(world.clock.now() - startedAt).toBe(100)
    },
  },
  {
    id: 'policy.only-tightens',
    sentence: 'a policy never loosens what a tool declares',
    rules: '§2',
    needs: [],
    mutant: brokenContract('shelf.limited', 'a contract that was loosened', () => ({
      limits: [],
      timeoutMs: 3_600_000,
    })),
    async run(world) {
      world.policies.set('acme', {
        version: 1,
        enabledTools: ['*'],
        limits: [{ tools: '*', calls: 1_000, windowMs: 1_000 }],
        timeouts: [{ tools: '*', maxMs: 3_600_000 }],
      })
      world.emulator.next('shelf.look', { kind: 'slow', ms: 5_000 })
      expect(codeOrStatus(await world.call(look('shelf.limited')))).toBe('TOOL_EXECUTION_TIMEOUT')
      for (let call = 0; call < 2; call++) await world.call(look('shelf.limited'))
      expect(codeOrStatus(await world.call(look('shelf.limited')))).toBe('TOOL_RATE_LIMIT_EXCEEDED')
      expect(codeOrStatus(await world.call(look('approve.confirm')))).toBe('TOOL_APPROVAL_REQUIRED')
    },
  },
]
