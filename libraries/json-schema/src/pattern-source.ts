/** An ECMA-262 pattern in RE2 syntax, and the maximum size of its program. */
export type Re2Source = {
  readonly text: string
  readonly size: number
  readonly counted: Counted | undefined
}

/** `^ATOM{min,max}$`: its program would be as long as `max`, so characters are counted instead. */
export type Counted = { readonly atom: string; readonly min: number; readonly max: number }

/** `extra` is a one-time cost of compiling; `size` counts again wherever the piece is repeated. */
type Piece = {
  readonly text: string
  readonly length: number
  readonly size: number
  readonly isSet: boolean
  readonly extra: number
}
type Sizes = { total: number; last: number }

const SPACE =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NO_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
const ANYTHING = '\\x{0}-\\x{10ffff}'
const LINE_END = '\\n\\r\\x{2028}\\x{2029}'

const GROUP = /\((?:\?(?::|P?<[^=!>][^>]*>))?/y
const CASELESS_GROUP = /\(\?i:/y
const QUANTIFIER = /(?:[*+?]|\{(\d+)(,(\d*))?\})\??/y
const COUNTED =
  /^\^(\.|\\(?:[^ux]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|\[(?:[^\\\]]|\\.)*\]|[\w -])\{(\d+)(,(\d*))?\}\$$/su
// Compiling a class of letters costs RE2 about as much as twenty characters.
const LETTERS = 20

/**
 * Translates a pattern, because RE2 differs from ECMA-262: `.` and `\s` match fewer characters,
 * `[[:x:]]` and `\A` have a meaning. Throws an error for constructs that cannot run in linear time.
 */
export function toRe2(source: string): Re2Source {
  const counted = readCounted(source)
  if (counted !== undefined) return { text: `^${counted.atom}*$`, size: 8, counted }
  // Not ECMA-262, but authors used to other languages write it, and its meaning is clear.
  const start = source.startsWith('(?i)') ? 4 : 0
  const { text, size } = translate(source, start)
  return { text: source.slice(0, start) + text, size, counted: undefined }
}

function readCounted(source: string): Counted | undefined {
  const match = COUNTED.exec(source)
  if (match === null) return undefined
  const [, atom = '', least, range, most = ''] = match
  const min = Number(least)
  const max = range === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most)
  if (max < min) throw new Error('repeats at least more often than at most')
  return { atom: translate(atom, 0).text, min, max }
}

function translate(
  source: string,
  start: number,
): { readonly text: string; readonly size: number } {
  let text = ''
  let sizes: Sizes = { total: 2, last: 0 }
  const outer: Sizes[] = []
  let index = start
  while (index < source.length) {
    const piece = pieceAt(source, index)
    if (piece.text.startsWith('(')) {
      outer.push(sizes)
      sizes = { total: 1, last: 0 }
    } else if (piece.text === ')') {
      const inner = sizes
      sizes = outer.pop() ?? refuseUnbalanced()
      sizes = { total: sizes.total + inner.total, last: inner.total }
    } else if (piece.size > 0)
      sizes = { total: sizes.total + piece.size + piece.extra, last: piece.size }
    else sizes = repeatSize(sizes, piece.text)
    text += piece.text
    index += piece.length
  }
  if (outer.length > 0) refuseUnbalanced()
  return { text, size: sizes.total }
}

function pieceAt(source: string, index: number): Piece {
  const quantifier = matchAt(QUANTIFIER, source, index)
  if (quantifier !== undefined) return piece(quantifier, quantifier.length, 0)
  switch (source[index]) {
    case '(':
      return groupAt(source, index)
    case '[':
      return classAt(source, index)
    case '\\':
      return escapeAt(source, index)
    case '.':
      return piece(`[^${LINE_END}]`, 1, 1)
    case '{':
      return piece('\\{', 1, 1)
    case ')':
    case '|':
    case '^':
    case '$':
      return piece(source.charAt(index), 1, 1)
    default:
      return literal(source, index)
  }
}

// Captures are never used, so no group captures.
function groupAt(source: string, index: number): Piece {
  const caseless = matchAt(CASELESS_GROUP, source, index)
  if (caseless !== undefined) return piece(caseless, caseless.length, 1)
  const group = matchAt(GROUP, source, index) ?? ''
  if (group === '(' && source[index + 1] === '?') {
    const looks = /^\(\?<?[=!]/.test(source.slice(index, index + 4))
    throw new Error(
      looks
        ? 'looks ahead or behind, which has no linear-time form'
        : `has the group "${source.slice(index, index + 4)}"`,
    )
  }
  return piece('(?:', group.length, 1)
}

function repeatSize(sizes: Sizes, quantifier: string): Sizes {
  const [, least, range, most] = /^\{(\d+)(,(\d*))?\}/.exec(quantifier) ?? []
  // Each optional repetition takes one more branch; `*`, `+` and `?` take one.
  const min = least === undefined ? 1 : Number(least)
  const max = range === undefined ? min : most === '' ? min + 1 : Number(most)
  const size = sizes.last * Math.max(1, max) + (least === undefined ? 1 : Math.max(0, max - min))
  return { total: sizes.total - sizes.last + size, last: size }
}

function classAt(source: string, index: number): Piece {
  const isNegated = source[index + 1] === '^'
  let at = index + (isNegated ? 2 : 1)
  let inner = ''
  let extra = 0
  let previousIsSet = false
  while (source[at] !== ']') {
    if (at >= source.length) throw new Error('has a "[" that is not closed')
    const member = memberAt(source, at, previousIsSet)
    inner += member.text
    extra += member.extra
    previousIsSet = member.isSet
    at += member.length
  }
  const length = at + 1 - index
  if (inner === '') return piece(isNegated ? `[${ANYTHING}]` : `[^${ANYTHING}]`, length, 1)
  return { ...piece(`[${isNegated ? '^' : ''}${inner}]`, length, 1), extra }
}

function memberAt(source: string, index: number, previousIsSet: boolean): Piece {
  const character = source.charAt(index)
  if (character === '-') {
    // Beside a set it is a plain hyphen; unescaped, RE2 would read a range.
    const nextIsSet = /^\\[dDwWsSpP]/.test(source.slice(index + 1, index + 3))
    return piece(previousIsSet || nextIsSet ? '\\-' : '-', 1, 1)
  }
  if (character === '[') return piece('\\[', 1, 1)
  if (character !== '\\') return literal(source, index)
  switch (source[index + 1]) {
    case 's':
      return piece(SPACE, 2, 1, true)
    case 'S':
      return piece(NO_SPACE, 2, 1, true)
    case 'b':
      return piece('\\x{8}', 2, 1)
    case 'B':
      throw new Error('has \\B within a class')
    default:
      return escapeAt(source, index)
  }
}

function escapeAt(source: string, index: number): Piece {
  const letter = source.charAt(index + 1)
  switch (letter) {
    case 'd':
    case 'D':
    case 'w':
    case 'W':
      return piece(`\\${letter}`, 2, 1, true)
    case 'b':
    case 'B':
    case 't':
    case 'n':
    case 'v':
    case 'f':
    case 'r':
      return piece(`\\${letter}`, 2, 1)
    case 's':
      return piece(`[${SPACE}]`, 2, 1)
    case 'S':
      return piece(`[^${SPACE}]`, 2, 1)
    case 'p':
    case 'P':
      return propertyAt(source, index)
    case 'u':
    case 'x':
    case 'c':
    case '0':
      return codeAt(source, index)
    default:
      if (letter === '') throw new Error('ends in a backslash')
      if (/[1-9k]/.test(letter))
        throw new Error('refers back to a group, which has no linear-time form')
      if (/[A-Za-z]/.test(letter))
        throw new Error(`has \\${letter}, which is not defined in ECMA-262`)
      return readQuoted(source, index + 1)
  }
}

const CODE =
  /\\(?:u\{([0-9a-fA-F]{1,6})\}|u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|c([A-Za-z])|(0)(?!\d))/iy

function codeAt(source: string, index: number): Piece {
  CODE.lastIndex = index
  const match = CODE.exec(source)
  if (match === null)
    throw new Error(`has the unreadable escape "${source.slice(index, index + 6)}"`)
  const [all, braced, high, low, four, two, control] = match
  const code =
    high !== undefined && low !== undefined
      ? combineSurrogates(high, low)
      : Number.parseInt(braced ?? four ?? two ?? '0', 16)
  const value = control === undefined ? code : control.charCodeAt(0) % 32
  return piece(`\\x{${value.toString(16)}}`, all.length, 1)
}

function combineSurrogates(high: string, low: string): number {
  return (
    0x10000 + ((Number.parseInt(high, 16) - 0xd800) << 10) + (Number.parseInt(low, 16) - 0xdc00)
  )
}

const PROPERTY = /\\([pP])\{(?:(General_Category|gc|Script|sc)=)?(\w+)\}/y
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Control: 'Cc',
  Format: 'Cf',
}

function propertyAt(source: string, index: number): Piece {
  PROPERTY.lastIndex = index
  const match = PROPERTY.exec(source)
  if (match === null)
    throw new Error(`has the unknown property "${source.slice(index, index + 20)}"`)
  const [all, letter = 'p', , name = ''] = match
  return {
    ...piece(`\\${letter}{${CATEGORIES[name] ?? name}}`, all.length, 1, true),
    extra: LETTERS,
  }
}

function literal(source: string, index: number): Piece {
  const length = String.fromCodePoint(source.codePointAt(index) ?? 0).length
  return piece(source.slice(index, index + length), length, 1)
}

// `\/`, `\-`, `\_`: an escaped character that means itself.
function readQuoted(source: string, index: number): Piece {
  const code = source.codePointAt(index) ?? 0
  return piece(`\\x{${code.toString(16)}}`, 1 + String.fromCodePoint(code).length, 1)
}

function piece(text: string, length: number, size: number, isSet = false): Piece {
  return { text, length, size, isSet, extra: 0 }
}

function matchAt(pattern: RegExp, source: string, index: number): string | undefined {
  pattern.lastIndex = index
  return pattern.exec(source)?.[0]
}

function refuseUnbalanced(): never {
  throw new Error('has parentheses that do not match')
}
