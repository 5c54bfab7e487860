import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, listEffects } from '../judge.ts'
import type { Mutant } from '../mutant.ts'
import { brokenProvider, brokenStore } from '../mutants/broken.ts'
import { keyOfEachRequest } from '../mutants/known.ts'
import { anEntry } from '../stores/samples.ts'
import { dieDuring, pausedBefore } from '../world/crash.ts'
import { ann } from '../world/people.ts'

const ENTRY = anEntry({ tenant: 'acme', callId: '' })
const LEASE_MS = 30_000
const SWEEP_MS = 5_000

function order(tool: string) {
  return { tool, input: { item: 'lamp' }, idempotencyKey: 'k1' }
}

const leasesNeverLapse: Mutant = brokenStore(
  'calls',
  'a ledger whose leases never expire',
  (calls) => ({
    async find(scope) {
      const row = await calls.find(scope)
      return row === undefined ? undefined : { ...row, leaseUntil: Number.POSITIVE_INFINITY }
    },
    async claim(request) {
      const claim = await calls.claim(request)
      return claim.kind === 'held'
        ? { ...claim, row: { ...claim.row, leaseUntil: Number.POSITIVE_INFINITY } }
        : claim
    },
  }),
)

const forgetsTheEffect: Mutant = brokenStore(
  'calls',
  'a ledger that forgets that an effect had begun',
  (calls) => ({
    async claim(request) {
      const claim = await calls.claim(request)
      return claim.kind === 'recover'
        ? { kind: 'claimed', row: { ...claim.row, effect: undefined } }
        : claim
    },
  }),
)

/** What becomes of a call whose process died. */
export const recovery: readonly Behaviour[] = [
  {
    id: 'recovery.claimed',
    sentence:
      'a call whose process died before its effect is safe to run after the lease, and not before',
    rules: '§3',
    needs: ['key'],
    mutant: leasesNeverLapse,
    async run(world) {
      await dieDuring(world, 'claimed', order('fax.send'))
      expect(codeOrStatus(await world.call(order('fax.send')))).toBe('TOOL_ALREADY_RUNNING')
      await world.clock.advance(LEASE_MS + 1)
      expect(codeOrStatus(await world.call(order('fax.send')))).toBe('success')
      expect(listEffects(world)).toEqual(['fax lamp'])
    },
  },
  {
    id: 'recovery.swept',
    sentence: 'an expired lease is recovered within lease plus five seconds without another call',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that lists nothing to sweep', () => ({
      abandoned: () => [],
    })),
    async run(world) {
      await dieDuring(world, 'effect-made', order('orders.draft'))
      world.runtime.start()
      await world.clock.advance(LEASE_MS + SWEEP_MS)
      expect([countRequests(world, 'orders.make'), listEffects(world)]).toEqual([
        2,
        ['orders lamp'],
      ])
      const again = await world.call(order('orders.draft'))
      expect([codeOrStatus(again), again.metadata.source]).toEqual(['success', 'replayed'])
    },
  },
  {
    id: 'recovery.swept-together',
    sentence: 'one slow recovery does not delay the others',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that lists one at a time', (calls) => ({
      abandoned: () => calls.abandoned(1),
    })),
    async run(world) {
      for (const idempotencyKey of ['k1', 'k2', 'k3'])
        await dieDuring(world, 'effect-made', { ...order('orders.draft'), idempotencyKey })
      world.emulator.always('orders.make', { kind: 'slow', ms: 8_000 })
      world.runtime.start()
      await world.clock.advance(LEASE_MS + SWEEP_MS)
      expect([countRequests(world, 'orders.make'), listEffects(world).length]).toEqual([6, 3])
    },
  },
  {
    id: 'recovery.same-key',
    sentence:
      'an effect in progress when its process died is sent again where the provider deduplicates by key',
    rules: '§3',
    needs: ['key'],
    mutant: keyOfEachRequest,
    async run(world) {
      await dieDuring(world, 'effect-made', order('orders.draft'))
      await world.clock.advance(LEASE_MS + 1)
      expect(codeOrStatus(await world.call(order('orders.draft')))).toBe('success')
      expect([countRequests(world, 'orders.make'), listEffects(world)]).toEqual([
        2,
        ['orders lamp'],
      ])
    },
  },
  {
    id: 'recovery.look-up-found',
    sentence: 'an effect in progress when its process died is looked up, and recorded if found',
    rules: '§3',
    needs: ['key'],
    mutant: forgetsTheEffect,
    async run(world) {
      await dieDuring(world, 'effect-made', order('mail.send'))
      await world.clock.advance(LEASE_MS + 1)
      const answer = await world.call(order('mail.send'))
      expect([codeOrStatus(answer), (answer.data as { readonly receipt: string }).receipt]).toEqual(
        ['success', 'mail-1'],
      )
      expect(countRequests(world, 'mail.make')).toBe(1)
    },
  },
  {
    id: 'recovery.look-up-absent',
    sentence: 'an effect announced by a process that died, and not found, stays unknown',
    rules: '§3',
    needs: ['key'],
    mutant: forgetsTheEffect,
    async run(world) {
      await dieDuring(world, 'effect-announced', order('mail.send'))
      await world.clock.advance(LEASE_MS + 1)
      expect(codeOrStatus(await world.call(order('mail.send')))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect(countRequests(world, 'mail.make')).toBe(0)
    },
  },
  {
    id: 'recovery.look-up-settled',
    sentence:
      'an effect announced by a process that died, and absent after its settling time, is made',
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
      await dieDuring(world, 'effect-announced', order('parcels.ship'))
      await world.clock.advance(LEASE_MS + 1)
      expect(codeOrStatus(await world.call(order('parcels.ship')))).toBe('success')
      expect(listEffects(world)).toEqual(['parcels lamp'])
    },
  },
  {
    id: 'recovery.cannot-be-known',
    sentence: 'an effect announced by a process that died is never run blindly a second time',
    rules: '§3',
    needs: ['key'],
    mutant: forgetsTheEffect,
    async run(world) {
      await dieDuring(world, 'effect-made', order('fax.send'))
      await world.clock.advance(LEASE_MS + 1)
      expect(codeOrStatus(await world.call(order('fax.send')))).toBe('TOOL_OUTCOME_UNKNOWN')
      expect([countRequests(world, 'fax.make'), listEffects(world)]).toEqual([1, ['fax lamp']])
    },
  },
  {
    id: 'recovery.lost-claim-sends-nothing',
    sentence: 'a process that lost its claim while suspended sends nothing when it resumes',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that lets every process begin the effect', (calls) => ({
      async startEffect(fence, effect, intent) {
        await calls.startEffect(fence, effect, intent)
        return true
      },
    })),
    async run(world) {
      const sleeper = await pausedBefore(world, 'startEffect')
      const first = await sleeper.begin(order('fax.send'))
      const row = await world.stores.calls.find({
        tenant: ann.tenant,
        principal: ann.principal,
        toolId: 'fax.send',
        key: 'k1',
      })
      // as if its lease had run out at once: after a long sleep it would not send for other reasons
      // too
      await world.stores.calls.abandon({
        tenant: ann.tenant,
        callId: row?.callId ?? '',
        fence: row?.fence ?? 0,
      })
      const second = await world.call(order('fax.send'))
      sleeper.goOn()
      expect([codeOrStatus(second), codeOrStatus(await first.answer())]).toEqual([
        'success',
        'success',
      ])
      expect(countRequests(world, 'fax.make')).toBe(1)
    },
  },
  {
    id: 'recovery.lost-claim-writes-nothing',
    sentence:
      'a process whose lease expired while suspended writes nothing when it resumes, and answers from the row',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore(
      'calls',
      'a ledger that ignores the fence of the finishing process',
      (calls) => ({
        async finish(fence, ending, audit) {
          const row = await calls.get(fence.tenant, fence.callId)
          return calls.finish({ ...fence, fence: row?.fence ?? 0 }, ending, audit)
        },
      }),
    ),
    async run(world) {
      const sleeper = await pausedBefore(world, 'finish')
      const first = await sleeper.begin(order('orders.draft'))
      await world.clock.advance(LEASE_MS + 1)
      world.emulator.next('orders.make', { kind: 'slow', ms: 5_000 })
      const second = await world.begin(order('orders.draft'))
      sleeper.goOn()
      expect(codeOrStatus(await first.answer())).toBe('TOOL_ALREADY_RUNNING')
      expect(codeOrStatus(await second.answer())).toBe('success')
      expect(listEffects(world)).toEqual(['orders lamp'])
    },
  },
  {
    id: 'recovery.lease-is-renewed',
    sentence:
      'a call that takes longer than its lease renews it, and no other process takes it over',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that renews no lease', () => ({ renew: () => true })),
    async run(world) {
      const patient = await world.process({
        tools: (tools) =>
          tools.map((tool) =>
            tool.id === 'orders.draft'
              ? { ...tool, contract: { ...tool.contract, timeoutMs: 120_000 } }
              : tool,
          ),
      })
      world.emulator.next('orders.make', { kind: 'slow', ms: 100_000 })
      const first = await patient.begin(order('orders.draft'))
      await world.clock.advance(90_000)
      expect(codeOrStatus(await world.call(order('orders.draft')))).toBe('TOOL_ALREADY_RUNNING')
      expect(codeOrStatus(await first.answer())).toBe('success')
      expect(countRequests(world, 'orders.make')).toBe(1)
    },
  },
  {
    id: 'recovery.late-result-is-evidence',
    sentence:
      'the late result of a fenced-off attempt is stored as evidence and overwrites nothing',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that lets a late result settle the call', (calls) => ({
      async addEvidence(fence, evidence) {
        await calls.addEvidence(fence, evidence)
        const row = await calls.get(fence.tenant, fence.callId)
        const [entry] = evidence.what === 'late_result' ? [row] : []
        if (entry === undefined) return
        const answer = { kind: 'output', json: evidence.text, warnings: [] } as const
        await calls.resolve(
          fence.tenant,
          fence.callId,
          { state: 'succeeded', answer, isSecret: false },
          { tenant: fence.tenant } as never,
        )
      },
    })),
    async run(world) {
      world.emulator.next('fax.make', { kind: 'deaf', ms: 60_000 })
      const first = await world.call(order('fax.send'))
      await world.clock.advance(120_000)
      expect(listEffects(world)).toEqual(['fax lamp'])
      expect([codeOrStatus(first), codeOrStatus(await world.call(order('fax.send')))]).toEqual([
        'TOOL_OUTCOME_UNKNOWN',
        'TOOL_OUTCOME_UNKNOWN',
      ])
      const evidence = await world.stores.calls.evidence(ann.tenant, first.metadata.call_id)
      expect(evidence.map(({ what, text }) => [what, text.includes('fax-1')])).toEqual([
        ['late_result', true],
      ])
    },
  },
  {
    id: 'recovery.switched-off',
    sentence:
      'a call that had begun when its tool was disabled is finished once the tool is enabled again',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that discards calls it cannot continue', (calls) => ({
      async postpone(tenant, callId, delayMs) {
        const row = await calls.get(tenant, callId)
        if (row === undefined) return
        const claim = await calls.claim({ call: row, leaseMs: 1_000, resumes: true })
        if (claim.kind !== 'recover') return calls.postpone(tenant, callId, delayMs)
        const entry = { ...ENTRY, tenant, call_id: callId }
        await calls.finish({ tenant, callId, fence: claim.row.fence }, { state: 'unknown' }, entry)
      },
    })),
    async run(world) {
      await dieDuring(world, 'effect-made', order('orders.draft'))
      world.policies.set(ann.tenant, { version: 1, disabledTools: ['orders.*'] })
      world.runtime.start()
      await world.clock.advance(LEASE_MS + 4 * SWEEP_MS)
      world.policies.delete(ann.tenant)
      await world.clock.advance(12 * SWEEP_MS)
      const again = await world.call(order('orders.draft'))
      expect([codeOrStatus(again), listEffects(world)]).toEqual(['success', ['orders lamp']])
    },
  },
  {
    id: 'recovery.kept-after-a-moment',
    sentence:
      'an answer that could not be stored for a moment is stored in the end, even with no other evidence',
    rules: '§3',
    needs: ['key'],
    mutant: brokenStore('calls', 'a ledger that stays unavailable', () => ({
      finish: () => Promise.reject(new Error('away')),
    })),
    async run(world) {
      world.faults.break('calls.finish', 2)
      const first = await world.call(order('fax.send'))
      const again = await world.call(order('fax.send'))
      expect([
        codeOrStatus(first),
        codeOrStatus(again),
        again.metadata.source,
        listEffects(world),
      ]).toEqual(['success', 'success', 'replayed', ['fax lamp']])
    },
  },
]
