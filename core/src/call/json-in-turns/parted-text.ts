import { Buffer, isUtf8 } from 'node:buffer'
import type { Pace } from './parse-in-pieces.ts'

// Looked through in an eighth of a millisecond.
const PART_BITS = 16

/**
 * A long text in parts of equal length. Node keeps a text of more than a megabyte outside of the
 * heap: making it takes 1.5 ms at once, and after 34 of them all memory is collected.
 */
export class PartedText {
  readonly length: number
  readonly byteLength: number
  readonly #parts: readonly string[]
  readonly #bits: number
  readonly #mask: number

  /** Each part has 2 ** bits characters, the last one what is left. */
  constructor(parts: readonly string[], byteLength: number, bits = PART_BITS) {
    this.#parts = parts
    this.#bits = bits
    this.#mask = 2 ** bits - 1
    this.byteLength = byteLength
    this.length = Math.max(0, parts.length - 1) * 2 ** bits + (parts.at(-1)?.length ?? 0)
  }

  /** NaN behind the end. */
  codeAt(index: number): number {
    return this.#parts[index >>> this.#bits]?.charCodeAt(index & this.#mask) ?? Number.NaN
  }

  /** Undefined behind the end. */
  charAt(index: number): string | undefined {
    return this.#parts[index >>> this.#bits]?.[index & this.#mask]
  }

  /** Where the part ends that this index is in. */
  endOfPart(index: number): number {
    return Math.min(this.length, (index | this.#mask) + 1)
  }

  /** All of it, in one piece. */
  toString(): string {
    return this.#parts.join('')
  }

  slice(from: number, to: number): string {
    let text = ''
    for (let at = from; at < to && at < this.length; at = this.endOfPart(at)) {
      const part = this.#parts[at >>> this.#bits] ?? ''
      const start = at & this.#mask
      text += part.slice(start, start + to - at)
    }
    return text
  }
}

/** A text that is in one piece already. */
export function partText(text: string, bits = PART_BITS): PartedText {
  const size = 2 ** bits
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )
  return new PartedText(parts, Buffer.byteLength(text), bits)
}

/** Reads bytes a part at a time; undefined where they are not UTF-8. */
export async function decodeInTurns(
  bytes: Buffer,
  pace: Pace,
  bits = PART_BITS,
): Promise<PartedText | undefined> {
  await pace()
  if (!isUtf8(bytes)) return undefined
  await pace()
  const size = 2 ** bits
  const parts: string[] = []
  let rest = ''
  for (let from = 0; from < bytes.length; ) {
    const to = endOfCharacter(bytes, from + size)
    rest += bytes.toString('utf8', from, to)
    while (rest.length >= size) {
      parts.push(rest.slice(0, size))
      rest = rest.slice(size)
    }
    from = to
    await pace()
  }
  return new PartedText(rest === '' ? parts : [...parts, rest], bytes.length, bits)
}

/** This index, or where the character ends that it is within. */
function endOfCharacter(bytes: Buffer, index: number): number {
  let end = index
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end++
  return end
}
