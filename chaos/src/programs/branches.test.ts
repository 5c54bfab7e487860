import {
  type Caller,
  createRuntime,
  memoryStores,
  type Outcome,
  type Runtime,
  type Stores,
} from '@surehand/core'
import type { Approval } from '@surehand/core/ports'
import { expect, test } from 'vitest'
import { chaosPack } from '../pack/chaos-pack.ts'
import type { Step, Write } from '../pack/program.ts'
import type { Vendor } from '../pack/vendor-port.ts'

// what random programs have found, without their chance

const ann: Caller = {
  tenant: 'north',
  principal: 'ann',
  actor: 'user',
  roles: ['user', 'admin'],
  capabilities: [],
}
const write: Write = {
  do: 'write',
  kind: 'sameKey',
  manner: 'patient',
  undo: 'sameKey',
  isRefused: false,
  changesWithCode: false,
}
const asked: Write = { ...write, manner: 'patientApproval' }

function open(stores: Stores): { readonly runtime: Runtime; readonly made: string[] } {
  const made: string[] = []
  const vendor: Vendor = {
    make: async ({ item }) => {
      made.push(item)
      return { item, receipt: item }
    },
    find: async () => null,
    ticket: async () => ({ number: 1 }),
    price: async () => ({ euros: 1 }),
  }
  return {
    runtime: createRuntime({
      packs: [chaosPack('original')],
      stores,
      providers: { sameKey: vendor, lookUp: vendor, none: vendor },
    }),
    made,
  }
}

function run(runtime: Runtime, step: Step): Promise<Outcome> {
  return runtime.call({
    tool: 'chaos.program',
    input: { id: 'p1', step },
    caller: ann,
    surface: 'test',
    idempotencyKey: 'k',
  })
}

async function decide(runtime: Runtime, place: string, verdict: 'approve' | 'deny'): Promise<void> {
  const { id, digest } = (await runtime.approvals.list('north', 'pending')).find(
    ({ asks }) => asks === `Make p1.${place}?`,
  ) as Approval
  await runtime.approvals.decide(ann, id, { verdict, digest })
}

test('what a branch has started after other steps is cancelled when a parallel branch fails', async () => {
  const { runtime, made } = open(memoryStores())
  const begun = await run(runtime, {
    do: 'parallel',
    atMost: 2,
    steps: [asked, { do: 'sequence', steps: [write, write, asked] }],
  })
  runtime.start()
  await decide(runtime, '0.0', 'deny')
  await expect
    .poll(async () => (await runtime.answer(ann, begun.facts.callId))?.status)
    .toBe('failed')
  await runtime.stop()
  expect(await runtime.approvals.list('north', 'pending')).toEqual([])
  expect(made).toEqual(['p1.0.1.0', 'p1.0.1.1', 'undo.p1.0.1.1', 'undo.p1.0.1.0'])
})

test('an approval that arrives while the run checks its step is not taken for a denial', async () => {
  const stores = memoryStores()
  let isWatched = false
  // the person is quicker than the second look
  const get: Stores['calls']['get'] = async (tenant, callId) => {
    const row = await stores.calls.get(tenant, callId)
    if (isWatched && row?.state === 'waiting') {
      isWatched = false
      await decide(runtime, '0.1', 'approve')
    }
    return row
  }
  const { runtime, made } = open({ ...stores, calls: { ...stores.calls, get } })
  const begun = await run(runtime, {
    do: 'parallel',
    atMost: 2,
    steps: [{ do: 'ask', ways: null }, asked],
  })
  const [question] = await runtime.questions.listFor(ann, 'open')
  isWatched = true
  await runtime.questions.answer(ann, question?.id ?? '', {
    answer: 'yes',
    digest: question?.digest ?? '',
  })
  expect(await runtime.answer(ann, begun.facts.callId)).toMatchObject({ status: 'done' })
  expect(made).toEqual(['p1.0.1'])
})
