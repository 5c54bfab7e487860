import { createHmac, randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { seededRandom } from '@surehand/testing'
import type { Settings } from './settings.ts'
import { type WebhookChange, webhookBody } from './webhook-events.ts'
import type { WhatsAppState } from './whatsapp-state.ts'

export type WebhookSender = {
  readonly add: (events: readonly WebhookEvent[]) => void
  /** How many changes the business has not yet taken. */
  readonly waiting: () => number
  readonly stop: () => Promise<void>
}

const MOST_AT_ONCE = 16
const TIMEOUT_MS = 10_000
const TICK_MS = 5
const VERIFY_AGAIN_MS = 1_000

/**
 * Sends webhooks until each was answered with 200, as Meta does: signed, several at once, more than
 * once where an answer was lost, and with trouble on request.
 */
export function startWebhookSender(state: WhatsAppState, acknowledgedFile?: string): WebhookSender {
  const queue = openWebhookQueue(() => state.settings, acknowledgedFile)
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  let verifiedUrl: string | undefined
  let verifyAtMs = 0
  let timer: NodeJS.Timeout | undefined

  function schedule(delayMs: number): void {
    if (stopping.signal.aborted || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      run()
    }, delayMs)
  }

  function run(): void {
    if (stopping.signal.aborted) return
    const { webhookUrl } = state.settings
    if (webhookUrl !== undefined) {
      if (verifiedUrl === webhookUrl) deliverDue(webhookUrl)
      else if (Date.now() >= verifyAtMs) startVerification(webhookUrl)
    }
    if (queue.size() > 0) schedule(TICK_MS)
  }

  function deliverDue(url: string): void {
    while (running.size < MOST_AT_ONCE) {
      const batch = queue.take()
      if (batch.length === 0) return
      track(deliver(url, batch))
    }
  }

  function track(work: Promise<void>): void {
    running.add(work)
    void work.finally(() => {
      running.delete(work)
      run()
    })
  }

  function startVerification(url: string): void {
    verifyAtMs = Date.now() + Math.min(VERIFY_AGAIN_MS, state.settings.maxRetryMs)
    track(
      verifyAddress(url, state.settings.verifyToken, stopping.signal).then((isVerified) => {
        if (isVerified) verifiedUrl = url
      }),
    )
  }

  async function deliver(url: string, batch: readonly Waiting[]): Promise<void> {
    const body = webhookBody(
      batch.map(({ change }) => change),
      state.settings,
    )
    const isTaken = await postWebhook(url, body, state.settings.appSecret, stopping.signal)
    if (isTaken) queue.acknowledge(batch)
    else queue.putBack(batch)
  }

  return {
    add(events) {
      queue.add(events)
      schedule(0)
    },
    waiting: () => queue.size() + running.size,
    async stop() {
      stopping.abort()
      clearTimeout(timer)
      await Promise.all(running)
    },
  }
}

async function postWebhook(
  url: string,
  body: string,
  appSecret: string,
  signal: AbortSignal,
): Promise<boolean> {
  const signature = createHmac('sha256', appSecret).update(body).digest('hex')
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'facebookexternalua',
        'x-hub-signature-256': `sha256=${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

/** Asks the address to repeat a random word, as Meta does before it sends webhooks there. */
async function verifyAddress(url: string, token: string, signal: AbortSignal): Promise<boolean> {
  const challenge = String(randomBytes(4).readUInt32BE())
  const address = new URL(url)
  address.searchParams.set('hub.mode', 'subscribe')
  address.searchParams.set('hub.challenge', challenge)
  address.searchParams.set('hub.verify_token', token)
  try {
    const response = await fetch(address, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    return response.status === 200 && (await response.text()) === challenge
  } catch {
    return false
  }
}

/** A change that waits until the business has answered its webhook with 200. */
type WebhookEvent = {
  /** The same after a restart. */ readonly id: string
  readonly change: WebhookChange
}

/** A change on its way. */
type Waiting = WebhookEvent & {
  readonly attempts: number
  readonly dueAtMs: number
  readonly isDuplicate: boolean
}

export type WebhookQueue = {
  readonly add: (events: readonly WebhookEvent[]) => void
  /** Takes the changes of one webhook; empty where none is due. */
  readonly take: () => readonly Waiting[]
  /** The webhook was answered with 200. */
  readonly acknowledge: (batch: readonly Waiting[]) => void
  /** The webhook was not answered with 200: its changes are due again later. */
  readonly putBack: (batch: readonly Waiting[]) => void
  readonly size: () => number
}

const FIRST_RETRY_MS = 100
const MAX_DUPLICATE_DELAY_MS = 500

/** The changes that the business has not taken yet, with the trouble that the settings ask for. */
function openWebhookQueue(
  settings: () => Settings,
  acknowledgedFile: string | undefined,
): WebhookQueue {
  const acknowledged = readAcknowledged(acknowledgedFile)
  let waiting: readonly Waiting[] = []
  const busyPhones = new Set<string>()

  function release(batch: readonly Waiting[]): void {
    for (const { change } of batch) busyPhones.delete(change.phone)
  }

  return {
    add(events) {
      const { seed, webhooks } = settings()
      const fresh = events.filter(({ id }) => !acknowledged.has(id))
      const added = fresh.map((event): Waiting => {
        const delayMs = seededRandom(`${seed}/delay/${event.id}`).whole(0, webhooks.maxDelayMs)
        return { ...event, attempts: 0, dueAtMs: Date.now() + delayMs, isDuplicate: false }
      })
      waiting = [...waiting, ...added]
    },
    take() {
      const taken = chooseDue(waiting, settings().webhooks, busyPhones)
      if (taken.size === 0) return []
      waiting = waiting.filter((one) => !taken.has(one))
      for (const { change } of taken) busyPhones.add(change.phone)
      return [...taken]
    },
    acknowledge(batch) {
      release(batch)
      const { seed, webhooks } = settings()
      const originals = batch.filter(({ isDuplicate }) => !isDuplicate)
      const duplicates = originals.flatMap((one): readonly Waiting[] => {
        const random = seededRandom(`${seed}/duplicate/${one.id}`)
        const dueAtMs = Date.now() + random.whole(0, MAX_DUPLICATE_DELAY_MS)
        return random.is(webhooks.duplicates) ? [{ ...one, isDuplicate: true, dueAtMs }] : []
      })
      waiting = [...waiting, ...duplicates]
      for (const { id } of originals) acknowledged.add(id)
      // Not synced: what a crash forgets is sent again, which every business must expect of Meta.
      if (acknowledgedFile !== undefined)
        appendFileSync(acknowledgedFile, originals.map(({ id }) => `${id}\n`).join(''))
    },
    putBack(batch) {
      release(batch)
      const { maxRetryMs } = settings()
      const later = batch.map((one) => ({
        ...one,
        attempts: one.attempts + 1,
        dueAtMs: Date.now() + Math.min(maxRetryMs, FIRST_RETRY_MS * 2 ** one.attempts),
      }))
      // At the front again, so that the order of a phone's changes is kept.
      waiting = [...later, ...waiting]
    },
    size: () => waiting.length,
  }
}

/** Up to a batch of changes that are due; where the order is kept, the oldest of each phone only. */
function chooseDue(
  waiting: readonly Waiting[],
  { order, batch }: Settings['webhooks'],
  busyPhones: ReadonlySet<string>,
): ReadonlySet<Waiting> {
  const nowMs = Date.now()
  const seen = new Set(busyPhones)
  const taken = new Set<Waiting>()
  // By when each is due: a machine that was busy for longer than the delays finds all of them due.
  const inOrder =
    order === 'none' ? waiting.toSorted((one, other) => one.dueAtMs - other.dueAtMs) : waiting
  for (const one of inOrder) {
    if (taken.size >= batch) break
    const { phone } = one.change
    if (order === 'by-phone' && seen.has(phone)) continue
    seen.add(phone)
    if (one.dueAtMs <= nowMs) taken.add(one)
  }
  return taken
}

function readAcknowledged(file: string | undefined): Set<string> {
  if (file === undefined || !existsSync(file)) return new Set()
  return new Set(readFileSync(file, 'utf8').split('\n'))
}
