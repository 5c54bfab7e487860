import { ToolError } from '@surehand/core'
import { invalidArgument } from './invalid-argument.ts'

const DEEPEST_ENCODING = 6
// some servers cut off everything after a semicolon before they look at a segment
const DOTS = /^\.{1,2}(?:;.*)?$/s
// a dot and a slash in forms that UTF-8 forbids and old servers read all the same
const OVERLONG = /%c0%a[ef]|%e0%80%a[ef]|%u002[ef]/gi
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f]/

/**
 * Refuses a path argument that a server could read as another place. Encoding does not help: `..` is not encoded, `%2e%2e` means the
 * same to a URL, and what one proxy leaves alone another decodes.
 */
export function refuseEscape(argument: string, text: string): void {
  if (text === '') throw invalidArgument(argument, 'is empty, and the path would lead elsewhere')
  for (const reading of readings(text)) {
    if (CONTROLS.test(reading)) throw invalidArgument(argument, 'holds a control character')
    if (reading.split(/[/\\]/).some((segment) => segment === '' || DOTS.test(segment)))
      throw invalidArgument(
        argument,
        'has an empty segment, "." or "..", and the path would lead elsewhere',
      )
  }
}

// as it is, decoded once, twice …, and as look-alikes are normalised
function readings(text: string): readonly string[] {
  const all = [text]
  for (let current = text; all.length < DEEPEST_ENCODING; ) {
    const next = decoded(current)
    if (next === current) break
    all.push(next)
    current = next
  }
  return all.flatMap((one) => [one, one.normalize('NFKC')])
}

// byte by byte: a lone % elsewhere must not keep %2e from being seen
function decoded(text: string): string {
  const plain = text.replaceAll(OVERLONG, (form) => (form.toLowerCase().endsWith('f') ? '/' : '.'))
  return plain.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** The finished address, held against where it must stay: nothing may have been folded away. */
export function within(base: URL, path: string, query: string): string {
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
      'The arguments make an address that leaves the API; nothing was sent.',
      {
        effect: 'none',
      },
    )
  return url.href
}
