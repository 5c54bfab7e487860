import { fold, readWhen } from '@surehand/dates'
import type { Intent, Language, PartOfDay, Wish } from './intent.ts'

export type UnderstandOptions = {
  readonly now: number
  readonly timeZone: string
  readonly locale: string | undefined
}

export type Understood = { readonly language: Language; readonly intents: readonly Intent[] }

const MOST_CLAUSES = 6

/**
 * What a visitor's sentence asks for, clause by clause, without a model: "find red roses under 40,
 * add two, check out" is a search, an addition and a checkout.
 */
export function understand(text: string, options: UnderstandOptions): Understood {
  const plain = fold(text.normalize('NFC').slice(0, 1_000)).trim()
  const language = detectLanguage(plain, options.locale)
  const words = WORDS[language]
  // A date may contain a comma, so a booking is read as a whole.
  const isBooking = words.book.test(plain) && !words.cancel.test(plain)
  const parts = isBooking ? splitBooking(plain, words) : plain.split(words.clause)
  const clauses = parts.map((part) => part.trim()).filter((part) => part !== '')
  const intents = clauses
    .slice(0, MOST_CLAUSES)
    .map((clause) => readClause(clause, words, { ...options, language }))
  return { language, intents: intents.length === 0 ? [{ do: 'unknown', text: plain }] : intents }
}

function splitBooking(text: string, words: Words): readonly string[] {
  const at = text.search(words.book)
  const before = text.slice(0, at).split(words.clause)
  const last = before.pop() ?? ''
  return [...before, last + text.slice(at)]
}

function detectLanguage(text: string, locale: string | undefined): Language {
  const german = text.match(WORDS.de.typical)?.length ?? 0
  const english = text.match(WORDS.en.typical)?.length ?? 0
  if (german !== english) return german > english ? 'de' : 'en'
  return locale?.toLowerCase().startsWith('de') === true ? 'de' : 'en'
}

type ClauseOptions = UnderstandOptions & { readonly language: Language }

// The order matters: "cancel my booking" has the word for booking in it.
function readClause(text: string, words: Words, options: ClauseOptions): Intent {
  if (words.help.test(text)) return { do: 'help' }
  if (words.person.test(text)) return { do: 'person' }
  if (words.cancel.test(text)) return { do: 'cancelBooking' }
  if (words.book.test(text)) return readBooking(text, words, options)
  const code = words.coupon.exec(text)?.[1]
  if (code !== undefined) return { do: 'coupon', code: code.toUpperCase() }
  if (words.checkout.test(text)) return { do: 'checkout' }
  const quantity = numberOf(words.set.exec(text)?.[1], words)
  if (quantity !== undefined) return { do: 'setQuantity', quantity }
  if (words.remove.test(text)) return { do: 'remove' }
  if (words.add.test(text)) return readAddition(text, words)
  if (words.cart.test(text)) return { do: 'showCart' }
  if (words.suggest.test(text)) return { do: 'suggest' }
  return readPlace(text, words)
}

function readPlace(text: string, words: Words): Intent {
  const isShort = text.split(/\s+/).length <= 6
  if (isShort && words.home.test(text)) return { do: 'goto', page: 'home' }
  if (isShort && words.blog.test(text)) return { do: 'goto', page: 'blog' }
  if (isShort && words.helpPage.test(text)) return { do: 'goto', page: 'help' }
  const under = words.under.exec(text)
  const query = keywords(text.replace(words.under, ' ').replace(words.search, ' '), words)
  if (query === '') return { do: 'unknown', text }
  if (!words.search.test(text) && under === null && query.split(' ').length > 6)
    return { do: 'unknown', text }
  const maxPrice = under?.[1] === undefined ? undefined : Number(under[1].replace(',', '.'))
  return { do: 'search', query, ...(maxPrice === undefined ? {} : { maxPrice }) }
}

function readAddition(text: string, words: Words): Intent {
  const notes = words.card.exec(text)?.[1]
  const bare = text.replace(words.card, ' ').replace(words.add, ' ')
  const ordinal = ordinalOf(bare, words)
  const quantity = ordinal === undefined ? firstNumber(bare, words) : undefined
  const rest = keywords(
    bare
      .split(/\s+/)
      .filter((word) => numberOf(word, words) === undefined && !(word in words.ordinals))
      .join(' '),
    words,
  )
  return {
    do: 'add',
    quantity: quantity ?? 1,
    ...(ordinal === undefined ? {} : { ordinal }),
    ...(rest === '' || ordinal !== undefined ? {} : { query: rest }),
    ...(notes === undefined ? {} : { notes: notes.slice(0, 400) }),
  }
}

function readBooking(text: string, words: Words, options: ClauseOptions): Intent {
  const { now, timeZone, language } = options
  const [when] = readWhen(text, { now, timeZone, languages: [language], prefer: 'future' })
  const part = words.parts.find(([pattern]) => pattern.test(text))?.[1]
  const wish: Wish = {
    ...(when === undefined ? {} : { day: when.day }),
    ...(when?.endDay === undefined ? {} : { endDay: when.endDay }),
    ...(when?.time === undefined || part !== undefined ? {} : { time: when.time }),
    ...(part === undefined ? {} : { part }),
  }
  const spans = when?.spans ?? []
  const bare = [...spans]
    .sort((left, right) => right.start - left.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)} ${rest.slice(end)}`, text)
  const withoutParts = words.parts.reduce((rest, [pattern]) => rest.replace(pattern, ' '), bare)
  return { do: 'book', what: keywords(withoutParts.replace(words.book, ' '), words), wish }
}

/** Reads a day and a time from an answer to "Which day?". */
export function readWish(text: string, options: ClauseOptions): Wish {
  const read = readBooking(fold(text.normalize('NFC')), WORDS[options.language], options)
  return read.do === 'book' ? read.wish : {}
}

function keywords(text: string, words: Words): string {
  return text
    .replace(words.filler, ' ')
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function ordinalOf(text: string, { ordinals }: Words): number | undefined {
  for (const word of text.split(/\s+/)) if (word in ordinals) return ordinals[word]
  return undefined
}

function firstNumber(text: string, words: Words): number | undefined {
  for (const word of text.split(/\s+/)) {
    const found = numberOf(word, words)
    if (found !== undefined) return found
  }
  return undefined
}

function numberOf(word: string | undefined, { numbers }: Words): number | undefined {
  if (word === undefined) return undefined
  if (/^\d{1,3}$/.test(word)) return Number(word)
  return Object.hasOwn(numbers, word) ? numbers[word] : undefined
}

// table
/** The words of one language that the planner understands. All texts are folded to small letters. */
type Words = {
  readonly clause: RegExp
  readonly search: RegExp
  readonly add: RegExp
  readonly set: RegExp
  readonly remove: RegExp
  readonly coupon: RegExp
  readonly cart: RegExp
  readonly checkout: RegExp
  readonly book: RegExp
  readonly cancel: RegExp
  readonly person: RegExp
  readonly help: RegExp
  readonly suggest: RegExp
  readonly home: RegExp
  readonly blog: RegExp
  readonly helpPage: RegExp
  readonly under: RegExp
  readonly ordinals: Readonly<Record<string, number>>
  readonly numbers: Readonly<Record<string, number>>
  readonly parts: readonly (readonly [RegExp, PartOfDay])[]
  readonly filler: RegExp
  readonly card: RegExp
  /** Words by which the language is recognized. */
  readonly typical: RegExp
}

const EN: Words = {
  clause:
    /(?:,|;|\.(?=\s|$))\s*(?:and\s+)?(?:then\s+)?|\s+and then\s+|\s+then\s+|\s+and\s+(?=(?:add|check|order|buy|book|put|apply|show|remove)\b)/,
  search:
    /\b(?:find|search(?: for)?|look(?:ing)? for|show(?: me)?|do you have|have you got|i need|i want|i would like|i'd like)\b/,
  add: /\b(?:add|put|take|buy|i(?:'ll| will) take|give me)\b/,
  set: /\b(?:make (?:it|that)|change (?:it |that |the quantity )?to|set (?:it |the quantity )?to)\s+(\w+)/,
  remove: /\b(?:remove|delete|take (?:it|that|them) out)\b/,
  coupon: /\b(?:coupon|voucher|discount code|code)\s+(?:code\s+)?([a-z0-9][a-z0-9_-]{2,})/,
  cart: /\b(?:my cart|the cart|shopping cart|basket|what(?:'s| is) in)\b/,
  checkout:
    /\b(?:check ?out|place (?:the |my )?order|order (?:it|them|that|now)|pay(?: now)?|complete (?:the )?order)\b/,
  book: /\b(?:book|reserve|make an appointment|appointment|schedule)\b/,
  cancel: /\bcancel\b.*\b(?:booking|appointment|reservation|fitting|it)\b/,
  person:
    /\b(?:human|real person|a person|someone (?:from|at)|talk to (?:a|an|some)|employee|staff|operator)\b/,
  help: /^(?:help|what can you do|how does this work)\b/,
  suggest: /\b(?:suggest|recommend|what else|inspire me|ideas?)\b/,
  home: /\b(?:home ?page|start page|go home)\b/,
  blog: /\b(?:blog|articles|journal)\b/,
  helpPage: /\b(?:help page|delivery|shipping|returns?|faq|opening hours)\b/,
  under:
    /\b(?:under|below|less than|up to|at most|max(?:imum)?|cheaper than|for less than)\s+(?:€|\$|£|eur\s*)?(\d+(?:[.,]\d{1,2})?)\s*(?:€|\$|£|eur(?:os?)?|dollars?|pounds?)?/,
  ordinals: { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, '1st': 1, '2nd': 2, '3rd': 3 },
  numbers: {
    a: 1,
    an: 1,
    one: 1,
    two: 2,
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
    'a dozen': 12,
    dozen: 12,
    'a couple of': 2,
    both: 2,
  },
  parts: [
    [/\bmorning\b/, 'morning'],
    [/\bafternoon\b/, 'afternoon'],
    [/\b(?:evening|tonight)\b/, 'evening'],
  ],
  filler:
    /\b(?:please|me|some|any|for me|to (?:the|my) cart|in(?:to)? (?:the|my) cart|of them|of it|of those|the|a|an|it|them|that|this|one|on|in|at|for|with|want|to|i|you|could|can|would|like)\b/g,
  card: /\b(?:with (?:a |the )?(?:card|note|message)|card saying|note saying)\s*[:,]?\s*["“']?(.+?)["”']?$/,
  typical: /\b(?:the|and|find|please|book|add|what|is|my|for|under|show|check)\b/g,
}

const DE: Words = {
  clause:
    /(?:,|;|\.(?=\s|$))\s*(?:und\s+)?(?:dann\s+)?|\s+und dann\s+|\s+dann\s+|\s+und\s+(?=(?:leg|pack|bestell|kauf|buch|zeig|entfern|geh|nimm)\w*\b)/,
  search:
    /\b(?:finde?|such(?:e|en)?(?: nach)?|zeig(?:e)?(?: mir)?|habt ihr|haben sie|gibt es|ich (?:brauche|suche|mochte|hatte gern(?:e)?|will))\b/,
  add: /\b(?:leg(?:e|en)?|pack(?:e|en)?|nimm|kauf(?:e|en)?|in den (?:warenkorb|korb)|ich nehme|hinzu(?:fugen)?|fuge?)\b/,
  set: /\b(?:mach(?:e)? (?:es |daraus |davon )?|ander(?:e|n)? (?:es |die menge )?(?:auf|zu)|auf)\s*(\w+)\s*(?:daraus|andern|stuck)?$/,
  remove: /\b(?:entfern(?:e|en)?|losch(?:e|en)?|nimm (?:es|das|sie) (?:wieder )?(?:raus|heraus))\b/,
  coupon: /\b(?:gutschein(?:code)?|rabattcode|code)\s+([a-z0-9][a-z0-9_-]{2,})/,
  cart: /\b(?:mein(?:en)? (?:waren)?korb|den warenkorb|was ist im)\b/,
  checkout:
    /\b(?:zur kasse|kasse|bestell(?:e|en)?(?: (?:es|das|sie|jetzt))?|bezahl(?:e|en)?|abschlie(?:ss|ß)en)\b/,
  book: /\b(?:buch(?:e|en)?|reservier(?:e|en)?|termin|vereinbar(?:e|en)?)\b/,
  cancel: /\b(?:stornier(?:e|en)?|(?:termin|buchung) absagen|sag(?:e)? .*ab)\b/,
  person:
    /\b(?:mensch(?:en)?|mitarbeiter(?:in)?|jemand(?:en|em)? (?:vom|aus|sprechen)|personal|berater(?:in)?)\b/,
  help: /^(?:hilfe|was kannst du|wie funktioniert)\b/,
  suggest: /\b(?:empfiehl|empfehl(?:e|en|ung)|vorschlag|was noch|ideen?)\b/,
  home: /\b(?:startseite|nach hause)\b/,
  blog: /\b(?:blog|artikel|journal)\b/,
  helpPage: /\b(?:hilfeseite|lieferung|versand|ruckgabe|faq|offnungszeiten)\b/,
  under:
    /\b(?:unter|hochstens|maximal|bis(?: zu)?|weniger als|billiger als)\s+(?:€|eur\s*)?(\d+(?:[.,]\d{1,2})?)\s*(?:€|eur(?:o)?)?/,
  ordinals: {
    erste: 1,
    ersten: 1,
    erstes: 1,
    zweite: 2,
    zweiten: 2,
    zweites: 2,
    dritte: 3,
    dritten: 3,
    drittes: 3,
    vierte: 4,
    vierten: 4,
  },
  numbers: {
    ein: 1,
    eine: 1,
    einen: 1,
    eins: 1,
    zwei: 2,
    zwo: 2,
    drei: 3,
    vier: 4,
    funf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
    elf: 11,
    zwolf: 12,
    dutzend: 12,
    beide: 2,
  },
  parts: [
    [/\b(?:vormittag|morgens|fruh)s?\b/, 'morning'],
    [/\bnachmittags?\b/, 'afternoon'],
    [/\babends?\b/, 'evening'],
  ],
  filler:
    /\b(?:bitte|mir|mich|ein|eine|einen|der|die|das|den|dem|es|sie|davon|in den (?:waren)?korb|hinzu|im|am|um|fur|mit|zu|ich|du|kannst|konntest|mochte|mal|nach)\b/g,
  card: /\b(?:mit (?:einer |der )?(?:karte|nachricht)|karte mit)\s*[:,]?\s*["„“']?(.+?)["“”']?$/,
  typical:
    /\b(?:und|der|die|das|bitte|ich|ein|eine|einen|mir|zur|unter|fur|suche|finde|zeig|buche|termin|warenkorb|am)\b/g,
}

const WORDS: Readonly<Record<Language, Words>> = { en: EN, de: DE }
