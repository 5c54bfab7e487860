import { type Html, html } from './html.ts'

/** A time to the second, in UTC, because readers may be in any time zone. */
export function formatTime(ms: number): Html {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${iso.replace('T', ' ').slice(0, 19)} UTC</time>`
}
