import { once, visibleText } from '@surehand/core/worker-entry'

/**
 * Anything from outside, as a terminal may have it: escapes, controls, direction marks and what is drawn as nothing are spelled out.
 * Newlines and tabs stay; a carriage return does not, since it would write over what was read.
 */
export function safeText(value: unknown): string {
  return visibleText(typeof value === 'string' ? value : String(value))
}

/** The same on one line, for cells, prompts and names. */
export function safeLine(value: unknown): string {
  return safeText(value).replaceAll('\n', '⏎').replaceAll('\t', ' ')
}

// what JSON lets through and a terminal or a reader does not: C1 controls, direction marks, everything drawn as nothing
const unseen = once(
  () => /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\u2800]|\p{Default_Ignorable_Code_Point}/gu,
)

/** JSON that says the same to a program and nothing to a terminal. */
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
