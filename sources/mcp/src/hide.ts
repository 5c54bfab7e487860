import { HIDDEN } from '@surehand/core/internal'

/** Takes what nobody may read out of a text. */
export type Hide = (text: string) => string

// shorter ones stand in every other sentence by chance
const SHORTEST = 4

/** Takes these values out of texts, as they are and as JSON, URLs and base64 spell them. */
export function hiding(secrets: readonly string[], further: Hide = (text) => text): Hide {
  const spellings = new Set(
    secrets.filter((secret) => secret.length >= SHORTEST).flatMap(spellingsOf),
  )
  // the longest first: one secret may stand within another
  const ordered = [...spellings].sort((left, right) => right.length - left.length)
  return (text) =>
    further(ordered.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text))
}

/** The same for every text and key of a JSON value. */
export function hideJson(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((item) => hideJson(item, hide))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [hide(key), hideJson(member, hide)]),
  )
}

function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
}
