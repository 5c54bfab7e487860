import { fold } from '@surehand/dates'
import { serviceTitles } from './compose-service.ts'
import { KIND } from './event-words.ts'
import { journeyTitles } from './journey-title.ts'
import type { LineRole } from './line-roles.ts'
import type { SourceLine, SourceText, Span } from './source-text.ts'

export type ComposedTitle = Span & {
  readonly title: string
  readonly confidence: number
  readonly manner: 'composed' | 'teams' | 'journey'
}

/**
 * Titles that a text spreads over several places: the couple of a wedding, the age of a birthday,
 * the number and the route of a journey.
 */
export function composeTitles(
  source: SourceText,
  roles: ReadonlyMap<SourceLine, LineRole>,
): readonly ComposedTitle[] {
  return [
    ...wedding(source),
    ...birthday(source),
    ...journeyTitles(source, roles),
    ...fixture(source),
    ...consultation(source),
    ...visit(source),
    ...trip(source),
    ...serviceTitles(source),
  ]
}

const WEDDINGS: readonly (readonly [RegExp, string, string])[] = [
  [
    /(?<!\p{L})(?:wedding|marriage|tie the knot|tying the knot|getting married|get married)(?!\p{L})/u,
    'Wedding of',
    'and',
  ],
  [
    /(?<!\p{L})(?:hochzeit|trauung|wir heiraten|heiraten|wir trauen uns|sagen ja)(?!\p{L})/u,
    'Hochzeit von',
    'und',
  ],
  [
    /(?<!\p{L})(?:mariage|se marient|nous nous marions|se disent oui)(?!\p{L})/u,
    'Mariage de',
    'et',
  ],
  [/(?<!\p{L})(?:boda|nos casamos|se casan|enlace)(?!\p{L})/u, 'Boda de', 'y'],
]
const NAME = String.raw`\p{Lu}[\p{L}'’-]+(?:[^\S\n]\p{Lu}[\p{L}'’-]+){0,2}`
const COUPLE = new RegExp(
  String.raw`(?:^|\n)\s*(${NAME})\s*(?:&|\+|and|und|et|y|AND|UND|ET|Y)\s*(${NAME})\s*(?=[,!.]?\s*(?:\n|$))`,
  'gu',
)

// "Camille et Baptiste ont la joie de vous faire part de leur mariage"
const COUPLE_IN_SENTENCE = new RegExp(
  String.raw`(?:^|\n)\s*(${NAME})\s*(?:&|\+|and|und|et|y)\s*(${NAME})\s(?=(?:ont|se|sont|are|have|invite|request|joyfully|geben|heiraten|haben|trauen|tienen|están|os|les|vous|together)(?!\p{L}))`,
  'gu',
)

// The "&" between two large names is often not read.
const STACKED =
  /(?:^|\n)(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)\n+(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)(?=\n)/gu

function wedding({ text, folded, lines }: SourceText): readonly ComposedTitle[] {
  const words = WEDDINGS.find(([pattern]) => pattern.test(folded))
  const couple = [
    ...text.matchAll(MARRIED_TO),
    ...text.matchAll(COUPLE),
    ...text.matchAll(COUPLE_IN_SENTENCE),
    ...text.matchAll(STACKED),
  ].find(
    ([, first = '']) => !/^(?:Mr|Mrs|Dr|Herr|Frau|M|Mme|Monsieur|Madame|Familie)$/u.test(first),
  )
  if (words === undefined || couple === undefined || lines.length < 3) return []
  const [, first = '', second = ''] = couple
  const start = couple.index + couple[0].indexOf(first)
  return [
    {
      start,
      end: couple.index + couple[0].length,
      title: `${words[1]} ${first} ${/&/.test(couple[0]) ? '&' : words[2]} ${second}`,
      confidence: 0.9,
      manner: 'composed',
    },
  ]
}

// "Imogen Clare", "to", "Mr Tobias Wren"
const MARRIED_TO = new RegExp(
  String.raw`(?:^|\n)\s*(${NAME})\s*\n\s*(?:to|mit|with|avec|con)\s*\n\s*(?:(?:Mr|Ms|Mrs|Dr|Herrn?|Frau|M|Mme|Sr|Sra)\.?\s+)?(${NAME})\s*(?=\n)`,
  'gu',
)

const TEAM = String.raw`(?:1\.\s)?\p{Lu}[\p{L}\p{N}.'’&/ -]{1,34}?[\p{L}\p{N}.]`
const VERSUS = new RegExp(
  String.raw`(?<=^|[\n:.!,;|]\s*)(${TEAM})\s+(v|vs|versus|gegen|contra|VS|V)\.?\s+(${TEAM})(?=\s*(?:[,;|(\n–]|$|\.\s|\s-\s))`,
  'gu',
)
const DASHED = new RegExp(
  String.raw`(?<=^|\n|:\s)(${TEAM})\s+[-–—/]\s+(${TEAM})(?=\s*(?:[,;|(\n]|$))`,
  'gu',
)
const FIXTURE =
  /(?<!\p{L})(?:ko|k\.o|kick-?off|anstoss|anpfiff|coup\s+d'envoi|referee|schiedsrichter(?:in)?|arbitr[eo]|spieltag|journee|jornada|league|liga|\p{L}*liga|ligue|laliga|championnat|campeonato|kreisklasse|division|u\s?\d{2}|tip-?off|throw-?in|bounce-?down|stade|stadion|estadio)(?!\p{L})/u

/** Two teams: the league above them is not the title. */
function fixture({ text, folded }: SourceText): readonly ComposedTitle[] {
  const dashed = FIXTURE.test(folded)
    ? [...text.matchAll(DASHED)].filter(([, one = '', other = '']) => isTeam(one) && isTeam(other))
    : []
  return [...text.matchAll(VERSUS), ...dashed].slice(0, 3).map((match, index) => ({
    start: match.index,
    end: match.index + match[0].length,
    title: match[0].replace(/\s+/g, ' ').trim(),
    confidence: 0.9 - 0.02 * index,
    manner: 'teams',
  }))
}

// "CHAMPIONNAT U15 – Journée 14" and "Samedi 06/03/27 – coup d'envoi" are no teams.
function isTeam(name: string): boolean {
  const small = fold(name)
  if (/^\p{L}{1,4}\s?\d{1,3}$/u.test(name.trim())) return false
  return (
    !FIXTURE.test(small.replace(/^(?:1\.\s)?stade\s/u, '')) &&
    !/\d{1,2}[./:]\d|\d{2}\s?h/u.test(name) &&
    !KIND.test(small)
  )
}

const DOCTOR = String.raw`(?:Dr|Dra|Prof|Docteure?|Doctora?)\.?[^\S\n]+(?:med\.\s+)?(?:\p{Lu}\.\s?){0,2}\p{Lu}[\p{L}'’-]+(?:[^\S\n]\p{Lu}[\p{L}'’-]+){0,2}`
const CONSULTATION = new RegExp(
  String.raw`(?<!\p{L})((?:RDV|[Rr]endez-vous|[Aa]ppointment|[Aa]ppt|[Cc]onsult|[Aa]fspraak|[Aa]ppuntamento|[Tt]ermin|[Cc]ita|[Cc]onsultation|[Cc]onsulta|[Ss]prechstunde|[Cc]heck-?up|[Rr]evisión|[Cc]ontrôle|[Uu]ntersuchung)(?:[^\S\n]\p{Ll}{4,20})?)[^\n]{0,70}?\n?[^\n]{0,30}?(?<!\p{L})(with|w\/|mit|bei|avec|con|du|chez|com)[^\S\n]+((?:(?:el|la|le|der|dem|Herrn|Frau|the)[^\S\n]+)?${DOCTOR})`,
  'u',
)

/** What an appointment is, and with which doctor. */
function consultation({ text }: SourceText): readonly ComposedTitle[] {
  const match = CONSULTATION.exec(text)
  const [found = '', kind = '', lead = '', doctor = ''] = match ?? []
  if (match === null || /[.!?]\s\p{Lu}/u.test(found.replace(/(?:Dra?|Prof|\p{Lu})\.\s/gu, '')))
    return []
  const what = kind.replace(/\s(?:with|bei|avec|chez|para|fur|le|ist|hier|morgen)$/u, '')
  return [
    {
      start: match.index,
      end: match.index + what.length,
      title: `${what.charAt(0).toUpperCase()}${what.slice(1)} ${lead} ${doctor.replace(/\s+/g, ' ')}`,
      confidence: 0.8,
      manner: 'composed',
    },
  ]
}

const NAME_OF_PLACE = String.raw`((?:(?:the|das|den|die|le|la|l'|el|il|o|het)\s?)?\p{Lu}[\p{L}\d'’.-]*(?:\s(?:(?:of|de|la|del|der|des|du|di|da|van)\s){0,2}\p{Lu}[\p{L}\d'’.-]*){0,5})`
const VISITS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:will\s+(?:be\s+)?visit(?:ing)?|are\s+visiting|visit)\s+${NAME_OF_PLACE}`,
      'u',
    ),
    'Visit to',
  ],
  [
    new RegExp(String.raw`(?<!\p{L})(?:besuchen\s+(?:wir\s+)?|besucht\s+)${NAME_OF_PLACE}`, 'u'),
    'Besuch:',
  ],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:visiteront|visitera|visitons|visiterons)\s+${NAME_OF_PLACE}`,
      'u',
    ),
    'Visite :',
  ],
  [
    new RegExp(
      String.raw`(?<!\p{L})(?:visitarán|visitaremos|visitamos|visitará)\s+(?:a\s+)?${NAME_OF_PLACE}`,
      'u',
    ),
    'Visita a',
  ],
]

const TRIP_TO =
  /(?<!\p{L})(?:fährt|fahren|geht|gehen)\s[^.\n]{0,40}?(ins|in den|in die|zum|zur|nach)\s(\p{Lu}[\p{L}-]+(?:\s\p{Lu}[\p{L}-]+)?)/u

/** Who goes where: "am Montag fährt die Klasse ins Planetarium". */
function trip({ text }: SourceText): readonly ComposedTitle[] {
  const match = TRIP_TO.exec(text)
  if (match === null) return []
  const [found, lead = '', where = ''] = match
  const span = { start: match.index, end: match.index + found.length }
  return [{ ...span, title: `Ausflug ${lead} ${where}`, confidence: 0.6, manner: 'composed' }]
}

/** Who visits what: "Year 4 will visit the Horniman Museum". */
function visit({ text }: SourceText): readonly ComposedTitle[] {
  return VISITS.flatMap(([pattern, lead]): readonly ComposedTitle[] => {
    const match = pattern.exec(text)
    // "visitarán el Oceanogràfic. La salida será …"
    const where = match?.[1]?.replace(/(?<=\p{Ll})\.\s.*$/u, '')
    if (match === null || where === undefined) return []
    const title = `${lead} ${where}`.replace(/ a el /u, ' al ')
    const span = { start: match.index, end: match.index + match[0].length }
    return [{ ...span, title, confidence: 0.7, manner: 'composed' }]
  })
}

const BIRTHDAYS: readonly (readonly [RegExp, (name: string, age: string) => string])[] = [
  [
    /(\p{Lu}[\p{L}'’-]+)(?: is turning| turns| will be) (\d{1,3})(?!\p{N})/u,
    (name, age) => `${name}'s ${ordinal(age)} Birthday`,
  ],
  [
    /(?<!\p{L})(\p{L}{2,})['’]?s (?:is )?turning (\d{1,3})(?!\p{N})/u,
    (name, age) => `${name.charAt(0).toUpperCase()}${name.slice(1)}'s ${ordinal(age)} birthday`,
  ],
  [
    /(?:[Cc]umplo|[Mm]is) 15[^\p{L}\p{N}]{1,8}(\p{Lu}\p{L}+) te (?:espera|invita)()/u,
    (name) => `15 de ${name}`,
  ],
  [
    new RegExp(String.raw`(?<!\p{L})[Mm]is (XV|15) años\s*\n\s*(${NAME})(?=\n)`, 'u'),
    (age, name) => `${age} años de ${name}`,
  ],
  [/chez (\p{Lu}[\p{L}'’-]+) pour ses (\d{1,3}) ans/u, (name, age) => `${age} ans de ${name}`],
  [
    /(\p{Lu}[\p{L}'’-]+) wird (?:(?:am|nächsten) [^,\n\d]{3,20} )?(\d{1,3})(?![\p{N}.])/u,
    (name, age) => `${age}. Geburtstag von ${name}`,
  ],
  [/(\p{Lu}[\p{L}'’-]+) (?:a|fête ses) (\d{1,3}) ans/u, (name, age) => `${age} ans de ${name}`],
  [
    /(\p{Lu}[\p{L}'’-]+) cumple (\d{1,3})(?!\p{N})/u,
    (name, age) => `Cumpleaños de ${name} (${age})`,
  ],
  [/(?<!\p{L})()[Ii]ch werde (\d{1,3})(?!\p{N})/u, (_, age) => `${age}. Geburtstag`],
  [
    /(?<!\p{L})()I(?:'m| am|'ll be| will be) (?:turning )?(\d{2})(?!\p{N})/u,
    (_, age) => `${ordinal(age)} birthday`,
  ],
  [
    /(?<!\p{L})()(?:[Jj]e fête mes|[Jj]'aurai) (\d{1,3}) ans/u,
    (_, age) => `Anniversaire ${age} ans`,
  ],
  [/(?<!\p{L})()[Cc]umplo (\d{1,3})(?!\p{N})/u, (_, age) => `${age} cumpleaños`],
  [
    /(\p{Lu}[\p{L}'’-]+) hat (?:am [^,\n]{3,24} |doch |ja )?Geburtstag()/u,
    (name) => `${name}s Geburtstag`,
  ],
]

function ordinal(age: string): string {
  const ending = /1\d$/.test(age) ? 'th' : (['th', 'st', 'nd', 'rd'][Number(age) % 10] ?? 'th')
  return `${age}${ending}`
}

function birthday({ text, folded }: SourceText): readonly ComposedTitle[] {
  const party = /(?<!\p{L})birthday\s+party(?!\p{L})/u.test(folded) ? ' party' : ''
  return BIRTHDAYS.flatMap(([pattern, write]): ComposedTitle[] => {
    const match = pattern.exec(text)
    const [found = '', name = '', age = ''] = match ?? []
    if (match === null || /^(?:Elle|Il|Er|Sie|She|He|Ella|Él|It|Es|This|On)$/u.test(name)) return []
    const span = { start: match.index, end: match.index + found.length }
    return [{ ...span, title: `${write(name, age)}${party}`, confidence: 0.8, manner: 'composed' }]
  })
}
