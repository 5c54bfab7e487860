import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { WRITE } from '../contract.ts'
import { marketPort } from '../market-port.ts'
import { messageKey } from './content-hash.ts'

export const sendVendorMessage = defineTool({
  id: 'marketplace.send_vendor_message',
  title: 'Write to a vendor',
  category: 'marketplace',
  description:
    "Asks a vendor about a request by WhatsApp. A vendor gets at most 20 messages in a day, one in 5 minutes, none in quiet hours, and none after asking us to stop. A message that must wait is queued and is sent by itself: the answer then has an outreach_id and no provider_message_id, and the message must not be sent again. The client's phone number is removed from the text.",
  version: '1.0.0',
  input: z.object({
    request_id: z.string().min(1).max(100),
    vendor_id: z.string().min(1).max(100),
    message: z.string().trim().min(1).max(1_024),
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .describe('request:{id}:hash:{content_hash}; it is filled in where it is left out.'),
  }),
  output: z.object({
    success: z.boolean(),
    provider_message_id: z.string().optional(),
    outreach_id: z.string().optional(),
    error: z.string().optional(),
  }),
  contract: {
    ...WRITE,
    effect: 'writes.message',
    reversible: false,
    idempotency: ({ request_id: id, vendor_id: recipient, message }) =>
      messageKey(id, { recipient, type: 'text', text: message }),
    onRefusal: 'release',
    timeout: '20s',
  },
  requestId: ({ request_id: id }) => id,
  ports: { market: marketPort },
  examples: [
    {
      name: 'is it in stock',
      input: {
        request_id: 'req_1',
        vendor_id: 'ven_1',
        message: 'Do you have amoxicillin 500 mg, 21 capsules? At which price?',
        idempotency_key: 'request:req_1:hash:3',
      },
    },
    {
      name: 'another vendor',
      input: {
        request_id: 'req_1',
        vendor_id: 'ven_2',
        message: 'Do you have amoxicillin 500 mg, 21 capsules? At which price?',
        idempotency_key: 'request:req_1:hash:4',
      },
    },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const receipt = await ports.market.sendMessage(
      {
        tenant: caller.tenant,
        requestId: input.request_id,
        vendorId: input.vendor_id,
        text: input.message,
        by: caller.actor,
        idempotencyKey,
      },
      signal,
    )
    return { success: true, ...receipt }
  },
})
