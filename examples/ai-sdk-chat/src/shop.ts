import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Runtime,
} from '@surehand/core'
import { z } from 'zod'

/**
 * The name under which this chat relays Ann's approval; the shop's policy trusts it for reversible
 * actions.
 */
export const HOST = 'ai-sdk-chat'

/**
 * The customer. A real host takes the caller from its session, never from what a browser or a model
 * sends.
 */
export const ann: Caller = {
  tenant: 'shop',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: [],
  session: 'ann',
}
/** The model that acts for her. */
export const agent: Caller = { ...ann, actor: 'ai_agent' }

const PRICES = new Map([
  ['lamp', 40],
  ['chair', 120],
  ['tea', 3],
])

export type Shop = {
  readonly runtime: Runtime
  /** What was really done. */
  readonly done: readonly string[]
}

/**
 * A demo shop with a price list, a reservation that requires approval, and an irreversible action.
 */
export function openShop(): Shop {
  const done: string[] = []
  const about = { category: 'custom' } as const
  const product = z.string().min(1).max(40).describe('The product, as the price list names it.')
  const price = defineTool({
    ...about,
    id: 'shop.price',
    title: 'Look up a price',
    description: 'The price of a product in euros; null when the shop does not have it.',
    input: z.object({ product }),
    output: z.object({ euros: z.number().nullable() }),
    contract: { effect: 'read' },
    examples: [{ name: 'a lamp', input: { product: 'lamp' } }],
    execute: async ({ input }) => ({ euros: PRICES.get(input.product.toLowerCase()) ?? null }),
  })
  const reserve = defineTool({
    ...about,
    id: 'shop.reserve',
    title: 'Reserve a product',
    description:
      'Reserves a product for the customer for a day. The customer must approve it first.',
    input: z.object({ product }),
    output: z.object({ reservation: z.string() }),
    contract: {
      effect: 'writes.reservation',
      reversible: true,
      idempotency: 'caller',
      approval: (input) => `Reserve ${input.product} for a day?`,
    },
    async execute({ input }) {
      done.push(`reserved ${input.product}`)
      return { reservation: `${input.product} #${done.length}` }
    },
  })
  const closeAccount = defineTool({
    ...about,
    id: 'shop.closeAccount',
    title: 'Close the account',
    description:
      'Closes the customer’s account permanently. The customer decides on a separate page.',
    input: z.object({}),
    output: z.object({ closed: z.literal(true) }),
    contract: {
      effect: 'writes.account',
      reversible: false,
      idempotency: 'caller',
      approval: () => 'Close your account permanently?',
    },
    async execute() {
      done.push('closed the account')
      return { closed: true as const }
    },
  })
  const runtime = createRuntime({
    packs: [definePack({ name: 'shop', tools: [price, reserve, closeAccount] })],
    stores: memoryStores(),
    policyOf: () => ({ version: 1, trustedHosts: [HOST] }),
  })
  return { runtime, done }
}
