import { once, visibleText } from '@surehand/core/worker-entry'

/**
 * Makes text from outside safe for a terminal: escapes, controls, direction marks and invisible
 * characters are spelled out. Newlines and tabs stay. A carriage return does not, since it would
 * overwrite what is on the line.
 */
export function safeText(value: unknown): string {
  return visibleText(typeof value === 'string' ? value : String(value))
}

/** The same on one line, for cells, prompts and names. */
export function safeLine(value: unknown): string {
  return safeText(value).replaceAll('\n', ' ').replaceAll('\t', ' ')
}

// What JSON allows and a terminal or reader must not see: C1 controls, direction marks, invisible
// characters.
const unseen = once(
  () => /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]|\p{Default_Ignorable_Code_Point}/gu,
)

/** JSON with the same meaning, in which no character can act on a terminal. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
    .split('\n')
    .map((line) => line.replace(unseen(), escapeCharacter))
    .join('\n')
}

function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
