import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import {
  type Caller,
  type Contract,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Outcome,
  type Stores,
} from '../../../core/src/index.ts'
import type { Telemetry } from '../../../core/src/ports.ts'
import { otelTelemetry } from '../../../libraries/telemetry/src/otel.ts'
import { type Start, subject } from '../harness/contender.ts'
import {
  addToCart,
  type CartInput,
  type CartOutput,
  cartInput,
  cartOutput,
  TOOL_DESCRIPTION,
} from './tool.ts'

type CartContract = Contract<CartInput, CartOutput, Record<never, never>>

const caller: Caller = {
  tenant: 'acme',
  principal: 'amelie',
  actor: 'user',
  roles: ['user'],
  capabilities: ['cart.read', 'cart.write'],
}

const read: CartContract = {
  effect: 'read',
  permissions: { roles: ['user'], capabilities: ['cart.read'] },
}

const write: CartContract = {
  effect: 'writes.cart',
  reversible: true,
  idempotency: 'caller',
  permissions: { roles: ['user'], capabilities: ['cart.write'] },
  limits: [{ calls: 1_000_000_000, per: '1m' }],
}

export const governedRead: Start = async () => {
  const { runtime, tool } = shop(read)
  return subject({
    payload: (input) => input as CartInput,
    call: (input) => runtime.call({ tool, input, caller }),
    output: dataOf,
  })
}

/** The same with the hashes computed before the answer, as an audit that writes every record at once would do. */
export const governedReadHashed: Start = async () => {
  const stores = memoryStores()
  const hashing: Stores = {
    ...stores,
    audit: {
      ...stores.audit,
      append: (entry, durability) =>
        entry.input.hash === entry.output.hash ? undefined : stores.audit.append(entry, durability),
    },
  }
  const { runtime, tool } = shop(read, undefined, hashing)
  return subject({
    payload: (input) => input as CartInput,
    call: (input) => runtime.call({ tool, input, caller }),
    output: dataOf,
  })
}

export const governedReadOfText: Start = async () => {
  const { runtime, tool } = shop(read)
  return subject({
    payload: (input) => JSON.stringify(input),
    call: (json) =>
      runtime.call({ tool: tool.id, input: undefined, json, caller, surface: 'process' }),
    output: dataOf,
  })
}

export const governedReadWithSpan: Start = async () => {
  const { runtime, tool } = shop(read, otelTelemetry(tracer(), { stages: 'none' }))
  return subject({
    payload: (input) => input as CartInput,
    call: (input) => runtime.call({ tool, input, caller }),
    output: dataOf,
  })
}

export const governedWrite: Start = async () => {
  const { runtime, tool } = shop(write)
  return subject({
    payload: (input) => input as CartInput,
    call: (input, serial) =>
      runtime.call({ tool, input, caller, idempotencyKey: `cart-key-${serial}` }),
    output: dataOf,
  })
}

function shop(contract: CartContract, telemetry?: Telemetry, stores: Stores = memoryStores()) {
  const tool = defineTool({
    id: 'shop.addToCart',
    title: 'Add to cart',
    category: 'integration',
    description: TOOL_DESCRIPTION,
    input: cartInput,
    output: cartOutput,
    contract,
    execute: ({ input }) => addToCart(input),
  })
  const packs = [definePack({ name: 'shop', tools: [tool] })]
  const runtime = createRuntime({
    packs,
    stores,
    ...(telemetry === undefined ? {} : { telemetry }),
  })
  return { runtime, tool }
}

function tracer() {
  const discardingExporter: SpanExporter = {
    export: (_spans, done) => done({ code: 0 }),
    shutdown: () => Promise.resolve(),
  }
  return new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(discardingExporter)],
  }).getTracer('surehand')
}

function dataOf(outcome: Outcome): unknown {
  if (outcome.status !== 'done')
    throw outcome.status === 'failed' ? outcome.error : new Error(outcome.status)
  return outcome.data
}
