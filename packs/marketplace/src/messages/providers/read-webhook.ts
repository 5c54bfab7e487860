import { z } from 'zod'
import { MarketEvent } from '../market-event.ts'

const Text = z.string().catch('')
const Media = z.object({
  id: z.string(),
  mime_type: z.string().catch(''),
  caption: z.string().optional(),
})

const Message = z.object({
  id: z.string(),
  from: z.string(),
  timestamp: z.coerce.number(),
  type: z.string(),
  context: z.object({ id: z.string().optional() }).optional(),
  text: z.object({ body: Text }).optional(),
  button: z.object({ text: Text }).optional(),
  image: Media.optional(),
  document: Media.optional(),
  audio: Media.optional(),
  video: Media.optional(),
  sticker: Media.optional(),
  location: z
    .object({
      latitude: z.coerce.number(),
      longitude: z.coerce.number(),
      name: z.string().optional(),
      address: z.string().optional(),
    })
    .optional(),
  interactive: z
    .object({
      type: z.string(),
      button_reply: z.object({ title: Text }).optional(),
      list_reply: z.object({ title: Text }).optional(),
      call_permission_reply: z.object({ response: z.string() }).optional(),
    })
    .optional(),
})

const Errors = z
  .array(
    z.object({
      code: z.number().optional(),
      title: z.string().optional(),
      message: z.string().optional(),
    }),
  )
  .optional()

const Status = z.object({
  id: z.string(),
  status: z.string(),
  timestamp: z.coerce.number(),
  type: z.string().optional(),
  biz_opaque_callback_data: z.string().optional(),
  errors: Errors,
  pricing: z.record(z.string(), z.json()).optional(),
})

const Call = z.object({
  id: z.string(),
  event: z.string(),
  timestamp: z.coerce.number(),
  status: z.union([z.string(), z.array(z.string())]).optional(),
  duration: z.coerce.number().optional(),
  start_time: z.coerce.number().optional(),
  session: z.object({ sdp: z.string().optional() }).optional(),
  biz_opaque_callback_data: z.string().optional(),
  errors: Errors,
})

const Webhook = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(
    z.object({
      changes: z.array(
        z.object({
          field: z.string(),
          value: z.object({
            metadata: z.object({ phone_number_id: z.string() }).optional(),
            contacts: z
              .array(
                z.object({
                  wa_id: z.string().optional(),
                  profile: z.object({ name: z.string().optional() }).optional(),
                }),
              )
              .optional(),
            messages: z.array(z.unknown()).optional(),
            statuses: z.array(z.unknown()).optional(),
            calls: z.array(z.unknown()).optional(),
          }),
        }),
      ),
    }),
  ),
})

/** The events of a webhook for this number; undefined where it is not a webhook of WhatsApp. */
export function readWebhook(
  body: string,
  phoneNumberId: string | undefined,
): readonly MarketEvent[] | undefined {
  const parsed = Webhook.safeParse(parseJson(body))
  if (!parsed.success) return undefined
  const values = parsed.data.entry.flatMap(({ changes }) => changes.map(({ value }) => value))
  return values
    .filter(({ metadata }) => isFor(metadata?.phone_number_id, phoneNumberId))
    .flatMap(({ contacts = [], messages = [], statuses = [], calls = [] }) => [
      ...messages.map((raw) => {
        const message = Message.safeParse(raw)
        if (!message.success) return undefined
        const contact = contacts.find(({ wa_id: id }) => id === message.data.from)
        return toMessage(message.data, contact?.profile?.name)
      }),
      ...statuses.map((raw) => toStatus(Status.safeParse(raw).data)),
      ...calls.map((raw) => toCall(Call.safeParse(raw).data)),
    ])
    .flatMap((event) => {
      const checked = MarketEvent.safeParse(event)
      return checked.success ? [checked.data] : []
    })
}

// Another number of the same business may report to the same address.
function isFor(named: string | undefined, own: string | undefined): boolean {
  return named === undefined || own === undefined || named === own
}

function toMessage(message: z.output<typeof Message>, name: string | undefined): unknown {
  const { id, from, timestamp, type, context, location, interactive } = message
  const media =
    message.image ?? message.document ?? message.audio ?? message.video ?? message.sticker
  const text =
    message.text?.body ??
    message.button?.text ??
    interactive?.button_reply?.title ??
    interactive?.list_reply?.title ??
    media?.caption
  const permission = interactive?.call_permission_reply?.response
  return {
    kind: 'message',
    id,
    from,
    at: timestamp * 1000,
    ...(name === undefined ? {} : { name: name.slice(0, 200) }),
    type,
    ...(text === undefined ? {} : { text: text.slice(0, 8_192) }),
    ...(context?.id === undefined ? {} : { reply_to: context.id }),
    ...(media === undefined ? {} : { media: { id: media.id, type: media.mime_type } }),
    ...(location === undefined
      ? {}
      : {
          location: {
            lat: location.latitude,
            lng: location.longitude,
            ...labelOf(location.name ?? location.address),
          },
        }),
    ...(permission === undefined
      ? {}
      : { call_permission: permission === 'accept' ? 'accept' : 'reject' }),
  }
}

function labelOf(label: string | undefined): { readonly label?: string } {
  return label === undefined ? {} : { label: label.slice(0, 500) }
}

function toStatus(status: z.output<typeof Status> | undefined): unknown {
  if (status === undefined) return undefined
  const { id, timestamp, biz_opaque_callback_data: callback, pricing } = status
  const common = {
    id,
    at: timestamp * 1000,
    ...(callback === undefined ? {} : { callback }),
    ...errorOf(status.errors),
  }
  if (status.type !== 'call')
    return {
      kind: 'status',
      ...common,
      status: status.status,
      ...(pricing === undefined ? {} : { pricing }),
    }
  const state = CALL_STATES[status.status]
  return state === undefined ? undefined : { kind: 'call', ...common, state }
}

const CALL_STATES: Readonly<Record<string, string>> = {
  RINGING: 'ringing',
  ACCEPTED: 'answered',
  REJECTED: 'busy',
}

function toCall(call: z.output<typeof Call> | undefined): unknown {
  if (call === undefined) return undefined
  const state = callState(call)
  if (state === undefined) return undefined
  const { id, timestamp, biz_opaque_callback_data: callback, session } = call
  return {
    kind: 'call',
    id,
    state,
    at: timestamp * 1000,
    ...(callback === undefined ? {} : { callback }),
    ...(session?.sdp === undefined ? {} : { sdp: session.sdp }),
    ...errorOf(call.errors),
  }
}

// "connect" brings the answer of the phone that took the call; "terminate" is its end.
function callState({ event, status, duration, start_time: startedAt }: z.output<typeof Call>) {
  if (event === 'connect') return 'answered'
  if (event !== 'terminate') return undefined
  if ([status].flat().includes('COMPLETED')) return 'completed'
  return (duration ?? 0) > 0 || startedAt !== undefined ? 'failed' : 'no_answer'
}

function errorOf(errors: z.output<typeof Errors>): { readonly error?: string } {
  const [first] = errors ?? []
  return first === undefined
    ? {}
    : { error: `${first.code ?? ''} ${first.title ?? first.message ?? ''}`.trim().slice(0, 500) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
