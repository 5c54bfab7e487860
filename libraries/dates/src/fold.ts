const SAME: ReadonlyMap<string, string> = new Map([
  ['\u00a0', ' '],
  ['\u202f', ' '],
  ['\u2009', ' '],
  ['\t', ' '],
  ['\r', ' '],
  ['\u2010', '-'],
  ['\u2011', '-'],
  ['\u2012', '-'],
  ['\u2013', '-'],
  ['\u2014', '-'],
  ['\u2212', '-'],
  ['\u2019', "'"],
  ['\u2018', "'"],
  ['\u02bc', "'"],
  ['\u00b4', "'"],
])

/**
 * Small letters without accents, plain dashes and spaces; every character stays at its place, so
 * that an index is good in both.
 */
export function fold(text: string): string {
  let folded = ''
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index)
    folded +=
      SAME.get(character) ?? (character < '\u0080' ? character.toLowerCase() : plain(character))
  }
  return folded
}

function plain(character: string): string {
  const [first = character] = character.normalize('NFD').toLowerCase()
  return first.length === 1 ? first : character
}
