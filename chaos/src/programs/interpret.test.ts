import {
  type Caller,
  createRuntime,
  memoryStores,
  type Outcome,
  type Runtime,
  ToolError,
} from '@surehand/core'
import { expect, test } from 'vitest'
import { REJECTED_PREFIX } from '../emulators/vendor-routes.ts'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { Vendor } from '../pack/vendor-port.ts'
import { createRandom } from '../random.ts'
import { generatePlan } from './generate-plan.ts'
import { countUndone, judgePrograms, type ProgramEnd, type StoredEffect } from './judge-programs.ts'
import { chooseAnswer, chooseVerdict } from './person.ts'
import type { Plan } from './plan.ts'
import { holdsKey, toDoneEnd, toFailedEnd } from './program-end.ts'

const PROGRAMS = 50

test('undisturbed programs have the effects and the answers that the model predicts', async () => {
  const held: StoredEffect[] = []
  const stores = memoryStores({
    schema: ['create table chaos_entries (number integer primary key, item text not null)'],
  })
  const vendor: Vendor = {
    make: async ({ item }) => {
      if (item.startsWith(REJECTED_PREFIX))
        throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'No.', { effect: 'refused' })
      held.push({ item, receipt: `r-${held.length}` })
      return { item, receipt: `r-${held.length - 1}` }
    },
    find: async () => null,
    ticket: async () => ({ number: held.length }),
    price: async () => ({ euros: 1 }),
  }
  const runtime = createRuntime({
    packs: [chaosPack('original')],
    stores,
    providers: { sameKey: vendor, lookUp: vendor, none: vendor },
  })
  runtime.start()
  const random = createRandom(7)
  const plans = Array.from({ length: PROGRAMS }, (_, number) => generatePlan(number, random))
  const cases = await Promise.all(
    plans.map(async (plan) => {
      const end = await follow(plan, runtime)
      return { plan, end, again: holdsKey(end) ? await follow(plan, runtime) : undefined }
    }),
  )
  await runtime.stop()
  const entries = await stores.calls.query('select item, number from chaos_entries')
  const all = [
    ...held,
    ...entries.map(({ item, number }) => ({ item: String(item), receipt: `entry-${number}` })),
  ]
  expect(judgePrograms(cases, all).faults).toEqual({
    state: [],
    answer: [],
    doubled: [],
    stuckRuns: [],
    diverged: [],
  })
  expect(countUndone(all)).toBeGreaterThan(0)
})

async function follow(plan: Plan, runtime: Runtime): Promise<ProgramEnd> {
  const caller: Caller = { ...plan.who, actor: 'user', roles: ['user', 'admin'], capabilities: [] }
  for (;;) {
    const call = {
      tool: 'chaos.program',
      input: plan.program,
      caller,
      surface: 'test',
      idempotencyKey: plan.key,
    } as const
    const outcome: Outcome = await runtime.call(call)
    switch (outcome.status) {
      case 'done':
        return toDoneEnd(outcome.data)
      case 'failed': {
        const end = toFailedEnd({
          ...outcome.error,
          message: outcome.error.message,
          source: outcome.source,
        })
        if (end !== undefined) return end
        break
      }
      case 'asking': {
        const { id, digest, path } = outcome.question
        await runtime.questions.answer(caller, id, { answer: chooseAnswer(plan, path), digest })
        break
      }
      case 'pending': {
        const { id, digest, asks } = outcome.approval
        await runtime.approvals.decide(caller, id, { verdict: chooseVerdict(plan, asks), digest })
        break
      }
      case 'accepted':
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
