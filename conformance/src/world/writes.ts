import {
  defineTool,
  type Gate,
  IdempotencyKey,
  type Port,
  type Tool,
  ToolError,
  type WriteContract,
} from '@surehand/core'
import { z } from 'zod'
import {
  fax,
  legacy,
  type Maker,
  mail,
  orders,
  parcels,
  type Rules,
  rules,
  shelf,
} from './ports.ts'

export const Order = z.object({
  item: z.string().min(1).max(100).describe('What to make.'),
  quantity: z.number().int().min(1).max(99).default(1).describe('How many.'),
})
export const Made = z.object({ receipt: z.string(), item: z.string(), extra: z.unknown() })

type Wish = z.infer<typeof Order>
type Ports = { readonly out: Maker; readonly rules: Rules }
export type Writing = Partial<WriteContract<Wish, Ports>>

/** A tool that makes something outside, by a port of some recovery class, under some contract. */
export function maker(
  id: string,
  out: Port<Maker>,
  contract: Writing = {},
  kind: 'sync' | 'async' = 'sync',
): Tool {
  return defineTool({
    id,
    title: `Make (${id})`,
    category: 'custom',
    description: 'Makes an item, outside.',
    kind,
    input: Order,
    output: Made,
    ports: { out, rules },
    contract: {
      effect: 'writes.order',
      reversible: true,
      idempotency: 'caller',
      timeout: '10s',
      ...contract,
    },
    examples: [
      { name: 'a lamp', input: { item: 'lamp' } },
      { name: 'two chairs', input: { item: 'chair', quantity: 2 } },
    ],
    execute: ({ input, ports, idempotencyKey, signal }) =>
      ports.out.make({ ...input, key: idempotencyKey }, signal),
  })
}

const shopOpen: Gate<Wish, Ports> = {
  name: 'SHOP_OPEN',
  check: async ({ ports }) =>
    (await ports.rules.ask({}, new AbortController().signal)) === 'open'
      ? undefined
      : { message: 'The shop is closed.' },
}

export const makers: readonly Tool[] = [
  maker('orders.place', orders, { retries: 2 }),
  maker('orders.draft', orders),
  maker('orders.message', orders, { onRefusal: 'release' }),
  maker('orders.limited', orders, { limits: [{ calls: 1, per: '1h' }] }),
  maker('orders.gated', orders, { gates: [shopOpen] }),
  maker('mail.send', mail),
  maker('parcels.ship', parcels),
  maker('fax.send', fax),
  maker('legacy.poke', legacy),
  maker('cards.charge', orders, { reversible: false }),
  maker('wires.send', fax, { reversible: false }),
  maker('keys.derived', orders, { idempotency: ({ item }) => `order of ${item}` }),
  maker('jobs.export', orders, {}, 'async'),
  maker('jobs.fax', fax, {}, 'async'),
]

/** Looks first, and only then makes: there is a time before the effect. */
export const placeSlowly = defineTool({
  id: 'orders.slowly',
  title: 'Look, then make',
  category: 'custom',
  description: 'Makes an item that is on the shelf.',
  input: Order,
  output: Made,
  ports: { out: orders, shelf },
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller', timeout: '10s' },
  examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
  execute: async ({ input, ports, idempotencyKey, signal }) => {
    await ports.shelf.look({ item: input.item }, signal)
    return ports.out.make({ ...input, key: idempotencyKey }, signal)
  },
})

/** Catches what its provider throws and says that all is well. */
export const careless = defineTool({
  id: 'fax.careless',
  title: 'Make, carelessly',
  category: 'custom',
  description: 'Makes an item and never looks whether it worked.',
  input: Order,
  output: Made,
  ports: { out: fax },
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
  execute: ({ input, ports, idempotencyKey, signal }) =>
    ports.out
      .make({ ...input, key: idempotencyKey }, signal)
      .catch(() => ({ receipt: 'never mind', item: input.item, extra: null })),
})

/** Makes the item and then falls over its own feet. */
export const clumsy = defineTool({
  id: 'fax.clumsy',
  title: 'Make, clumsily',
  category: 'custom',
  description: 'Makes an item and breaks afterwards, for an item that is not a feather.',
  input: Order,
  output: Made,
  ports: { out: fax },
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'a feather', input: { item: 'feather' } }],
  execute: async ({ input, ports, idempotencyKey, signal }) => {
    const made = await ports.out.make({ ...input, key: idempotencyKey }, signal)
    if (input.item !== 'feather') throw new TypeError('undefined is not a lamp')
    return made
  },
})

/** Documented to answer `success: false` beside its error. */
export const spoken = defineTool({
  id: 'fax.spoken',
  title: 'Make, and say how it went',
  category: 'custom',
  description: 'Makes an item and says in its output whether it worked.',
  input: Order,
  output: z.object({ success: z.boolean() }),
  ports: { out: fax },
  contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
  examples: [{ name: 'a lamp', input: { item: 'lamp' } }],
  execute: async ({ input, ports, idempotencyKey, signal }) => {
    if (input.item === 'nothing')
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'There is nothing to make.', {
        effect: 'refused',
        data: { success: false },
      })
    await ports.out.make({ ...input, key: idempotencyKey }, signal)
    return { success: true }
  },
})

/** A key field, as a free text and as a UUID. */
export const keyFields: readonly Tool[] = [
  defineKeyedTool('keys.field', IdempotencyKey),
  defineKeyedTool('keys.uuid', z.uuid()),
]

function defineKeyedTool(id: string, idempotencyKey: z.ZodType<string>): Tool {
  return defineTool({
    id,
    title: `Make (${id})`,
    category: 'custom',
    description: 'Makes an item once a key.',
    input: z.object({ item: z.string(), idempotencyKey }),
    output: Made,
    ports: { out: orders },
    contract: { effect: 'writes.order', reversible: true, idempotency: 'caller' },
    examples: [
      {
        name: 'a lamp',
        input: { item: 'lamp', idempotencyKey: '3f1c9a52-7d0b-4f0e-9a34-5a1f0c2f7d11' },
      },
    ],
    execute: ({ input, ports, idempotencyKey: key, signal }) =>
      ports.out.make({ item: input.item, field: input.idempotencyKey, key }, signal),
  })
}
