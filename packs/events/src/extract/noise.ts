import type { SourceText, Span } from './source-text.ts'

// Repetitions are bounded: otherwise a long word takes quadratic time.
const NOISE = [
  /https?:\/\/\S+|www\.\S+|(?<![\p{L}\p{N}@])[a-z0-9-]{1,63}\.(?:com|org|net|de|fr|es|eu|io|uk|at|ch|info|events?|tickets?)(?:\/\S*)?(?![\p{L}\p{N}])/giu,
  /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,200}/g,
  /(?:(?:tel|phone|telefon|fon|mobile|call|infos?)\W{1,4})?(?<![\p{L}\d])(?:\+\d{1,3}[\s/-]?)?\(?0?\d{2,5}\)?(?:[\s/-]\d{2,}){1,5}(?!\d|[:.]\d)/giu,
  /(?<![\p{L}\p{N}])[@#][\p{L}\p{N}_.]{2,}/gu,
  // Weekdays of Italian, Portuguese and Dutch: also without a date they are no part of a title.
  /(?<!\p{L})(?:luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|segunda-feira|ter[çc]a-feira|quarta-feira|quinta-feira|sexta-feira|s[áa]bado|domingo|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)(?!\p{L})/giu,
]

// Each match is compared with every title and place.
const MAX_MATCHES = 200

/** Links, email addresses, phone numbers and tags, which contain no fact about the event. */
export function findNoise({ text }: SourceText): readonly Span[] {
  return NOISE.flatMap((pattern) =>
    [...text.matchAll(pattern).take(MAX_MATCHES)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  )
}
