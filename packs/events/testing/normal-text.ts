const ARTICLES = new Set([
  'the',
  'a',
  'an',
  'der',
  'die',
  'das',
  'le',
  'la',
  'les',
  'l',
  'el',
  'los',
  'las',
  'un',
  'une',
  'una',
])

/** The words without case, accents and punctuation. */
export function normalWords(text: string): readonly string[] {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter(Boolean)
}

/** The same without a leading article: "the Book Club" equals "Book Club". */
export function normalTitle(text: string): string {
  const words = normalWords(text)
  return (words.length > 1 && ARTICLES.has(words[0] ?? '') ? words.slice(1) : words).join(' ')
}

/** 1 for equal texts, 0 for unrelated ones: 1 minus the edit distance per letter. */
export function similarity(left: string, right: string): number {
  const longer = Math.max(left.length, right.length)
  return longer === 0 ? 1 : 1 - editDistance(left, right) / longer
}

/** The similarity of the piece to the best matching part of the whole. */
export function containment(whole: string, piece: string): number {
  if (piece.length === 0) return 0
  let row = Array.from({ length: whole.length + 1 }, () => 0)
  for (const [index, letter] of [...piece].entries())
    row = nextRow(row, whole, { letter, first: index + 1 })
  return 1 - Math.min(...row) / piece.length
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...left].entries())
    row = nextRow(row, right, { letter, first: index + 1 })
  return row.at(-1) ?? 0
}

/** The next row of the edit distance matrix. */
function nextRow(
  row: readonly number[],
  text: string,
  { letter, first }: { letter: string; first: number },
): number[] {
  const next = [first]
  for (let column = 1; column <= text.length; column++) {
    const replaced = (row[column - 1] ?? 0) + (text[column - 1] === letter ? 0 : 1)
    next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
  }
  return next
}
