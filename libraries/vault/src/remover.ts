const SHORTEST = 4
// shorter pieces of base64 and hexadecimals stand in texts by chance
const SHORTEST_ENCODED = 8
// enough to be sure that a longer one is there: its own pattern is large, and made only then
const PROBE_CHARACTERS = 32

// patterns beyond this take seconds to make: of a longer one, a token, what goes on like a token goes with its beginning
const LONGEST_EXACT = 512

/** Takes a secret out of a text. */
export type Remover = (text: string, shown: string) => string

/**
 * Finds a secret in a text however it was written down there: as it is, in a query, in JSON (also in JSON in JSON), in HTML, inside
 * something in base64, in hexadecimals. Undefined for one so short that it stands everywhere by chance.
 */
export function remover(value: string): Remover | undefined {
  if (value.length < SHORTEST) return undefined
  const probe = patternOf(beginning(value, PROBE_CHARACTERS))
  if (value.length <= PROBE_CHARACTERS) return (text, shown) => text.replace(probe, shown)
  let whole: RegExp | undefined
  return (text, shown) => {
    if (text.search(probe) < 0) return text
    whole ??=
      value.length <= LONGEST_EXACT
        ? patternOf(value)
        : patternOf(beginning(value, LONGEST_EXACT), '(?:[\\w.~+/=%-]|\\\\{1,4}u[0-9a-fA-F]{4})*')
    return text.replace(whole, shown)
  }
}

// a character in two halves is none
function beginning(value: string, length: number): string {
  const text = value.slice(0, length)
  return text.isWellFormed() ? text : text.slice(0, -1)
}

function patternOf(value: string, rest = ''): RegExp {
  const bytes = Buffer.from(value)
  const encoded = [0, 1, 2]
    .map((offset) => base64At(bytes, offset))
    .filter((text) => text.length >= SHORTEST_ENCODED)
  const hex = bytes.toString('hex')
  const forms = [
    value.replaceAll(/\\+|[^A-Za-z0-9]/gu, anyEscape),
    percentEscape(bytes),
    unicodeEscape(value),
    ...encoded.map((text) => text.replaceAll(/[+/]/g, (sign) => BASE64_SIGNS[sign] ?? sign)),
    ...(hex.length >= SHORTEST_ENCODED ? [hex.replaceAll(/[a-f]/g, eitherCase)] : []),
  ]
  return new RegExp(`(?:${forms.join('|')})${rest}`, 'g')
}

// the standard alphabet, the one for addresses, and the first in an address or in JSON
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

/** One character that is not written alike everywhere; letters and digits are. */
function anyEscape(character: string): string {
  // a run of them in one piece: one by one, each could be two, and every division would be tried
  if (character.startsWith('\\'))
    return `(?:\\\\{${character.length},${4 * character.length}}|${percentEscape(Buffer.from(character))})`
  const bytes = Buffer.from(character)
  const ways = [
    quoted(character),
    character === '"' || character === '/' ? `${BACKSLASHES}${quoted(character)}` : '',
    character === ' ' ? '\\+' : '',
    percentEscape(bytes),
    unicodeEscape(character),
    HTML[character] ?? '',
    // bytes that are read one by one, as a body is
    bytes.length > 1 ? quoted(bytes.toString('latin1')) : '',
  ]
  return `(?:${ways.filter((way) => way !== '').join('|')})`
}

function percentEscape(bytes: Buffer): string {
  return [...bytes].map((byte) => `%(?:25){0,2}${hexOf(byte, 2)}`).join('')
}

function unicodeEscape(text: string): string {
  return text
    .split('')
    .map((unit) => `${BACKSLASHES}u${hexOf(unit.charCodeAt(0), 4)}`)
    .join('')
}

function quoted(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

function hexOf(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0').replaceAll(/[a-f]/g, eitherCase)
}

function eitherCase(letter: string): string {
  return `[${letter}${letter.toUpperCase()}]`
}

/** What is certain of a text in base64 that has these bytes in it, so many bytes behind a group of three. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  const begin = Math.ceil((offset * 8) / 6)
  const end = Math.floor(((offset + bytes.length) * 8) / 6)
  return text.slice(begin, end)
}
