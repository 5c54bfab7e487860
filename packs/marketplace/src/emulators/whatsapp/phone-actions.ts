import { z } from 'zod'
import { storeMedia } from './media-routes.ts'
import type { Network } from './network.ts'
import type { Choice, Content, WhatsAppRecord } from './record.ts'

/** What a person does with their phone. */
export const PhoneAction = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('text'),
    text: z.string().min(1).max(4096),
    quotes: z.string().optional(),
  }),
  z.object({ type: z.literal('choose'), message: z.string(), choice: z.string() }),
  z.object({
    type: z.literal('location'),
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
    name: z.string().optional(),
    address: z.string().optional(),
  }),
  z.object({
    type: z.enum(['image', 'document', 'voice']),
    data: z.base64(),
    mediaType: z.string(),
    caption: z.string().max(1024).optional(),
  }),
  z.object({ type: z.literal('reaction'), message: z.string(), emoji: z.string() }),
  z.object({ type: z.literal('call-permission'), response: z.enum(['accept', 'reject']) }),
  z.object({ type: z.literal('read') }),
  z.object({ type: z.literal('online'), isOnline: z.boolean() }),
  z.object({
    type: z.literal('call'),
    call: z.string(),
    action: z.enum(['accept', 'reject', 'hang-up']),
  }),
])
export type PhoneAction = z.output<typeof PhoneAction>

/** The records that an action writes; a sentence where it is not possible now. */
export function performAction(
  network: Network,
  number: string,
  action: PhoneAction,
): readonly WhatsAppRecord[] | string {
  const phone = network.state.phones.get(number)
  if (phone === undefined) return `There is no phone ${number}.`
  switch (action.type) {
    case 'read':
      return readMessages(network, number)
    case 'online':
      return [
        { kind: 'phone', phone: { ...phone, isOnline: action.isOnline }, atMs: network.now() },
      ]
    case 'call':
      return changeCall(network, number, action)
    case 'image':
    case 'document':
    case 'voice':
      return sendMedia(network, number, action)
    case 'text':
      return send({ kind: 'text', text: action.text }, action.quotes)
    case 'location': {
      const { type: _, name, address, ...point } = action
      return send({
        kind: 'location',
        ...point,
        ...(name === undefined ? {} : { name }),
        ...(address === undefined ? {} : { address }),
      })
    }
    case 'reaction':
      return send({ kind: 'reaction', emoji: action.emoji, messageId: action.message })
    case 'call-permission':
      return send({ kind: 'call-permission', response: action.response })
    case 'choose': {
      const content = network.state.messages.get(action.message)?.content
      const found = content === undefined ? undefined : findChoice(content, action.choice)
      return found === undefined ? 'The message has no such choice.' : send(found, action.message)
    }
  }

  function send(content: Content, quotes?: string): readonly WhatsAppRecord[] {
    return [receivedRecord(network, number, content, quotes)]
  }
}

export function receivedRecord(
  { newMessageId, now }: Pick<Network, 'newMessageId' | 'now'>,
  from: string,
  content: Content,
  quotes?: string,
): WhatsAppRecord {
  return {
    ...{ kind: 'received', id: newMessageId(), from, content, atMs: now() },
    ...(quotes === undefined ? {} : { quotes }),
  }
}

/** The messages that were delivered to a phone are read now. */
export function readMessages(
  { state, now }: Pick<Network, 'state' | 'now'>,
  phone: string,
): readonly WhatsAppRecord[] {
  const ids = (state.conversations.get(phone) ?? [])
    .filter(({ direction, status }) => direction === 'out' && status === 'delivered')
    .map(({ id }) => id)
  return ids.length === 0 ? [] : [{ kind: 'read', phone, ids, atMs: now() }]
}

function findChoice(content: Content, id: string): Content | undefined {
  const pick = (all: readonly Choice[]): Choice | undefined => all.find((one) => one.id === id)
  switch (content.kind) {
    case 'buttons': {
      const choice = pick(content.buttons)
      return choice && { kind: 'choice', from: 'button', choice }
    }
    case 'list': {
      const choice = pick(content.rows)
      return choice && { kind: 'choice', from: 'list', choice }
    }
    case 'template': {
      const choice = pick(content.buttons)
      return choice && { kind: 'choice', from: 'template', choice }
    }
    default:
      return undefined
  }
}

function sendMedia(
  network: Network,
  number: string,
  action: Extract<PhoneAction, { readonly data: string }>,
): readonly WhatsAppRecord[] | string {
  const { type, data, mediaType, caption } = action
  const media = storeMedia(network, Buffer.from(data, 'base64'), mediaType)
  if (media === undefined) return `WhatsApp takes no ${mediaType} of this size.`
  const content: Content = {
    kind: 'media',
    type: type === 'voice' ? 'audio' : type,
    mediaId: media.id,
    ...(type === 'voice' ? { isVoice: true } : {}),
    ...(caption === undefined ? {} : { caption }),
  }
  return [media, receivedRecord(network, number, content)]
}

function changeCall(
  { state, now }: Network,
  number: string,
  { call: id, action }: Extract<PhoneAction, { readonly type: 'call' }>,
): readonly WhatsAppRecord[] | string {
  const call = state.calls.get(id)
  if (call === undefined || call.phone !== number) return 'There is no such call.'
  const wanted = action === 'hang-up' ? 'accepted' : 'ringing'
  if (call.state !== wanted) return `The call is ${call.state}.`
  const next = { accept: 'accepted', reject: 'rejected', 'hang-up': 'ended' } as const
  return [{ kind: 'call-changed', id, state: next[action], atMs: now() }]
}
