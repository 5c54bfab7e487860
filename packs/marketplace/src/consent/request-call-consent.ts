import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { WRITE } from '../contract.ts'
import { marketPort } from '../market-port.ts'

export const requestCallConsent = defineTool({
  id: 'marketplace.request_call_consent',
  title: 'Ask the client whether we may call',
  category: 'marketplace',
  description:
    'Asks the client by WhatsApp for the permission to call, with the reason. The client answers YES or NO; consent is valid for 24 hours. While a question of the same scope is open, it is not asked again: message_sent is false then.',
  version: '1.0.0',
  input: z.object({
    request_id: z.string().min(1).max(100),
    scope: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .describe('What the call is for: concierge, support, call_client, call_vendor, either.'),
    reason: z.string().trim().min(1).max(500).describe('Shown to the client, in their language.'),
  }),
  output: z.object({
    consent_id: z.string(),
    state: z.literal('requested'),
    message_sent: z.boolean(),
  }),
  contract: {
    ...WRITE,
    effect: 'writes.consent',
    reversible: false,
    idempotency: 'caller',
    onRefusal: 'release',
    timeout: '20s',
  },
  requestId: ({ request_id: id }) => id,
  ports: { market: marketPort },
  examples: [
    {
      name: 'to explain the offers',
      input: {
        request_id: 'req_1',
        scope: 'concierge',
        reason: 'We found three offers and would like to explain them.',
      },
    },
    {
      name: 'support',
      input: { request_id: 'req_1', scope: 'support', reason: 'To solve the delivery problem.' },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => ({
    ...(await ports.market.requestConsent(
      {
        tenant: caller.tenant,
        requestId: input.request_id,
        scope: input.scope,
        reason: input.reason,
        by: caller.actor,
        idempotencyKey,
      },
      signal,
    )),
    state: 'requested' as const,
  }),
})
