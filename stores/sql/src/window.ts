/**
 * How many calls fell into which time slot, oldest first. A slot counts until its last moment has
 * left the window, so a limit is never exceeded.
 */
export type Window = {
  readonly windowMs: number
  readonly slotMs: number
  readonly slots: readonly Slot[]
}
type Slot = { readonly from: number; readonly count: number }

// A small limit is counted to the millisecond. A large one is counted in slots, and the slot that
// is leaving costs at most a 64th of the limit.
const MOST_SLOTS = 64

export function windowOf(
  text: string,
  { windowMs, max }: { readonly windowMs: number; readonly max: number },
): Window {
  const slotMs = max <= MOST_SLOTS ? 1 : Math.max(1, Math.floor(windowMs / MOST_SLOTS))
  const slots = text === '' ? [] : text.split(',').map((slot) => slotOf(slot))
  return { windowMs, slotMs, slots }
}

function slotOf(text: string): Slot {
  const [from, count] = text.split(':')
  return { from: Number(from), count: Number(count) }
}

export function windowText({ slots }: Window): string {
  return slots.map(({ from, count }) => `${from}:${count}`).join(',')
}

/** The slots without those that have left the window. */
export function dropExpired(window: Window, now: number): Window {
  return { ...window, slots: window.slots.filter((slot) => leavesAt(slot, window) > now) }
}

export function fits({ slots }: Window, max: number): boolean {
  return slots.reduce((sum, slot) => sum + slot.count, 0) < max
}

/** When the oldest slot leaves the window. */
export function retryAfterMs(window: Window, now: number): number {
  const [oldest] = window.slots
  return oldest === undefined ? 0 : leavesAt(oldest, window) - now
}

/** The slots with one more call now. Time never goes back, whatever the clock does. */
export function count(window: Window, now: number): Window {
  const last = window.slots.at(-1)
  const from = Math.max(Math.floor(now / window.slotMs) * window.slotMs, last?.from ?? 0)
  if (last?.from === from)
    return { ...window, slots: [...window.slots.slice(0, -1), { from, count: last.count + 1 }] }
  return { ...window, slots: [...window.slots, { from, count: 1 }] }
}

function leavesAt(slot: Slot, window: Window): number {
  return slot.from + window.slotMs - 1 + window.windowMs
}
