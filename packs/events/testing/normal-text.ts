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

/** Without case, accents and punctuation: what is left is what was read. */
export function normalWords(text: string): readonly string[] {
  return text
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter(Boolean)
}

/** The same without an article at its head: "the Book Club" is the book club. */
export function normalTitle(text: string): string {
  const words = normalWords(text)
  return (words.length > 1 && ARTICLES.has(words[0] ?? '') ? words.slice(1) : words).join(' ')
}

/** 1 for the same, 0 for nothing alike: one less the share of letters that must be changed. */
export function similarity(left: string, right: string): number {
  const longer = Math.max(left.length, right.length)
  return longer === 0 ? 1 : 1 - changes(left, right) / longer
}

/** How well the piece can be found anywhere in the whole, by the same measure. */
export function containment(whole: string, piece: string): number {
  if (piece.length === 0) return 0
  let row = Array.from({ length: whole.length + 1 }, () => 0)
  for (const [index, letter] of [...piece].entries())
    row = nextRow(row, whole, { letter, first: index + 1 })
  return 1 - Math.min(...row) / piece.length
}

function changes(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...left].entries())
    row = nextRow(row, right, { letter, first: index + 1 })
  return row.at(-1) ?? 0
}

/** One more letter of the one text against all of the other. */
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
