import { defineTool, ToolError } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, readerOf } from '../market-data.ts'
import { toCallback } from '../messages/deliver-message.ts'
import { callingPort } from '../messages/messaging-port.ts'
import { refuseExpired } from './call-gates.ts'
import { callOffersPort } from './call-offers.ts'

export const placeCall = defineTool({
  id: 'marketplace.place_call',
  title: 'Place a call with WhatsApp',
  category: 'marketplace',
  description: "Part of marketplace.start_call: gives the operator's offer to WhatsApp, once.",
  version: '1.0.0',
  input: z.object({ call_attempt_id: z.string() }),
  output: z.object({ provider_call_id: z.string() }),
  contract: {
    ...OPERATE,
    effect: 'writes.call',
    reversible: false,
    idempotency: ({ call_attempt_id: id }) => `place/${id}`,
    onRefusal: 'release',
    timeout: '20s',
  },
  ports: { data: marketData, calling: callingPort, offers: callOffersPort },
  examples: [{ name: 'an attempt', input: { call_attempt_id: 'cal_initiated' } }],
  execute: async ({ input, caller: { tenant }, ports, callId, idempotencyKey, now, signal }) => {
    const [row] = await readerOf(ports.data, signal)(
      `select a.id, c.phone, (select g.expires_at from mk_consents g where g.tenant = a.tenant and g.id = a.consent_id and g.state = 'granted') as granted_until
        from mk_call_attempts a join mk_conversations c on c.tenant = a.tenant and c.id = a.conversation_id
        where a.tenant = ? and a.id = ? and a.state = 'initiated'`,
      tenant,
      input.call_attempt_id,
    )
    if (row === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `There is no call ${input.call_attempt_id} that waits to be placed.`,
      )
    // The attempt may have been stored long before: by a process that died.
    if (Number(row.granted_until ?? 0) <= now()) throw refuseExpired()
    const offer = await ports.offers.find({ tenant }, signal)
    if (offer === null)
      throw new ToolError(
        'TOOL_RESOURCE_UNAVAILABLE',
        "No operator's page is open to take the call. Open /marketplace/operator, then call again.",
        { effect: 'none' },
      )
    const callback = toCallback({ callId, messageId: input.call_attempt_id, key: idempotencyKey })
    return ports.calling.place({ tenant, to: String(row.phone), sdp: offer.sdp, callback }, signal)
  },
})
