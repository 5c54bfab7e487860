import type { Content, Phone } from './record.ts'
import type { Call, Message, WhatsAppState } from './whatsapp-state.ts'

/** A message as the page shows it. */
export type MessageView = {
  readonly id: string
  readonly direction: 'in' | 'out'
  readonly content: Content
  /** The beginning of the message that it answers. */
  readonly quoted?: string
  readonly status: Message['status']
  readonly failure?: string
  readonly atMs: number
}

export type PhoneView = Phone & {
  readonly messages: readonly MessageView[]
  readonly unread: number
  readonly call: Pick<Call, 'id' | 'state' | 'acceptedAtMs'> | null
  readonly mayBeCalled: boolean
}

/** More would make the page slow; the log has them all. */
const MOST_MESSAGES = 80
const QUOTE_LENGTH = 80

/** One phone, for the page with the phones. */
export function phoneView(state: WhatsAppState, phone: Phone): PhoneView {
  const messages = state.conversations.get(phone.number) ?? []
  // A phone without network shows what it received before.
  const arrived = messages.filter(
    ({ direction, status }) => direction === 'in' || (status !== 'sent' && status !== 'failed'),
  )
  const call = [...state.calls.values()].findLast((one) => one.phone === phone.number)
  const isCalling = call?.state === 'ringing' || call?.state === 'accepted'
  return {
    ...phone,
    messages: arrived.slice(-MOST_MESSAGES).map((message) => messageView(state, message)),
    unread: arrived.filter(({ direction, status }) => direction === 'out' && status !== 'read')
      .length,
    call: isCalling ? { id: call.id, state: call.state, acceptedAtMs: call.acceptedAtMs } : null,
    mayBeCalled: state.permissions.has(phone.number),
  }
}

function messageView(state: WhatsAppState, message: Message): MessageView {
  const { id, direction, content, status, quotes, refusal, atMs } = message
  const quoted = quotes === undefined ? undefined : state.messages.get(quotes)
  return {
    ...{ id, direction, content, status, atMs },
    ...(quoted === undefined ? {} : { quoted: summarize(quoted.content) }),
    ...(refusal === undefined ? {} : { failure: refusal.title }),
  }
}

function summarize(content: Content): string {
  if ('text' in content) return content.text.slice(0, QUOTE_LENGTH)
  switch (content.kind) {
    case 'media':
      return content.caption ?? content.type
    case 'location':
      return content.name ?? 'Location'
    case 'choice':
      return content.choice.title
    case 'reaction':
      return content.emoji
    case 'call-permission':
      return 'Permission to call'
  }
}
