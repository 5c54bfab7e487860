import { ToolError } from '@surehand/core'
import { invalidArgument } from './invalid-argument.ts'

const DEEPEST_ENCODING = 6
// Some servers cut off everything after a semicolon before they interpret a segment.
const DOTS = /^\.{1,2}(?:;.*)?$/s
// Overlong encodings of a dot and a slash, which UTF-8 forbids and old servers accept.
const OVERLONG = /%c0%a[ef]|%e0%80%a[ef]|%u002[ef]/gi
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is searched for
const CONTROLS = /[\u0000-\u001f\u007f]/

/**
 * Refuses a path argument that a server could resolve to another path. Encoding does not help: `..`
 * is not encoded, `%2e%2e` means the same to a URL, and what one proxy leaves alone another
 * decodes.
 */
export function refuseEscape(argument: string, text: string): void {
  if (text === '') throw invalidArgument(argument, 'is empty, so the path would lead elsewhere')
  for (const reading of listReadings(text)) {
    if (CONTROLS.test(reading)) throw invalidArgument(argument, 'contains a control character')
    if (reading.split(/[/\\]/).some((segment) => segment === '' || DOTS.test(segment)))
      throw invalidArgument(
        argument,
        'has an empty segment, "." or "..", and the path would lead elsewhere',
      )
  }
}

// The text as it is, decoded once, twice and so on, and with look-alike characters normalized.
function listReadings(text: string): readonly string[] {
  const all = [text]
  for (let current = text; all.length < DEEPEST_ENCODING; ) {
    const next = decodeOnce(current)
    if (next === current) break
    all.push(next)
    current = next
  }
  return all.flatMap((one) => [one, one.normalize('NFKC')])
}

// Decoded piece by piece: an invalid % elsewhere must not prevent %2e from being decoded.
function decodeOnce(text: string): string {
  const plain = text.replaceAll(OVERLONG, (form) => (form.toLowerCase().endsWith('f') ? '/' : '.'))
  return plain.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** Joins base, path and query, and checks that the finished URL is still below the base. */
export function joinWithin(base: URL, path: string, query: string): string {
  const prefix = base.pathname.endsWith('/') ? base.pathname.slice(0, -1) : base.pathname
  const wanted = `${prefix}${path}`
  const url = URL.canParse(`${base.origin}${wanted}${query}`)
    ? new URL(`${base.origin}${wanted}${query}`)
    : undefined
  if (
    url === undefined ||
    url.origin !== base.origin ||
    url.pathname !== wanted ||
    url.hash !== '' ||
    url.username !== ''
  )
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'The arguments form a URL outside the API. Nothing was sent.',
      {
        effect: 'none',
      },
    )
  return url.href
}
