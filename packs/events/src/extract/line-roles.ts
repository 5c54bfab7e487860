import { KIND } from './event-words.ts'
import { FIELD, type SourceLine, type SourceText } from './source-text.ts'

/** What a line of a poster, letter, ticket or badge is, as far as its words tell. */
export type LineRole =
  | 'header'
  | 'letterhead'
  | 'greeting'
  | 'closing'
  | 'signature'
  | 'presenter'
  | 'organiser'
  | 'person'
  | 'seat'
  | 'label'
  | 'detail'
  /** What a letter is about, right above its greeting. */
  | 'subject'
  | 'plain'

// table of words of documents that name no event, folded
const DOCUMENT_WORDS = new Set(
  `boarding pass admit one ticket tickets e-ticket eticket billet billets e-billet entrada entradas
  tarjeta embarque eintrittskarte eintrittskarten karte bordkarte online-ticket appointment
  confirmation confirmed confirmado booking reservation reservierung bestatigung terminbestatigung
  buchungsbestatigung anmeldebestatigung confirmacion rendez-vous cita reserva convocation reminder
  erinnerung rappel recordatorio recordamos invitation einladung invitacion you're you are invited
  cordially our save date event events near veranstaltung veranstaltungen evenement evenements evento
  eventos calendar kalender agenda calendrier calendario today heute details detalles termin
  visitor visiteur visiteuse besucher visitante attendee delegate speaker ponente orador oradora
  teilnehmer teilnehmerin referent referentin redner participant participante intervenant staff crew
  exhibitor aussteller exposant expositor guest gast invite invitee vip press presse prensa hello my
  name is live concert tonight newsletter interested going share back edit inbox message messages
  new info infos information general admission reminder: alert notification join open rsvp hosted
  together their families ihre ihr su sus votre vos your with for zu zum zur de le la el a un une den
  das die der y et und and of in to us we me bitte please confirm location ort lieu lugar
  eventbrite facebook meetup outlook google instagram ticketmaster eventim ticket confirmada confirme
  confirmee bestatigt ist est es esta has been gebucht buchung reservee reservation votre reserva
  accept decline maybe accepter refuser peut-etre annehmen ablehnen zusagen absagen vielleicht aceptar
  rechazar quiza quizas asistir get follow organizer people responded learn more rideau lte wifi
  billete carte d'embarquement mesa reservada promemoria lembrete afspraakbevestiging reservierungsbestatigung fahrkarte travel document voyage
  itineraire reiseplan table booked enregistre reserviert aushang recall
  online official programme program programm programa presents proudly present`.split(/\s+/),
)
export const BADGE_ROLE =
  /^(?:visit(?:or|eur|euse|ante)|besucher(?:in)?|attendee|delegate|speaker|ponente|orador(?:a)?|teilnehmer(?:in)?|referent(?:in)?|redner(?:in)?|participante?|intervenante?|staff|exhibitor|aussteller(?:in)?|exposante?|expositor(?:a)?|asistente|congresista|gast|guest|press|presse|prensa|organizer|(?:hello,?\s+)?my\s+name\s+is|hello)\W*$/u
// The logo of a sponsor before its name, as OCR reads it.
const SPONSOR = /^\W*[(|]?\s?[O0@©®]\s+\p{Lu}/u
const CIRCULAR =
  /^(?:circular|elternbrief|rundschreiben|aviso|comunicado|newsletter|mitteilung|bulletin|nota\s+informativa|note\s+d'information|informationsblatt|info-?brief|public\s+notice|notice\s+to|aushang)(?!\p{L})/u
const GREETING =
  /^(?:dear|hi|hey|hello|hallo|liebe[rn]?|sehr\s+geehrte[rn]?|guten\s+(?:tag|morgen|abend)|moin|servus|gruezi|bonjour|bonsoir|salut|coucou|chere?s?|madame|monsieur|mesdames|messieurs|chers?|hola|buenas|buenos\s+dias|estimad[oa]s?|querid[oa]s?|beste|geachte|hoi|ciao|gentil[ei]|car[oaie]|cari|ola|bom\s+dia|boa\s+(?:tarde|noite)|prezad[oa]s?|buongiorno|goedendag)(?!\p{L})/u
const CLOSING =
  /^(?:(?:with\s+)?(?:kind|best|warm|warmest|many)\s+(?:regards|wishes)|regards|best|sincerely|yours|thanks|thank\s+you|many\s+thanks|cheers|love|all\s+the\s+best|all\s+welcome|see\s+you\s+there|(?:viele|liebe|herzliche|beste|freundliche|schone)\s+gru(?:ss|ß)e|gru(?:ss|ß)e?|very\s+truly|warmly|rogamos|lg|vg|mfg|mit\s+(?:freundlichen|besten|herzlichen|lieben)|euer|eure|ihre?|dein|deine|bis\s+dann|cordialement|bien\s+(?:cordialement|a\s+vous)|amicalement|amities|bises|bisous|a\s+bientot|a\s+tres\s+vite|veuillez\s+agreer|salutations|merci|saludos|un\s+(?:cordial\s+)?saludo|atentamente|cordialmente|un\s+abrazo|abrazos|besos|muchas\s+gracias|gracias|cordiali\s+saluti|saluti|cumprimentos|com\s+os\s+melhores|abracos?|met\s+vriendelijke|groet(?:en|jes)?|hartelijke)(?!\p{L})/u
const PRESENTS =
  /(?<!\p{L})(?:presents?|presented\s+by|prasentier(?:t|en)|presente(?:nt)?|presentan?|sponsored|supported|proudly|in\s+(?:co-?operation|kooperation|zusammenarbeit)|mit\s+unterstutzung|avec\s+le\s+soutien|patrocina|organi[sz]e[rd]?s?|organise[er]?s?\s+par|organiza(?:do)?|veranstaltet|veranstalter(?:in)?|hosted\s+by|powered\s+by|con\s+el\s+apoyo|(?:ladt|laden)(?:\s+\p{L}+){0,2}\s+ein|vous\s+(?:invite|propose)(?:nt)?|os\s+invita|te\s+invita|le\s+invita|invites\s+you|(?:invite|request)s?\s+(?:you|the\s+(?:pleasure|honou?r))|joue(?:nt)?$|zeigt$|spielt$)(?!\p{L})/u
const ORGANISER =
  /(?<!\p{L})(?:society|association|assoc|\p{L}*verein|e\.\s?v|gmbh|inc|ltd|llc|corp|foundation|stiftung|committee|comite|compagnie|ville\s+de|ayuntamiento|municipality|stadt(?=\s\p{L})|concejalia|asociacion|league|liga|laliga|ligue|bundesliga|ministry|ministere|ministerio|council|productions?|entertainment|records|sociedad|federation|federacion|verband|ensemble|ballet|players|orchestra|philharmonic|symphony|\p{L}*orchester|\p{L}*chor|orchestre|choeur|orquesta|live\s+nation|guggenmusik|advance\s+single|trust|nhs|syndic|s\.?a\.?s?|s\.?l|ag|makers|friends\s+of|freunde|amis\s+de|amigos\s+de|parish|pfarrei|rotary|lions)(?!\p{L})/u
const TITLED_PERSON =
  /^(?:dr|prof|mr|mrs|ms|mx|herr|frau|mme|m|sr|sra|d|dna|don(?!\s+d[eu])|dona)\.?\s+(?=\p{L})/u
const SEAT =
  /(?<!\p{L})(?:row|seat|block|section|sec|stand|platz|sitz|reihe|wagen|wg|pl|voiture|place|siege|rang|fila|asiento|puerta|coche|plaza|grada|sector|parkett|stalls|circle|balcony|gleis|gl|voie|via|anden)\.?\s*:?\s*(?:\p{L}{1,2}\s?)?\d+(?!\p{L}{3})|(?<!\p{L})(?:stehplatz|sitzplatz|freie\s+platzwahl|unreserved|general\s+admission|fosse\s+debout|placement\s+libre|pista|upper\s+circle|dress\s+circle|butaca)(?!\p{L})/u
const DETAIL =
  /(?:tickets?|admission|entry|eintritt|einlass|beginn|doors|vorverkauf|vvk|abendkasse|entree|billet|reservations?|reservierung|entradas?|taquilla|puertas|sponsor|follow\s+us|rsvp|anmeldung|inscripci|inscription|s'inscrire|info|register|kontakt|contact|more\s+at|scan|copyright|all\s+ages|free\s+parking|refreshments|snacks|getranke|limited|limitadas|ages?\s+\d|hosted|opening\s+hours|offnungszeiten|bring\s+|please|bitte|merci|gracias|see\s+you|cookies?|newsletter|share|login|no\s+refunds|order\s+ref|confirmation\s+#|interessiert|interested|zusagen|asistiran|going|seat|kindly\s+reply|reponse|questions\?|plazas|buvette|renseignements|open\s+to|alert|arrivee|arrival|ankunft|boarding|abflug|departs?|salida|depart(?:ure)?)/u
const LABELLED = /^[^\p{L}\n]{0,4}(\p{L}[\p{L}' /-]{1,24}?)\s?:\s/u
const DASH_NAME =
  /^(?:with|mit|avec|con|feat\.?|featuring|ft\.?|starring|special\s+guests?)(?!\p{L})/u

/** The role of every line of a text. */
export function findLineRoles(source: SourceText): ReadonlyMap<SourceLine, LineRole> {
  const { lines } = source
  const small = new Map(lines.map((line) => [line, foldedLine(source, line)]))
  const greeting = lines.findIndex((line) => isGreeting(line, small.get(line) ?? ''))
  const closing = lines.findLastIndex(
    (line, index) =>
      index >= lines.length / 2 && CLOSING.test(small.get(line) ?? '') && countWords(line) <= 12,
  )
  const isLetter = greeting >= 0 && lines.length - greeting > 1
  const badge = lines.some((line) => BADGE_ROLE.test(small.get(line) ?? ''))
  const wearer = badge ? findWearer(lines, small) : []
  return new Map(
    lines.map((line, index): [SourceLine, LineRole] => {
      const text = small.get(line) ?? ''
      if (isLetter && index === greeting) return [line, 'greeting']
      if (closing >= 0 && index === closing) return [line, 'closing']
      // A poster has no greeting, and its last lines are the place.
      if (closing >= 0 && index > closing && (isLetter || index >= lines.length - 2))
        return [line, 'signature']
      if (wearer.includes(index)) return [line, 'person']
      if (source.isPicture && SPONSOR.test(line.text)) return [line, 'detail']
      const role = roleByWords(line, text)
      if (!isLetter || index >= greeting || role !== 'plain') return [line, role]
      const isSubject =
        index > 0 && index === greeting - 1 && KIND.test(text) && !/\d{4}/.test(text)
      return [line, isSubject ? 'subject' : 'letterhead']
    }),
  )
}

export function foldedLine({ folded }: SourceText, { start, end }: SourceLine): string {
  return folded.slice(start, end).trim()
}

function roleByWords(line: SourceLine, text: string): LineRole {
  if (isHeader(text) || BADGE_ROLE.test(text) || CIRCULAR.test(text)) return 'header'
  if (SEAT.test(text)) return 'seat'
  if (PRESENTS.test(text)) return 'presenter'
  if (TITLED_PERSON.test(text) && countWords(line) <= 5) return 'person'
  // "Lesung: Eva Menasse" is a title.
  const label = LABELLED.exec(text)?.[1]
  if (label !== undefined && FIELD.test(label) && !KIND.test(label)) return 'label'
  if (DETAIL.test(text) || DASH_NAME.test(text)) return 'detail'
  return ORGANISER.test(text) ? 'organiser' : 'plain'
}

function isHeader(text: string): boolean {
  const words = text.split(/[^\p{L}'-]+/u).filter((word) => /\p{L}/u.test(word))
  return words.length > 0 && words.every((word) => DOCUMENT_WORDS.has(word))
}

function isGreeting(line: SourceLine, text: string): boolean {
  return GREETING.test(text) && countWords(line) <= 8 && !/\d/.test(text)
}

/**
 * On a badge, the line that looks like a name and is nearest to the top is its wearer; large letters
 * may spread the name over two lines.
 */
function findWearer(
  lines: readonly SourceLine[],
  small: ReadonlyMap<SourceLine, string>,
): readonly number[] {
  const isName = (line: SourceLine | undefined): boolean =>
    line !== undefined &&
    countWords(line) <= 5 &&
    line.text
      .trim()
      .split(/\s+/)
      .every((word) => /^\p{Lu}[\p{L}.'-]*,?$/u.test(word)) &&
    roleByWords(line, small.get(line) ?? '') !== 'header'
  const first = lines.findIndex(
    (line, index) => isName(line) && (countWords(line) >= 2 || isName(lines[index + 1])),
  )
  const [line, next] = [lines[first], lines[first + 1]]
  if (line === undefined) return []
  const isSpread = countWords(line) === 1 && next !== undefined && countWords(next) === 1
  return isSpread ? [first, first + 1] : [first]
}

function countWords({ text }: SourceLine): number {
  return text.trim().split(/\s+/).length
}
