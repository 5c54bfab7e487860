import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { definePack } from '../define/pack.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { memoryStores } from '../memory/memory-stores.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

const ann: Caller = {
  tenant: 't',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
}
const eve: Caller = { ...ann, principal: 'eve', roles: ['admin'], session: 'token:1' }

type Till = { readonly charge: (order: { readonly key: string }) => Promise<{ ok: boolean }> }
const till = definePort<Till>('till', { charge: sameKey({ validFor: '1d' }) })
const buy = defineTool({
  id: 'shop.buy',
  title: 'Buy',
  category: 'custom',
  description: 'Buys.',
  input: z.object({}),
  output: z.object({ ok: z.boolean() }),
  contract: {
    effect: 'writes.order',
    reversible: false,
    idempotency: 'caller',
    approval: { kind: 'admin', asks: () => 'Buy?' },
  },
  ports: { till },
  examples: [{ name: 'one', input: {} }],
  execute: ({ ports, idempotencyKey }) => ports.till.charge({ key: idempotencyKey }),
})

test.each<[string, Caller | undefined, boolean]>([
  ['still has', eve, true],
  ['was disabled and has none of', undefined, false],
  ['has lost the role that gave', { ...eve, roles: ['user'] }, false],
  ['has become an agent without', { ...eve, actor: 'ai_agent' }, false],
])('when an approval is used, its approver %s the right to give it', async (_, today, isDone) => {
  const charged: string[] = []
  const runtime = createRuntime({
    packs: [definePack({ name: 'shop', tools: [buy] })],
    stores: memoryStores(),
    providers: {
      till: {
        charge: async ({ key }: { readonly key: string }) => {
          charged.push(key)
          return { ok: true }
        },
      },
    },
    currentCaller: async (caller) => (caller.principal === 'eve' ? today : caller),
  })
  const request = { tool: 'shop.buy', input: {}, caller: ann, surface: 'test', idempotencyKey: 'k' }
  const asked = await runtime.call(request)
  if (asked.status !== 'pending') throw new Error(`The call is ${asked.status}.`)
  const { id, digest, callId } = asked.approval
  // The decision was made with the rights of a moment ago.
  const decided = await runtime.approvals.decide(eve, id, { verdict: 'approve', digest })
  expect(decided.state).toBe('approved')
  await expect
    .poll(async () => (await runtime.answer(ann, callId))?.status)
    .toBe(isDone ? 'done' : 'failed')
  expect(charged).toHaveLength(isDone ? 1 : 0)
  await runtime.stop()
})
