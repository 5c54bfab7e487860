import { HIDDEN } from '@surehand/core/internal'

/** Removes secrets from a text. */
export type Hide = (text: string) => string

// Shorter values occur in ordinary texts.
const SHORTEST = 4

/** Removes these values from texts, also in their JSON, URL and base64 encodings. */
export function createHide(secrets: readonly string[], further: Hide = (text) => text): Hide {
  const spellings = new Set(
    secrets.filter((secret) => secret.length >= SHORTEST).flatMap(listSpellings),
  )
  // Longest first: one secret may contain another.
  const ordered = [...spellings].sort((left, right) => right.length - left.length)
  return (text) =>
    further(ordered.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text))
}

/** Applies `hide` to every text and key of a JSON value. */
export function hideJson(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return value.map((item) => hideJson(item, hide))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [hide(key), hideJson(member, hide)]),
  )
}

function listSpellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
  ]
}
