import { createHmac, randomBytes } from 'node:crypto'
import { webhookBody } from './webhook-events.ts'
import { openWebhookQueue, type Waiting, type WebhookEvent } from './webhook-queue.ts'
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
