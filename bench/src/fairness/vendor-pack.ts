import { z } from 'zod'
import { definePack, definePort, defineTool, type Pack, sameKey } from '../../../core/src/index.ts'

type Request = { readonly host: string; readonly hangs: boolean }
type Vendor = {
  readonly ask: (request: Request, signal: AbortSignal) => Promise<{ readonly ok: boolean }>
  readonly order: (
    request: Request & { readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<{ readonly ok: boolean }>
}

const vendor = definePort<Vendor>(
  'vendor',
  { ask: 'read', order: sameKey({ validFor: '1d' }) },
  { host: ({ host }: Request) => host },
)

const input = z.object({ host: z.string(), hangs: z.boolean() })
const output = z.object({ ok: z.boolean() })
const permissions = { roles: ['user'], capabilities: ['cart.read'] }

export const ASK_TOOL = 'vendors.ask'
export const ORDER_TOOL = 'vendors.order'
export const DESCRIBE_TOOL = 'vendors.describe'

/** A vendor with circuit breakers that hangs where it is told to, and a job whose end is notified. */
export const vendorPack: Pack = definePack({
  name: 'vendors',
  tools: [
    defineTool({
      id: ASK_TOOL,
      title: 'Ask a vendor',
      category: 'integration',
      description: 'Asks a vendor whether it is there.',
      input,
      output,
      contract: { effect: 'read', timeout: '1s', permissions },
      ports: { vendor },
      execute: ({ input: request, ports, signal }) => ports.vendor.ask(request, signal),
    }),
    defineTool({
      id: DESCRIBE_TOOL,
      title: 'Describe a vendor',
      category: 'integration',
      description: 'Tells how many lines a description has.',
      input: z.object({ lines: z.array(z.string()) }),
      output: z.object({ lines: z.number() }),
      contract: { effect: 'read', timeout: '10s', permissions, maxInputBytes: 2_000_000 },
      execute: ({ input: { lines } }) => Promise.resolve({ lines: lines.length }),
    }),
    defineTool({
      id: ORDER_TOOL,
      title: 'Order from a vendor',
      category: 'integration',
      description: 'Orders something, later.',
      kind: 'async',
      input,
      output,
      contract: { effect: 'writes.orders', reversible: true, idempotency: 'caller', permissions },
      ports: { vendor },
      execute: ({ input: request, ports, idempotencyKey, signal }) =>
        ports.vendor.order({ ...request, idempotencyKey }, signal),
    }),
  ],
  providers: () => ({ vendor: { ask: answerVendor, order: answerVendor } }),
})

function answerVendor({ hangs }: Request, signal: AbortSignal): Promise<{ readonly ok: boolean }> {
  if (!hangs) return Promise.resolve({ ok: true })
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
