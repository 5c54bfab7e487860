import { fold } from '@surehand/dates'
import { ADDRESS, KIND, ONLINE, VENUE } from './event-words.ts'
import type { PlaceCandidate } from './place-candidates.ts'
import type { Features } from './rank.ts'
import { overlaps, type SourceText, type Span } from './source-text.ts'
import type { TitleCandidate } from './title-candidates.ts'
import { isProse, NOT_A_TITLE, type Roles } from './title-sentences.ts'

export type PlaceSurroundings = {
  readonly source: SourceText
  readonly roles: Roles
  readonly taken: readonly Span[]
  readonly when: readonly Span[]
  readonly title: TitleCandidate | undefined
}

const JOURNEY =
  /(?<!\p{L})(?:flight|flug|vol|vuelo|volo|voo|vlucht|train|zug|ice|tgv|ave|tren|treno|comboio|trein|ferry|fahre|boarding|abflug|itinerary|itinerario|sailing|hinfahrt|e-billet|billete|boleto|autobus|flixbus|easyjet|ryanair|e-ticket|vueling|pnr|airways|airlines|rail)(?!\p{L})/u

/** Describes each candidate by features whose weights are in place-weights.ts. */
export function describePlaces(
  candidates: readonly PlaceCandidate[],
  surroundings: PlaceSurroundings,
): readonly { readonly value: PlaceCandidate; readonly features: Features }[] {
  const isJourney = JOURNEY.test(surroundings.source.folded)
  const described = candidates.map((value) => {
    const names =
      value.name === ''
        ? describeNone(surroundings)
        : [
            ...describeManner(value),
            ...(isJourney && value.manners.has('origin') ? ['origin of a journey'] : []),
            ...describeWords(value, surroundings),
            ...describeEdges(value, surroundings),
            ...describePosition(value, surroundings),
          ]
    const isBare = value.name !== '' && !names.some((name) => EVIDENCE.has(name))
    return { value, names: [...names, ...(isBare ? ['no evidence'] : [])] }
  })
  // "Rooftop Cinema is on Friday, at Peckham Levels"
  const isElsewhere = described.some(
    ({ names }) => names.includes('after at') && !names.includes('is the title'),
  )
  return described.map(({ value, names }) => ({
    value,
    features: new Map(
      [
        ...names,
        ...(isElsewhere && names.includes('is the title')
          ? ['is the title, another after at']
          : []),
      ].map((name) => [name, 1]),
    ),
  }))
}

/** A candidate without any of these is any piece of the text. */
const EVIDENCE: ReadonlySet<string> = new Set([
  'venue',
  'address',
  'street',
  'room',
  'practice',
  'online',
  'after at',
  'after in',
  'after label',
  'origin of a journey',
  'found as label',
])

function pageKind({ isPicture, lines }: SourceText): string {
  return isPicture ? 'picture' : lines.length >= 3 ? 'lines' : 'message'
}

function describeNone({ source }: PlaceSurroundings): string[] {
  const { folded } = source
  return [
    'none',
    `none: ${pageKind(source)}`,
    ...(VENUE.test(folded) ? [] : ['none: no venue word']),
    ...(folded.search(ADDRESS) >= 0 ? ['none: an address'] : []),
    ...(ONLINE.test(folded) || /https?:|online|join\s+link/u.test(folded) ? ['none: online'] : []),
  ]
}

// The rules were tuned on most of the cases, so that their own weights would be trusted too much.
function describeManner({ manners }: PlaceCandidate): string[] {
  return [...manners].flatMap((manner) => (manner === 'line' ? [] : [`found as ${manner}`]))
}

const ROOM =
  /^(?:(?:meeting|conference|class|lecture|community)\s+)?(?:room|raum|zimmer|salle|sala|aula|saal|horsaal|auditorium|studio|gate|floor|suite|screen|clinic|salon|konferenzraum|klassenraum|klassenzimmer|lokaal|zaal|pitch|court|hall|terminal|gleis|flat|appartement|appartment|kantine|canteen)\s?(?:[a-z]?\d|[a-z](?!\p{L})|$)/u
const STREET =
  /(?<!\p{L})(?:rue|avenue|av|ave|boulevard|blvd|place|quai|montee|chemin|route|calle|calles|avenida|avda|paseo|plaza|c\/|via|viale|corso|piazza|rua|largo|travessa|street|st|road|rd|lane|square|terrace|\p{L}*(?:strasse|stra(?:ß|ss)e|gasse|weg|allee|platz|ufer|straat|laan|plein|gracht))(?!\p{L})/u
const CLAUSE =
  /(?<!\p{L})(?:we|i|you|us|they|will|is|are|was|has|have|can|could|would|should|must|please|bring|wir|ich|ihr|sie|uns|euch|wird|werden|ist|sind|hat|haben|kann|bitte|nous|vous|je|est|sont|sera|avons|avez|merci|hay|tiene|debe\p{L}*|puede\p{L}*|no|not|nicht|pas|free|entry|eintritt|entrada|entree|gratis|gratuit|tickets?|rsvp|members?|adults?|kinder|children|check|call|running|sellers|buyers)(?!\p{L})/u
const ORGANISATION =
  /(?<!\p{L})(?:e\.?\s?v\.?|gmbh|ag|ltd|llc|inc|plc|association|asociacion|verein|\p{L}+verein|council|committee|society|trust|team|company|compagnie|agence|management|hausverwaltung|syndic|regards|airways|airlines|air|human\s+resources|recursos\s+humanos|service\s+clients|ramblers|newsletter)(?!\p{L})/u
const PRACTICE =
  /(?<!\p{L})(?:\p{L}*praxis|practice|clinic|clinica|cabinet|hospital|hopital|klinik\p{L}*|physio|dental|dentaire|veterinary|tandarts\p{L}*|surgery|library|school|ecole|schule|standesamt|\p{L}+gericht|court)(?!\p{L})/u

// "Tratamiento: control ortodoncia", "Speakers: Anita Roy"
const OTHER_LABEL =
  /^(?!where|venue|location|place|address|meeting|start|ort|wo|veranstaltungsort|treffpunkt|adresse|lieu|depart|lugar|donde|sede|direccion|salle|sala|saal|raum|room)\p{L}[\p{L} .-]{2,24}\s?:\s/u
const SEAT =
  /(?<!\p{L})(?:reihe|platz\s+\d+|parkett|tribune|pista|fila|asiento|sitz|sitzplatz|stehplatz|siege|butaca|fila|row|seat|gepack|halbpension|fruhstuck|breakfast|desayuno|servicio|tarifa|fare|fahrgast|adulte?s?|passager|pasajero|couverts|comensales|guests?|verleih|chacun|each|pro\s+person)(?!\p{L})/u
const NOTICE =
  /^(?:avis|aviso|notice|aushang|hinweis|info|newsletter|boletin|agenda|programm?e?|buchungsbestatigung|boletin|invitation|einladung|convocation)(?!\p{L})/u
const VERB_WITHIN =
  /(?<!\p{L})(?:kommt|kimmt|come|comes|can|arrive|arrives|arrivera|viene|vienen|thanks|danke|reserviere|meet|start|starts|beginnt|commence|empieza|ends?|bring|served|shared|sent|went|who|follow|folgt)(?!\p{L})/u

function describeWords(
  { name, address, start, end }: PlaceCandidate,
  { source: { text }, taken, title }: PlaceSurroundings,
): string[] {
  const small = fold(name)
  const words = name.split(/\s+/)
  const capitals = words.filter((word) => /^[\p{Lu}\d]/u.test(word)).length / words.length
  const [isVenue, isKind] = [VENUE.test(small), KIND.test(small)]
  const isAddress = small.search(ADDRESS) >= 0
  const heading = fold(title?.title ?? '')
  const tests: readonly (readonly [string, boolean])[] = [
    ['venue', isVenue],
    ['venue first', VENUE.test(words[0] === undefined ? '' : fold(words[0]))],
    ['venue last', VENUE.test(fold(words.at(-1) ?? ''))],
    ['venue with a name', isVenue && words.length > 1 && capitals > 0.3],
    ['venue alone', isVenue && words.length === 1],
    ['address', isAddress],
    ['street', STREET.test(small)],
    ['street with number', STREET.test(small) && /\d/.test(name)],
    ['room', ROOM.test(small)],
    ['kind', isKind],
    ['kind, no venue', isKind && !isVenue],
    ['online', ONLINE.test(small)],
    ['clause', CLAUSE.test(small)],
    ['not a title', NOT_A_TITLE.test(small)],
    ['organisation', ORGANISATION.test(small)],
    ['practice', PRACTICE.test(small)],
    ['other label', OTHER_LABEL.test(small)],
    ['seat or fare', SEAT.test(small)],
    ['notice', NOTICE.test(small)],
    ['verb', VERB_WITHIN.test(small)],
    ['doctor', /(?<!\p{L})(?:dra?|prof)\.?\s/u.test(small)],
    ['with address', address !== undefined],
    [
      'address is one',
      address !== undefined && (fold(address).search(ADDRESS) >= 0 || STREET.test(fold(address))),
    ],
    ['town behind', address !== undefined && /^\p{Lu}[\p{L}' -]+$/u.test(address)],
    ['one word', words.length === 1],
    ['six words or more', words.length >= 6],
    ['capitals', capitals > 0.6],
    ['no capital', capitals === 0],
    ['small first', /^\p{Ll}/u.test(name)],
    ['digit', /\d/.test(name)],
    ['number alone', /^[\d\W]+$/u.test(name)],
    ['long number', /\d{6}|(?:\d\s?){8}/u.test(name)],
    ['sign', /[€$£%@#=<>|©]/u.test(name)],
    ['colon', /:/.test(name)],
    ['end of a sentence', /[.!?]\s/u.test(name)],
    ['dated', taken.some((span) => overlaps(span, { start, end }))],
    ['is the title', heading !== '' && small === heading],
    ['within the title', heading !== small && heading.includes(small)],
    ['has the title', heading !== '' && heading !== small && small.includes(heading)],
    ['overlaps the title', title !== undefined && overlaps(title, { start, end })],
    ['question', text.charAt(end) === '?'],
  ]
  return tests.flatMap(([one, holds]) => (holds ? [one] : []))
}

const AT =
  /(?<!\p{L})(?:at|im|beim|bei|chez|au|aux|dans|presso|bij|@|inside|outside|vor|in\s+der|in\s+den|auf\s+dem|auf\s+der|an\s+der|a\s+l'|a\s+la|en\s+(?:el|la|los|las)|in\s+(?:the|our|de|het)|ins|nella?|da|no|na)\s?(?:(?:the|our|der|dem|la|le|el|het|de|unser\p{L}*)\s)?$/u
const IN = /(?<!\p{L})(?:in|a|en|am|an|near|on|auf|sur|op|te)\s(?:(?:the|la|le|el)\s)?$/u
const TO =
  /(?<!\p{L})(?:to|zum|zur|ins|al|from|desde|nach|ab|of|von|de|du|for|with|mit|avec|con|by|par)\s(?:(?:the|la|le|el)\s)?$/u
const LABEL =
  /(?:where|venue|location|place|address|meeting\s+point|start|ziel|ort|wo|veranstaltungsort|treffpunkt|adresse|lieu|lugar|donde|sede|direccion|domicilio|punto\s+de\s+encuentro|luogo|dove|onde|local|waar|locatie|plaats|besammlung|(?:assembly|meeting)\s+point\s+is(?:\s+the)?|📍)\s*[:=|]?\s*$/u
const FIELD =
  /(?:ref(?:erence)?|code|pnr|booking|order|passenger|traveller|name|patient|guest|seat|vehicle|leader|guide|leitung|host|present|tel|phone|price|preis|prix|precio|importe|tickets?|rsvp|contact|kontakt|info|subject|betreff|objet|asunto|from|to|von|an|cc|speaker|doctor|was|what|event|titel|title)\s?[:.]\s*$/u
const ASIDE =
  /(?<!\p{L})(?:afterwards|followed\s+by|anschlie(?:ss|ß)end|danach|ensuite|suivie?\s+d|puis|despues|luego|bei\s+regen|if\s+(?:it\s+)?rains?|en\s+cas\s+de\s+pluie|si\s+llueve|tickets?|vvk|karten|billets?|sponsor\p{L}*|supported|presented|prasentiert|reply|rsvp|return|ruckkehr|retour|regreso|arrive|arrives|ankunft|arrivee|llegada)(?!\p{L})[^.\n]{0,60}$/u

function describeEdges(
  { start, end, manners }: PlaceCandidate,
  { source: { text, folded }, taken }: PlaceSurroundings,
): string[] {
  // A rule's span begins with its preposition, a piece's with its label.
  const before = folded.slice(Math.max(0, start - 80), start)
  const own = folded.slice(start, start + 40)
  const lead = `${before}${/^\P{L}*/u.exec(own)?.[0] ?? ''}`
  const led = manners.has('words') ? `${before}${/^(?:\p{L}+\s){1,3}/u.exec(own)?.[0] ?? ''}` : lead
  const first = `${before}${/^\P{L}*(?:\p{L}+['\s]){0,2}/u.exec(own)?.[0] ?? ''}`
  // "at Peckham Levels": the preposition alone
  const word = `${before}${/^\P{L}*\p{L}+\s/u.exec(own)?.[0] ?? ''}`
  const behind = folded.slice(end, end + 30)
  const near = (from: number, to: number) => to >= from && to - from < 16
  const tests: readonly (readonly [string, boolean])[] = [
    ['after at', [lead, led, first, word].some((one) => AT.test(one))],
    ['after in', IN.test(lead) || IN.test(led) || IN.test(first)],
    ['after to', TO.test(lead) || TO.test(led)],
    [
      'after label',
      LABEL.test(lead) || LABEL.test(`${before}${/^[^:\n]{1,25}:\s/u.exec(own)?.[0] ?? ''}`),
    ],
    ['after field', FIELD.test(lead)],
    ['aside', ASIDE.test(before)],
    ['after comma', /,\s*$/.test(before)],
    ['after dash', /\s[–—|·•-]\s*$/u.test(before)],
    ['after bracket', /\(\s*$/.test(before)],
    ['after sentence', /[.!?]\s+$/.test(before)],
    ['line start', /(?:^|\n)\P{L}*$/u.test(before)],
    ['line end', /^[^\p{L}\p{N}\n]*(?:\n|$)/u.test(behind)],
    [
      'after date',
      taken.some(
        (span) =>
          near(span.end, start) &&
          /^[\s,:;–—|·•.()-]*(?:\p{L}{1,4}\s){0,2}$/u.test(folded.slice(span.end, start)),
      ),
    ],
    [
      'before date',
      taken.some(
        (span) =>
          near(end, span.start) &&
          /^[\s,:;–—|·•.()-]*(?:\p{L}{1,4}\s){0,2}$/u.test(folded.slice(end, span.start)),
      ),
    ],
    ['before comma', /^,/.test(behind)],
    ['before sentence end', /^[.!?](?:\s|$)/.test(behind)],
    ['before bracket', /^\s?\(/.test(behind)],
    ['before word', /^\s\p{Ll}/u.test(text.slice(end, end + 2))],
    ['before name', /^\s\p{Lu}/u.test(text.slice(end, end + 2))],
    ['before verb', /^\s(?:is|are|will|ist|wird|est|sera|es|has|hat|a\s)/u.test(behind)],
  ]
  return tests.flatMap(([one, holds]) => (holds ? [one] : []))
}

function describePosition(
  { start, end }: PlaceCandidate,
  { source, roles, when }: PlaceSurroundings,
): string[] {
  const { lines, text } = source
  const kind = pageKind(source)
  const index = lines.findIndex((line) => start >= line.start && start <= line.end)
  const line = lines[index]
  const role = line === undefined ? 'plain' : (roles.get(line) ?? 'plain')
  const dated = lines.findIndex((one) => when.some((span) => overlaps(span, one)))
  const last = Math.max(...when.map((span) => span.end))
  const isNear = when.some((span) => {
    const [from, to] = span.start >= end ? [end, span.start] : [span.end, start]
    return to - from < 140 && !/[.!?]\s+\p{Lu}|\n\s*\n/u.test(text.slice(from, Math.max(from, to)))
  })
  const isWhole = line !== undefined && start - line.start < 4 && end >= line.end - 4
  const tests: readonly (readonly [string, boolean])[] = [
    [`${kind}: role ${role}`, role !== 'plain'],
    [`${kind}: whole line`, isWhole],
    [`${kind}: first line`, index === 0],
    [`${kind}: last line`, index === lines.length - 1],
    [`${kind}: below the date`, dated >= 0 && (index === dated + 1 || index === dated + 2)],
    [`${kind}: far below the date`, dated >= 0 && index > dated + 2],
    [`${kind}: above the date`, dated >= 0 && index < dated],
    [`${kind}: on the line of the date`, dated >= 0 && index === dated],
    [`${kind}: near the date`, isNear],
    [`${kind}: behind the date`, start >= last],
    [`${kind}: prose`, line !== undefined && isProse(line)],
    [
      'next line is a street',
      lines[index + 1] !== undefined && isWhole && STREET.test(fold(lines[index + 1]?.text ?? '')),
    ],
  ]
  return tests.flatMap(([one, holds]) => (holds ? [one] : []))
}
