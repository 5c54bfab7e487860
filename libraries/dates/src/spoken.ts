import { once } from './once.ts'
import type { Language } from './when.ts'
import { anyOf, type Words } from './words/words.ts'

type Rule = readonly [RegExp, (groups: readonly string[]) => string | undefined]

// table of number words, from one on, folded
const COUNTED: Readonly<Record<Language, readonly string[]>> = {
  en: listWords(`one two three four five six seven eight nine ten eleven twelve`),
  de: listWords(`eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf`),
  fr: listWords(`une deux trois quatre cinq six sept huit neuf dix onze douze`),
  es: listWords(`una dos tres cuatro cinco seis siete ocho nueve diez once doce`),
}
// table of the days of a month in words, from the first on, folded; "_" is a blank or a hyphen
const DAYS: Readonly<Record<Language, readonly string[]>> = {
  en: listWords(
    `first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
    fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty_first
    twenty_second twenty_third twenty_fourth twenty_fifth twenty_sixth twenty_seventh twenty_eighth
    twenty_ninth thirtieth thirty_first`,
  ),
  de: listWords(
    `ersten zweiten dritten vierten funften sechsten siebten achten neunten zehnten elften zwolften
    dreizehnten vierzehnten funfzehnten sechzehnten siebzehnten achtzehnten neunzehnten zwanzigsten
    einundzwanzigsten zweiundzwanzigsten dreiundzwanzigsten vierundzwanzigsten
    funfundzwanzigsten sechsundzwanzigsten siebenundzwanzigsten achtundzwanzigsten
    neunundzwanzigsten dreissigsten einunddreissigsten`,
  ),
  fr: listWords(
    `premier deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize
    dix_sept dix_huit dix_neuf vingt vingt_et_un vingt_deux vingt_trois vingt_quatre vingt_cinq
    vingt_six vingt_sept vingt_huit vingt_neuf trente trente_et_un`,
  ),
  es: listWords(
    `primero dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince
    dieciseis diecisiete dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro
    veinticinco veintiseis veintisiete veintiocho veintinueve treinta treinta_y_uno`,
  ),
}
// table of words for minutes, folded
const MINUTES = new Map([
  ...['five', 'funf', 'cinq', 'cinco', '5'].map((word): [string, number] => [word, 5]),
  ...['ten', 'zehn', 'dix', 'diez', '10'].map((word): [string, number] => [word, 10]),
  ...['twenty', 'zwanzig', 'vingt', 'veinte', '20'].map((word): [string, number] => [word, 20]),
  ...['twenty-five', 'vingt-cinq', 'veinticinco', '25'].map((word): [string, number] => [word, 25]),
])

export type Figures = {
  /** Of the same length. */
  readonly text: string
  /** The words that stand for figures now. */
  readonly replaced: readonly { readonly start: number; readonly end: number }[]
}

/** Writes dates and times that are spelled out in figures, in as many characters. */
export function writeFigures(folded: string, words: Words): Figures {
  let text = folded
  const replaced: { start: number; end: number }[] = []
  for (const [pattern, write] of RULES[words.language](words))
    text = text.replace(pattern, (found: string, ...rest: (string | number)[]) => {
      const groups = rest.slice(0, -2).map((group) => (group === undefined ? '' : String(group)))
      const start = Number(rest.at(-2))
      const figures = write(groups)
      if (figures === undefined || figures.length > found.length) return found
      replaced.push({ start, end: start + found.length })
      return figures.padEnd(found.length)
    })
  return { text, replaced }
}

const RULES: Readonly<Record<Language, (words: Words) => readonly Rule[]>> = {
  en: onceFor(makeRules),
  de: onceFor(makeRules),
  fr: onceFor(makeRules),
  es: onceFor(makeRules),
}

function onceFor(make: (words: Words) => readonly Rule[]): (words: Words) => readonly Rule[] {
  let get: (() => readonly Rule[]) | undefined
  return (words) => {
    get ??= once(() => make(words))
    return get()
  }
}

function makeRules(words: Words): readonly Rule[] {
  const { language } = words
  const days = DAYS[language]
  const month = anyOf(words.months.keys())
  const hours = COUNTED[language]
  const hour = `${hours.join('|')}|1[0-2]|[1-9]`
  const minute = anyOf(MINUTES.keys())
  const ending = { en: 'th', de: '.', fr: '', es: '' }[language]
  const dayOfMonth: Rule = [
    new RegExp(
      String.raw`(?<!\p{L})(${anyOf(days).replaceAll('_', '[\\s-]')})(?=\s+(?:of\s+|de\s+)?(?:${month})(?!\p{L}))`,
      'gu',
    ),
    ([word = '']) => {
      const day = days.indexOf(word.replace(/[\s-]/g, '_')) + 1
      return day === 0 ? undefined : `${day}${ending}`
    },
  ]
  const clock = (hourWord: string, shift: number): string | undefined => {
    const own = /^\d/.test(hourWord) ? Number(hourWord) : hours.indexOf(hourWord) + 1
    const total = own * 60 + shift
    const hourNumber = Math.floor(total / 60)
    return own === 0
      ? undefined
      : `${hourNumber === 0 ? 12 : hourNumber}:${String(total % 60).padStart(2, '0')}`
  }
  const minutesOf = (word: string) => MINUTES.get(word.replace(/\s/g, '-')) ?? 0
  return [dayOfMonth, ...timeRules({ language, hour, minute, clock, minutesOf })]
}

type Clocks = {
  readonly language: Language
  readonly hour: string
  readonly minute: string
  readonly clock: (hourWord: string, shift: number) => string | undefined
  readonly minutesOf: (word: string) => number
}

function timeRules({ language, hour, minute, clock, minutesOf }: Clocks): readonly Rule[] {
  const rule = (source: string, write: Rule[1]): Rule => [
    new RegExp(String.raw`(?<![\p{L}\p{N}:.])${source}(?![\p{L}\p{N}:])`, 'gu'),
    write,
  ]
  switch (language) {
    case 'en':
      return [
        rule(
          String.raw`(${minute})\s+(past|to|after)\s+(${hour})`,
          ([min = '', way, word = '']) => {
            if (way !== 'to') return clock(word, minutesOf(min))
            // "10 to 12 May" is about days
            return /^\d+$/.test(min + word) ? undefined : clock(word, -minutesOf(min))
          },
        ),
        rule(String.raw`(\d{1,2})\s+(?:'?til|till|until)\s+late`, ([word = '']) => clock(word, 0)),
        rule(String.raw`two\s+thousand\s+(?:and\s+)?twenty[\s-](${hour})`, ([word = '']) => {
          const year = COUNTED.en.indexOf(word) + 1
          return year > 0 && year < 10 ? `202${year}` : undefined
        }),
        ...FOREIGN,
      ]
    case 'de':
      return [
        rule(
          String.raw`(${minute})\s+(vor|nach)\s+(halb\s+)?(${hour})`,
          ([min = '', way, half, word = '']) =>
            clock(word, (half ? -30 : 0) + (way === 'vor' ? -minutesOf(min) : minutesOf(min))),
        ),
      ]
    case 'fr':
      return [
        rule(String.raw`(midi|minuit)\s+(et\s+demie?|trente|et\s+quart)`, ([named, part = '']) =>
          clockAt(named === 'midi' ? 12 : 0, /quart/.test(part) ? 15 : 30),
        ),
        rule(String.raw`(${hour})\s+heures?\s+moins\s+(${minute})`, ([word = '', min = '']) =>
          clock(word, -minutesOf(min)),
        ),
        rule(String.raw`(${hour})\s+heures?\s+(${minute})`, ([word = '', min = '']) =>
          clock(word, minutesOf(min)),
        ),
      ]
    case 'es':
      return [
        rule(String.raw`(${hour})\s+(y|menos)\s+(${minute})`, ([word = '', way, min = '']) =>
          clock(word, way === 'menos' ? -minutesOf(min) : minutesOf(min)),
        ),
      ]
  }
}

function clockAt(hour: number, minute: number): string {
  return `${String(hour).padStart(2, '0')}:${minute}`
}

// table of Italian, Portuguese and Dutch words for dates, which are read as their English ones
const FOREIGN_DAYS: readonly (readonly [string, string])[] = [
  // The full name where it fits in its place: a short one is a weekday only before a time.
  ['monday', 'lunedi|segunda-feira|maandag'],
  ['mon', String.raw`segunda(?=\s+as\s)`],
  ['tuesday', 'martedi|terca-feira|dinsdag'],
  ['tue', String.raw`terca(?=\s|,)`],
  ['wednesday', 'mercoledi|quarta-feira'],
  ['wed', String.raw`quarta(?=\s+as\s)|woensdag`],
  ['thursday', 'quinta-feira|donderdag'],
  ['thu', String.raw`giovedi|quinta(?=\s+as\s)`],
  ['friday', 'venerdi|sexta-feira|vrijdag'],
  ['fri', String.raw`sexta(?=\s+as\s)`],
  ['saturday', 'zaterdag'],
  ['sat', 'sabato'],
  ['sunday', 'domenica|zondag'],
  ['tmrw', 'domani|amanha'],
  ['tonight', 'stasera|vanavond'],
  ['jan', 'gennaio|janeiro|januari'],
  ['feb', 'febbraio|fevereiro|februari'],
  ['mar', String.raw`(?<=\d\s(?:de\s)?)marco|maart`],
  ['apr', 'aprile'],
  ['may', String.raw`maggio|maio|(?<=\d\s)mei`],
  ['jun', 'giugno|junho'],
  ['jul', 'luglio|julho'],
  ['aug', 'augustus'],
  ['sep', 'settembre|setembro'],
  ['oct', 'ottobre|outubro|oktober'],
  ['nov', 'novembro'],
  ['dec', 'dezembro'],
  ['of', String.raw`(?<=\d\s)de(?=\s(?:jan|feb|mar|may|jun|jul|sep|oct|nov|dec)\s)`],
  [
    'at',
    String.raw`(?:alle\s+ore|alle|dalle\s+ore|dalle|ore|as(?=\s\d{1,2}\s?h)|om(?=\s\d))(?=\s\d)`,
  ],
  ['to', String.raw`tot(?=\s\d)`],
  ['&', String.raw`(?<=\d\s)e(?=\s\d{1,2}\s)`],
]
const DUTCH_HOURS = 'een twee drie vier vijf zes zeven acht negen tien elf twaalf'.split(' ')
const FOREIGN_MONTH = `(?:gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre|janeiro|fevereiro|marco|abril|maio|junho|julho|setembro|outubro|novembro|dezembro)`
const FOREIGN: readonly Rule[] = [
  // "8 a 10 de maio", "dal 5 al 7 giugno"
  [
    new RegExp(
      String.raw`(?<!\d)(\d{1,2})\s(?:al?|ao)\s(\d{1,2})(?:\sde)?(?=\s${FOREIGN_MONTH}(?!\p{L}))`,
      'gu',
    ),
    ([from, to]) => `${from}-${to}`,
  ],
  // "alle 20 e 30", "alle 20 e mezza"
  [
    /(?<!\p{L})(?:alle|dalle)\s(?:ore\s)?(\d{1,2})\se\s(\d\d|mezza)(?![\p{L}\d])/gu,
    ([hour, minute]) => `at ${hour}:${minute === 'mezza' ? '30' : minute}`,
  ],
  // "van 13 tot 16 uur", "vanaf 15 uur", "om half elf"
  [
    /(?<!\p{L})van\s(\d{1,2})\stot\s(\d{1,2})\suur(?!\p{L})/gu,
    ([from, to]) => `${from}:00-${to}:00`,
  ],
  [/(?<!\p{L})(?:vanaf|om)\s(\d{1,2})\suur(?!\p{L})/gu, ([hour]) => `at ${hour}:00`],
  [
    new RegExp(String.raw`(?<!\p{L})om\shalf\s(${DUTCH_HOURS.join('|')})(?!\p{L})`, 'gu'),
    ([word = '']) => `at ${DUTCH_HOURS.indexOf(word) || 12}:30`,
  ],
  ...FOREIGN_DAYS.map(
    ([english, source]): Rule => [
      new RegExp(String.raw`(?<!\p{L})(?:${source})(?!\p{L})`, 'gu'),
      () => english,
    ],
  ),
  [
    /(\d{1,2})\.(\d\d)(?=(?:\s+to\s+\d{1,2}\.\d\d)?\s+uur)/gu,
    ([hour, minute]) => `${hour}:${minute}`,
  ],
  [/(?<=\d\d)\s+uur(?!\p{L})/gu, () => ''],
  [/(?<=at\s+)(\d{1,2})h(\d\d)/gu, ([hour, minute]) => `${hour}:${minute}`],
]

function listWords(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean)
}
