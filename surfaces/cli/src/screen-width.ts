// the blocks of East Asian wide characters and pictographs: two columns each
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
const MARK = /\p{M}/u

/** How many columns a text takes. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += columnsOfOne(character)
  return columns
}

function columnsOfOne(character: string): number {
  if (MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** A text in so many columns: what does not fit is cut, and the cut is seen. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += columnsOfOne(character)
    if (used > columns - 1) break
    kept += character
  }
  return `${kept}…`
}
