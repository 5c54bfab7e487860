const CHUNK = /[\p{L}\p{N}](?:[\p{L}\p{N}._:/-]*[\p{L}\p{N}])?/gu
const CONNECTOR = /[._:/-]+/u
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const PLAIN = /^[a-z]+$/
const BEYOND_ASCII = /[\u0080-\uffff]/
const MARKS = /\p{M}+/gu

/**
 * Splits a text into words, without case and accents. Identifiers are returned whole and in their
 * parts.
 */
export function splitWords(text: string): string[] {
  const plain = BEYOND_ASCII.test(text) ? text.normalize('NFKD').replace(MARKS, '') : text
  const words: string[] = []
  for (const chunk of plain.match(CHUNK) ?? []) {
    // Most chunks are plain words and need no further work.
    if (PLAIN.test(chunk)) words.push(chunk)
    else words.push(...splitChunk(chunk))
  }
  return words
}

function splitChunk(chunk: string): readonly string[] {
  const parts = chunk.split(CONNECTOR)
  const words = parts.flatMap(splitPart)
  return (parts.length === 1 ? words : [chunk, ...words]).map((word) => word.toLowerCase())
}

// `bookSlot` can be found by book, slot and bookslot.
function splitPart(part: string): readonly string[] {
  if (UNSPACED.test(part)) return splitPairs(part)
  const humps = part.match(HUMP) ?? []
  return humps.length < 2 ? [part] : [part, ...humps]
}

// For scripts without spaces, every two neighbouring characters are a word.
function splitPairs(part: string): readonly string[] {
  const signs = [...part]
  return signs.length < 3 ? [part] : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`)
}
