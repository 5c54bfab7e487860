import { fold } from '@surehand/dates'
import { ADDRESS, KIND, ONLINE, VENUE } from './event-words.ts'
import { FUNCTION_WORD, VERB } from './kind-phrases.ts'
import type { SourceText } from './source-text.ts'
import type { TitleCandidate } from './title-candidates.ts'
import { isVenue, NOT_A_TITLE, ONLY_AN_APPOINTMENT } from './title-sentences.ts'

// table of words that a title does not have, folded: pronouns and auxiliary verbs
const CLAUSE =
  /(?<!\p{L})(?:we|i|you|us|they|he|she|it|will|is|are|was|were|has|have|had|can|could|would|should|must|please|wir|ich|ihr|sie|uns|euch|wird|werden|ist|sind|hat|haben|kann|konnen|bitte|nous|vous|je|tu|ils|elle|on\s+\p{L}+e|est|sont|sera|avons|avez|ont|merci|esta|hay|tiene|debe\p{L}*|puede\p{L}*|sono|wij|jullie|zijn|heeft|that|which|dass|que|qui|not|nicht|pas|let's|wait|vale|ok|okay|lol|jaja)(?!\p{L})/u
// "Umzug steht", "véhicules doivent être retirés", "6-week course starting"
const VERB_WITHIN =
  /(?<!\p{L})(?:war|waren|recevra|estara|estaran|paso|pasa|was|were|went|findet|finden|hat|rettet|see|lands?|mange|mangeons|puedo|peux|steht|fehlen|fehlt|sucht|suchen|gibt|sollen|fallt|doivent|doit|devront|etre|deben|debe|be|been|do|does|did|got|gets?|coming|starting|beginning|starts|begins|arrive|arrives|leave|leaves|want|wants|need|needs|lets|lass|lasst|kommt|kommen|geht|gehen|viens|venez|vient|va|allons|vamos|ven|venid|quedamos|salimos|juega|toca|bringt|traed|trae|llevar|appear|report|closes|closed)(?!\p{L})/u
const ORGANISATION =
  /(?<!\p{L})(?:feuerwehr|hausverwaltung|institut|institute|instituto|hospitals|departement|departamento|secretaria|secretariat|consejeria|ceip|ies|i\.?e\.?p|chu|vhs|volkshochschule|hochschule|universite|universidad|university|pena|dojo|landeshauptstadt|amtsgericht|\p{L}+gericht|burgerservice|firma|primary|academy|lycee|college|quartierverein|ramblers|makers|biblored|netz|stadtwerke|syndicat|sociedad|fundacion|fondation|cofradia|hermandad|directorate|authority|agency|service\s+de|servicio\s+de|ville\s+de|e\.?\s?v\.?|gmbh|ag|ltd|llc|inc|plc|association|asociacion|associazione|verein|\p{L}+verein|council|committee|society|trust|department|dept|team|company|compagnie|agence|praxis|\p{L}*praxis|practice|surgery|clinic|clinica|cabinet|hospital|schule|school|ecole|colegio|mairie|ayuntamiento|conselleria|ministerio|stadt|gemeinde|parish|federation|verband|syndic|hausverwaltung|management|productions?|records|airlines?|airways|club|newsletter|boletin|gazette|bank|ramblers|amis|friends|board|amt|\p{L}+amt|office|residents|comite|comunidad|consulting|group|stiftung|foundation|theatre\s+company|orchestra|choir|chor)(?!\p{L})/u
const PAPER =
  /(?<!\p{L})(?:billete|embarquement|cahier|\p{L}*mitteilung|rundbrief|carte\s+de|reservada|bulletin|memo|nota|invitation|einladung|invitacion|confirmation|bestatigung|\p{L}*bestatigung|confirmacion|booking|reservation|buchung|ticket|tickets|billet|entrada|order|reminder|rappel|recordatorio|erinnerung|notice|avis|aviso|newsletter|boletin|convocation|convocatoria|ladung|itinerary|pnr|ref|dossier|code|admit|eticket|e-ticket|public|acta|cr|protokoll|actions|live\s+music|save\s+the\s+date|reserve[zr]?|vormerken|bloquez|rsvp|info|infos|achtung|hinweis|dear|liebe|beste|hallo|hi|hoi|ciao|hola|chers?|estimad\p{L}*)(?!\p{L})/u
const DETAIL =
  /(?<!\p{L})(?:ages?|no\s+appointment|aforo|offerte?s?|autorise|inclus|abfahrt|anreise|abreise|aufnahme|entlassung|collation|cierre|closes|embarque|check-in|gate|bring|bitte|please|seats?|seat|row|reihe|platz|rang|fila|butaca|doors?|einlass|parking|meeting\s+point|treffpunkt|rendez-vous\s+a|punto|leader|guide|guests?|welcome|gratuit|entry|eintritt|entree|members?|children|kinder|enfants|alumnos|families|packed|lunch\s+please|siblings|costumes|deadline|slip|link|map|updates|cancel|absagen|annuler|baggage|gepack|bagage|traveller|passenger|passagier|adult|adults|erwachsene|vehicle|coach|wagen|voiture|support|special\s+guests?|tel|phone|call|sms|text)(?!\p{L})/u
const GREETING =
  /^(?:thanks?|thank\s+you|danke|vielen\s+dank|merci|gracias|dear|hi|hiya|hey|hello|hallo|moin|servus|liebe[rn]?|guten\s+(?:tag|morgen|abend)|bonjour|bonsoir|salut|coucou|chere?s?|hola|buenas|buenos\s+dias|estimad[oa]s?|querid[oa]s?|ciao|hoi|ola)(?!\p{L})/u
const RELATIVE =
  /^(?:(?:your|my|our|deine?|meine?|ta|ton|ma|mon|tu|mi)\s+)?(?:mum|mom|mama|mami|mutti|maman|mama|dad|papa|vati|grandma|grandpa|granny|nan|nana|oma|opa|hij[oa]|carnal|che|amig[oa]s|bro|guys|team|leute|ragazzi|chic[oa]s|mamie|papi|papy|abuel[oa]|tio|tia|tante|onkel|uncle|auntie?|kids?|kinder|enfants|ninos|parents|eltern|padres)$/u
const INSTITUTION =
  /(?<!\p{L})(?:schauspiel|schauspielhaus|\p{L}*theater|theatre|teatro|\p{L}*oper|opera|comedie|\p{L}*museum|musee|museo|kino|cines?|cinemas?|gallery|galerie|library|mediatheque|\p{L}*bibliothe\p{L}+|\p{L}*bucherei|hall|town\s+of|city\s+of|stadt|mairie|concello|ayuntamiento|kammerspiele|philharmonie|arena|center|centre)(?!\p{L})/u
const CREDIT =
  /(?<!\p{L})(?:mise\s+en\s+scene|directed\s+by|regie|inszenierung|conducted\s+by|conductor|leitung|dirige|al\s+toque|written\s+by|starring|imparte|referent(?:in)?|speaker|moderation|hosted\s+by|hosts?)(?!\p{L})/u
// "Ciclo «Noches de Otoño»", "LIGUE 1 – 34e JOURNÉE": what an event is one of
const SERIES =
  /(?<!\p{L})(?:ciclo|cycle|temporada|saison|season|series|reihe|program(?:me|m|a)?|ligue|liga|league|journee|jornada|spieltag|agenda|edition|spielzeit|les\s+(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)s)(?!\p{L})/u
const NEXT =
  /(?<!\p{L})(?:next|upcoming|nachste[rns]?|kommende[rns]?|prochaine?s?|proxim[oa]s?|prossim[oa]|volgende)(?!\p{L})/u

/** "Your next appointment", which says neither what it is for nor with whom. */
export function isGeneric(title: string): boolean {
  const bare = fold(title)
    .replace(/^(?:sie haben|you have|vous avez|tienes?|u heeft|heute|today)\s/u, '')
    .replace(NEXT, '')
  return ONLY_AN_APPOINTMENT.test(bare.replace(/\s+/g, ' ').trim())
}

/** A theatre, a museum or a town, whose name stands above what it shows. */
export function isInstitution(title: string): boolean {
  return INSTITUTION.test(fold(title))
}

// "7QK4XP" is a booking, "VY3911 Palma – Barcelona" a flight.
function isCode(word: string, words: number): boolean {
  const isFlight = words > 1 && /^[A-Z]{2}\d{2,4}$/.test(word)
  return !isFlight && /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{5,}$/.test(word)
}

/** Whether the word before its kind is part of the phrase: "winter tree | walk". */
function isCutOff(first: string, folded: string, start: number): boolean {
  if (!KIND.test(first)) return false
  const word = /\p{L}{3,}(?=[^\S\n]$)/u.exec(folded.slice(Math.max(0, start - 25), start))?.[0]
  return word !== undefined && !FUNCTION_WORD.has(word) && !VERB.test(word)
}

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
    ['kind first, after word', isCutOff(first, folded, start)],
    ['kind last', words.length > 1 && KIND.test(last)],
    ['kind alone', isKind && words.length === 1],
    ['no kind, one word', !isKind && words.length === 1],
    ['generic', isGeneric(title)],
    ['code', words.some((word) => isCode(word, words.length))],
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
  return [...tests, ...testsOfNaming(title)].flatMap(([name, holds]) => (holds ? [name] : []))
}

/** Whether it names a person, an organisation, a venue or a clause rather than an event. */
function testsOfNaming(title: string): readonly (readonly [string, boolean])[] {
  const small = fold(title)
  const words = small.split(/\s+/)
  const [first = ''] = words
  const last = words.at(-1) ?? ''
  const isKind = KIND.test(small)
  return [
    ['greeting first', GREETING.test(small)],
    ['relative', RELATIVE.test(small)],
    ['credit', CREDIT.test(small)],
    ['series', SERIES.test(small)],
    ['list', (title.match(/,/g) ?? []).length >= 2],
    ['dots', /\s[•·|/]\s/u.test(title)],
    ['institution', INSTITUTION.test(small)],
    ['stars', /[★☆]/u.test(title)],
    ['emoji within', /\p{Extended_Pictographic}/u.test(title)],
    ['number first', /^\d+\s\p{Ll}/u.test(title)],
    ['venue last', words.length > 1 && VENUE.test(last)],
    ['venue last, kind', words.length > 1 && VENUE.test(last) && isKind],
    ['venue first', words.length > 1 && VENUE.test(first) && !KIND.test(first)],
    ['organisation first', words.length > 1 && ORGANISATION.test(first)],
    ['verb within', VERB_WITHIN.test(small)],
  ]
}
