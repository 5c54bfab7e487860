import { isRecord } from '../call/canonical.ts'
import { visibleText } from '../define/visible.ts'

/** A reason to look closely at a request, with the passages it is about. */
export type Trap = {
  readonly sentence: string
  /** From the request, or decoded from it: untrusted, with invisible characters spelled out. */
  readonly quotes: readonly string[]
}

// A person reads this much without overlooking something.
const LONG_TEXT = 2_000
const MANY_FIELDS = 60
const DEEP = 6
const MANY_BLANKS = 8
const MOST_QUOTES = 3
const LONGEST_QUOTE = 160

/**
 * Why a request deserves a close look, from `shown` of an approval or a question. Surfaces show it
 * above everything else. None of it proves bad intent, and no trap means nothing: people decide.
 */
export function findTraps(shown: string): readonly Trap[] {
  const { texts, fields, depth, alike } = measure(JSON.parse(shown))
  const longest = texts.reduce((most, { length }) => Math.max(most, length), 0)
  const unique = excerpts([...new Set(texts)])
  const traps: readonly (readonly [sentence: string, quotes: readonly string[]] | false)[] = [
    unique.some((text) => SPELLED_OUT.test(text)) && [
      'It contains invisible or direction-changing characters. They are spelled out and marked.',
      [],
    ],
    quoteFrom(unique, lookAlikes, 'It contains letters or digits that look like others.'),
    quoteFrom(unique, disguisedAddresses, 'An address leads somewhere else than it seems to.'),
    quoteFrom(unique, decodeAll, 'It contains encoded text, which says this once it is decoded:'),
    quoteFrom(unique, ambiguousAmounts, 'An amount can be read in more than one way.'),
    quoteFrom(
      unique,
      persuasion,
      'It contains words that tell you how to decide, or look like ours.',
    ),
    alike.length > 0 && ['Two fields have names that look alike.', alike],
    quoteFrom(unique, hiddenByBlanks, 'Text goes on after a gap that hides it:'),
    quoteFrom(unique, stackedMarks, 'It contains marks that cover other letters.'),
    longest > LONG_TEXT && [
      `It contains a text of ${longest.toLocaleString('en')} characters. Something may hide in it.`,
      [],
    ],
    fields > MANY_FIELDS && [
      `It has ${fields.toLocaleString('en')} fields. Look through all of them.`,
      [],
    ],
    depth > DEEP && [`It is nested ${depth} levels deep.`, []],
  ]
  return traps
    .filter((trap) => trap !== false)
    .map(([sentence, quotes]) => ({
      sentence,
      quotes: [...new Set(quotes)].slice(0, MOST_QUOTES).map(shorten),
    }))
}

// What is beyond this is announced for its length or its number, and is not searched: a page must
// not hold up the server.
const MOST_OF_TEXT = 10_000
const MOST_SEARCHED = 100_000

function excerpts(texts: readonly string[]): readonly string[] {
  let searched = 0
  return texts
    .map((text) =>
      text.length > 2 * MOST_OF_TEXT
        ? `${text.slice(0, MOST_OF_TEXT)}\n${text.slice(-MOST_OF_TEXT)}`
        : text,
    )
    .filter(({ length }) => {
      searched += length
      return searched <= MOST_SEARCHED
    })
}

const SPELLED_OUT = /⟨U\+[0-9A-F]{4,6}⟩/

function quoteFrom(
  texts: readonly string[],
  find: (text: string) => readonly string[],
  sentence: string,
): readonly [string, readonly string[]] | false {
  const quotes = texts.flatMap((text) => find(text))
  return quotes.length > 0 && [sentence, quotes]
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE)}…` : line
}

type Measured = {
  readonly texts: readonly string[]
  readonly fields: number
  readonly depth: number
  /** Names of one object that a person would take for the same. */
  readonly alike: readonly string[]
}

function measure(value: unknown): Measured {
  if (typeof value === 'string') return { texts: [value], fields: 1, depth: 0, alike: [] }
  if (typeof value !== 'object' || value === null)
    return { texts: [], fields: 1, depth: 0, alike: [] }
  const members = Object.values(value).map(measure)
  const names = isRecord(value) ? Object.keys(value) : []
  const seen = new Map<string, string>()
  const alike: string[] = []
  for (const name of names) {
    const form = skeleton(name)
    const other = seen.get(form)
    if (other !== undefined) alike.push(`${other} / ${name}`)
    seen.set(form, name)
  }
  return {
    texts: [...names, ...members.flatMap(({ texts }) => texts)],
    fields: members.reduce((sum, { fields }) => sum + fields, 0),
    depth: 1 + members.reduce((most, { depth }) => Math.max(most, depth), 0),
    alike: [...alike, ...members.flatMap((member) => member.alike)],
  }
}

// Letters of other alphabets with the Latin ones that they are drawn like.
const TWINS: ReadonlyMap<string, string> = new Map(
  [
    ['авеѕіјкмнорсԁԛтухһӏгԝ', 'abesijkmhopcdqtyxhlrw'],
    ['αβγεζηικμνορτυχω', 'abyeznikuvoptuxw'],
    ['АВЕЅІЈКМНОРСТУХӀ', 'ABESIJKMHOPCTYXI'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ].flatMap(([foreign = '', latin = '']) =>
    [...foreign].map((letter, index) => [letter, latin[index] ?? ''] as const),
  ),
)
const toLatin = (text: string): string =>
  [...text].map((letter) => TWINS.get(letter) ?? letter).join('')

/** Names of the same form look alike. */
function skeleton(name: string): string {
  return toLatin(name.replaceAll(new RegExp(SPELLED_OUT, 'g'), '').normalize('NFKC'))
    .toLowerCase()
    .replace(/[\s_-]/g, '')
    .replace(/[il1|]/g, 'l')
    .replace(/0/g, 'o')
    .replace(/rn/g, 'm')
}

const MIXED_WORD =
  /(?<![\p{L}\p{M}])(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}])[\p{L}\p{M}]+/gu
const FOREIGN_WORD = /(?<!\p{L})[\p{Script=Cyrillic}\p{Script=Greek}]+(?!\p{L})/gu
// Full width, mathematical, enclosed: drawn like letters and digits, and none of them.
const STYLED =
  /[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u2460-\u24ff\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f189}]+/gu
const EAST_ASIAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const FOREIGN_DIGITS = /(?![0-9\uff10-\uff19\u{1d7ce}-\u{1d7ff}])\p{Nd}+/gu

function lookAlikes(text: string): readonly string[] {
  if (!NOT_ASCII.test(text)) return []
  const foreign = text.match(FOREIGN_WORD) ?? []
  // A text in that alphabet has letters that Latin lacks.
  const isDisguised =
    /\p{Script=Latin}/u.test(text) &&
    foreign.every((word) => [...word].every((letter) => TWINS.has(letter)))
  const letters = text.match(/\p{L}/gu) ?? []
  const isPlainText = letters.every((letter) => /\p{Script=Latin}/u.test(letter))
  return [
    ...[...(text.match(MIXED_WORD) ?? []), ...(isDisguised ? foreign : [])].map(nameLetters),
    ...(EAST_ASIAN.test(text) ? [] : (text.match(STYLED) ?? [])),
    ...(isPlainText ? (text.match(FOREIGN_DIGITS) ?? []) : []),
  ]
}

const SCRIPTS: readonly (readonly [name: string, letter: RegExp])[] = [
  ['Cyrillic', /\p{Script=Cyrillic}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Armenian', /\p{Script=Armenian}/gu],
  ['Cherokee', /\p{Script=Cherokee}/gu],
]

/** `pаypal` becomes "pаypal, of which а is Cyrillic". */
function nameLetters(word: string): string {
  const parts = SCRIPTS.flatMap(([name, letter]) => {
    const letters = [...new Set(word.match(letter))]
    return letters.length === 0 ? [] : [`${letters.join('')} is ${name}`]
  })
  return `${shorten(word)}, of which ${parts.join(' and ')}`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is where ASCII begins
const NOT_ASCII = /[^\x00-\x7f]/

const LINK = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+/gi
const HOST =
  /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]{1,63}(?:[.\u3002\uff0e\uff61\u2024][\p{L}\p{N}-]{1,63}){0,9}[.\u3002\uff0e\uff61\u2024][a-z]{2,}/giu
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}|[\u3002\uff0e\uff61\u2024]/u

function disguisedAddresses(text: string): readonly string[] {
  const links = (text.match(LINK) ?? []).flatMap((link) => {
    const url = URL.canParse(link) ? new URL(link) : undefined
    const isDisguised = url?.username || /^(?:.*\.)?xn--|^\[|^[\d.]+$/.test(url?.hostname ?? '')
    return url && isDisguised && !LOCAL.test(url.hostname) ? [`${link} → ${url.hostname}`] : []
  })
  const hosts = (text.match(HOST) ?? []).flatMap((host) => {
    if (links.some((link) => link.includes(host))) return []
    if (!FOREIGN_LETTER.test(host) && !/(?:^|\.)xn--/i.test(host)) return []
    return URL.canParse(`http://${host}`) ? [`${host} → ${new URL(`http://${host}`).hostname}`] : []
  })
  return [...links, ...hosts]
}
const LOCAL = /^(?:127\.|10\.|192\.168\.|\[::1\])/

const ENCODINGS: readonly (readonly [pattern: RegExp, decode: (text: string) => string])[] = [
  [/(?:%[0-9a-f]{2}){4,}/gi, (text) => decodeURIComponent(text)],
  [/(?:\\u\{?[0-9a-f]{4}\}?|\\x[0-9a-f]{2}){3,}/gi, (text) => fromCodes(text, 16)],
  [/(?:&#x[0-9a-f]{2,6};){3,}/gi, (text) => fromCodes(text, 16)],
  [/(?:&#\d{2,7};){3,}/g, (text) => fromCodes(text, 10)],
  [/\b(?:[0-9a-f]{2}){12,}\b/gi, (text) => fromBytes(text.match(/../g), 16)],
  [/(?:\b[01]{8}\b\s?){6,}/g, (text) => fromBytes(text.match(/[01]{8}/g), 2)],
  [/[A-Za-z0-9+/_-]{16,}={0,2}/g, (text) => decodeBase64(text)],
]
const MOST_LAYERS = 3

/** What encoded parts of a text say; that of a text which is data, its data. */
function decodeAll(text: string, layer = 1): readonly string[] {
  if (/^\s*[[{]/.test(text) && isJson(text)) return [text]
  return ENCODINGS.flatMap(([pattern, decode]) =>
    (text.match(pattern) ?? []).flatMap((part) => {
      const inner = attempt(() => decode(part))
      if (inner === undefined || inner === part) return []
      const deeper = layer < MOST_LAYERS ? decodeAll(inner, layer + 1) : []
      if (deeper.length > 0) return deeper
      return isProse(inner) ? [visibleText(inner)] : []
    }),
  )
}

/** Whether it reads as a person writes: random bytes, identifiers and pictures do not. */
function isProse(text: string): boolean {
  const readable = text.match(/[\p{L}\p{N}\p{Cf}\s.,:;!?'"()/@&=+_{}[\]-]/gu)?.length ?? 0
  return (
    text.length >= 4 &&
    // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes that no text has
    !/[\x00-\x08\x0e-\x1f\ufffd]/.test(text) &&
    readable / [...text].length > 0.95 &&
    /\p{L}{3,}/u.test(text) &&
    (text.length < 12 || /[\s.:/@=]/.test(text))
  )
}

function fromCodes(text: string, base: number): string {
  const codes = text.match(base === 16 ? /[0-9a-f]{2,6}(?=[;}\\]|$)/gi : /\d+/g) ?? []
  return String.fromCodePoint(...codes.map((code) => Number.parseInt(code, base)))
}
function fromBytes(parts: readonly string[] | null, base: number): string {
  return new TextDecoder().decode(
    Uint8Array.from(parts ?? [], (part) => Number.parseInt(part, base)),
  )
}
function decodeBase64(text: string): string {
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)))
}
const isJson = (text: string): boolean => attempt(() => JSON.parse(text)) !== undefined
function attempt<T>(run: () => T): T | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

const CURRENCY = '(?:[$€£¥₹]|\\b(?:EUR|USD|GBP|CHF|RWF|JPY|euros?|dollars?|francs?)\\b)'
const AMBIGUOUS = '\\d{1,3}[.,]\\d{3}(?![.,]?\\d)|\\d+(?:\\.\\d+)?e[+-]?\\d+'
const AMOUNT = new RegExp(
  `(?<![\\d.,])(?:${AMBIGUOUS})\\s?${CURRENCY}|${CURRENCY}\\s?(?:${AMBIGUOUS})`,
  'gi',
)
const ambiguousAmounts = (text: string): readonly string[] => text.match(AMOUNT) ?? []

const PERSUASION =
  /\b(?:pre-?approved|already (?:been )?(?:approved|reviewed|checked)|(?:verified|checked|approved|signed) by (?:surehand|security|the system|an? administrator)|no (?:further )?(?:review|approval|confirmation) (?:is )?(?:needed|required|necessary)|safe to approve|(?:please )?(?:just )?(?:click|press|tap) approve|approve (?:this )?(?:now|quickly|immediately|without)|(?:this|it) (?:can be undone|is reversible|is only a test)|bereits (?:genehmigt|geprüft)|déjà (?:approuvé|vérifié))\b|<\/?(?:button|form|input|script|iframe|img|a|dd|dl|main|style)\b[^>]{0,200}>/gi
const persuasion = (text: string): readonly string[] => text.match(PERSUASION) ?? []

/** What follows many blank lines, or more spaces than a line is wide. */
function hiddenByBlanks(text: string): readonly string[] {
  const gap = new RegExp(`(?:[ \\t]*\\n){${MANY_BLANKS},}|[ \\t]{80,}`, 'g')
  const parts = text.split(gap)
  return parts.slice(1).filter((part) => part.trim() !== '')
}

const stackedMarks = (text: string): readonly string[] =>
  NOT_ASCII.test(text) ? (text.normalize('NFC').match(/\S?\p{M}{4,}/gu) ?? []) : []
