import { memoryStores } from '@surehand/core'
import { expect, onTestFinished, test } from 'vitest'
import type { PageReport } from '../bridge-messages.ts'
import { widgetPage } from '../providers/widget-page.ts'
import type { SessionEvent } from './session-channel.ts'
import { type SessionHub, sessionHub } from './session-hub.ts'

const at = { tenant: 'shop', session: 'ses_1' }
const never = new AbortController().signal
const toEvent = (text: string): SessionEvent => ({
  kind: 'turn',
  turn: 't',
  type: 'agent_delta',
  text,
})

function open(values = memoryStores().values) {
  return { values, hub: sessionHub({ values, now: Date.now }) }
}

type Listener = {
  readonly events: { readonly id: string; readonly event: SessionEvent }[]
  readonly completion: Promise<void>
}

/** A tab that is connected; it answers commands with `answer`. */
async function connect(
  hub: SessionHub,
  tab: string,
  { after, answer }: { after?: string; answer?: (id: string) => PageReport } = {},
): Promise<Listener> {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const events: { id: string; event: SessionEvent }[] = []
  const stream = hub.subscribe({ ...at, tab }, { after, signal: stop.signal })
  const completion = (async () => {
    for await (const one of stream) {
      events.push(one)
      if (one.event.kind === 'execute' && answer !== undefined)
        await hub.receive({ ...at, tab }, answer(one.event.order.id))
    }
  })()
  await expect.poll(() => hub.isConnected(at)).toBe(true)
  return { events, completion }
}

const texts = ({ events }: Listener) =>
  events.map(({ event }) => (event.kind === 'turn' ? event.text : event.kind))

test('a tab that reconnects gets what it missed, once and in order', async () => {
  const { hub } = open()
  const first = await connect(hub, 'tab-one-0001')
  await hub.publish(at, toEvent('one'))
  await expect.poll(() => texts(first)).toEqual(['one'])
  const last = first.events.at(-1)?.id ?? ''
  await hub.publish(at, toEvent('two'))
  await hub.publish(at, toEvent('three'))
  const again = await connect(hub, 'tab-one-0001', { after: last })
  await expect.poll(() => texts(again)).toEqual(['two', 'three'])
})

test('of two tabs with one session the newer one is controlled, and the older one ends', async () => {
  const { hub } = open()
  const older = await connect(hub, 'tab-old-0001')
  const newer = await connect(hub, 'tab-new-0001')
  await older.completion
  expect(texts(older)).toEqual(['ended'])
  await hub.publish(at, toEvent('hello'))
  await expect.poll(() => texts(newer)).toEqual(['hello'])
})

test('events of one session are not sent to another', async () => {
  const { hub } = open()
  const tab = await connect(hub, 'tab-one-0001')
  await hub.publish({ ...at, session: 'ses_10' }, toEvent('for ses_10'))
  await hub.publish({ ...at, tenant: 'other' }, toEvent('for another tenant'))
  await hub.publish(at, toEvent('for me'))
  await expect.poll(() => texts(tab)).toEqual(['for me'])
})

test('another node that shares the store reaches the tab, and gets its answer', async () => {
  const { values, hub } = open()
  // The same store behind another object, as another process has it.
  const other = sessionHub({ values: { ...values }, now: Date.now })
  await connect(hub, 'tab-one-0001', {
    answer: (id) => ({ type: 'result', id, value: { url: 'https://shop.example/' } }),
  })
  const command = { do: 'submitForm', formSelector: '#contact', validate: true } as const
  const request = { ...at, command, idempotencyKey: 'key-1' }
  expect(await widgetPage(other).perform(request, never)).toEqual({ url: 'https://shop.example/' })
})

test('a key is sent to the page once; a repetition is answered from what the page said', async () => {
  const { hub } = open()
  const tab = await connect(hub, 'tab-one-0001', {
    answer: (id) => ({ type: 'result', id, value: {} }),
  })
  const page = widgetPage(hub)
  const command = { do: 'fillField', selector: '#name', value: 'Ada' } as const
  const request = { ...at, command, idempotencyKey: 'key-1' }
  await page.perform(request, never)
  await page.perform(request, never)
  expect(tab.events).toHaveLength(1)
  // The first answer counts, whatever the page says later.
  const id = tab.events[0]?.event.kind === 'execute' ? tab.events[0].event.order.id : ''
  await hub.receive(
    { ...at, tab: 'tab-one-0001' },
    { type: 'error', id, code: 'invalid', message: 'no' },
  )
  expect(await page.perform(request, never)).toEqual({})
})

test('what the page refuses is an error with candidates', async () => {
  const { hub } = open()
  await connect(hub, 'tab-one-0001', {
    answer: (id) => ({
      type: 'error',
      id,
      code: 'not_found',
      message: 'No element matches #x.',
      candidates: [{ selector: '#add', name: 'Add to cart' }],
    }),
  })
  const shown = widgetPage(hub).show({ ...at, command: { do: 'highlight', selector: '#x' } }, never)
  await expect(shown).rejects.toMatchObject({
    code: 'TOOL_RESOURCE_NOT_FOUND',
    details: { candidates: [{ selector: '#add' }] },
  })
})

test('without a tab nothing is done, and goto says that no tab is there', async () => {
  const page = widgetPage(open().hub)
  const command = { do: 'submitForm', formSelector: '#contact', validate: true } as const
  await expect(page.perform({ ...at, command, idempotencyKey: 'k' }, never)).rejects.toMatchObject({
    code: 'TOOL_RESOURCE_UNAVAILABLE',
    effect: 'none',
  })
  const dispatched = await page.dispatch({ ...at, command: { do: 'goto', path: '/cart' } }, never)
  expect(dispatched.isConnected).toBe(false)
})
