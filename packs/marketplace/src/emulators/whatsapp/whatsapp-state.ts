import type { GraphError } from './graph-error.ts'
import type { CallEnd, Content, Phone, WhatsAppRecord } from './record.ts'
import { DEFAULT_SETTINGS, patchSettings, type Settings } from './settings.ts'

export type Message = {
  readonly id: string
  readonly phone: string
  readonly direction: 'in' | 'out'
  readonly content: Content
  readonly quotes: string | undefined
  readonly opaque: string | undefined
  readonly isTemplate: boolean
  readonly atMs: number
  /** Of the business's messages as their sender sees them; `read` of a person's: blue ticks. */
  status: 'sent' | 'delivered' | 'read' | 'failed'
  readonly refusal: GraphError | undefined
}

export type Call = {
  readonly id: string
  readonly phone: string
  readonly opaque: string | undefined
  readonly startedAtMs: number
  state: 'ringing' | CallEnd
  acceptedAtMs: number | undefined
  endedAtMs: number | undefined
}

export type StoredMedia = {
  readonly id: string
  readonly mediaType: string
  readonly sha256: string
  readonly size: number
}

export type Permission = { readonly expiresAtMs: number }

/** Everything the emulated network knows, built from its log. */
export type WhatsAppState = {
  settings: Settings
  readonly phones: Map<string, Phone>
  readonly messages: Map<string, Message>
  /** By phone, oldest first. */
  readonly conversations: Map<string, Message[]>
  readonly calls: Map<string, Call>
  readonly media: Map<string, StoredMedia>
  /** Who may be called, by phone. */
  readonly permissions: Map<string, Permission>
}

export function createState(): WhatsAppState {
  return {
    settings: DEFAULT_SETTINGS,
    phones: new Map(),
    messages: new Map(),
    conversations: new Map(),
    calls: new Map(),
    media: new Map(),
    permissions: new Map(),
  }
}

/** Permission to call lasts seven days unless the person withdraws it. */
const PERMISSION_MS = 7 * 24 * 60 * 60_000

/** What changed with a record, for webhooks and for the page with the phones. */
export type Change =
  | { readonly kind: 'received'; readonly message: Message }
  | {
      readonly kind: 'status'
      readonly message: Message
      readonly status: Message['status']
      readonly atMs: number
    }
  | {
      readonly kind: 'call'
      readonly call: Call
      readonly state: Call['state']
      readonly atMs: number
    }

/** Applies a record of the log and returns what the business is told about it. */
export function applyRecord(state: WhatsAppState, record: WhatsAppRecord): readonly Change[] {
  switch (record.kind) {
    case 'phone':
      state.phones.set(record.phone.number, record.phone)
      return record.phone.isOnline ? deliverWaiting(state, record.phone.number, record.atMs) : []
    case 'settings':
      state.settings = patchSettings(state.settings, record.patch)
      return []
    case 'sent':
      return applySent(state, record)
    case 'received':
      return applyReceived(state, record)
    case 'read':
      return applyRead(state, record)
    case 'marked-read': {
      const message = state.messages.get(record.id)
      if (message !== undefined) message.status = 'read'
      return []
    }
    case 'media':
      state.media.set(record.id, record)
      return []
    case 'media-deleted':
      state.media.delete(record.id)
      return []
    case 'call':
      return applyCall(state, record)
    case 'call-changed':
      return applyCallChanged(state, record)
  }
}

type Of<K extends WhatsAppRecord['kind']> = Extract<WhatsAppRecord, { readonly kind: K }>

function applySent(state: WhatsAppState, record: Of<'sent'>): readonly Change[] {
  const { id, to, content, isTemplate, quotes, opaque, refusal, atMs } = record
  const message: Message = {
    ...{ id, phone: to, direction: 'out', content, quotes, opaque, isTemplate, refusal, atMs },
    status: refusal === undefined ? 'sent' : 'failed',
  }
  addMessage(state, message)
  const first: Change = { kind: 'status', message, status: message.status, atMs }
  if (refusal !== undefined || state.phones.get(to)?.isOnline !== true) return [first]
  return [first, ...deliver(message, atMs)]
}

function deliverWaiting(state: WhatsAppState, phone: string, atMs: number): readonly Change[] {
  return (state.conversations.get(phone) ?? []).flatMap((message) =>
    message.direction === 'out' && message.status === 'sent' ? deliver(message, atMs) : [],
  )
}

function deliver(message: Message, atMs: number): readonly Change[] {
  message.status = 'delivered'
  return [{ kind: 'status', message, status: 'delivered', atMs }]
}

function applyReceived(state: WhatsAppState, record: Of<'received'>): readonly Change[] {
  const { id, from, content, quotes, atMs } = record
  const message: Message = {
    ...{ id, phone: from, direction: 'in', content, quotes, atMs, status: 'delivered' },
    ...{ isTemplate: false, opaque: undefined, refusal: undefined },
  }
  addMessage(state, message)
  if (content.kind === 'call-permission') {
    if (content.response === 'accept')
      state.permissions.set(from, { expiresAtMs: atMs + PERMISSION_MS })
    else state.permissions.delete(from)
  }
  return [{ kind: 'received', message }]
}

function applyRead(state: WhatsAppState, { ids, atMs }: Of<'read'>): readonly Change[] {
  return ids.flatMap((id): readonly Change[] => {
    const message = state.messages.get(id)
    if (message === undefined || message.status !== 'delivered') return []
    message.status = 'read'
    return [{ kind: 'status', message, status: 'read', atMs }]
  })
}

function addMessage(state: WhatsAppState, message: Message): void {
  state.messages.set(message.id, message)
  const conversation = state.conversations.get(message.phone)
  if (conversation === undefined) state.conversations.set(message.phone, [message])
  else conversation.push(message)
}

function applyCall(state: WhatsAppState, record: Of<'call'>): readonly Change[] {
  const { id, to, opaque, atMs } = record
  const call: Call = {
    ...{ id, phone: to, opaque, startedAtMs: atMs, state: 'ringing' },
    ...{ acceptedAtMs: undefined, endedAtMs: undefined },
  }
  state.calls.set(id, call)
  return [{ kind: 'call', call, state: 'ringing', atMs }]
}

function applyCallChanged(state: WhatsAppState, record: Of<'call-changed'>): readonly Change[] {
  const call = state.calls.get(record.id)
  if (call === undefined) return []
  call.state = record.state
  if (record.state === 'accepted') call.acceptedAtMs = record.atMs
  else call.endedAtMs = record.atMs
  return [{ kind: 'call', call, state: record.state, atMs: record.atMs }]
}

const WINDOW_MS = 24 * 60 * 60_000

/** May free-form messages be sent to this phone? Only within a day of its last message. */
export function isWindowOpen(state: WhatsAppState, phone: string, atMs: number): boolean {
  const last = (state.conversations.get(phone) ?? []).findLast(
    ({ direction }) => direction === 'in',
  )
  return last !== undefined && atMs - last.atMs < WINDOW_MS
}

export function mayCall(state: WhatsAppState, phone: string, atMs: number): boolean {
  const permission = state.permissions.get(phone)
  return permission !== undefined && permission.expiresAtMs > atMs
}
