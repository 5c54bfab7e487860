import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketPort } from '../market-port.ts'
import { ErasedRows } from './erase-client-rows.ts'

export const eraseClient = defineTool({
  id: 'marketplace.erase_client',
  title: 'Erase a client',
  category: 'marketplace',
  description:
    'Deletes what the marketplace stores about a client: messages, requests, replies to them, consents, calls, prescriptions and pictures. It cannot be undone. The inputs and answers of the calls about the client are emptied as well; of a call that has not ended yet, when it has ended. A client who writes again is a new one. For operators.',
  version: '1.0.0',
  input: z.object({
    request_id: z.string().min(1).max(100).describe('Any request of the client.'),
  }),
  output: ErasedRows.extend({
    calls: z.int().describe('Calls of tools whose inputs and answers were emptied.'),
  }),
  contract: {
    ...OPERATE,
    effect: 'writes.client',
    reversible: false,
    idempotency: ({ request_id: id }) => `erase/${id}`,
    timeout: '30s',
  },
  ports: { market: marketPort },
  examples: [{ name: 'a client', input: { request_id: 'req_awaiting' } }],
  execute: async ({ input, caller: { tenant }, ports, idempotencyKey, signal }) => {
    const order = { tenant, requestId: input.request_id, idempotencyKey }
    return { ...(await ports.market.eraseClient(order, signal)) }
  },
})
