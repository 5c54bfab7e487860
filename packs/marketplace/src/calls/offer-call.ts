import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { callOffersPort } from './call-offers.ts'

export const offerCall = defineTool({
  id: 'marketplace.offer_call',
  title: 'Be ready to speak',
  category: 'marketplace',
  description:
    "Called by the operator's page: the audio offer (SDP) of its browser, with which the next call to a client is placed. Null: the operator is no longer ready. An offer is valid for two minutes.",
  version: '1.0.0',
  input: z.object({ sdp: z.string().min(1).max(100_000).nullable() }),
  output: z.object({ is_ready: z.boolean() }),
  contract: {
    ...OPERATE,
    effect: 'writes.call',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  ports: { offers: callOffersPort },
  examples: [
    { name: 'ready', input: { sdp: 'v=0\r\n' } },
    { name: 'not any more', input: { sdp: null } },
  ],
  execute: ({ input, caller: { tenant }, ports, signal }) =>
    ports.offers.put({ tenant, sdp: input.sdp }, signal),
})
