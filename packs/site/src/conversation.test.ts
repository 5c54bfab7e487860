import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createFormBrowser } from '../shop/fixtures/test-shop.ts'
import { type FakeWidget, openFakeWidget } from './fixtures/fake-widget.ts'
import { openShopApp, type ShopApp } from './fixtures/shop-app.ts'

// Conversations of visitors with the planner, over the routes and against the demo shop.
let app: ShopApp
beforeAll(async () => {
  app = await openShopApp({ contract: { handoff: 'hello@shop.example' } })
  await app.operate('site.refresh_index', {})
}, 30_000)
afterAll(() => app.close())

async function openWidget(locale = 'en'): Promise<FakeWidget> {
  const widget = await openFakeWidget(app, { key: app.key, origin: app.shop.url, locale })
  onTestFinished(() => widget.close())
  return widget
}

// The card is entered by the visitor; the agent sees the page come back, and looks the order up.
async function payOnPage(widget: FakeWidget): Promise<void> {
  const opened = await widget.until(() =>
    widget.orders.find(({ command }) => command.do === 'goto' && /^\/pay\//.test(command.path)),
  )
  const path = opened.command.do === 'goto' ? opened.command.path : ''
  const report = (url: string) => ({ type: 'status', state: 'arrived', url }) as const
  const tell = async (url: string) =>
    app.send('/site/reports', {
      method: 'POST',
      token: widget.token,
      body: { tab: 'tab-of-payment', reports: [report(new URL(url, app.shop.url).href)] },
    })
  const listAnswers = () =>
    widget.events.filter(
      (event) => event.kind === 'answer' && event.tool === 'commerce.orderStatus',
    )
  await tell(path)
  expect(listAnswers()).toEqual([])
  const browser = createFormBrowser(app.shop.url)
  await browser.get(path)
  const card = { cardNumber: '4242 4242 4242 4242', cardExpiry: '12/30', cardCode: '123' }
  const back = await browser.submit(path, card)
  await tell(back.path)
  const paid = await widget.until(() => listAnswers()[0])
  expect(paid).toMatchObject({ status: 'done', text: expect.stringMatching(/is paid\.$/) })
}

describe('shopping', () => {
  test('"find red roses under 40, add two, check out": one order after one approval', async () => {
    const widget = await openWidget()
    const before = await app.orders()
    const answer = await widget.say('find red roses under 40, add two, check out')
    expect(answer.text).toMatch(/Place the order \(2 × .*\), \d+\.\d\d EUR in all\?/)
    expect(await app.orders()).toBe(before)
    const first = widget.events.find(({ kind }) => kind === 'turn')
    expect(first).toMatchObject({ type: 'agent_delta', text: 'Looking for red roses…' })
    expect(widget.orders.map(({ command }) => command.do)).toContain('goto')
    expect(await widget.decide('approve')).toMatchObject({
      answer: { status: 'success', command: 'commerce.placeOrder' },
    })
    expect(await app.orders()).toBe(before + 1)
    const event = await widget.until(() => widget.events.find(({ kind }) => kind === 'answer'))
    expect(event).toMatchObject({ status: 'done', tool: 'commerce.placeOrder' })
    await payOnPage(widget)
  })

  test('a message that arrives twice adds nothing twice', async () => {
    const widget = await openWidget()
    const turn = 'turn-repeated-0001'
    await widget.say('find red roses, add two', turn)
    const added = widget.events.length
    const repeat = () =>
      app.send('/site/turns', {
        method: 'POST',
        token: widget.token,
        body: { turn, text: 'find red roses, add two' },
      })
    const noted = await widget.until(async () => {
      const all = await app.stores.values.list('shop', 'site/turn/')
      return all.find(({ key }) => key.endsWith(turn))
    })
    expect((await repeat()).status).toBe(202)
    // The node that answered it has died before it could note that: everything is done again.
    await app.stores.values.delete('shop', noted.key)
    await repeat()
    await widget.until(() =>
      widget.events
        .slice(added)
        .find((event) => event.kind === 'turn' && event.type === 'agent_final'),
    )
    const final = await widget.say('make it 3')
    expect(final.text).toMatch(/^Done\. The total is/)
    const cart = await widget.say('check out')
    expect(cart.text).toMatch(/order \(3 × /)
  })

  test('a denial orders nothing', async () => {
    const widget = await openWidget()
    const before = await app.orders()
    await widget.say('add red roses, check out')
    expect(await widget.decide('deny')).toMatchObject({ verdict: 'deny' })
    expect(await app.orders()).toBe(before)
  })
})

describe('booking', () => {
  test('asks for the day, offers the first free time, and books it once', async () => {
    const widget = await openWidget()
    expect((await widget.say('book a fitting')).text).toBe(
      'On which day would you like the fitting?',
    )
    let asked = await widget.say('on Thursday afternoon')
    if (!asked.text.startsWith('Book')) asked = await widget.say('book a fitting next Friday')
    expect(asked.text).toMatch(/^Book .*itting.*cancel/is)
    const { answer } = (await widget.decide('approve')) as {
      answer: { data: { bookingId: string } }
    }
    expect(answer.data.bookingId).toMatch(/^booking_|^bkg_|\w/)
    const cancel = await widget.say('cancel my booking')
    expect(cancel.text).toMatch(/^Cancel .* It costs /)
    expect(await widget.decide('approve')).toMatchObject({ answer: { status: 'success' } })
  })
})

test('in German', async () => {
  const widget = await openWidget('de')
  const answer = await widget.say('Suche Rosen, leg zwei in den Warenkorb, zur Kasse')
  expect(answer.text).toMatch(/Bitte sagen Sie ja oder nein/)
})

test('what had no answer, and who wanted a person, is in the report of the owner', async () => {
  const widget = await openWidget()
  expect((await widget.say('find zzxqy widgets')).text).toMatch(/^I found nothing/)
  expect((await widget.say('I want to talk to a human')).text).toContain('hello@shop.example')
  const report = await app.operate('site.report', { days: 1 })
  expect(report.data).toMatchObject({
    unansweredSearches: expect.arrayContaining([{ text: 'zzxqy widgets', count: 1 }]),
    handoffs: [{ text: expect.any(String) }],
    orders: { count: 1 },
    bookings: { count: 1 },
  })
  const { live } = report.data as { readonly live: readonly { readonly until: string }[] }
  expect(live.length).toBeGreaterThan(0)
  expect(live.every(({ until }) => Date.parse(until) > Date.now())).toBe(true)
})
