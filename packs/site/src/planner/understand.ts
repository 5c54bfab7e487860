import { fold, readWhen } from '@surehand/dates'
import type { Intent, Language, Wish } from './intent.ts'
import { WORDS, type Words } from './words.ts'

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
