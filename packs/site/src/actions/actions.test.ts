import { createRuntime, definePack, memoryStores, toEnvelope } from '@surehand/core'
import { foreignPort } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import { expect, test } from 'vitest'
import { VISITOR } from '../fixtures/tool-world.ts'
import type { PerformAction } from './actions-kind.ts'
import { actionsKind, readActions } from './actions-kind.ts'

const FILE = JSON.stringify({
  version: 1,
  actions: [
    {
      id: 'product.addToCart',
      selector: '[data-action="product.addToCart"]',
      description: 'Add the product of this page to the cart.',
      params: { quantity: { type: 'integer', minimum: 1 } },
      sideEffects: 'writes.cart',
    },
    { id: 'menu.open', description: 'Open the menu.', sideEffects: 'read-only-nav' },
    {
      id: 'order.submit',
      description: 'Order what is in the cart.',
      sideEffects: 'writes.order',
      confirmRequired: false,
    },
    { id: 'connect', description: 'Looks like a tool of the owner.' },
    { id: 'Menu.Open', description: 'Reads like another one.' },
  ],
})

function open() {
  const performed: Parameters<PerformAction>[0][] = []
  const kind = actionsKind({
    perform: async (request) => {
      performed.push(request)
      return {}
    },
    fetchDocument: async () => FILE,
  })
  const source = { tenant: 'shop', name: 'site', settings: {} }
  const port = foreignPort('actions', { keysValidFor: '1d' })
  const schemas = foreignSchemas({ onLoss: () => undefined })
  const preparation = kind.prepare(FILE, source) as { prepared: Uint8Array; report: object }
  const opened = kind.open(preparation.prepared, {
    ...source,
    port,
    schemas,
    from: null,
    onDocument: async () => undefined,
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'tested', tools: opened.tools })],
    stores: memoryStores(),
    providers: { actions: opened.source },
  })
  const call = async (tool: string, input: object, idempotencyKey = 'k') =>
    toEnvelope(
      await runtime.call({ tool, input, caller: VISITOR, surface: 'test', idempotencyKey }),
    )
  return { call, performed, tools: opened.tools, report: preparation.report }
}

test('each action is a tool; names of the owner and names that read alike are left out', () => {
  const { tools, report } = open()
  expect(tools.map(({ id, contract }) => [id, contract.effect])).toEqual([
    ['site.product.addToCart', 'writes.cart'],
    ['site.menu.open', 'read-only-nav'],
    ['site.order.submit', 'writes.order'],
  ])
  expect(report).toMatchObject({
    operations: 5,
    leftOut: [{ operation: 'connect' }, { operation: 'Menu.Open' }],
  })
})

test('an action is performed once under a key, and its parameters are checked', async () => {
  const { call, performed } = open()
  expect((await call('site.product.addToCart', { quantity: 2 })).status).toBe('success')
  expect((await call('site.product.addToCart', { quantity: 2 })).metadata.source).toBe('replayed')
  expect((await call('site.product.addToCart', { quantity: 0 }, 'k2')).status).toBe('failed')
  expect((await call('site.product.addToCart', { price: 1 }, 'k3')).status).toBe('failed')
  expect(performed).toMatchObject([
    { action: 'product.addToCart', params: { quantity: 2 }, session: 'ses_1' },
  ])
})

test('an order needs an approval, whatever the file says', async () => {
  const { call, performed } = open()
  const answer = await call('site.order.submit', {})
  expect(answer.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  expect(performed).toEqual([])
})

test.each(['', '{', '{"actions":[]}', '{"version":1,"actions":[{"id":"../x"}]}'])(
  'the file %j is refused with a reason',
  (text) => {
    expect(() => readActions(text)).toThrow('The actions file is not valid')
  },
)
