import type { Caller } from '@surehand/core'
import { openShopApp, type ShopApp } from '@surehand/site/testing/shop-app'
import { lastResults, type ModelScript } from '@surehand/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { converse } from './converse.ts'
import { openModel } from './open-model.ts'
import type { Person } from './person.ts'

// An agent of LangGraph with the tools of a web site, for one of its visitors.
let app: ShopApp
beforeAll(async () => {
  app = await openShopApp()
})
afterAll(() => app.close())

/** The emulated model: looks at the roses, fills the cart, checks out, and repeats the answer. */
const buysRoses: ModelScript = (conversation) => {
  const [result] = lastResults(conversation)
  const said = result?.text.split('\n')[0] ?? ''
  const read = () =>
    JSON.parse(said) as { cartId: string; checkoutToken: string; cart: { cartId: string } }
  const call = (name: string, input: object) => ({ calls: [{ name, arguments: input }] })
  switch (result?.name) {
    case undefined:
      return call('commerce__listVariants', { productId: 'red-roses' })
    case 'commerce__listVariants':
      return call('commerce__addToCart', { productId: 'red-roses', quantity: 2 })
    case 'commerce__addToCart': {
      const { cartId } = read().cart
      return call('commerce__startCheckout', { cartId, returnUrl: `${app.shop.url}/cart` })
    }
    case 'commerce__startCheckout':
      return call('commerce__placeOrder', pick(read()))
    default:
      return { text: `The shop says: ${said}` }
  }
}

function pick({ cartId, checkoutToken }: { cartId: string; checkoutToken: string }): object {
  return { cartId, checkoutToken }
}

async function openVisitor(): Promise<{ readonly token: string; readonly agent: Caller }> {
  const body = { key: app.key, origin: app.shop.url, locale: 'en' }
  const opened = await app.send('/site/sessions', { method: 'POST', body })
  const { token, session } = (await opened.json()) as { token: string; session: string }
  const agent = {
    tenant: 'shop',
    principal: `site:${session}`,
    actor: 'ai_agent',
    roles: [],
    capabilities: ['site.visit'],
    delegated: ['site.visit'],
    session,
  } as const
  return { token, agent }
}

/** The visitor decides in the widget, with their own token; the graph is told "approve" alike. */
function visitorWho(decides: 'approve' | 'nothing', token: string): Person {
  return {
    async decide({ surehand: { id } }) {
      const shown = await app.send(`/site/approvals/${id}`, { token })
      const { digest } = (await shown.json()) as { digest: string }
      const body = { verdict: 'approve', digest }
      if (decides === 'approve')
        await app.send(`/site/approvals/${id}`, { method: 'POST', body, token })
      return { type: 'approve', id }
    },
    leave: () => undefined,
  }
}

test.each([
  ['approve', 1, /"orderId"/],
  ['nothing', 0, /TOOL_APPROVAL_REQUIRED|nothing has been done/i],
] as const)(
  'a visitor who decides %s has %d orders, whatever the graph is told',
  async (decides, count, said) => {
    const before = await app.orders()
    const { token, agent: caller } = await openVisitor()
    const { model, close } = await openModel({}, buysRoses)
    const { runtime } = app
    const lines: string[] = []
    const say = (line: string) => void lines.push(line)
    const person = visitorWho(decides, token)
    const answer = await converse('Two bunches of roses.', { runtime, caller, model, person, say })
    await close()
    expect(lines[0]).toMatch(/^The agent wants: Place the order \(2 × Red Roses/)
    expect(await app.orders()).toBe(before + count)
    expect(answer).toMatch(said)
  },
)
