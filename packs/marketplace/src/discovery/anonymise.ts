import { removeIds } from './anonymise/remove-ids.ts'
import { removeNames } from './anonymise/remove-names.ts'

/** Longer texts are cut: what is not looked at must not leave. */
const MAX_LENGTH = 4000

export type Anonymised = {
  readonly text: string
  /** How many pieces were removed, by kind. */
  readonly removed: { readonly contacts: number; readonly names: number }
}

/**
 * Removes names of people, phone numbers, e-mail addresses and ids from a text in English, French,
 * Kinyarwanda or Swahili, and leaves what is needed and where. What was removed is not marked: a mark
 * would be searched for.
 *
 * @example
 * anonymise('I am Claudine, 0788123456, need amoxicillin 500mg near Kimironko').text
 * // 'need amoxicillin 500mg near Kimironko'
 */
export function anonymise(text: string): Anonymised {
  const plain = text
    .slice(0, MAX_LENGTH)
    .replaceAll('\uE000', ' ')
    .normalize('NFKC')
    .replace(/[\u200B-\u200F\u2060\uFEFF]/g, '')
    .replace(/[’‘`´]/g, "'")
  const withoutIds = removeIds(plain)
  const withoutNames = removeNames(withoutIds.text)
  return {
    text: tidy(withoutNames.text),
    removed: { contacts: withoutIds.count, names: withoutNames.count },
  }
}

// Removed pieces leave their punctuation and the words that introduced them.
function tidy(text: string): string {
  return text
    .replace(/\(\s*\)|\[\s*\]|\(\s*(?=$|[,.;])/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s+([,.;:!?])/g, '$1')
    .replace(/([,;:.!?])(?:\s*[,;:.])+/g, '$1')
    .replace(/^[\s,;:.!?/-]+|[\s,;:/-]+$/g, '')
    .trim()
}
