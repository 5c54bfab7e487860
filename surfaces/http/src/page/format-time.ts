import { type Html, html } from './html.ts'

/** A time to the second, in UTC, because readers may be in any time zone. */
export function formatTime(ms: number): Html {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${absoluteText(iso)}</time>`
}

/** A time as people say it, such as "in 12 minutes"; its title holds the exact time. */
export function formatRelativeTime(ms: number, nowMs: number): Html {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}" title="${absoluteText(iso)}">${relativeText(ms - nowMs)}</time>`
}

function absoluteText(iso: string): string {
  return `${iso.replace('T', ' ').slice(0, 19)} UTC`
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

// Rounded towards now: nobody must believe that more time is left than is.
function relativeText(differenceMs: number): string {
  const [unit, unitMs] = UNITS.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? UNITS[3]
  const count = Math.trunc(differenceMs / unitMs)
  return count === 0
    ? 'now'
    : new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(count, unit)
}
