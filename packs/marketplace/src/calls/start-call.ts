import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { CALL } from '../contract.ts'
import { marketData, readerOf } from '../market-data.ts'
import { marketPort } from '../market-port.ts'
import { settingsPort } from '../market-settings.ts'
import { sourceCodeOf } from '../refuse.ts'
import { readCallFacts, refuseCall } from './call-gates.ts'

export const startCall = defineTool({
  id: 'marketplace.start_call',
  title: 'Call the client',
  category: 'marketplace',
  description:
    'Starts a WhatsApp call to the client, who must have allowed it within the last 24 hours (marketplace.request_call_consent). A client is called at most once in 10 minutes. The answer comes when the call was placed; whether the client answers is seen later.',
  version: '1.0.0',
  input: z.object({ consent_id: z.string().min(1).max(100) }),
  output: z.object({
    success: z.boolean(),
    call_attempt_id: z.string().optional(),
    provider_call_id: z.string().optional(),
    error: z.string().optional(),
  }),
  contract: {
    ...CALL,
    effect: 'writes.call',
    reversible: false,
    // Calling twice with one consent may be meant: after the cooldown, when nobody answered.
    idempotency: 'caller',
    onRefusal: 'release',
    timeout: '30s',
  },
  requestId: ({ consent_id: id }) => id,
  ports: { market: marketPort, data: marketData, settings: settingsPort },
  // Asked again in the transaction that creates the call. An expired consent is left to it, because
  // the transaction stores the new state.
  check: async ({ input, ports, caller, now }) => {
    const { callingEnabled } = await ports.settings.read()
    const facts = await readCallFacts(readerOf(ports.data), {
      tenant: caller.tenant,
      consentId: input.consent_id,
      callingEnabled,
    })
    const refusal = refuseCall(facts, now())
    if (refusal !== undefined && sourceCodeOf(refusal) !== 'CONSENT_EXPIRED') throw refusal
  },
  examples: [
    { name: 'a client who agreed', input: { consent_id: 'con_granted' } },
    { name: 'another consent', input: { consent_id: 'con_granted_2' } },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => ({
    success: true,
    ...(await ports.market.startCall(
      { tenant: caller.tenant, consentId: input.consent_id, idempotencyKey },
      signal,
    )),
  }),
})
