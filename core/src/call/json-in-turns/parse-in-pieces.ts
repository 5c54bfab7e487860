import { notJson } from '../json.ts'
import type { PartedText } from './parted-text.ts'

/** Resolves when work may go on: at once, or after what else was waiting has been served. */
export type Pace = () => Promise<void> | undefined

// 32 KB of empty lists, the slowest JSON there is, take 3 ms to parse.
export const PIECE = 32_768

// In a string: its end, an escape, or what JSON does not allow.
const SPECIAL = /["\\]|[^ -\uffff]/

type Open = '[' | '{'
type Piece = { readonly from: number; readonly to: number }
type Parsed = { readonly value: unknown; readonly end: number }

/**
 * What JSON.parse makes of the text, from pieces of it that are parsed one by one: members of large
 * lists and objects in groups, large strings in parts. The text is known to be nested at most
 * MAX_DEPTH deep.
 */
export async function parseInPieces(text: PartedText, pace: Pace, size = PIECE): Promise<unknown> {
  const { value, end } = await parseValue(0)
  if (skipSpace(text, end) < text.length) throw notJson(end)
  return value

  async function parseValue(at: number): Promise<Parsed> {
    const from = skipSpace(text, at)
    const first = text.charAt(from)
    if (first === '"') return parseText(from)
    if (first === '[' || first === '{') return parseMembers(from, first)
    const end = findEndOfWord(text, from)
    return { value: parsePiece('', { from, to: end }), end }
  }

  /** A list or an object. */
  async function parseMembers(from: number, open: Open): Promise<Parsed> {
    const close = open === '[' ? ']' : '}'
    const members = createMembers(open)
    let at = from + 1
    if (!isMember(text, at) && text.charAt(skipSpace(text, at)) !== close) throw notJson(at)
    for (;;) {
      const group = findGroup(text, at, size)
      const large = group === undefined ? await parseMember(at, open) : undefined
      if (large === undefined) members.add(parsePiece(open, { from: at, to: group ?? at }))
      else members.addOne(large.key, large.value)
      const end = group ?? skipSpace(text, large?.end ?? at)
      await pace()
      if (text.charAt(end) === close) return { value: members.value, end: end + 1 }
      at = end + 1
      if (text.charAt(end) !== ',' || !isMember(text, at)) throw notJson(end)
    }
  }

  /** A member that is too large for a piece. */
  async function parseMember(at: number, open: Open): Promise<Parsed & { readonly key: string }> {
    if (open === '[') return { key: '', ...(await parseValue(at)) }
    const from = skipSpace(text, at)
    if (text.charAt(from) !== '"') throw notJson(from)
    const key = await parseText(from)
    const colon = skipSpace(text, key.end)
    if (text.charAt(colon) !== ':') throw notJson(colon)
    return { key: String(key.value), ...(await parseValue(colon + 1)) }
  }

  async function parseText(from: number): Promise<Parsed> {
    const plainEnd = await findPlainEnd(from + 1)
    const plain = text.slice(from + 1, plainEnd)
    if (text.charAt(plainEnd) === '"') return { value: plain, end: plainEnd + 1 }
    const parts: unknown[] = [plain]
    for (let at = plainEnd; ; ) {
      const to = findLongTextEnd(text, at, size)
      parts.push(parsePiece('"', { from: at, to }))
      if (to >= text.length) throw notJson(to)
      if (text.charAt(to) === '"') return { value: parts.join(''), end: to + 1 }
      at = to
      await pace()
    }
  }

  /** How far a string goes on that means what it says. Such a part of it is not copied. */
  async function findPlainEnd(from: number): Promise<number> {
    for (let at = from; at < text.length; at = text.endOfPart(at)) {
      const special = text.slice(at, text.endOfPart(at)).search(SPECIAL)
      if (special >= 0) return at + special
      await pace()
    }
    return text.length
  }

  function parsePiece(open: Open | '"' | '', { from, to }: Piece): unknown {
    const close = { '[': ']', '{': '}', '"': '"', '': '' }[open]
    try {
      return JSON.parse(open + text.slice(from, to) + close)
    } catch (cause) {
      const [, position] = /position (\d+)/.exec(cause instanceof Error ? cause.message : '') ?? []
      throw notJson(position === undefined ? undefined : from + Number(position) - open.length)
    }
  }
}

type Members = {
  readonly value: unknown
  /** The members of a list or an object that holds a part of this one. */
  readonly add: (part: unknown) => void
  readonly addOne: (key: string, value: unknown) => void
}

function createMembers(open: Open): Members {
  if (open === '[') {
    const value: unknown[] = []
    return {
      value,
      add(part) {
        for (const item of part as readonly unknown[]) value.push(item)
      },
      addOne: (_, item) => void value.push(item),
    }
  }
  const value: Record<string, unknown> = {}
  // An assignment to `__proto__` would change the object instead of adding a member.
  const addOne = (key: string, member: unknown): void =>
    void Object.defineProperty(value, key, {
      value: member,
      configurable: true,
      enumerable: true,
      writable: true,
    })
  return {
    value,
    add(part) {
      for (const [key, member] of Object.entries(part as object)) addOne(key, member)
    },
    addOne,
  }
}

// No member is no JSON, but as a piece of its own it would be an empty list.
function isMember(text: PartedText, at: number): boolean {
  return !',]}'.includes(text.charAt(skipSpace(text, at)) ?? ',')
}

/** Where the last of the members ends that fit into a piece; undefined where the first does not. */
function findGroup(text: PartedText, from: number, size: number): number | undefined {
  const piece = text.slice(from, from + size)
  let end = findDelimiter(piece, 0)
  while (end !== undefined && piece[end] === ',') {
    const next = findDelimiter(piece, end + 1)
    if (next === undefined) break
    end = next
  }
  return end === undefined ? undefined : from + end
}

/**
 * The comma or the closing bracket behind what begins here, outside of lists, objects and strings;
 * undefined where there is none.
 */
function findDelimiter(piece: string, from: number): number | undefined {
  let depth = 0
  for (let index = from; index < piece.length; index++) {
    const code = piece.charCodeAt(index)
    if (code === 34) index = findTextEnd(piece, index + 1, piece.length)
    else if (code === 123 || code === 91) depth++
    else if (code === 125 || code === 93) {
      if (depth-- === 0) return index
    } else if (code === 44 && depth === 0) return index
  }
  return undefined
}

/** The same for what is no list, object or string. */
function findEndOfWord(text: PartedText, from: number): number {
  for (let at = from; at < text.length; at = text.endOfPart(at)) {
    const end = findDelimiter(text.slice(at, text.endOfPart(at)), 0)
    if (end !== undefined) return at + end
  }
  return text.length
}

/** The next quote that ends a string, or an index from `to` on that is not within an escape. */
function findTextEnd(piece: string, from: number, to: number): number {
  let index = from
  while (index < to) {
    const code = piece.charCodeAt(index)
    if (code === 34) return index
    if (code === 92) index += piece.charCodeAt(index + 1) === 117 ? 6 : 2
    else index++
  }
  return index
}

/** The same for a string that is known to be long: without escapes it is searched natively. */
function findLongTextEnd(text: PartedText, from: number, size: number): number {
  // With the character behind it, which tells how long an escape is.
  const piece = text.slice(from, from + size + 1)
  const quote = piece.indexOf('"')
  const plain = quote < 0 ? piece : piece.slice(0, quote)
  const backslash = plain.indexOf('\\')
  const end = backslash < 0 ? plain.length : findTextEnd(piece, backslash, size)
  return Math.min(from + end, text.length)
}

function skipSpace(text: PartedText, from: number): number {
  let index = from
  for (; ; index++) {
    const code = text.codeAt(index)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return index
  }
}
