import { type ReactNode, useSyncExternalStore } from 'react'

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

const TICK_MS = 10_000

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(onChange, TICK_MS)
  return () => clearInterval(timer)
}

// Rounded, because the same moment must give the same answer until the next tick.
const readNow = (): number => Math.floor(Date.now() / TICK_MS) * TICK_MS

/** A moment as "3 minutes ago", with the date in its title. */
export function Time({ at }: { readonly at: string | number }): ReactNode {
  const now = useSyncExternalStore(subscribe, readNow)
  const moment = new Date(at)
  return (
    <time dateTime={moment.toISOString()} title={absolute.format(moment)}>
      {relativeTime(moment.getTime() - now)}
    </time>
  )
}

function relativeTime(deltaMs: number): string {
  // The clock of the page is up to a tick late: what has just happened is not to come.
  if (Math.abs(deltaMs) < TICK_MS) return 'now'
  const [unit, length] = STEPS.find(([, ms]) => Math.abs(deltaMs) >= ms) ?? ['second', 1_000]
  return relative.format(Math.round(deltaMs / length), unit)
}

/** A moment in full. */
export function DateTime({ at }: { readonly at: string | number }): ReactNode {
  const moment = new Date(at)
  return <time dateTime={moment.toISOString()}>{absolute.format(moment)}</time>
}

/** The instant of a field of the type `datetime-local`. */
export function toInstant(local: string | undefined): string | undefined {
  return local === undefined ? undefined : new Date(local).toISOString()
}

// The form's field has the time of the reader's own zone, without a zone.
export function toLocal(instant: string | undefined): string | undefined {
  if (instant === undefined) return undefined
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return undefined
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
