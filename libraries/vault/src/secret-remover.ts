const MIN_SECRET_LENGTH = 4
// Shorter pieces of base64 and hexadecimal occur in ordinary text by chance.
const MIN_ENCODED_LENGTH = 8
// A match of this many characters is enough to suspect a longer secret, whose large pattern is
// compiled only then.
const PROBE_LENGTH = 32

// Longer patterns take seconds to compile. Of a longer secret the beginning is matched, and token
// characters after it go with it.
const MAX_EXACT_LENGTH = 512

/** Replaces every occurrence of a secret in a text by `shown`. */
export type SecretRemover = (text: string, shown: string) => string

/**
 * Finds a secret in a text in any common encoding: plain, URL query, JSON (also nested in a JSON
 * string), HTML, hexadecimal, or inside base64. Undefined for a secret so short that it occurs
 * everywhere by chance.
 */
export function createSecretRemover(value: string): SecretRemover | undefined {
  if (value.length < MIN_SECRET_LENGTH) return undefined
  const probe = buildPattern(takeWellFormedPrefix(value, PROBE_LENGTH))
  if (value.length <= PROBE_LENGTH) return (text, shown) => text.replace(probe, shown)
  let whole: RegExp | undefined
  return (text, shown) => {
    if (text.search(probe) < 0) return text
    whole ??=
      value.length <= MAX_EXACT_LENGTH
        ? buildPattern(value)
        : buildPattern(
            takeWellFormedPrefix(value, MAX_EXACT_LENGTH),
            '(?:[\\w.~+/=%-]|\\\\{1,4}u[0-9a-fA-F]{4})*',
          )
    return text.replace(whole, shown)
  }
}

// The cut must not leave half a surrogate pair.
function takeWellFormedPrefix(value: string, length: number): string {
  const text = value.slice(0, length)
  return text.isWellFormed() ? text : text.slice(0, -1)
}

function buildPattern(value: string, rest = ''): RegExp {
  const bytes = Buffer.from(value)
  const encoded = [0, 1, 2]
    .map((offset) => encodeBase64At(bytes, offset))
    .filter((text) => text.length >= MIN_ENCODED_LENGTH)
  const hex = bytes.toString('hex')
  const forms = [
    value.replaceAll(/\\+|[^A-Za-z0-9]/gu, matchAnyEscape),
    matchPercentEscape(bytes),
    matchUnicodeEscape(value),
    ...encoded.map((text) => text.replaceAll(/[+/]/g, (sign) => BASE64_SIGNS[sign] ?? sign)),
    ...(hex.length >= MIN_ENCODED_LENGTH ? [hex.replaceAll(/[a-f]/g, matchEitherCase)] : []),
  ]
  return new RegExp(`(?:${forms.join('|')})${rest}`, 'g')
}

// The standard alphabet, the URL-safe one, and the standard one escaped in a URL or in JSON.
const BASE64_SIGNS: Readonly<Record<string, string>> = {
  '+': '(?:[+-]|%2[bB])',
  '/': '(?:\\\\?/|_|%2[fF])',
}

const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;|&#38;',
  '<': '&lt;|&#60;',
  '>': '&gt;|&#62;',
  '"': '&quot;|&#34;',
  "'": '&apos;|&#(?:39|[xX]27);',
}

const BACKSLASHES = '\\\\{1,4}'

/**
 * A pattern for one character that encodings write differently. Letters and digits are the same in
 * all of them.
 */
function matchAnyEscape(character: string): string {
  // A run of backslashes is matched as one: matched one by one, the pattern would backtrack
  // exponentially.
  if (character.startsWith('\\'))
    return `(?:\\\\{${character.length},${4 * character.length}}|${matchPercentEscape(Buffer.from(character))})`
  const bytes = Buffer.from(character)
  const ways = [
    escapePattern(character),
    character === '"' || character === '/' ? `${BACKSLASHES}${escapePattern(character)}` : '',
    character === ' ' ? '\\+' : '',
    matchPercentEscape(bytes),
    matchUnicodeEscape(character),
    HTML[character] ?? '',
    // A body is scrubbed as Latin-1, one character per byte.
    bytes.length > 1 ? escapePattern(bytes.toString('latin1')) : '',
  ]
  return `(?:${ways.filter((way) => way !== '').join('|')})`
}

function matchPercentEscape(bytes: Buffer): string {
  return [...bytes].map((byte) => `%(?:25){0,2}${matchHex(byte, 2)}`).join('')
}

function matchUnicodeEscape(text: string): string {
  return text
    .split('')
    .map((unit) => `${BACKSLASHES}u${matchHex(unit.charCodeAt(0), 4)}`)
    .join('')
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function matchHex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').replaceAll(/[a-f]/g, matchEitherCase)
}

function matchEitherCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`
}

/**
 * The base64 characters that these bytes determine when they start at this offset in a group of
 * three.
 */
function encodeBase64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const begin = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  return text.slice(begin, end)
}
