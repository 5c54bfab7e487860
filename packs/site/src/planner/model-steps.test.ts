import { lastResults, type ModelScript, startModelEmulator } from '@surehand/testing'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openFakeWidget } from '../fixtures/fake-widget.ts'
import { openShopApp, type ShopApp } from '../fixtures/shop-app.ts'

// Visitors whose sentences a chat model answers, over OpenAI's wire format.
let app: ShopApp
let script: ModelScript
let models: Awaited<ReturnType<typeof startModelEmulator>>
beforeAll(async () => {
  models = await startModelEmulator({ script: (conversation) => script(conversation) })
  app = await openShopApp({
    settings: { SITE_MODEL: 'gpt-test', OPENAI_BASE_URL: `${models.url}/v1` },
    secrets: { OPENAI_API_KEY: 'emulated' },
    contract: { handoff: 'hello@shop.example' },
  })
})
afterAll(async () => {
  await app.close()
  await models.stop()
})

async function openWidget() {
  const widget = await openFakeWidget(app, { key: app.key, origin: app.shop.url })
  onTestFinished(() => widget.close())
  return widget
}

type Answered = { cartId: string; checkoutToken: string; cart: { cartId: string } }
const call = (name: string, input: object) => ({ calls: [{ name, arguments: input }] })

/** Fills the cart, checks out and orders; it would claim anything at the end. */
const buysRoses: ModelScript = (conversation) => {
  const [result] = lastResults(conversation)
  const read = () => JSON.parse(result?.text.split('\n')[0] ?? '') as Answered
  switch (result?.name) {
    case undefined:
      return call('commerce__addToCart', { productId: 'red-roses', quantity: 2 })
    case 'commerce__addToCart': {
      const { cartId } = read().cart
      return call('commerce__startCheckout', { cartId, returnUrl: `${app.shop.url}/cart` })
    }
    case 'commerce__startCheckout': {
      const { cartId, checkoutToken } = read()
      return call('commerce__placeOrder', { cartId, checkoutToken })
    }
    default:
      return { text: 'It is ordered!' }
  }
}

test('the visitor is asked by the site, and the model cannot claim an order', async () => {
  script = buysRoses
  const widget = await openWidget()
  const before = await app.orders()
  const answer = await widget.say('two red roses, please, and check out')
  const deltas = widget.events.filter((one) => one.kind === 'turn' && one.type === 'agent_delta')
  expect(deltas[0]).toMatchObject({ text: 'One moment…' })
  expect(answer.text).toMatch(/^Place the order \(2 × Red Roses/)
  expect(await app.orders()).toBe(before)
  expect(await widget.decide('approve')).toMatchObject({ answer: { status: 'success' } })
  expect(await app.orders()).toBe(before + 1)
})

test('it remembers what was said, and has the tools of visitors alone', async () => {
  script = ({ turns }) => ({ text: `I heard ${turns.length} things.` })
  const widget = await openWidget()
  await widget.say('I like tulips')
  await widget.say('which flowers do I like?')
  const conversation = models.conversations().at(-1)
  expect(JSON.stringify(conversation)).toContain('I like tulips')
  const names = conversation?.tools.map(({ name }) => name) ?? []
  expect(names).toContain('booking__bookSlot')
  expect(names.filter((name) => /^(site|siteops)__/.test(name))).toEqual([])
})

test('a model that fails is said so without its words, and a person is called without it', async () => {
  script = () => {
    throw new Error('an internal text')
  }
  const widget = await openWidget()
  const failed = await widget.say('find tulips')
  expect(failed).toMatchObject({ type: 'error' })
  expect(failed.text).toContain('The model could not be reached')
  expect((await widget.say('I want to talk to a human')).text).toContain('hello@shop.example')
})
