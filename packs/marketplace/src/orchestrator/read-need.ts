import { findSector } from '../places/kigali-sectors.ts'

/** What a client's message says about the need; what it does not say is undefined. */
export type ReadNeed = {
  readonly need?: string
  readonly locationText?: string
}

const OPENINGS = [
  "i need|i am looking for|i'm looking for|im looking for|looking for|i want to buy|i want|i would like|do you have|where can i (?:find|buy|get)|help me find|find me|searching for|need",
  "je cherche|j'ai besoin de|j'ai besoin d'|je voudrais|je veux|il me faut|avez-vous|cherche|besoin de|besoin d'|où trouver|ou trouver",
  'ndashaka|nkeneye|nshaka|nifuza|mfashe kubona|murampfashe kubona|ndakeneye|mufite',
].join('|')
const OPENING = new RegExp(`(?:^|[\\s,.!?])(?:${OPENINGS})\\s+(.+)$`, 'isu')

const GREETING =
  /^(?:hello|hi|hey|good (?:morning|afternoon|evening)|bonjour|bonsoir|salut|muraho|mwaramutse|mwiriwe|bite|amakuru)\b[\s,.!?]*/iu
const THANKS =
  /^(?:thanks?|thank you|thx|ok(?:ay)?|merci|d'accord|murakoze|sawa|nibyo|great|good|👍|🙏)(?:\s+(?:you|so much|very much|beaucoup|cyane))?[\s!.👍🙏]*$/iu

// These words announce a place, whatever follows them.
const NEAR =
  "near|nearby|close to|around|next to|près de|pres de|proche de|à côté de|hafi ya|hafi y'"
// These announce one only where the next words are a place that is known.
const IN = 'in|at|from|à|a|au|dans|vers|i|mu|ku'
const NEAR_PLACE = new RegExp(`[\\s,]+(?:${NEAR})\\s+([^,.!?\\n]{2,60})`, 'iu')
const IN_PLACE = new RegExp(`[\\s,]+(?:${IN})\\s+([\\p{L}' -]{2,40})`, 'giu')

/** Reads the need and the place out of a message in English, French or Kinyarwanda. */
export function readNeed(message: string): ReadNeed {
  const text = message.replace(GREETING, '').trim()
  const place = findPlaceWords(text)
  const withoutPlace = place === undefined ? text : text.replace(place.found, ' ')
  const opened = OPENING.exec(` ${withoutPlace}`)?.[1] ?? withoutPlace
  const need = opened
    .replaceAll(/\s+/g, ' ')
    .replace(/^(?:some|a|an|the|du|de la|des|de l'|un|une|d')\s+/iu, '')
    .replace(/[\s,.!?]+$/u, '')
    .replace(/\s+(?:please|pls|svp|s'il vous plaît|s'il vous plait|mwamfasha)$/iu, '')
    .trim()
  return {
    ...(need.length < 3 ? {} : { need }),
    ...(place === undefined ? {} : { locationText: place.name }),
  }
}

/** Is it only a greeting, without anything that is needed? */
export function isGreeting(message: string): boolean {
  return message.replace(GREETING, '').replaceAll(/[\s,.!?]+/g, '') === ''
}

/** Is it only thanks or an acknowledgement? */
export function isThanks(message: string): boolean {
  return THANKS.test(message.trim())
}

/** Does the message begin a need of its own, as in "I need …"? */
export function opensNeed(message: string): boolean {
  return OPENING.test(` ${message}`)
}

function findPlaceWords(
  text: string,
): { readonly name: string; readonly found: string } | undefined {
  const near = NEAR_PLACE.exec(` ${text}`)
  if (near?.[1] !== undefined) return { name: trimPlace(near[1]), found: near[0].slice(1) }
  for (const match of ` ${text}`.matchAll(IN_PLACE)) {
    const sector = findKnownPlace(match[1] ?? '')
    if (sector !== undefined) return { name: sector, found: match[0] }
  }
  const sector = findKnownPlace(text)
  return sector === undefined ? undefined : { name: sector, found: sector }
}

function trimPlace(words: string): string {
  const known = findKnownPlace(words)
  return known ?? words.replace(/\s+(?:please|today|now|svp|aujourd'hui|none)$/iu, '').trim()
}

/** The sector of Kigali that is named in these words. */
export function findKnownPlace(words: string): string | undefined {
  const parts = words.split(/[\s,.!?]+/u).filter((part) => part !== '')
  return parts.map((part) => findSector(part)?.name).find((name) => name !== undefined)
}
