import { fold } from '@surehand/dates'
import { VENUE } from './event-words.ts'
import type { SourceText, Span } from './source-text.ts'

// Lower-case words within names: Haus der Kunst, Café de la Paix, Bar & Grill.
export const NAME_PARTICLE =
  /^(?:of|the|and|&|\+|de|la|le|les|du|des|del|el|los|las|y|e|et|und|der|die|das|den|dem|am|an|im|zum|zur|von|vom|fur|sur|sous|aux|au|for|with|mit|avec|con|d'\p{L}+|l'\p{L}+|a|en|in|st\.?|at)$/u
const MAX_WORDS = 8

/** The name at a position: capitalised words with particles, up to punctuation or a taken span. */
export function findNameAt(
  { text, folded }: SourceText,
  from: number,
  taken: readonly Span[],
): Span | undefined {
  let [end, words] = [from, 0]
  for (const match of text.slice(from, from + 160).matchAll(/[^\s]+/g)) {
    const start = from + match.index
    if (
      /\n/.test(text.slice(end, start)) ||
      taken.some((span) => start < span.end && start + match[0].length > span.start)
    )
      break
    const bare = match[0].replace(/[,.;:!?)\]»“”"]+$/u, '').replace(/^[("„«“”]+/u, '')
    const small = folded.slice(start, start + match[0].length).replace(/[,.;:!?)]+$/, '')
    const isName = /^[\p{Lu}\d]/u.test(bare) || /^(?:d'|l'|D'|L')\p{Lu}/u.test(bare)
    if (words >= MAX_WORDS || bare === '' || /^[-–—|·•/]$/u.test(match[0])) break
    if (!isName && !(words > 0 && NAME_PARTICLE.test(small))) break
    words++
    if (isName) end = start + match[0].length - (match[0].length - match[0].trimEnd().length)
    if (
      /[,.;:!?)\]]$/u.test(match[0]) &&
      !/^(?:st|dr|mt|no|nr)\.$/.test(folded.slice(start, start + match[0].length))
    )
      break
  }
  if (end === from) return undefined
  // "Jess's place", "Dr. Chen's office"
  const owned =
    /^(?:place|house|flat|home|office|garden|studio|apartment|room|cabin|barn|shop|practice|surgery)(?!\p{L})/u
  const next = /['’]s$/u.test(text.slice(from, end))
    ? owned.exec(text.slice(end + 1, end + 20))
    : null
  // "Pantoll parking lot"
  const common = /^[^\S\n](\p{Ll}+(?:[^\S\n]\p{Ll}+)?)/u.exec(text.slice(end, end + 25))?.[1]
  if (common !== undefined && !/[,.;:!?)]$/u.test(text.slice(from, end))) {
    const [first = ''] = common.split(/\s/)
    const more =
      VENUE.test(fold(common)) && /\s/.test(common) && !VENUE.test(fold(first)) ? undefined : first
    const extra = /^(?:parking\s+lot|car\s+park)$/.test(common) ? common : more
    if (extra !== undefined && VENUE.test(fold(extra)))
      return { start: from, end: end + 1 + extra.length }
  }
  if (next !== null) return { start: from, end: end + 1 + next[0].length }
  const name = text.slice(from, end).replace(/[,.;:!?)\]»“”"]+$/u, '')
  return { start: from, end: from + name.length }
}

const PHRASE_END =
  /^(?:that|which|who|where|when|we|you|i|it|is|are|was|will|and|but|so|because|from|to|at|on|for|with|by|if|um|ab|bis|von|mit|statt|und|oder|ein|eine|einen|einem|einer|gibt|findet|ubrig|wir|ihr|qui|que|pour|avec|et|ou|a|il|nous|vous|on|para|con|y|desde|hasta|o|se|todo|todos|bring|dont|don't|come|rsvp|please|bitte)$/u
const MAX_PHRASE_WORDS = 5

/** A noun phrase at a position, in any case: "salle polyvalente", "quinta de Martín". */
export function findPhraseAt(
  { text, folded }: SourceText,
  from: number,
  taken: readonly Span[],
): Span | undefined {
  let [end, words] = [from, 0]
  for (const match of text.slice(from, from + 80).matchAll(/[^\s]+/g)) {
    const start = from + match.index
    const stop = start + match[0].length
    const small = folded.slice(start, stop).replace(/[,.;:!?)]+$/, '')
    if (
      words >= MAX_PHRASE_WORDS ||
      /\n/.test(text.slice(end, start)) ||
      taken.some((span) => start < span.end && stop > span.start) ||
      PHRASE_END.test(small) ||
      !/^["'„«]?[\p{L}\p{N}&]/u.test(match[0])
    )
      break
    const isParticle = NAME_PARTICLE.test(small) && !/^[ld]'\p{L}{4}/u.test(small)
    if (!isParticle || match[0] === '&') words++
    if (!isParticle) end = stop
    if (/[,.;:!?)\]]$/u.test(match[0]) && !/^(?:st|dr|mt|no|nr)\.$/.test(folded.slice(start, stop)))
      break
  }
  const name = text.slice(from, end).replace(/[,.;:!?)\]»“”"]+$/u, '')
  return name.replace(/[^\p{L}]/gu, '').length < 3
    ? undefined
    : { start: from, end: from + name.length }
}

/** A venue in lower case, such as "the old town hall": a few words that end with a venue word. */
export function findPlainPlaceAt(
  { folded }: SourceText,
  from: number,
  taken: readonly Span[],
): Span | undefined {
  if (!/^[\p{L}\p{N}]/u.test(folded.slice(from, from + 1))) return undefined
  const words = [...folded.slice(from, from + 60).matchAll(/[\p{L}\p{N}][\p{L}'-]*/gu)].slice(0, 4)
  for (const word of words) {
    const end = from + word.index + word[0].length
    if (
      /[\n,.;!?]/.test(folded.slice(from, end)) ||
      taken.some((span) => from < span.end && end > span.start)
    )
      return undefined
    if (VENUE.test(word[0])) return { start: from, end }
  }
  return undefined
}

/** A phrase that begins with a venue word: "salle Pleyel", "jardin partagé des Tilleuls". */
export function findVenueAt(
  source: SourceText,
  from: number,
  taken: readonly Span[],
): Span | undefined {
  const word = /^\p{L}+/u.exec(source.folded.slice(from, from + 30))?.[0]
  if (word === undefined || !VENUE.test(word)) return undefined
  const [name, phrase] = [findNameAt(source, from, taken), findPhraseAt(source, from, taken)]
  return (phrase?.end ?? 0) > (name?.end ?? 0) ? phrase : name
}
