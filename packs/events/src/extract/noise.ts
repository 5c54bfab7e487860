import type { SourceText, Span } from './source-text.ts'

// what repeats has a bound: without one each character of a long word looks through all the rest of
// it
const NOISE = [
  /https?:\/\/\S+|www\.\S+|(?<![\p{L}\p{N}@])[a-z0-9-]{1,63}\.(?:com|org|net|de|fr|es|eu|io|uk|at|ch|info|events?|tickets?)(?:\/\S*)?(?![\p{L}\p{N}])/giu,
  /[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{1,200}/g,
  /(?:(?:tel|phone|telefon|fon|mobile|call|infos?)\W{1,4})?(?<![\p{L}\d])(?:\+\d{1,3}[\s/-]?)?\(?0?\d{2,5}\)?(?:[\s/-]\d{2,}){1,5}(?!\d|[:.]\d)/giu,
  /(?<![\p{L}\p{N}])[@#][\p{L}\p{N}_.]{2,}/gu,
]

// each is held against every title and place
const MOST = 200

/** Links, addresses of mail, phone numbers, tags: nothing of an event stands in them. */
export function findNoise({ text }: SourceText): readonly Span[] {
  return NOISE.flatMap((pattern) =>
    [...text.matchAll(pattern).take(MOST)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
    })),
  )
}
