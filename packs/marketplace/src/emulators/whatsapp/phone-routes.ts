import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { z } from 'zod'
import { PAGE_FILES, pageFile } from '../phones/page-files.ts'
import type { Network } from './network.ts'
import { PhoneAction, performAction } from './phone-actions.ts'
import { type PhoneView, phoneView } from './phone-view.ts'
import type { Phone, WhatsAppRecord } from './record.ts'
import { SettingsPatch } from './settings.ts'
import type { WhatsAppState } from './whatsapp-state.ts'

/** The open pages with phones, and what they are told. */
export type PhoneEvents = {
  readonly open: (write: (text: string) => void) => () => void
  readonly publish: (record: WhatsAppRecord) => void
  readonly close: () => void
}

const HEARTBEAT_MS = 15_000

export function createPhoneEvents(state: WhatsAppState): PhoneEvents {
  const pages = new Set<(text: string) => void>()
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const heartbeat = setInterval(() => tell(': still here\n\n'), HEARTBEAT_MS)
  heartbeat.unref()

  function tell(text: string): void {
    for (const write of pages) write(text)
  }

  // Several records of one moment become one event for each phone.
  function flush(): void {
    timer = undefined
    for (const number of changed) {
      const phone = state.phones.get(number)
      if (phone !== undefined) tell(eventText('phone', phoneView(state, phone)))
    }
    changed.clear()
  }

  return {
    open(write) {
      write(eventText('settings', settingsView(state)))
      write(eventText('phones', listPhones(state)))
      pages.add(write)
      return () => pages.delete(write)
    },
    publish(record) {
      if (pages.size === 0) return
      if (record.kind === 'settings') tell(eventText('settings', settingsView(state)))
      const number = phoneOf(state, record)
      if (number === undefined) return
      changed.add(number)
      timer ??= setTimeout(flush, 20)
    },
    close() {
      clearTimeout(timer)
      clearInterval(heartbeat)
      pages.clear()
    },
  }
}

function eventText(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}

function listPhones(state: WhatsAppState): readonly PhoneView[] {
  return [...state.phones.values()].map((phone) => phoneView(state, phone))
}

function settingsView({ settings }: WhatsAppState): object {
  const { businessName, displayPhoneNumber, vendorsAnswer, clockOffsetMs } = settings
  return { businessName, displayPhoneNumber, vendorsAnswer, clockOffsetMs }
}

function phoneOf(state: WhatsAppState, record: WhatsAppRecord): string | undefined {
  switch (record.kind) {
    case 'phone':
      return record.phone.number
    case 'sent':
    case 'call':
      return record.to
    case 'received':
      return record.from
    case 'read':
      return record.phone
    case 'marked-read':
      return state.messages.get(record.id)?.phone
    case 'call-changed':
      return state.calls.get(record.id)?.phone
    case 'settings':
    case 'media':
    case 'media-deleted':
      return undefined
  }
}

type PhoneParts = {
  readonly events: PhoneEvents
  readonly append: (records: readonly WhatsAppRecord[]) => void
  readonly waiting: () => number
}

const NewPhone = z.object({
  number: z.string().regex(/^\d{7,15}$/),
  name: z.string().min(1),
  role: z.enum(['client', 'vendor']),
  language: z.enum(['en', 'fr', 'rw']).default('en'),
  category: z.string().optional(),
  place: z.string().optional(),
  isOnline: z.boolean().default(true),
})

/** The page with the phones and what it calls. None of it exists at Meta. */
export function phoneRoutes(network: Network, parts: PhoneParts): readonly EmulatorRoute[] {
  const { state } = network
  const route = (
    method: string,
    path: string,
    handle: (request: EmulatorRequest) => EmulatorReply,
  ): EmulatorRoute => ({
    method,
    path,
    handle: (request) => refuseOthers(request) ?? handle(request),
  })
  return [
    route('GET', '/phones', () => pageFile('page')),
    ...PAGE_FILES.map((file) => route('GET', `/phones/${file}`, () => pageFile(file))),
    route('GET', '/favicon.ico', () => ({ status: 204 })),
    route('GET', '/phones/events', () => ({
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      stream: parts.events.open,
    })),
    route('GET', '/phones/state', () => ({
      body: {
        settings: state.settings,
        phones: listPhones(state),
        waiting_webhooks: parts.waiting(),
      },
    })),
    route('GET', '/phones/media/:id', ({ params }) => showMedia(network, params.id ?? '')),
    route('POST', '/phones', (request) => addPhones(network, parts, request)),
    route('POST', '/phones/settings', (request) => {
      const patch = SettingsPatch.safeParse(request.json())
      if (!patch.success) return { status: 400, body: { error: z.prettifyError(patch.error) } }
      parts.append([{ kind: 'settings', patch: patch.data }])
      return { status: 204 }
    }),
    route('POST', '/phones/:number/actions', (request) => act(network, parts, request)),
  ]
}

// Another site in the same browser must not use the phones: neither by a form nor by a host name
// that leads here.
function refuseOthers({ method, headers }: EmulatorRequest): EmulatorReply | undefined {
  const host = headers.host ?? ''
  if (!/^(?:127\.0\.0\.1|localhost)(?::\d+)?$/.test(host)) return { status: 403 }
  if (method === 'GET') return undefined
  const isOwn = headers.origin === undefined || headers.origin === `http://${host}`
  return isOwn && headers['content-type']?.startsWith('application/json') === true
    ? undefined
    : { status: 403 }
}

function showMedia({ state, files }: Network, id: string): EmulatorReply {
  const media = state.media.get(id)
  const bytes = files.read(id)
  if (media === undefined || bytes === undefined) return { status: 404 }
  return {
    headers: {
      'content-type': media.mediaType,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
    body: bytes,
  }
}

function addPhones(network: Network, parts: PhoneParts, request: EmulatorRequest): EmulatorReply {
  const given = z.array(NewPhone).safeParse(request.json())
  if (!given.success) return { status: 400, body: { error: z.prettifyError(given.error) } }
  const records = given.data
    .map((phone) => JSON.parse(JSON.stringify(phone)) as Phone)
    .filter(({ number }) => !network.state.phones.has(number))
    .map((phone): WhatsAppRecord => ({ kind: 'phone', phone, atMs: network.now() }))
  parts.append(records)
  return { status: 201, body: { added: records.length } }
}

function act(network: Network, parts: PhoneParts, request: EmulatorRequest): EmulatorReply {
  const given = request.json() as Readonly<Record<string, unknown>>
  const isSilent = given.type === 'voice' && given.data === undefined
  const silence = () => ({
    data: silentVoiceNote().toString('base64'),
    mediaType: 'audio/ogg; codecs=opus',
  })
  const action = PhoneAction.safeParse(isSilent ? { ...given, ...silence() } : given)
  if (!action.success) return { status: 400, body: { error: z.prettifyError(action.error) } }
  const records = performAction(network, request.params.number ?? '', action.data)
  if (typeof records === 'string') return { status: 409, body: { error: records } }
  parts.append(records)
  const ids = records.flatMap((record) => (record.kind === 'received' ? [record.id] : []))
  return { status: 201, body: { messages: ids } }
}

const OPUS_SILENCE = Buffer.from([0xf8, 0xff, 0xfe])
const PACKETS = 50
const SAMPLES_A_PACKET = 960
const SERIAL = 0x5752

/** A voice note of one second without a sound, in the format of WhatsApp: Opus in Ogg. */
function silentVoiceNote(): Buffer {
  const head = Buffer.from('OpusHead\x01\x01\x00\x00\x80\xbb\x00\x00\x00\x00\x00', 'latin1')
  const vendor = Buffer.from('emulator')
  const tags = Buffer.concat([
    Buffer.from('OpusTags'),
    littleEndian(vendor.length),
    vendor,
    littleEndian(0),
  ])
  const audio = Array.from({ length: PACKETS }, () => OPUS_SILENCE)
  return Buffer.concat([
    oggPage([head], { sequence: 0, flags: 2, position: 0 }),
    oggPage([tags], { sequence: 1, flags: 0, position: 0 }),
    oggPage(audio, { sequence: 2, flags: 4, position: PACKETS * SAMPLES_A_PACKET }),
  ])
}

type PagePlace = { readonly sequence: number; readonly flags: number; readonly position: number }

/** A page of an Ogg stream (RFC 3533); every packet here is shorter than 255 bytes. */
function oggPage(packets: readonly Buffer[], { sequence, flags, position }: PagePlace): Buffer {
  const head = Buffer.alloc(27)
  head.write('OggS')
  head[5] = flags
  head.writeUInt32LE(position, 6)
  head.writeUInt32LE(SERIAL, 14)
  head.writeUInt32LE(sequence, 18)
  head[26] = packets.length
  const page = Buffer.concat([head, Buffer.from(packets.map(({ length }) => length)), ...packets])
  page.writeUInt32LE(checksum(page), 22)
  return page
}

function checksum(bytes: Buffer): number {
  let sum = 0
  for (const byte of bytes) {
    sum = (sum ^ (byte << 24)) >>> 0
    for (let bit = 0; bit < 8; bit += 1)
      sum = ((sum & 0x80000000) !== 0 ? (sum << 1) ^ 0x04c11db7 : sum << 1) >>> 0
  }
  return sum
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
