// PostgreSQL has no NUL in a text. It is written as two characters that nobody uses, and so is the first of them: no two texts become one.
const MARK = '\ue000'
const WRITTEN: Readonly<Record<string, string>> = { '\0': `${MARK}0`, [MARK]: `${MARK}1` }
const READ: Readonly<Record<string, string>> = { [`${MARK}0`]: '\0', [`${MARK}1`]: MARK }

/** A text as PostgreSQL takes it. */
export function withoutNul(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text
  return text.replace(/[\0\ue000]/g, (character) => WRITTEN[character] ?? character)
}

/** A text as it was given. */
export function withNul(text: string): string {
  return text.includes(MARK) ? text.replace(/\ue000[01]/g, (pair) => READ[pair] ?? pair) : text
}
