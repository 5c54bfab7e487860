import { foldReply } from '../replies/fold-reply.ts'
import { detectReplyLanguage } from '../replies/language-of-reply.ts'
import type { Language } from './texts.ts'

const OPENINGS: readonly (readonly [Language, RegExp])[] = [
  ['rw', /\b(?:ndashaka|nkeneye|nshaka|muraho|mwaramutse|mwiriwe|hafi ya|murakoze)\b/i],
  ['fr', /\b(?:je cherche|j'ai besoin|bonjour|bonsoir|près de|pres de|il me faut|merci)\b/i],
  ['en', /\b(?:i need|looking for|i want|hello|near|please|thanks)\b/i],
]

/** The language of a message; undefined where it does not say. */
export function detectLanguage(text: string): Language | undefined {
  const opening = OPENINGS.find(([, pattern]) => pattern.test(text))
  if (opening !== undefined) return opening[0]
  const detected = detectReplyLanguage(foldReply(text))
  return detected === 'en' || detected === 'fr' || detected === 'rw' ? detected : undefined
}
