import { fold } from '@surehand/dates'
import { ADDRESS, KIND, ONLINE, VENUE } from './event-words.ts'
import type { SourceText } from './source-text.ts'
import type { TitleCandidate } from './title-candidates.ts'
import { isVenue, NOT_A_TITLE, ONLY_AN_APPOINTMENT } from './title-sentences.ts'

// table of words that a title does not have, folded: pronouns and auxiliary verbs
const CLAUSE =
  /(?<!\p{L})(?:we|i|you|us|they|he|she|it|will|is|are|was|were|has|have|had|can|could|would|should|must|please|wir|ich|ihr|sie|uns|euch|du|wird|werden|ist|sind|hat|haben|kann|konnen|bitte|nous|vous|je|tu|ils|elle|on\s+\p{L}+e|est|sont|sera|avons|avez|ont|merci|esta|hay|tiene|debe\p{L}*|puede\p{L}*|sono|wij|jullie|zijn|heeft|that|which|dass|que|qui|not|nicht|pas|let's|wait|vale|ok|okay|lol|jaja)(?!\p{L})/u
const ORGANISATION =
  /(?<!\p{L})(?:e\.?\s?v\.?|gmbh|ag|ltd|llc|inc|plc|association|asociacion|associazione|verein|\p{L}+verein|council|committee|society|trust|department|dept|team|company|compagnie|agence|praxis|\p{L}*praxis|practice|surgery|clinic|clinica|cabinet|hospital|schule|school|ecole|colegio|mairie|ayuntamiento|conselleria|ministerio|stadt|gemeinde|parish|federation|verband|syndic|hausverwaltung|management|productions?|records|airlines?|airways|club|newsletter|boletin|gazette|bank|ramblers|amis|friends)(?!\p{L})/u
const PAPER =
  /(?<!\p{L})(?:invitation|einladung|invitacion|confirmation|bestatigung|\p{L}*bestatigung|confirmacion|booking|reservation|buchung|ticket|tickets|billet|entrada|order|reminder|rappel|recordatorio|erinnerung|notice|avis|aviso|newsletter|boletin|convocation|convocatoria|ladung|itinerary|pnr|ref|dossier|code|admit|eticket|e-ticket|public|acta|cr|protokoll|actions|live\s+music|save\s+the\s+date|reserve[zr]?|vormerken|bloquez|rsvp|info|infos|achtung|hinweis|dear|liebe|beste|hallo|hi|hoi|ciao|hola|chers?|estimad\p{L}*)(?!\p{L})/u
const DETAIL =
  /(?<!\p{L})(?:bring|bitte|please|seats?|seat|row|reihe|platz|rang|fila|butaca|doors?|einlass|parking|meeting\s+point|treffpunkt|rendez-vous\s+a|punto|leader|guide|guests?|welcome|gratuit|entry|eintritt|entree|members?|children|kinder|enfants|alumnos|families|packed|lunch\s+please|siblings|costumes|deadline|slip|link|map|updates|cancel|absagen|annuler|baggage|gepack|bagage|traveller|passenger|passagier|adult|adults|erwachsene|vehicle|coach|wagen|voiture|support|special\s+guests?|tel|phone|call|sms|text)(?!\p{L})/u
const NEXT =
  /(?<!\p{L})(?:next|upcoming|nachste[rns]?|kommende[rns]?|prochaine?s?|proxim[oa]s?|prossim[oa]|volgende)(?!\p{L})/u

/** What the words of a candidate are, wherever it stands. */
export function describeWords(
  { title, start, end }: TitleCandidate,
  { text, folded }: SourceText,
): string[] {
  const small = fold(title)
  const words = title.split(/\s+/)
  const capitals = words.filter((word) => /^[\p{Lu}\d]/u.test(word)).length / words.length
  const letters = title.replace(/[^\p{L}]/gu, '')
  const isKind = KIND.test(small)
  const last = small.split(/\s+/).at(-1) ?? ''
  const first = small.split(/\s+/)[0] ?? ''
  const written = text.slice(start, end)
  const tests: readonly (readonly [string, boolean])[] = [
    ['kind', isKind],
    ['kind first', KIND.test(first)],
    ['kind last', words.length > 1 && KIND.test(last)],
    ['kind alone', isKind && words.length === 1],
    ['no kind, one word', !isKind && words.length === 1],
    ['generic', ONLY_AN_APPOINTMENT.test(small.replace(NEXT, '').trim())],
    ['code', words.some((word) => /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,}$/.test(word))],
    ['one word', words.length === 1],
    ['two to four words', words.length >= 2 && words.length <= 4],
    ['seven words or more', words.length >= 7],
    ['ten words or more', words.length >= 10],
    ['capitals', words.length > 1 && capitals > 0.6],
    ['all capitals', letters === letters.toUpperCase() && letters.length > 3],
    ['small first', /^\p{Ll}/u.test(written)],
    ['small first, kind', isKind && /^\p{Ll}/u.test(written)],
    ['small first, several words', words.length > 1 && /^\p{Ll}/u.test(written)],
    ['clause', CLAUSE.test(small)],
    ['not a title', NOT_A_TITLE.test(small)],
    ['detail', DETAIL.test(small)],
    ['organisation', ORGANISATION.test(small)],
    ['organisation, no kind', ORGANISATION.test(small) && !isKind],
    ['paper', PAPER.test(small)],
    ['venue', VENUE.test(small)],
    ['venue, no kind', isVenue(small)],
    ['online', ONLINE.test(small)],
    ['address', small.search(ADDRESS) >= 0],
    ['next', NEXT.test(small)],
    ['digit', /\d/.test(title)],
    ['number', /\d{3}/.test(title) && !/(?:19|20)\d{2}/.test(title)],
    ['year', /(?<!\d)(?:19|20)\d{2}(?!\d)/.test(title)],
    ['question', text.charAt(end) === '?'],
    ['exclamation', text.charAt(end) === '!'],
    ['comma', /,/.test(title)],
    ['colon', /:/.test(title)],
    ['dash', /\s[–—-]\s/.test(title)],
    ['bracket', /[()]/.test(title)],
    ['quote', /["„“”«»]/u.test(title)],
    ['odd sign', /[@#€$£%/\\_=<>[\]{}|]/u.test(title)],
    ['line break', /\n/.test(written)],
    ['sentence end', /[.!?]\s+\p{Lu}/u.test(title)],
    ['doctor', /(?<!\p{L})(?:dra?|prof|mr|mrs|ms|mme|herr|frau|sra?)\.?\s/u.test(small)],
    ['kind, many words', isKind && words.length >= 6],
    ['kind, few words', isKind && words.length >= 2 && words.length <= 5],
    ['capitals, no kind', words.length > 1 && capitals > 0.6 && !isKind],
    ['all capitals, kind', letters === letters.toUpperCase() && letters.length > 3 && isKind],
    ['repeated', small.length > 4 && folded.indexOf(small) !== folded.lastIndexOf(small)],
  ]
  return tests.flatMap(([name, holds]) => (holds ? [name] : []))
}
