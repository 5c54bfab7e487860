import { z } from 'zod'

/** What WhatsApp reports, in our own terms. Times are milliseconds since 1970. */
export const MarketEvent = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('message'),
    id: z.string().min(1).max(255),
    from: z.string().regex(/^\d{5,20}$/),
    at: z.int(),
    name: z.string().max(200).optional(),
    /** WhatsApp's own type: text, image, audio, location, interactive, button. */
    type: z.string().max(50),
    /** The text, the caption, or the title of what was chosen. */
    text: z.string().max(8_192).optional(),
    reply_to: z.string().max(255).optional(),
    media: z.object({ id: z.string(), type: z.string() }).optional(),
    location: z
      .object({ lat: z.number(), lng: z.number(), label: z.string().max(500).optional() })
      .optional(),
    /** The answer to WhatsApp's own question whether the business may call. */
    call_permission: z.enum(['accept', 'reject']).optional(),
  }),
  z.object({
    kind: z.literal('status'),
    id: z.string().min(1).max(255),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
    at: z.int(),
    callback: z.string().max(512).optional(),
    error: z.string().max(500).optional(),
    pricing: z.record(z.string(), z.json()).optional(),
  }),
  z.object({
    kind: z.literal('call'),
    id: z.string().min(1).max(255),
    state: z.enum(['ringing', 'answered', 'completed', 'failed', 'no_answer', 'busy']),
    at: z.int(),
    callback: z.string().max(512).optional(),
    sdp: z.string().max(100_000).optional(),
    error: z.string().max(500).optional(),
  }),
])
export type MarketEvent = z.output<typeof MarketEvent>
/** What `marketplace.handle_event` is called with. */
export const EventInput = z.object({ event: MarketEvent })
export type MessageEvent = Extract<MarketEvent, { kind: 'message' }>
export type StatusEvent = Extract<MarketEvent, { kind: 'status' }>
export type CallEvent = Extract<MarketEvent, { kind: 'call' }>

/** The message or call that an event is about. */
export function eventSubject({ kind, id }: Pick<MarketEvent, 'kind' | 'id'>): string {
  return `${kind}/${id}`
}

/** What makes two deliveries of a webhook the same event. */
export function eventKey(event: MarketEvent): string {
  switch (event.kind) {
    case 'message':
      return `message/${event.id}`
    case 'status':
      return `status/${event.id}/${event.status}`
    case 'call':
      return `call/${event.id}/${event.state}${event.sdp === undefined ? '' : '/sdp'}`
  }
}
