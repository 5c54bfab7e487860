import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { systemOnly, type WriteRequest, writeRequest } from '../write-request.ts'

/** What the owner's report counts. */
export const EVENT_KINDS = [
  'order',
  'booking',
  'cancellation',
  'unanswered_search',
  'not_understood',
  'handoff',
] as const

const Input = z.object({
  sessionId: z.string().max(128),
  kind: z.enum(EVENT_KINDS),
  text: z.string().max(1_000),
  amount: z.int().optional(),
  currency: z.string().length(3).optional(),
})
type EventInput = z.output<typeof Input>

const record = defineTransaction(
  'site.record_event',
  async (tx, { tenant, now, id, input }: WriteRequest<EventInput>) => {
    await tx.run(
      'insert into site_events (tenant, id, session, kind, text, amount, currency, at) values (?, ?, ?, ?, ?, ?, ?, ?)',
      tenant,
      id,
      input.sessionId,
      input.kind,
      input.text,
      input.amount ?? null,
      input.currency ?? null,
      now,
    )
    return { eventId: id }
  },
)

export const recordEvent = defineTool({
  id: 'site.record_event',
  title: "Record an event for the owner's report",
  category: 'site',
  description:
    'Records an order, a booking, a search without an answer or a request for a person. Called by the server.',
  input: Input,
  output: z.object({ eventId: z.string() }),
  contract: {
    ...systemOnly,
    effect: 'writes.report',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [
    {
      name: 'a search',
      input: {
        sessionId: 'ses_0123456789abcdef',
        kind: 'unanswered_search',
        text: 'blue tulips',
      },
    },
    {
      name: 'an order',
      input: {
        sessionId: 'ses_0123456789abcdef',
        kind: 'order',
        text: 'ord_1',
        amount: 4470,
        currency: 'EUR',
      },
    },
  ],
  transaction: transact(record, writeRequest<EventInput>('evt')),
})
