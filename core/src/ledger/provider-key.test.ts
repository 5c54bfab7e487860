import { expect, test } from 'vitest'
import { z } from 'zod'
import { definePack } from '../define/pack.ts'
import { definePort, sameKey } from '../define/port.ts'
import { defineTool } from '../define/tool.ts'
import { createRuntime } from '../runtime/create-runtime.ts'

type Pay = {
  readonly pay: (args: { readonly idempotencyKey: string }, signal: AbortSignal) => Promise<null>
}

const pay = defineTool({
  id: 'shop.pay',
  title: 'Pay',
  category: 'custom',
  description: 'Pays an order.',
  input: z.object({ order: z.number().int() }),
  output: z.null(),
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  ports: { pay: definePort<Pay>('pay', { pay: sameKey({ validFor: '24h' }) }) },
  execute: ({ ports, idempotencyKey, signal }) => ports.pay.pay({ idempotencyKey }, signal),
})

type Asked = {
  readonly installation?: string | undefined
  readonly principal?: string
  readonly tenant?: string
  readonly key?: string
  readonly order?: number
}

/** The key that the provider gets from a runtime with an empty ledger. */
async function sentKey({
  installation = 'here',
  principal = 'ann',
  tenant = 'acme',
  key = 'k1',
  order = 1,
}: Asked): Promise<string> {
  const sent: string[] = []
  const runtime = createRuntime({
    packs: [definePack({ name: 'shop', tools: [pay] })],
    ...(installation === '' ? {} : { installation }),
    providers: {
      pay: {
        async pay({ idempotencyKey }: { readonly idempotencyKey: string }) {
          sent.push(idempotencyKey)
          return null
        },
      },
    },
  })
  const caller = { principal, tenant }
  await runtime.as(caller).call(pay, { order }, { idempotencyKey: key })
  return sent.join()
}

test('a ledger that was lost sends the same key for the same call', async () => {
  const key = await sentKey({})
  expect(key).toMatch(/^key_[0-9a-f]{40}$/)
  expect(await sentKey({})).toBe(key)
})

test.each<Asked>([
  { installation: 'elsewhere' },
  { order: 2 },
  { key: 'k2' },
  { principal: 'bob' },
  { tenant: 'globex' },
])('another call has another key: %o', async (other) => {
  expect(await sentKey(other)).not.toBe(await sentKey({}))
})

test('without an installation the key is the id of the first call', async () => {
  expect(await sentKey({ installation: '' })).toMatch(/^call_/)
})
