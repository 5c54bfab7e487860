import type { SourceText, Span } from './source-text.ts'
import { VENUE } from './venue-words.ts'

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
  const name = text.slice(from, end).replace(/[,.;:!?)\]»“”"]+$/u, '')
  return { start: from, end: from + name.length }
}

/** A venue in lower case, such as "the old town hall": a few words that end with a venue word. */
export function findPlainPlaceAt(
  { folded }: SourceText,
  from: number,
  taken: readonly Span[],
): Span | undefined {
  const match = /^(?:\p{L}[\p{L}'-]*\s+){0,3}?(?=\p{L})/u.exec(folded.slice(from, from + 60))
  if (match === null) return undefined
  const words = [...folded.slice(from, from + 60).matchAll(/\p{L}[\p{L}'-]*/gu)].slice(0, 4)
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

/** A venue word and its name: "salle Pleyel", "teatro Lara", "park am See". */
export function findVenueAt(
  source: SourceText,
  from: number,
  taken: readonly Span[],
): Span | undefined {
  const word = /^\p{L}+/u.exec(source.folded.slice(from, from + 30))?.[0]
  if (word === undefined || !VENUE.test(word) || !/^\p{Ll}/u.test(source.text.charAt(from)))
    return undefined
  const rest =
    /^\s+(?:(?:de\s+la|de\s+los|de\s+las|de|du|des|del|der|am|an\s+der)\s+|de\s+l'\s?)?/u.exec(
      source.folded.slice(from + word.length, from + word.length + 20),
    )?.[0]
  const name =
    rest === undefined ? undefined : findNameAt(source, from + word.length + rest.length, taken)
  return name === undefined ? undefined : { start: from, end: name.end }
}
