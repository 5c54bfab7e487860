/** Removes from a text what must not appear in a log. */
export type Scrub = (text: string) => string

// Tokens of our own, common tokens of others, and headers that carry either.
const CREDENTIALS =
  /\bshl?_[\w-]{1,128}_[\w-]{1,64}_[\w-]{16,}|\bsh[or]_[\w-]{40,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*|\b(?:sk|pk|rk|ghp|gho|xox[abp])[-_][\w-]{12,}|(?<=\bBearer )[\w.~+/=-]+/gi
const IN_ADDRESS = /(?<=\/\/[^/\s:@]{0,100}:)[^@\s/]{1,200}(?=@)/g
const KEYS = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g
// With country code, in groups, or as digits alone; must not match times and versions.
const PHONES =
  /(?<![\w.+-])(?:\+\d[\d ()./-]{6,18}\d|00[1-9]\d[\d ()./-]{6,16}\d|\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}|0\d{2,4}[ /-]\d{3}[\d -]{2,9}\d|\d{10,15})(?![\w+])/g

const SHORTEST_SECRET = 6

/** `secrets`: values of this installation, such as the database password. */
export function createScrubber(secrets: readonly (string | undefined)[] = []): Scrub {
  const known = secrets
    .filter((secret) => secret !== undefined && secret.length >= SHORTEST_SECRET)
    .toSorted((one, other) => (other?.length ?? 0) - (one?.length ?? 0))
  return (text) => {
    let clean = text
    for (const secret of known) clean = clean.replaceAll(secret ?? '', '[secret]')
    return clean
      .replace(KEYS, '[secret]')
      .replace(CREDENTIALS, '[secret]')
      .replace(IN_ADDRESS, '[secret]')
      .replace(PHONES, '[phone]')
  }
}

const DEEPEST = 6
const MOST_ITEMS = 100

/**
 * Scrubs every text inside a value, field names too. Numbers stay: they are counts and times of our
 * own.
 */
export function scrubValue(value: unknown, scrub: Scrub, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value)
  if (typeof value !== 'object' || value === null)
    return typeof value === 'bigint' ? String(value) : value
  if (depth >= DEEPEST) return '…'
  if (value instanceof Error) return scrubValue(errorFields(value), scrub, depth + 1)
  if (Array.isArray(value))
    return value.slice(0, MOST_ITEMS).map((item) => scrubValue(item, scrub, depth + 1))
  const fields = Object.entries(value).slice(0, MOST_ITEMS)
  return Object.fromEntries(
    fields.map(([name, item]) => [scrub(name), scrubValue(item, scrub, depth + 1)]),
  )
}

function errorFields(error: Error): Record<string, unknown> {
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return {
    name,
    message,
    ...(code === undefined ? {} : { code }),
    stack,
    ...(cause === undefined ? {} : { cause }),
  }
}
