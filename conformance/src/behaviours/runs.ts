import type { Envelope } from '@surehand/core'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, countRequests, detailsOf, listEffects } from '../judge.ts'
import { brokenProvider, brokenStore } from '../mutants/broken.ts'
import { agentOf, ann, bob } from '../world/people.ts'
import type { World } from '../world/world.ts'

const careful = { tool: 'runs.careful', input: { item: 'lamp' } }
const curious = { tool: 'runs.curious', input: { item: 'lamp' } }

const forgetful = brokenStore('runs', 'a journal that forgets recorded answers', (runs) => ({
  journal: async (tenant, callId) =>
    (await runs.journal(tenant, callId)).map((entry) => ({ ...entry, answer: undefined })),
}))

async function approve(world: World, pending: Envelope): Promise<void> {
  const id = pending.metadata.pending?.approval_id ?? ''
  const said = await world.surface.question('acme', id)
  if (!said.ok) throw new Error(said.message)
  await world.wait(world.surface.decide(ann, id, { verdict: 'approve', digest: said.value.digest }))
  await world.clock.advance(5_000)
}

async function answer(world: World, asking: Envelope | undefined, value: unknown): Promise<void> {
  const id = asking?.metadata.asking?.question_id ?? ''
  const question = await world.runtime.questions.getFor(ann, id)
  await world.wait(
    world.runtime.questions.answer(ann, id, { answer: value, digest: question.digest }),
  )
  await world.clock.advance(5_000)
}

/** Tools that call others, ask on their way, and outlive those who drive them. */
export const runs: readonly Behaviour[] = [
  {
    id: 'run.waits-for-approval',
    sentence:
      'a run waits for the approval of one of its steps, and earlier steps answer from the journal when it resumes',
    rules: '§8',
    needs: [],
    mutant: forgetful,
    async run(world) {
      const pending = await world.call(careful)
      expect([
        codeOrStatus(pending),
        countRequests(world, 'shelf.look'),
        listEffects(world),
      ]).toEqual(['TOOL_APPROVAL_REQUIRED', 1, ['orders lamp 1']])
      world.runtime.start()
      await approve(world, pending)
      expect(codeOrStatus(await world.surface.answer(ann, pending.metadata.call_id))).toBe(
        'success',
      )
      expect([countRequests(world, 'shelf.look'), countRequests(world, 'orders.make')]).toEqual([
        1, 2,
      ])
    },
  },
  {
    id: 'run.goes-on-elsewhere',
    sentence: 'a waiting run resumes in another process, and no step runs twice',
    rules: '§8',
    needs: [],
    mutant: forgetful,
    async run(world) {
      const pending = await world.call(careful)
      await world.runtime.stop()
      const other = await world.process()
      other.runtime.start()
      await approve({ ...world, surface: other.surface }, pending)
      expect(codeOrStatus(await other.surface.answer(ann, pending.metadata.call_id))).toBe(
        'success',
      )
      expect([countRequests(world, 'shelf.look'), countRequests(world, 'orders.make')]).toEqual([
        1, 2,
      ])
    },
  },
  {
    id: 'run.compensates',
    sentence: 'a run that fails compensates the steps it can, and reports those it could not',
    rules: '§8',
    needs: ['key'],
    mutant: brokenProvider(
      'orders.make',
      'a provider that reports a compensation it did not make',
      (make) => async (args, signal) =>
        (args as { readonly item: string }).item.startsWith('no ')
          ? { receipt: 'r', item: 'no', extra: null }
          : make(args, signal),
    ),
    async run(world) {
      const job = await world.call({
        tool: 'runs.broken',
        input: { item: 'lamp' },
        idempotencyKey: 'k1',
      })
      expect(codeOrStatus(job)).toBe('TOOL_CAPABILITY_MISSING')
      expect(listEffects(world).toSorted()).toEqual([
        'mail right lamp',
        'orders left lamp',
        'orders no left lamp',
      ])
      expect(detailsOf(job)).toMatchObject({
        undone: [{ step: 'left/make' }],
        not_undone: [{ step: 'right/make' }],
      })
      expect(
        codeOrStatus(
          await world.call({ tool: 'runs.broken', input: { item: 'lamp' }, idempotencyKey: 'k1' }),
        ),
      ).toBe('TOOL_CAPABILITY_MISSING')
      expect(listEffects(world)).toHaveLength(3)
    },
  },
  {
    id: 'run.asks',
    sentence: 'a run asks a question, waits for the answer however long, and continues with it',
    rules: '§8',
    needs: [],
    mutant: brokenStore('runs', 'a question store that loses answers', (kept) => ({
      question: async (tenant, id) => {
        const question = await kept.question(tenant, id)
        return question === undefined
          ? undefined
          : { ...question, state: 'open', answer: undefined }
      },
    })),
    async run(world) {
      const first = await world.call(curious)
      expect([
        codeOrStatus(first),
        first.metadata.asking?.asks,
        first.metadata.asking?.draft,
      ]).toEqual(['TOOL_INPUT_REQUIRED', 'What with lamp?', { item: 'lamp', quantity: 1 }])
      world.runtime.start()
      await answer(world, first, { item: 'vase', quantity: 2 })
      const second = await world.surface.answer(ann, first.metadata.call_id)
      expect([codeOrStatus(second), second?.metadata.asking?.asks]).toEqual([
        'TOOL_INPUT_REQUIRED',
        'Make vase?',
      ])
      await answer(world, second, true)
      expect([
        codeOrStatus(await world.surface.answer(ann, first.metadata.call_id)),
        listEffects(world),
      ]).toEqual(['success', ['orders vase']])
    },
  },
  {
    id: 'run.person-not-agent',
    sentence:
      'an agent cannot answer a question for a person, and a model answers its own by a tool call',
    rules: '§4',
    needs: [],
    mutant: brokenStore(
      'runs',
      'a question store that accepts an answer from any caller',
      (kept) => ({
        question: async (tenant, id) => {
          const question = await kept.question(tenant, id)
          return question === undefined ? undefined : { ...question, from: 'anyone' }
        },
      }),
    ),
    async run(world) {
      world.runtime.start()
      const first = await world.call({ ...curious, caller: agentOf(ann) })
      const say = (asking: Envelope | undefined, value: unknown) =>
        world.call({
          tool: 'surehand.answer',
          input: { question_id: asking?.metadata.asking?.question_id, answer: value },
          caller: agentOf(ann),
        })
      expect(codeOrStatus(await say(first, { item: 'vase', quantity: 1 }))).toBe(
        'TOOL_INSUFFICIENT_PERMISSIONS',
      )
      await answer(world, first, { item: 'vase', quantity: 1 })
      const second = await world.surface.answer(agentOf(ann), first.metadata.call_id)
      expect(codeOrStatus(await say(second, true))).toBe('success')
      await world.clock.advance(5_000)
      expect(listEffects(world)).toEqual(['orders vase'])
    },
  },
  {
    id: 'run.default-in-time',
    sentence: 'a question that expires is answered by its default, or fails the run',
    rules: '§8',
    needs: [],
    mutant: brokenStore('runs', 'a sweep that wakes no run', () => ({ wakeDue: () => 0 })),
    async run(world) {
      world.runtime.start()
      const [one, two] = [
        await world.call(curious),
        await world.call({ ...curious, input: { item: 'vase' } }),
      ]
      await answer(world, one, { item: 'vase', quantity: 2 })
      await world.clock.advance(11 * 60_000)
      expect((await world.surface.answer(ann, one.metadata.call_id))?.data).toEqual({
        receipts: [],
      })
      expect(codeOrStatus(await world.surface.answer(ann, two.metadata.call_id))).toBe(
        'TOOL_GATE_CLOSED',
      )
      expect(listEffects(world)).toEqual([])
    },
  },
  {
    id: 'run.in-the-background',
    sentence: 'a background run is a job, reports its progress, and waits for the jobs it starts',
    rules: '§8',
    needs: [],
    mutant: brokenStore('runs', 'a store that drops progress', () => ({
      setProgress: () => undefined,
    })),
    async run(world) {
      const accepted = await world.call({ tool: 'runs.patient', input: { item: 'lamp' } })
      expect([codeOrStatus(accepted), accepted.metadata.job?.id, listEffects(world)]).toEqual([
        'success',
        accepted.metadata.call_id,
        [],
      ])
      world.runtime.start()
      await world.clock.advance(10_000)
      expect([
        codeOrStatus(await world.surface.answer(ann, accepted.metadata.call_id)),
        listEffects(world),
      ]).toEqual(['success', ['orders lamp']])
      expect(await world.runtime.progress(ann, accepted.metadata.call_id)).toMatchObject({
        progress: { fraction: 0.5, message: 'half way' },
      })
      expect(await world.runtime.progress(bob, accepted.metadata.call_id)).toBeUndefined()
    },
  },
  {
    id: 'run.cancelled',
    sentence: 'a cancelled run compensates what it can, and closes its open questions',
    rules: '§6',
    needs: [],
    mutant: brokenStore('runs', 'a ledger that drops requests to stop', () => ({
      askToStop: () => false,
    })),
    async run(world) {
      const pending = await world.call(careful)
      world.runtime.start()
      expect(await world.surface.cancel(ann, pending.metadata.call_id)).toBe(false)
      await world.clock.advance(5_000)
      const ended = await world.surface.answer(ann, pending.metadata.call_id)
      expect([codeOrStatus(ended), listEffects(world)]).toEqual([
        'TOOL_CANCELLED',
        ['orders lamp 1', 'orders no lamp 1'],
      ])
      expect(detailsOf(ended as Envelope)).toMatchObject({
        undone: [{ step: 'first' }],
        not_undone: [],
      })
      const said = await world.surface.question('acme', pending.metadata.pending?.approval_id ?? '')
      expect(said.ok && said.value.state).toBe('expired')
    },
  },
  {
    id: 'run.diverges',
    sentence: 'a run that diverges from its journal stops, says where, and does nothing more',
    rules: '§8',
    needs: [],
    mutant: brokenStore('runs', 'a journal that loses its first entries', (kept) => ({
      journal: async (tenant, callId) =>
        (await kept.journal(tenant, callId)).filter(
          ({ path }) => path !== 'look' && path !== 'first',
        ),
    })),
    async run(world) {
      const pending = await world.call(careful)
      await world.runtime.stop()
      const changed = await world.process({
        tools: (tools) =>
          tools.map((tool) => {
            const { work } = tool
            if (tool.id !== 'runs.careful' || work.kind !== 'run') return tool
            const execute: typeof work.execute = (run) =>
              work.execute({ ...run, input: { item: 'boat' } })
            return { ...tool, work: { ...work, execute } }
          }),
      })
      changed.runtime.start()
      await approve({ ...world, surface: changed.surface }, pending)
      const stopped = await changed.surface.answer(ann, pending.metadata.call_id)
      expect([codeOrStatus(stopped), detailsOf(stopped as Envelope).step]).toEqual([
        'TOOL_RUN_DIVERGED',
        'look',
      ])
      expect(listEffects(world).filter((item) => item.includes('boat'))).toEqual([])
    },
  },
]
