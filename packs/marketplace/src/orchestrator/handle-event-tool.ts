import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketPort } from '../market-port.ts'
import { EventInput, eventSubject } from '../messages/market-event.ts'

export const handleEventTool = defineTool({
  id: 'marketplace.handle_event',
  title: 'Act on an event of WhatsApp',
  category: 'marketplace',
  description:
    'What the webhook calls, with the id of the message or state as its key: the event is stored with the call, and a worker acts on it. Repeated deliveries do nothing.',
  version: '1.0.0',
  kind: 'async',
  input: EventInput,
  output: z.object({ done: z.string() }),
  contract: {
    ...OPERATE,
    effect: 'writes.market',
    reversible: false,
    idempotency: 'caller',
    timeout: '120s',
    retries: 1,
  },
  ports: { market: marketPort },
  // By it, the calls about a client who is erased are found.
  requestId: ({ event }) => eventSubject(event),
  examples: [
    {
      name: 'a message',
      input: {
        event: {
          kind: 'message',
          id: 'wamid.in-9',
          from: '250788555009',
          at: 1_768_464_000_000,
          type: 'text',
          text: 'I need amoxicillin near Kimironko',
        },
      },
    },
    {
      name: 'a state',
      input: {
        event: { kind: 'status', id: 'wamid.out-1', status: 'delivered', at: 1_768_464_000_000 },
      },
    },
  ],
  execute: ({ input, caller, ports, idempotencyKey, signal }) =>
    ports.market.handleEvent({ tenant: caller.tenant, event: input.event, idempotencyKey }, signal),
})

export const runDueWorkTool = defineTool({
  id: 'marketplace.run_due_work',
  title: 'Do what is due',
  category: 'marketplace',
  description:
    'Called every ten seconds: sends queued messages whose time has come, closes the wait for vendors who did not answer, reads pictures, ends consents, and deletes what is no longer stored.',
  version: '1.0.0',
  input: z.object({}),
  output: z.object({ done: z.record(z.string(), z.int()) }),
  contract: {
    ...OPERATE,
    effect: 'writes.market',
    reversible: true,
    idempotency: 'caller',
    timeout: '120s',
  },
  ports: { market: marketPort },
  examples: [{ name: 'now', input: {} }],
  execute: async ({ caller, ports, idempotencyKey, signal }) => {
    const { done } = await ports.market.runDueWork(
      { tenant: caller.tenant, idempotencyKey },
      signal,
    )
    return { done: { ...done } }
  },
})
