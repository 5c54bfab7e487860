import { Refusal } from '../refusal.ts'
import type { Shop } from '../shop.ts'

const MINUTE_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Counts the requests of each address in fixed minutes. */
export function createRequestLimit({ now, settings }: Shop): (address: string) => void {
  const counts = new Map<string, number>()
  let minute = 0
  return (address) => {
    const current = Math.floor(now() / MINUTE_MS)
    if (current !== minute || counts.size > MAX_ADDRESSES) {
      counts.clear()
      minute = current
    }
    const count = (counts.get(address) ?? 0) + 1
    counts.set(address, count)
    if (count > settings.requestsPerMinute)
      throw new Refusal('too_many_requests', 'Too many requests from this address. Wait a minute.')
  }
}
