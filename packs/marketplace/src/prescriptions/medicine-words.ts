import { MEDICINES } from './medicines.ts'

const SHORTEST = 3

const WORDS: ReadonlySet<string> = new Set(
  MEDICINES.flatMap(({ spellings }) => spellings)
    .flatMap((spelling) => spelling.split(/[\s/]+/))
    .filter((word) => word.length >= SHORTEST),
)

/** Whether a folded word is part of a medicine's name, such as "amoxicillin" or "Bactrim". */
export function isMedicineWord(word: string): boolean {
  return WORDS.has(word)
}
