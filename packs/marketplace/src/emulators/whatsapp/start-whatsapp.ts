import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Effect, type Emulator, startEmulator } from '@surehand/testing'
import { callRoutes } from './call-routes.ts'
import { createConsequences } from './consequences.ts'
import { mediaRoutes } from './media-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { createAuthorize, createLimiter, type MediaFiles, type Network } from './network.ts'
import { type PhoneAction, performAction } from './phone-actions.ts'
import { createPhoneEvents, phoneRoutes } from './phone-routes.ts'
import type { Phone, WhatsAppRecord } from './record.ts'
import { patchSettings, type Settings, type SettingsPatch } from './settings.ts'
import { webhookChanges } from './webhook-events.ts'
import { startWebhookSender } from './webhook-sender.ts'
import { applyRecord, type Change, createState, type WhatsAppState } from './whatsapp-state.ts'

export type WhatsAppOptions = {
  /** For the log and the media; without it everything is in memory. */
  readonly folder?: string
  readonly port?: number
  readonly settings?: SettingsPatch
  readonly phones?: readonly Phone[]
  /** The clock of windows, permissions and timestamps. */
  readonly now?: () => number
}

/** WhatsApp with its Cloud API and its phones. */
export type WhatsAppEmulator = Pick<Emulator, 'url' | 'port' | 'fail'> & {
  readonly state: WhatsAppState
  readonly records: () => readonly WhatsAppRecord[]
  readonly configure: (patch: SettingsPatch) => Settings
  readonly addPhones: (phones: readonly Phone[]) => void
  /** A person does something with their phone. */
  readonly act: (phone: string, action: PhoneAction) => void
  /** How many webhooks the business has not yet answered with 200. */
  readonly waitingWebhooks: () => number
  readonly stop: () => Promise<void>
}

/** Starts the emulator in this process; its log is read back, so a restart continues it. */
export async function startWhatsApp(options: WhatsAppOptions = {}): Promise<WhatsAppEmulator> {
  const { folder, port, settings = {}, phones = [] } = options
  if (folder !== undefined) mkdirSync(join(folder, 'media'), { recursive: true })
  const state = createState()
  const clock = options.now ?? Date.now
  const network = createNetwork(state, () => clock() + state.settings.clockOffsetMs, folder)
  const sender = startWebhookSender(state, folder && join(folder, 'acknowledged.txt'))
  const events = createPhoneEvents(state)
  const consequences = createConsequences(network, append)

  function replay(entry: Effect): readonly Change[] {
    const changes = applyRecord(state, entry.effect as WhatsAppRecord)
    const webhooks = changes.flatMap((change) => webhookChanges(state, change))
    sender.add(webhooks.map((change, index) => ({ id: `${entry.number}.${index}`, change })))
    return changes
  }

  const emulator = await startEmulator({
    routes: [
      ...phoneRoutes(network, { events, append, waiting: () => sender.waiting() }),
      ...messageRoutes(network),
      ...callRoutes(network),
      ...mediaRoutes(network),
    ],
    ...(folder === undefined ? {} : { logFile: join(folder, 'whatsapp.jsonl') }),
    ...(port === undefined ? {} : { port }),
    onEffect(entry) {
      const changes = replay(entry)
      events.publish(entry.effect as WhatsAppRecord)
      for (const change of changes) consequences.of(change)
    },
  })
  // The log of an earlier run; no request is handled before this, as nothing is awaited between.
  for (const entry of emulator.effects()) replay(entry)
  consequences.resume()
  configure(settings)
  addPhones(phones)

  function append(records: readonly WhatsAppRecord[]): void {
    for (const record of records) emulator.append('phone', record)
  }

  function configure(patch: SettingsPatch): Settings {
    const next = patchSettings(state.settings, patch)
    if (JSON.stringify(next) !== JSON.stringify(state.settings))
      append([{ kind: 'settings', patch }])
    return state.settings
  }

  function addPhones(added: readonly Phone[]): void {
    for (const phone of added)
      if (JSON.stringify(state.phones.get(phone.number)) !== JSON.stringify(phone))
        append([{ kind: 'phone', phone, atMs: network.now() }])
  }

  return {
    url: emulator.url,
    port: emulator.port,
    fail: emulator.fail,
    state,
    records: () => emulator.effects().map(({ effect }) => effect as WhatsAppRecord),
    configure,
    addPhones,
    act(phone, action) {
      const records = performAction(network, phone, action)
      if (typeof records === 'string') throw new Error(records)
      append(records)
    },
    waitingWebhooks: sender.waiting,
    async stop() {
      consequences.stop()
      events.close()
      await sender.stop()
      await emulator.stop()
    },
  }
}

function createNetwork(state: WhatsAppState, now: () => number, folder?: string): Network {
  return {
    state,
    now,
    newMessageId: () => `wamid.HBgM${randomBytes(24).toString('base64url')}`,
    newCallId: () => `wacid.HBgM${randomBytes(24).toString('base64url')}`,
    newMediaId: () => String(randomBytes(6).readUIntBE(0, 6)).padStart(15, '1'),
    limiter: createLimiter(state, now),
    authorize: createAuthorize(state),
    files: folder === undefined ? memoryFiles() : folderFiles(join(folder, 'media')),
  }
}

function memoryFiles(): MediaFiles {
  const files = new Map<string, Uint8Array>()
  return { write: (id, bytes) => void files.set(id, bytes), read: (id) => files.get(id) }
}

function folderFiles(folder: string): MediaFiles {
  return {
    write: (id, bytes) => writeFileSync(join(folder, id), bytes),
    read(id) {
      const file = join(folder, id)
      return /^\d+$/.test(id) && existsSync(file) ? readFileSync(file) : undefined
    },
  }
}
