import {
  type Caller,
  createRuntime,
  definePack,
  definePort,
  defineTool,
  type Outcome,
  type Runtime,
  type Stores,
  sameKey,
  type Tool,
  transact,
} from '../../../core/src/index.ts'
import { inputs } from '../core/inputs.ts'
import {
  addToCart,
  type CartInput,
  type CartOutput,
  cartInput,
  cartOutput,
  TOOL_DESCRIPTION,
} from '../core/tool.ts'
import { addLine } from './transactions.ts'

const caller: Caller = {
  tenant: 'acme',
  principal: 'amelie',
  actor: 'user',
  roles: ['user'],
  capabilities: ['cart.write'],
}

const contract = {
  effect: 'writes.cart',
  reversible: true,
  idempotency: 'caller',
  permissions: { roles: ['user'], capabilities: ['cart.write'] },
} as const

const about = {
  title: 'Add to cart',
  category: 'integration',
  description: TOOL_DESCRIPTION,
  input: cartInput,
  output: cartOutput,
} as const

/** A tool whose effect is in our own database. */
export const localTool = defineTool({
  ...about,
  id: 'shop.addLine',
  contract,
  transaction: transact(
    addLine,
    ({ input, callId }: { readonly input: CartInput; readonly callId: string }) => ({
      lineId: callId,
      input,
    }),
  ),
})

type Warehouse = {
  readonly reserve: (input: CartInput, signal: AbortSignal) => Promise<CartOutput>
}
const warehousePort = definePort<Warehouse>('warehouse', { reserve: sameKey({ validFor: '1d' }) })

/** A tool whose effect is a provider's. The provider answers at once, in this process, so that only the cost of the ledger remains. */
export const outsideTool = defineTool({
  ...about,
  id: 'shop.reserve',
  contract,
  ports: { warehouse: warehousePort },
  execute: ({ input, ports, signal }) => ports.warehouse.reserve(input, signal),
})

export const shopPack = definePack({
  name: 'bench',
  tools: [localTool, outsideTool],
  data: {
    migrations: [
      {
        name: '0001-lines',
        statements: [
          `create table bench_lines (line_id text primary key, cart_id text not null, product_id text not null, quantity bigint not null,
            total_cents bigint not null)`,
        ],
      },
    ],
    transactions: new URL('./transactions.ts', import.meta.url).href,
  },
})

export function openShop(stores: Stores): Runtime {
  const warehouse: Warehouse = { reserve: (input) => addToCart(input) }
  return createRuntime({ packs: [shopPack], stores, providers: { warehouse } })
}

/** One governed call; the idempotency key is made from `serial`. */
export async function callShop(
  runtime: Runtime,
  tool: Tool<CartInput, CartOutput>,
  serial: number,
): Promise<Outcome<CartOutput> & { status: 'done' }> {
  const outcome = await runtime.call({
    tool,
    input: inputOf(serial),
    caller,
    idempotencyKey: keyOf(serial),
  })
  if (outcome.status !== 'done')
    throw outcome.status === 'failed' ? outcome.error : new Error(`the call is ${outcome.status}`)
  return outcome
}

export function keyOf(serial: number): string {
  return `cart-key-${String(serial).padStart(10, '0')}`
}

export function inputOf(serial: number): CartInput {
  // The list is never empty.
  return inputs[serial % inputs.length] as CartInput
}
