import { createRuntime, definePack, memoryStores, type Runtime, type Tool } from '@surehand/core'
import type { JsonSchema } from '@surehand/core/internal'
import type { Telemetry } from '@surehand/core/ports'
import { describe, expect, test } from 'vitest'
import { memoryPorts } from './fixtures/memory-ports.ts'
import { OPERATOR, toolWorld, VISITOR } from './fixtures/tool-world.ts'
import { getToolsForTenant } from './get-tools-for-tenant.ts'
import { documentTools } from './tools.ts'

// Document 003, its "Success criteria", "Testing & acceptance" and "Definition of Done", line by
// line. The bridge's own lines (targetOrigin, event.origin, payloads, SPA and MPA) are tested in
// bridge/, the generated tools in sources/openapi, sources/graphql and actions/actions.test.ts; times
// (P95 of every budget) are measured by `npm run bench -- site` and `-- budgets`, cold start by
// `-- sources`: a test that depends on the speed of a machine would fail for no reason.

// | tool | class | confirm | budget ms | auth |
const TABLE: Readonly<Record<string, readonly [string, boolean, number, string]>> = {
  'navigation.goto': ['read-only-nav', false, 150, 'session'],
  'navigation.highlight': ['read-only-nav', false, 100, 'session'],
  'navigation.scrollTo': ['read-only-nav', false, 100, 'session'],
  'navigation.open': ['read-only-nav', false, 150, 'session'],
  'search.siteSearch': ['none', false, 350, 'none'],
  'search.suggestNext': ['none', false, 300, 'none'],
  'commerce.listVariants': ['none', false, 300, 'none'],
  'commerce.addToCart': ['writes.cart', false, 350, 'session'],
  'commerce.removeFromCart': ['writes.cart', false, 350, 'session'],
  'commerce.updateQuantity': ['writes.cart', false, 350, 'session'],
  'commerce.applyCoupon': ['writes.cart', false, 350, 'session'],
  'commerce.startCheckout': ['writes.order', true, 1000, 'session'],
  'commerce.placeOrder': ['writes.order', true, 1500, 'session'],
  'booking.searchSlots': ['none', false, 400, 'none'],
  'booking.holdSlot': ['writes.booking', false, 300, 'session'],
  'booking.bookSlot': ['writes.booking', true, 1500, 'session'],
  'booking.cancelBooking': ['writes.booking', true, 1500, 'session'],
  'forms.fillField': ['writes.content', false, 100, 'session'],
  'forms.submitForm': ['writes.content', true, 1000, 'session'],
  'siteops.readSitemap': ['none', false, 2000, 'service'],
  'siteops.warmupCache': ['none', false, 5000, 'service'],
  'siteops.respectRobots': ['none', false, 400, 'service'],
}

const descriptors = (runtime: Runtime) => getToolsForTenant(runtime)('shop')

describe('Definition of Done', () => {
  test('all tools export name, description, schema, sideEffects, latencyBudgetMs and execute', () => {
    const found = Object.fromEntries(
      descriptors(toolWorld().runtime).map((tool) => [
        tool.name,
        [tool.sideEffects, tool.confirmRequired, tool.latencyBudgetMs, tool.auth],
      ]),
    )
    expect(found).toEqual(TABLE)
    for (const { description, execute } of descriptors(toolWorld().runtime)) {
      expect(description.length).toBeGreaterThan(40)
      expect(execute).toBeInstanceOf(Function)
    }
  })

  test('every schema is JSON Schema 2020-12 with title, description and examples', () => {
    for (const { name, schema } of descriptors(toolWorld().runtime)) {
      const { $schema, title, description, examples } = schema as JsonSchema & {
        readonly examples: readonly unknown[]
      }
      expect([$schema, typeof title, typeof description], name).toEqual([
        'https://json-schema.org/draft/2020-12/schema',
        'string',
        'string',
      ])
      expect(examples.length, name).toBeGreaterThan(0)
      // A model never invents the key: it is not in what it reads.
      expect(JSON.stringify(schema), name).not.toContain('idempotencyKey')
    }
  })

  test('getToolsForTenant returns the same list, filtered by the policy of the tenant', () => {
    const { providers } = memoryPorts()
    const runtime = createRuntime({
      packs: [definePack({ name: 'site', tools: documentTools })],
      stores: memoryStores(),
      providers,
      policyOf: (tenant) =>
        tenant === 'careful'
          ? { version: 1, disabledTools: ['commerce.*', 'booking.book*'] }
          : undefined,
    })
    const listOf = getToolsForTenant(runtime)
    expect(listOf('shop')).toBe(listOf('shop'))
    const names = listOf('careful').map(({ name }) => name)
    expect(names.filter((name) => /^commerce\.|bookSlot/.test(name))).toEqual([])
    expect(names).toContain('booking.searchSlots')
  })

  test('telemetry is present for every call: tool, tenant, step, outcome, duration', async () => {
    const spans: { tool: string; tenant: string; ended: unknown }[] = []
    const telemetry: Telemetry = {
      startCall: ({ tool, tenant }) => {
        const span = { tool, tenant, ended: undefined as unknown }
        spans.push(span)
        return {
          end: (measure) => {
            span.ended = measure
          },
        }
      },
    }
    const { providers } = memoryPorts()
    const runtime = createRuntime({
      packs: [definePack({ name: 'site', tools: documentTools })],
      stores: memoryStores(),
      providers,
      telemetry,
    })
    for (const { id, examples, category } of documentTools) {
      const caller = category === 'siteops' ? OPERATOR : VISITOR
      await runtime.call({ tool: id, input: examples[0]?.input, caller, surface: 'test' })
    }
    expect(spans.map(({ tool }) => tool)).toEqual(documentTools.map(({ id }) => id))
    for (const { ended, tenant } of spans) {
      expect(ended).toMatchObject({ durationMs: expect.any(Number) })
      expect(tenant).toBe('shop')
    }
  })
})

describe('Shared conventions', () => {
  const writes = documentTools.filter(({ contract }) => contract.isWrite)

  test.each(writes.map((tool) => [tool.id, tool] as const))(
    '%s accepts an idempotency key and has replay protection',
    (_, tool) => {
      expect(tool.contract.idempotency).toBe('caller')
      const methods = [...tool.ports.values()].flatMap((port) => [...port.methods.values()])
      const effects = methods.filter((method) => method !== 'read')
      expect(effects.length).toBeGreaterThan(0)
      for (const effect of effects) expect(effect).toMatchObject({ kind: 'sameKey' })
    },
  )

  test('unknown keys are stripped', () => {
    for (const { contract, id } of documentTools) expect(contract.unknownKeys, id).toBe('strip')
  })

  test.each([
    ['commerce.addToCart', { productId: 'p', notes: 'x'.repeat(401) }, 'notes'],
    ['commerce.addToCart', { productId: 'p', quantity: 0 }, 'quantity'],
    ['commerce.addToCart', { productId: 'p', quantity: 1000 }, 'quantity'],
    ['navigation.goto', { path: '//evil.example' }, 'path'],
    ['navigation.goto', { path: 'https://evil.example' }, 'path'],
    ['booking.searchSlots', { interval: '2026-11-19' }, 'interval'],
    ['booking.searchSlots', { partySize: 51 }, 'partySize'],
    ['search.siteSearch', { query: 'x'.repeat(1001) }, 'query'],
    ['siteops.warmupCache', { urls: Array(51).fill('https://shop.example/') }, 'urls'],
    ['navigation.scrollTo', {}, 'to'],
  ])('%s refuses %j for %s', async (tool, input, field) => {
    const caller = tool.startsWith('siteops') ? OPERATOR : VISITOR
    const answer = await toolWorld().call(tool, input, { caller })
    expect(answer.status).toBe('failed')
    expect(JSON.stringify(answer.error?.details)).toContain(`"field":"${field}"`)
  })

  test('addToCart takes one piece where no quantity is given, and a UUID as its key', async () => {
    const tool = documentTools.find(({ id }) => id === 'commerce.addToCart') as Tool
    const key = '3f1c9a52-7d0b-4f0e-9a34-5a1f0c2f7d11'
    expect(tool.input.parse({ productId: 'p', idempotencyKey: key })).toMatchObject({
      value: { quantity: 1 },
    })
    expect(tool.input.parse({ productId: 'p', idempotencyKey: 'no uuid' }).ok).toBe(false)
  })
})

describe('Success criteria of navigation', () => {
  test('goto answers on dispatch although the page never reports', async () => {
    const world = toolWorld()
    const answer = await world.call('navigation.goto', { path: '/slow' })
    expect(answer.data).toMatchObject({ dispatched: true, path: '/slow', commandId: 'cmd_1' })
    expect(world.commands).toEqual([{ do: 'goto', path: '/slow' }])
  })

  test.each([
    ['https://tracking.example/parcel/17', 'success'],
    ['https://checkout.pay.example/', 'success'],
    ['https://shop.example/anything', 'success'],
    ['http://tracking.example/', 'failed'],
    ['https://tracking.example.evil.example/', 'failed'],
    ['https://evil.example/?https://tracking.example', 'failed'],
    ['https://pay.example/', 'failed'],
  ])('open %s: %s', async (url, status) => {
    const world = toolWorld()
    expect((await world.call('navigation.open', { url })).status).toBe(status)
    expect(world.commands).toHaveLength(status === 'success' ? 1 : 0)
  })

  test('a selector that matches nothing is answered with candidates of the page', async () => {
    const answer = await toolWorld().call('navigation.highlight', { selector: '#missing' })
    expect(answer.error?.details).toMatchObject({ candidates: [{ selector: '#add' }] })
  })
})

describe('Success criteria of commerce', () => {
  test('no duplicate orders under retries: one effect and one stored answer', async () => {
    const world = toolWorld()
    const input = { cartId: 'cart_1', checkoutToken: 'chk_1' }
    const asked = await world.call('commerce.placeOrder', input, { key: 'order-1' })
    expect(asked.metadata.pending?.asks).toMatch(/^Place the order \(2 × Red roses/)
    const placed = await world.decide(asked, 'approve')
    const repeated = await Promise.all(
      Array.from({ length: 20 }, () =>
        world.call('commerce.placeOrder', input, { key: 'order-1' }),
      ),
    )
    for (const answer of repeated) expect(answer.data).toEqual(placed.data)
    expect(world.effects).toHaveLength(1)
  })

  test.each([
    [undefined, 'TOOL_APPROVAL_REQUIRED'],
    [true, 'TOOL_APPROVAL_REQUIRED'],
    [false, undefined],
  ])('startCheckout asks where the contract says %s about payments', async (takes, code) => {
    const world = toolWorld()
    const site = world.state.site ?? expect.fail('no site')
    const commerce = {
      adapter: 'shop' as const,
      url: 'https://shop.example/',
      terms: [],
      ...(takes === undefined ? {} : { checkoutTakesPayment: takes }),
    }
    world.state.site = { ...site, contract: { ...site.contract, commerce } }
    const input = { cartId: 'cart_1', returnUrl: 'https://shop.example/cart' }
    expect((await world.call('commerce.startCheckout', input, { key: 'k' })).error?.code).toBe(code)
  })

  test('a returnUrl outside the site is refused', async () => {
    const input = { cartId: 'cart_1', returnUrl: 'https://evil.example/' }
    const answer = await toolWorld().call('commerce.startCheckout', input, { key: 'k' })
    expect(answer.error?.code).toBe('TOOL_INVALID_FIELD_VALUE')
  })
})

describe('Success criteria of booking', () => {
  test('bookSlot with the same key returns the same confirmation', async () => {
    const world = toolWorld()
    const asked = await world.call('booking.bookSlot', { slotId: 'slot_1' }, { key: 'b' })
    expect(asked.metadata.pending?.asks).toContain('Free until 24 hours before')
    const booked = await world.decide(asked, 'approve')
    const again = await world.call('booking.bookSlot', { slotId: 'slot_1' }, { key: 'b' })
    expect([again.metadata.source, again.data]).toEqual(['replayed', booked.data])
    expect(world.effects).toHaveLength(1)
  })

  test('a price that changes after the approval is asked about again', async () => {
    const world = toolWorld()
    const asked = await world.call('booking.bookSlot', { slotId: 'slot_1' }, { key: 'b' })
    world.state.slotPrice = 9900
    const answer = await world.decide(asked, 'approve')
    expect(answer.metadata.pending?.asks).toContain('99.00 EUR')
    expect(world.effects).toEqual([])
  })

  test('cancelBooking explains the policy and what it costs', async () => {
    const world = toolWorld()
    world.state.cancellationFee = 2000
    const asked = await world.call('booking.cancelBooking', { bookingId: 'bkg_1' }, { key: 'c' })
    expect(asked.metadata.pending?.asks).toMatch(/It costs 20\.00 EUR now\. Free until/)
  })
})

describe('Success criteria of forms', () => {
  test.each(['4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00', 'sk_live_0123456789abcdef'])(
    'secrets are never typed: %s',
    async (value) => {
      const world = toolWorld()
      const answer = await world.call('forms.fillField', { selector: '#note', value }, { key: 'f' })
      expect(answer.error?.code).toBe('TOOL_INVALID_FIELD_VALUE')
      expect(world.commands).toEqual([])
    },
  )

  test('a form that sends to another site is not submitted', async () => {
    const world = toolWorld()
    const answer = await world.call('forms.submitForm', { formSelector: '#foreign' }, { key: 's' })
    expect(answer.error?.code).toBe('TOOL_RESOURCE_ACCESS_DENIED')
    expect(world.effects).toEqual([])
  })

  test('a form that the contract frees from confirmation is submitted at once', async () => {
    const world = toolWorld()
    const site = world.state.site ?? expect.fail('no site')
    const forms = [{ selector: '#newsletter', confirm: false }]
    world.state.site = { ...site, contract: { ...site.contract, forms } }
    const free = await world.call('forms.submitForm', { formSelector: '#newsletter' }, { key: 'n' })
    expect(free.status).toBe('success')
    const asked = await world.call('forms.submitForm', { formSelector: '#contact' }, { key: 'c' })
    expect(asked.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  })
})

describe('Success criteria of siteops', () => {
  const siteops = documentTools.filter(({ category }) => category === 'siteops')

  test.each(siteops.map(({ id, examples }) => [id, examples[0]?.input as object] as const))(
    '%s never runs in the path of a visitor or an agent',
    async (tool, input) => {
      const world = toolWorld()
      const visitor = { ...VISITOR, capabilities: ['site.visit', 'site.operate'] }
      const agent = { ...OPERATOR, actor: 'ai_agent' } as const
      for (const caller of [visitor, agent])
        expect((await world.call(tool, input, { caller })).error?.code).toMatch(
          /TOOL_(GATE_CLOSED|CAPABILITY_MISSING)/,
        )
      expect((await world.call(tool, input, { caller: OPERATOR })).status).toBe('success')
    },
  )

  test('readSitemap respects lastmod: undated pages are always listed', async () => {
    const input = { since: '2026-01-01T00:00:00Z' }
    const answer = await toolWorld().call('siteops.readSitemap', input, { caller: OPERATOR })
    expect((answer.data as { pages: { url: string }[] }).pages.map(({ url }) => url)).toEqual([
      'https://shop.example/',
      'https://shop.example/undated',
    ])
  })

  test('warmupCache leaves out what robots.txt forbids and foreign pages', async () => {
    const urls = ['https://shop.example/', 'https://shop.example/private', 'https://evil.example/']
    const answer = await toolWorld().call('siteops.warmupCache', { urls }, { caller: OPERATOR })
    expect(answer.data).toMatchObject({
      warmed: [{ url: 'https://shop.example/' }],
      skipped: [{ why: 'forbidden by robots.txt' }, { why: 'not a page of the site' }],
    })
  })
})
