import { isIPv4, isIPv6 } from 'node:net'
import { format } from '@cfworker/json-schema'

/**
 * Format checks that run in linear time. cfworker's `url` takes 7 s for 36 characters, so only its
 * formats that were measured are used.
 */
export const FORMATS: ReadonlyMap<
  string,
  { readonly what: string; readonly test: (text: string) => boolean }
> = new Map([
  [
    'date-time',
    { what: 'a date-time with offset, such as 2025-08-24T10:00:00+03:00', test: isDateTime },
  ],
  ['date', { what: 'a date, such as 2025-08-24', test: upToLength('date', 10) }],
  ['time', { what: 'a time with offset, such as 10:00:00Z', test: upToLength('time', 64) }],
  ['email', { what: 'an email address', test: upToLength('email', 320) }],
  ['uri', { what: 'a URI with its scheme, such as https://example.com', test: isUri }],
  ['uuid', { what: 'a UUID', test: upToLength('uuid', 36) }],
  ['duration', { what: 'an ISO 8601 duration, such as PT30M', test: isDuration }],
  ['ipv4', { what: 'an IPv4 address', test: isIPv4 }],
  ['ipv6', { what: 'an IPv6 address', test: (text) => !text.includes('%') && isIPv6(text) }],
])

// Longer texts cannot be valid, and some expressions would need much time or stack to find out.
function upToLength(name: string, maxLength: number): (text: string) => boolean {
  const test = format[name]
  if (test === undefined)
    throw new Error(`@cfworker/json-schema no longer knows the format ${name}`)
  return (text) => text.length <= maxLength && test(text)
}

const dateTime = upToLength('date-time', 64)

// cfworker accepts any white space, even a line break, instead of the T.
function isDateTime(text: string): boolean {
  return /^.{10}[Tt]/.test(text) && dateTime(text)
}

// Wider than RFC 3339 appendix A, which allows no fractions and no PT1H1S: authors mean ISO 8601,
// and providers send it.
const DURATION =
  /^P(?:\d{1,15}W|(?=T?\d)(?:\d{1,15}Y)?(?:\d{1,15}M)?(?:\d{1,15}W)?(?:\d{1,15}D)?(?:T(?=\d)(?:\d{1,15}H)?(?:\d{1,15}M)?(?:\d{1,15}(?:[.,]\d{1,9})?S)?)?)$/

function isDuration(text: string): boolean {
  return text.length <= 128 && DURATION.test(text)
}

const SCHEME = /^[a-z][a-z0-9+.-]{0,63}:/i
const NOT_IN_URI = /[^a-z0-9\-._~!$&'()*+,;=:@/?#%]/i
const BAD_PERCENT = /%(?![0-9a-f]{2})/i
const AUTHORITY =
  /^(?:[a-z0-9\-._~!$&'()*+,;=:%]*@)?(?:\[([^\]]*)\]|[a-z0-9\-._~!$&'()*+,;=%]*)(?::\d*)?$/i
const MAX_AUTHORITY = 4_096

// Searches for forbidden characters: one expression for the whole text, as in cfworker, overflows
// the stack on a data: URI of 16 MB.
function isUri(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[0]
  if (scheme === undefined || BAD_PERCENT.test(text)) return false
  const hasAuthority = text.startsWith('//', scheme.length)
  const end = hasAuthority ? endOfAuthority(text, scheme.length + 2) : scheme.length
  if (hasAuthority && !isAuthority(text.slice(scheme.length + 2, end))) return false
  const rest = text.slice(end)
  return !NOT_IN_URI.test(rest) && rest.indexOf('#') === rest.lastIndexOf('#')
}

function endOfAuthority(text: string, from: number): number {
  const found = text.slice(from, from + MAX_AUTHORITY + 1).search(/[/?#]/)
  return found === -1 ? text.length : from + found
}

function isAuthority(text: string): boolean {
  const match = text.length <= MAX_AUTHORITY ? AUTHORITY.exec(text) : null
  return match !== null && (match[1] === undefined || isIPv6(match[1]))
}
