const CHUNK = /[\p{L}\p{N}](?:[\p{L}\p{N}._:/-]*[\p{L}\p{N}])?/gu
const CONNECTOR = /[._:/-]+/u
const HUMP = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{Lu}\p{Ll}\p{N}]+/gu
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
const PLAIN = /^[a-z]+$/
const BEYOND_ASCII = /[\u0080-\uffff]/
const MARKS = /\p{M}+/gu

/** The words of a text: identifiers as a whole and in their parts, without case and accents. */
export function wordsOf(text: string): string[] {
  const plain = BEYOND_ASCII.test(text) ? text.normalize('NFKD').replace(MARKS, '') : text
  const words: string[] = []
  for (const chunk of plain.match(CHUNK) ?? []) {
    // most are plain words, and the rest of the work is for the others
    if (PLAIN.test(chunk)) words.push(chunk)
    else words.push(...chunkWords(chunk))
  }
  return words
}

function chunkWords(chunk: string): readonly string[] {
  const parts = chunk.split(CONNECTOR)
  const words = parts.flatMap(partWords)
  return (parts.length === 1 ? words : [chunk, ...words]).map((word) => word.toLowerCase())
}

// `bookSlot` is found by book, by slot and by bookslot
function partWords(part: string): readonly string[] {
  if (UNSPACED.test(part)) return pairs(part)
  const humps = part.match(HUMP) ?? []
  return humps.length < 2 ? [part] : [part, ...humps]
}

// languages without spaces: every two neighbours are a word
function pairs(part: string): readonly string[] {
  const signs = [...part]
  return signs.length < 3 ? [part] : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`)
}
