// PostgreSQL texts cannot contain NUL. It is written as two characters that are never used, and the
// first of them is escaped too, so that no two texts become one.
const MARK = '\ue000'
const WRITTEN: Readonly<Record<string, string>> = { '\0': `${MARK}0`, [MARK]: `${MARK}1` }
const READ: Readonly<Record<string, string>> = { [`${MARK}0`]: '\0', [`${MARK}1`]: MARK }

/** Encodes a text for PostgreSQL. */
export function withoutNul(text: string): string {
  if (!text.includes('\0') && !text.includes(MARK)) return text
  return text.replace(/[\0\ue000]/g, (character) => WRITTEN[character] ?? character)
}

/** Decodes a text to its original form. */
export function withNul(text: string): string {
  return text.includes(MARK) ? text.replace(/\ue000[01]/g, (pair) => READ[pair] ?? pair) : text
}
