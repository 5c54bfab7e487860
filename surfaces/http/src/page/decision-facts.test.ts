import { createRuntime, definePort, defineTool } from '@surehand/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { decisionPage } from './decision-page.ts'

type Cart = { readonly total: string; readonly lines: readonly { readonly product: string }[] }
type Shop = { readonly cart: (asked: null, signal: AbortSignal) => Promise<Cart> }

const shop = definePort<Shop>('shop', { cart: 'read' })
const order = defineTool({
  id: 'shop.order',
  description: 'Orders what is in the cart.',
  input: z.object({}),
  output: z.object({}),
  ports: { shop },
  contract: {
    effect: 'writes.order',
    reversible: false,
    idempotency: 'caller',
    approval: {
      facts: ({ ports, signal }) => ports.shop.cart(null, signal),
      asks: (_, { total }: Cart) => `Order for ${total}?`,
    },
  },
  execute: async () => ({}),
})

/** What a person reads on the page, line by line. */
function readPage(page: string): string {
  return page
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/\n+/g, '\n')
    .trim()
}

test('the page shows the facts, and what has changed in them, side by side and without scripts', async () => {
  let cart: Cart = { total: '40 EUR', lines: [{ product: 'Red <b>roses</b>' }] }
  const runtime = createRuntime({ tools: [order], providers: { shop: { cart: async () => cart } } })
  const ann = runtime.as({ principal: 'ann' })
  const render = async (id: string): Promise<string> => {
    const approval = await runtime.approvals.get('default', id)
    const outcome = await runtime.answer(ann.caller, approval.callId)
    return decisionPage({ approval, form: undefined, viewer: 'ann', nowMs: 0, outcome }).markup
  }

  const asked = await ann.call(order, {}, { idempotencyKey: 'k' })
  if (asked.status !== 'pending') return expect.fail(asked.status)
  const first = readPage(await render(asked.approval.id))
  expect(first).toMatch(/What you approve\s+total\s+40 EUR\s+lines\s+product\s+Red &lt;b&gt;/)
  expect(first).not.toContain('What has changed')

  cart = { total: '45 EUR', lines: [...cart.lines, { product: 'White\u200b roses' }] }
  const { id, digest } = asked.approval
  await runtime.approvals.decide(ann.caller, id, { verdict: 'approve', digest })
  const [again] = await runtime.approvals.list('default', 'pending')
  const page = await render(again?.id ?? '')
  expect(readPage(page)).toMatch(
    /This was approved before, but what it would do has changed since\. Nothing has been done\./,
  )
  expect(readPage(page)).toMatch(
    /What\s+Approved before\s+Now\s+total\s+40 EUR\s+45 EUR\s+lines › 2\s+nothing\s+product\s+White\s+⟨U\+200B⟩/,
  )
  expect(page).toContain('<th scope="row">')
  expect(page).not.toMatch(/<script|\son\w+=/i)

  expect(page).toMatch(/<table><thead><tr><th scope="col"><bdi>product<\/bdi><\/th><\/tr><\/thead>/)

  const used = await render(id)
  expect(readPage(used)).toMatch(/Nothing was done with this approval/)
  expect(used).toContain(`href="/approvals/${again?.id}"`)
})
