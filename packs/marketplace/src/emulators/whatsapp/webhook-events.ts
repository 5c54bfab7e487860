import { webhookError } from './graph-error.ts'
import type { Content } from './record.ts'
import type { Call, Change, Message, WhatsAppState } from './whatsapp-state.ts'

/** One change as it stands in a webhook, and the phone that it is about. */
export type WebhookChange = {
  readonly phone: string
  readonly field: string
  readonly value: object
}

/** The webhook of Meta for changes, as the bytes that are signed. */
export function webhookBody(
  changes: readonly WebhookChange[],
  { businessAccountId }: WhatsAppState['settings'],
): string {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      { id: businessAccountId, changes: changes.map(({ field, value }) => ({ value, field })) },
    ],
  })
  // Meta sends its JSON in ASCII with escaped slashes: a signature over re-serialized JSON fails.
  return body
    .replaceAll(
      /[\u0080-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
    .replaceAll('/', '\\/')
}

/** What the business is told about a change. */
export function webhookChanges(state: WhatsAppState, change: Change): readonly WebhookChange[] {
  switch (change.kind) {
    case 'received':
      return [receivedChange(state, change.message)]
    case 'status':
      return [statusChange(state, change)]
    case 'call':
      return callChanges(state, change)
  }
}

function receivedChange(state: WhatsAppState, message: Message): WebhookChange {
  const { id, phone, content, quotes, atMs } = message
  return {
    phone,
    field: 'messages',
    value: {
      ...metadata(state),
      contacts: [contact(state, phone)],
      messages: [
        {
          ...(quotes === undefined
            ? {}
            : { context: { from: state.settings.displayPhoneNumber, id: quotes } }),
          from: phone,
          from_user_id: userId(phone),
          id,
          timestamp: seconds(atMs),
          ...wireContent(state, content, atMs),
        },
      ],
    },
  }
}

function statusChange(
  state: WhatsAppState,
  { message, status, atMs }: Extract<Change, { kind: 'status' }>,
): WebhookChange {
  const { id, phone, opaque, refusal, isTemplate } = message
  const pricing = {
    billable: isTemplate,
    pricing_model: 'PMP',
    category: isTemplate ? 'utility' : 'service',
    type: isTemplate ? 'regular' : 'free_customer_service',
  }
  const isPriced = status === 'sent' || status === 'delivered'
  return {
    phone,
    field: 'messages',
    value: {
      ...metadata(state),
      statuses: [
        {
          ...{ id, status, timestamp: seconds(atMs) },
          ...{ recipient_id: phone, recipient_user_id: userId(phone) },
          ...(opaque === undefined ? {} : { biz_opaque_callback_data: opaque }),
          ...(isPriced ? { pricing } : {}),
          ...(refusal === undefined ? {} : { errors: [webhookError(refusal)] }),
        },
      ],
    },
  }
}

/** A made-up answer: the emulator carries no audio. */
const SDP_ANSWER =
  'v=0\r\no=- 0 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=inactive\r\n'

function callChanges(
  state: WhatsAppState,
  { call, state: now, atMs }: Extract<Change, { kind: 'call' }>,
): readonly WebhookChange[] {
  const event = (value: object): WebhookChange => ({
    phone: call.phone,
    field: 'calls',
    value: { ...metadata(state), ...value },
  })
  const status = (name: string): WebhookChange =>
    event({
      statuses: [
        {
          ...{ id: call.id, type: 'call', status: name, timestamp: seconds(atMs) },
          ...{ recipient_id: call.phone, recipient_user_id: userId(call.phone), ...opaqueOf(call) },
        },
      ],
    })
  const calls = (value: object): WebhookChange =>
    event({
      contacts: [contact(state, call.phone)],
      calls: [
        {
          ...{ id: call.id, from: state.settings.displayPhoneNumber, to: call.phone },
          ...{ direction: 'BUSINESS_INITIATED', timestamp: seconds(atMs), ...value },
          ...opaqueOf(call),
        },
      ],
    })
  switch (now) {
    case 'ringing':
      return [status('RINGING')]
    case 'accepted':
      return [
        calls({ event: 'connect', session: { sdp_type: 'answer', sdp: SDP_ANSWER } }),
        status('ACCEPTED'),
      ]
    case 'rejected':
      return [status('REJECTED'), calls({ event: 'terminate', status: 'FAILED' })]
    case 'missed':
    case 'ended':
      return [calls({ event: 'terminate', ...describeEnd(call) })]
  }
}

function describeEnd({ acceptedAtMs, endedAtMs }: Call): object {
  if (acceptedAtMs === undefined || endedAtMs === undefined) return { status: 'FAILED' }
  return {
    status: 'COMPLETED',
    start_time: seconds(acceptedAtMs),
    end_time: seconds(endedAtMs),
    duration: Math.max(1, Math.round((endedAtMs - acceptedAtMs) / 1_000)),
  }
}

function opaqueOf({ opaque }: Call): object {
  return opaque === undefined ? {} : { biz_opaque_callback_data: opaque }
}

/** What a person sent, as the webhook has it. A person sends none of the business's own forms. */
function wireContent(state: WhatsAppState, content: Content, atMs: number): object {
  switch (content.kind) {
    case 'text':
      return { type: 'text', text: { body: content.text } }
    case 'media':
      return { type: content.type, [content.type]: wireMedia(state, content) }
    case 'location': {
      const { kind: _, ...location } = content
      return { type: 'location', location }
    }
    case 'reaction':
      return {
        type: 'reaction',
        reaction: { message_id: content.messageId, emoji: content.emoji },
      }
    case 'choice':
      return wireChoice(content)
    case 'call-permission':
      return {
        type: 'interactive',
        interactive: {
          type: 'call_permission_reply',
          call_permission_reply: {
            response: content.response,
            is_permanent: false,
            expiration_timestamp: Number(seconds(atMs + 7 * 24 * 60 * 60_000)),
            response_source: 'user_action',
          },
        },
      }
    case 'buttons':
    case 'list':
    case 'template':
    case 'location-request':
    case 'call-permission-request':
      return { type: 'unsupported', unsupported: { type: content.kind } }
  }
}

function wireChoice({ from, choice }: Extract<Content, { kind: 'choice' }>): object {
  if (from === 'template')
    return { type: 'button', button: { payload: choice.id, text: choice.title } }
  const type = from === 'button' ? 'button_reply' : 'list_reply'
  return { type: 'interactive', interactive: { type, [type]: choice } }
}

function wireMedia(
  state: WhatsAppState,
  { mediaId = '', caption, isVoice, type }: Extract<Content, { kind: 'media' }>,
): object {
  const media = state.media.get(mediaId)
  return {
    ...(caption === undefined ? {} : { caption }),
    mime_type: media?.mediaType,
    // Base64 here, hexadecimal in the look-up: Meta's own inconsistency.
    sha256: Buffer.from(media?.sha256 ?? '', 'hex').toString('base64'),
    id: mediaId,
    ...(type === 'audio' ? { voice: isVoice === true } : {}),
    ...(type === 'document' ? { filename: caption ?? 'document' } : {}),
  }
}

function metadata({ settings }: WhatsAppState): object {
  return {
    messaging_product: 'whatsapp',
    metadata: {
      display_phone_number: settings.displayPhoneNumber,
      phone_number_id: settings.phoneNumberId,
    },
  }
}

function contact(state: WhatsAppState, phone: string): object {
  const name = state.phones.get(phone)?.name
  return {
    ...(name === undefined ? {} : { profile: { name } }),
    wa_id: phone,
    user_id: userId(phone),
  }
}

/** The business-scoped id that Meta sends beside the number. */
function userId(phone: string): string {
  return `RW.${[...phone].reverse().join('')}`
}

function seconds(atMs: number): string {
  return String(Math.floor(atMs / 1_000))
}
