import { withoutFiller } from './filler.ts'
import { NAME_PARTICLE } from './phrase.ts'
import { overlaps, type SourceLine, type SourceText, type Span } from './source-text.ts'
import { VENUE } from './venue-words.ts'

export type FoundTitle = Span & { readonly title: string; readonly confidence: number }

const LABEL =
  /^[^\p{L}\p{N}\n]{0,4}(?:what|event|title|subject|was|veranstaltung|titel|betreff|quoi|evenement|titre|objet|que|evento|titulo|asunto)\s*[:=]\s*/u
const QUOTED = /[„“"«]\s?([^„“”"«»\n]{3,80}?)\s?[“”"»]/gu
export const KIND =
  /(?<!\p{L})(?:\p{L}*(?:konzert|fest|festival|abend|nacht|markt|treffen|kurs|lesung|feier|party|workshop|turnier|lauf|tag|tage|messe|ausstellung|flohmarkt|stammtisch)|concert|gig|show|night|fair|festival|fest|party|dinner|lunch|brunch|breakfast|coffee|drinks|meeting|meetup|workshop|class|course|lecture|talk|seminar|conference|summit|exhibition|opening|reading|screening|film|market|run|race|marathon|walk|tour|hike|tournament|match|game|quiz|karaoke|jam|session|open\s+mic|picnic|barbecue|bbq|wedding|birthday|anniversary|yoga|training|rehearsal|fundraiser|gala|ball|parade|sale|swap|hackathon|call|appointment|recital|spectacle|soiree|fete|marche|atelier|conference|exposition|vernissage|projection|course|randonnee|tournoi|bal|anniversaire|mariage|brocante|vide-grenier|rencontre|reunion|repas|diner|dejeuner|apero|cours|visite|concierto|fiesta|feria|mercado|mercadillo|taller|curso|charla|conferencia|exposicion|inauguracion|proyeccion|carrera|ruta|torneo|partido|baile|cumpleanos|boda|reunion|cena|comida|almuerzo|desayuno|verbena|jornada|encuentro|visita|ensayo|noche|jazz|rock|poetry|comedy|kino|theater|teatro|theatre)(?!\p{L})/u
const PRESENTS =
  /(?:presents?|presented\s+by|prasentiert|presente(?:nt)?|presentan?|sponsored|supported|proudly|in\s+cooperation|mit\s+unterstutzung|avec\s+le\s+soutien|patrocina|organi[sz]|veranstalter|hosted\s+by|powered\s+by|con\s+el\s+apoyo)/u
const NOT_A_TITLE =
  /(?:tickets?|admission|entry|eintritt|einlass|beginn|doors|vorverkauf|vvk|abendkasse|entree|billet|reservation|entradas?|taquilla|puertas|sponsor|follow\s+us|rsvp|anmeldung|inscription|info|register|kontakt|contact|more\s+at|scan|copyright|all\s+ages|free\s+parking|refreshments|snacks|getranke|limited|ages?\s+\d|hosted|opening\s+hours|offnungszeiten|bring\s+|please|bitte|merci|gracias|see\s+you|cookies?|newsletter|share|home|menu|login)/u

/** The possible titles in a text, the likeliest first. */
export function findTitles(source: SourceText, taken: readonly Span[]): readonly FoundTitle[] {
  const certain = [...titlesByLabel(source), ...titlesByQuotes(source)]
  const others = source.isPicture
    ? titlesBySize(source, taken)
    : source.lines.length >= 3
      ? titlesByLine(source, taken)
      : titlesBySentence(source, taken)
  const all = [...certain, ...others].filter(({ title }) => /\p{L}{2}/u.test(title))
  return all.toSorted((one, other) => other.confidence - one.confidence || one.start - other.start)
}

function titlesByLabel({ lines, folded, text }: SourceText): readonly FoundTitle[] {
  return lines.flatMap((line): FoundTitle[] => {
    const match = LABEL.exec(folded.slice(line.start, line.end))
    const start = line.start + (match?.[0].length ?? 0)
    const title = text.slice(start, line.end).trim()
    return match === null || title === '' ? [] : [{ start, end: line.end, title, confidence: 0.93 }]
  })
}

function titlesByQuotes({ text }: SourceText): readonly FoundTitle[] {
  return [...text.matchAll(QUOTED)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    title: (match[1] ?? '').trim(),
    confidence: 0.88,
  }))
}

/** In a picture the title is the largest text; consecutive large lines of one size form one title. */
function titlesBySize(source: SourceText, taken: readonly Span[]): readonly FoundTitle[] {
  const usable = source.lines.filter((line) => isTitleLine(line, source, taken))
  const largest = Math.max(1, ...usable.map(lineHeight))
  return groupHeadlines(usable, source).map((block): FoundTitle => {
    const [first] = block
    const height = Math.max(...block.map(lineHeight))
    const span = { start: first?.start ?? 0, end: block.at(-1)?.end ?? 0 }
    const small = folded(source, span)
    const nextLargest = Math.max(
      1,
      ...usable.filter((line) => !block.includes(line)).map(lineHeight),
    )
    // Allows for an error of measurement of about a pixel.
    const lead = height >= 0.93 * largest ? 1 : height / largest
    const standsOut = lead === 1 ? Math.min(0.3, Math.max(0, (height / nextLargest - 1) * 0.4)) : 0
    const words =
      (KIND.test(small) ? 0.04 : 0) -
      (PRESENTS.test(small) ? 0.3 : 0) -
      (NOT_A_TITLE.test(small) ? 0.15 : 0)
    const early = 0.06 * (1 - span.start / Math.max(1, source.text.length))
    const read = Math.min(...block.map((line) => line.confidence))
    const title = block.map((line) => tidy(line.text)).join(' ')
    return {
      ...span,
      title,
      confidence: round(
        Math.max(0.05, 0.26 + 0.35 * lead + standsOut + words + early) * (0.5 + read / 2),
      ),
    }
  })
}

function lineHeight({ height = 0 }: SourceLine): number {
  return height
}

// The lines of a headline are this much larger than the median line.
const HEADLINE_RATIO = 1.2

function groupHeadlines(
  lines: readonly SourceLine[],
  source: SourceText,
): readonly (readonly SourceLine[])[] {
  const { lines: all } = source
  // The presenter and the venue are not part of the title, however large they are.
  const isSeparate = (line: SourceLine) =>
    PRESENTS.test(folded(source, line)) ||
    (VENUE.test(folded(source, line)) && !KIND.test(folded(source, line)))
  const found: SourceLine[][] = []
  const usual =
    all.map(lineHeight).sort((one, other) => one - other)[Math.floor(all.length / 2)] ?? 0
  for (const line of lines) {
    const block = found.at(-1)
    const last = block?.at(-1)
    const isNext = last !== undefined && all.indexOf(line) === all.indexOf(last) + 1
    const [one, other] = [last?.height ?? 0, line.height ?? 0]
    const isSame = Math.abs(one - other) <= 0.16 * Math.max(one, other)
    // A wide gap separates two large lines.
    const isNear =
      last?.y === undefined || line.y === undefined || line.y - last.y < 3.2 * Math.max(one, other)
    // Consecutive lines of small print are not a title.
    const isTitle =
      last !== undefined &&
      !isSeparate(last) &&
      !isSeparate(line) &&
      Math.max(one, other) > HEADLINE_RATIO * usual
    if (block !== undefined && isNext && isSame && isNear && isTitle && block.length < 4)
      block.push(line)
    else found.push([line])
  }
  return found
}

function isTitleLine(line: SourceLine, source: SourceText, taken: readonly Span[]): boolean {
  const letters = line.text.replace(/[^\p{L}]/gu, '').length
  const claimed = taken
    .filter((span) => overlaps(span, line))
    .reduce((sum, span) => sum + Math.min(span.end, line.end) - Math.max(span.start, line.start), 0)
  return (
    letters >= 3 &&
    claimed < 0.4 * (line.end - line.start) &&
    !(NOT_A_TITLE.test(folded(source, line)) && line.text.length > 25)
  )
}

/** Among several lines the title is mostly the first that is not something else. */
function titlesByLine(source: SourceText, taken: readonly Span[]): readonly FoundTitle[] {
  const usable = source.lines.filter(
    (line) => isTitleLine(line, source, taken) && !LABEL.test(folded(source, line)),
  )
  const lines = usable.map((line, index): FoundTitle => {
    const small = folded(source, line)
    const words = line.text.trim().split(/\s+/).length
    const kind = KIND.test(small) ? 0.15 : 0
    const other =
      (PRESENTS.test(small) ? 0.35 : 0) +
      (NOT_A_TITLE.test(small) ? 0.3 : 0) +
      (words > 10 ? 0.3 : 0) +
      (/[.!?,]$/.test(line.text.trim()) ? 0.08 : 0)
    const greets =
      /^(?:hi|hey|hello|hallo|dear|liebe|moin|bonjour|salut|hola|buenas)(?!\p{L})/u.test(small)
        ? 0.5
        : 0
    return {
      start: line.start,
      end: line.end,
      title: tidy(line.text),
      confidence: round(Math.max(0.05, 0.7 - index * 0.08 + kind - other - greets)),
    }
  })
  // In a letter the title may be within a sentence.
  return [
    ...lines,
    ...titlesBySentence(source, taken).map((one) => ({
      ...one,
      confidence: round(one.confidence * 0.85),
    })),
  ]
}

/** In a sentence, the text between dates and places without filler words. */
function titlesBySentence(source: SourceText, taken: readonly Span[]): readonly FoundTitle[] {
  const pieces = splitSentence(source, taken)
  return pieces.flatMap(({ start, end }, index): FoundTitle[] => {
    const cleaned = withoutFiller(source.folded, start, end)
    const name = findName(source, cleaned)
    const titles = [
      { span: cleaned, more: 0 },
      ...(name === undefined ? [] : [{ span: name, more: 0.05 }]),
    ]
    return titles.flatMap(({ span, more }) => toTitle(source, span, more - index * 0.03) ?? [])
  })
}

function toTitle(source: SourceText, span: Span, more: number): FoundTitle | undefined {
  const title = tidy(source.text.slice(span.start, span.end))
  const words = title.split(/\s+/)
  if (title.length < 3 || words.length > 14) return undefined
  const capitals = words.filter((word) => /^[\p{Lu}\d]/u.test(word)).length / words.length
  const small = folded(source, span)
  const kind = KIND.test(small) ? 0.2 : 0
  const shape =
    (words.length >= 2 ? 0.08 : 0) +
    capitals * 0.2 -
    (words.length > 7 ? 0.15 : 0) -
    (NOT_A_TITLE.test(small) ? 0.25 : 0)
  const confidence = round(Math.max(0.05, Math.min(0.85, 0.38 + kind + shape + more)))
  return { start: span.start, end: span.end, title: capitalize(title), confidence }
}

/** A name within a longer text: several capitalised words and particles between them. */
function findName({ text, folded: small }: SourceText, { start, end }: Span): Span | undefined {
  const runs: { start: number; end: number; names: number }[] = []
  let run: { start: number; end: number; names: number } | undefined
  for (const match of text.slice(start, end).matchAll(/\S+/g)) {
    const at = start + match.index
    const stop = at + match[0].length
    if (/^["'(]?[\p{Lu}\d]/u.test(match[0])) {
      run = { start: run?.start ?? at, end: stop, names: (run?.names ?? 0) + 1 }
      if (run.names > 1) runs.push(run)
    } else if (!NAME_PARTICLE.test(small.slice(at, stop))) run = undefined
  }
  const best = runs.toSorted(
    (one, other) => other.names - one.names || other.end - other.start - (one.end - one.start),
  )[0]
  return best === undefined || (best.start === start && best.end >= end - 1)
    ? undefined
    : { start: best.start, end: best.end }
}

function splitSentence(
  { text, folded: small }: SourceText,
  taken: readonly Span[],
): readonly Span[] {
  const stops = [
    ...small.matchAll(
      /[\n;!?|•·()]+|\s[-–—]\s|,\s|(?<!(?<!\p{L})(?:st|dr|mr|mrs|nr|no))\.(?=\s|$)|:\s|["„“”«»]|[\u{1f300}-\u{1faff}\u2600-\u27bf]\ufe0f?/gu,
    ),
  ].map((match) => ({ start: match.index, end: match.index + match[0].length }))
  const cuts = [...taken, ...stops].toSorted((one, other) => one.start - other.start)
  const pieces: Span[] = []
  let from = 0
  for (const cut of cuts) {
    if (cut.start > from) pieces.push({ start: from, end: cut.start })
    from = Math.max(from, cut.end)
  }
  if (from < text.length) pieces.push({ start: from, end: text.length })
  return pieces.filter((piece) => /\p{L}{2}/u.test(text.slice(piece.start, piece.end)))
}

function folded(source: SourceText, { start, end }: Span): string {
  return source.folded.slice(start, end)
}

function tidy(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–—•·*|:,.#]+|[\s\-–—•·*|:,]+$/gu, '')
    .trim()
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function round(value: number): number {
  return Math.round(Math.min(0.95, value) * 100) / 100
}
