import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { seededRandom } from '@surehand/testing'
import type { Settings } from './settings.ts'
import type { WebhookChange } from './webhook-events.ts'

/** A change that waits until the business has answered its webhook with 200. */
export type WebhookEvent = {
  /** The same after a restart. */ readonly id: string
  readonly change: WebhookChange
}

/** A change on its way. */
export type Waiting = WebhookEvent & {
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
export function openWebhookQueue(
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
  for (const one of waiting) {
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
