import { type Html, html } from './html.ts'

/** To the second, in UTC: whoever reads it may be anywhere. */
export function timeOf(ms: number): Html {
  const iso = new Date(ms).toISOString()
  return html`<time datetime="${iso}">${iso.replace('T', ' ').slice(0, 19)} UTC</time>`
}
