import {
  type Caller,
  createRuntime,
  memoryStores,
  type Outcome,
  type Runtime,
  ToolError,
} from '@surehand/core'
import { expect, test } from 'vitest'
import { UNWANTED } from '../emulators/vendor-routes.ts'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { Vendor } from '../pack/vendor-port.ts'
import { randomOf } from '../random.ts'
import { type Held, judgePrograms, type ProgramEnd, undoneAmong } from './judge-programs.ts'
import { answerFor, verdictFor } from './person.ts'
import type { Plan } from './plan.ts'
import { doneEnd, failedEnd, stands } from './program-end.ts'
import { somePlan } from './some-plan.ts'

const PROGRAMS = 50

test('programs that nobody disturbs leave the world as the model says, and answer so', async () => {
  const held: Held[] = []
  const stores = memoryStores({
    schema: ['create table chaos_entries (number integer primary key, item text not null)'],
  })
  const vendor: Vendor = {
    make: async ({ item }) => {
      if (item.startsWith(UNWANTED))
        throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'No.', { effect: 'refused' })
      held.push({ item, receipt: `r-${held.length}` })
      return { item, receipt: `r-${held.length - 1}` }
    },
    find: async () => null,
    ticket: async () => ({ number: held.length }),
  }
  const runtime = createRuntime({
    packs: [chaosPack('steady')],
    stores,
    providers: { sameKey: vendor, lookUp: vendor, none: vendor },
  })
  runtime.start()
  const random = randomOf(7)
  const plans = Array.from({ length: PROGRAMS }, (_, number) => somePlan(number, random))
  const cases = await Promise.all(
    plans.map(async (plan) => {
      const end = await follow(plan, runtime)
      return { plan, end, again: stands(end) ? await follow(plan, runtime) : undefined }
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
  expect(undoneAmong(all)).toBeGreaterThan(0)
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
        return doneEnd(outcome.data)
      case 'failed': {
        const end = failedEnd({
          ...outcome.error,
          message: outcome.error.message,
          source: outcome.source,
        })
        if (end !== undefined) return end
        break
      }
      case 'asking': {
        const { id, digest, path } = outcome.question
        await runtime.questions.answer(caller, id, { answer: answerFor(plan, path), digest })
        break
      }
      case 'pending': {
        const { id, digest, asks } = outcome.approval
        await runtime.approvals.decide(caller, id, { verdict: verdictFor(plan, asks), digest })
        break
      }
      case 'accepted':
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
