import {
  FIRST_PERSON,
  type Intent,
  isDeterminer,
  isFiller,
  phrasesAt,
  QUANTIFIERS,
  REASONS,
  readIntent,
  STATEMENT,
} from './read-intent.ts'
import { splitWords, toSingular } from './text-index.ts'
import {
  type Action,
  actionsOf,
  isGenericVerb,
  isNoise,
  type Meanings,
  meaningsOf,
  stemOf,
} from './tool-words.ts'

const MAX_QUERY_CHARACTERS = 1_000
const MAX_QUERY_WORDS = 64
/** So few words without a verb name what is wanted. */
const SHORT = 4

// How much words count, chosen with the development requests of sources/documents/requests.
const SYNONYM = 0.95
const PHRASE = 1.1
/** Each further meaning of a word counts less than the one before it. */
const NEXT = 0.85
/** The word itself, where tools are known to say it differently. */
const LITERAL = 0.95
const KIN = 0.85
const PREFIX = 0.6
const FUZZY = 0.45
/** A verb such as "get" is told by what a tool does; its own letters say little more. */
const VERB = 0.35
/** "ring the customer": a verb that begins an order says more than its object. */
const LEADING_VERB = 1.2
/** "which files did Mia share": what was done says less than what is asked for. */
const VERB_OF_QUESTION = 0.4
/** Each noun counts less than the one before it, the first four. */
const LATER_NOUN = 0.9
/** After "because" and "so" stands why, not what. */
const REASON = 0.5
/** A word of a phrase that has a meaning of its own. */
const IN_PHRASE = 0.5
const VALUE = 0.35
const OWN = 0.2

/** One or several words that a tool must have together, and how much they count. */
export type Form = { readonly words: readonly string[]; readonly value: number }
/** A word or phrase of a request with everything that may stand for it. */
export type Concept = {
  readonly forms: readonly Form[]
  readonly weight: number
  /** Whether it is what the request is about: the verb that begins it, or its first noun. */
  readonly isObject?: boolean
}
export type Request = {
  readonly concepts: readonly Concept[]
  /** What is asked for, likeliest first. */
  readonly actions: readonly Action[]
  readonly isPlural: boolean
  readonly written: ReadonlySet<string>
  /** The stems of its words that tell it from others, in their order. */
  readonly stems: ReadonlySet<string>
  /** "find customers by email": a tool that searches is meant. */
  readonly isSearch: boolean
}

/** The words of all tools, by their stems. */
export type KnownWords = {
  readonly has: (stem: string) => boolean
  readonly keys: () => Iterable<string>
}

// What a value in a request says about the thing that is meant. The words are those of tools.
const VALUES: readonly (readonly [pattern: RegExp, name: string, says: string])[] = [
  [/\bhttps?:\/\/\S+/g, 'valueurl', 'url webhook'],
  [/[\w.+-]+@[\w-]+\.\w[\w.-]*/g, 'valueemail', 'email'],
  [/(?<=^|[\s(])#\p{L}[\w-]*/gu, 'valuechannel', 'conversation channel chat'],
  [/(?<=^|[\s(])@\p{L}[\w-]*/gu, 'valueuser', 'user member'],
  [/(?<=^|\s)\+\d[\d ()-]{6,}/g, 'valuephone', 'call message number'],
  [/\b\d+(?:\.\d+)? ?(?:%|percent\b)/g, 'valuepercent', 'discount coupon percent'],
  [
    /\b(?:tomorrow|tonight)\b|\bat (?:noon|midnight|(?:\d{1,2}(?::\d\d)?|[a-z]+) ?(?:[ap]m|oclock)|\d{1,2}(?::\d\d)?\b)/gi,
    'valuetime',
    'schedule scheduled reminder',
  ],
  [/\bv\d+(?:\.\d+)*\b/g, 'valueversion', 'version tag release'],
  [/\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app)\b/gi, 'valuedomain', 'domain ingress host'],
]
const SAID_BY_VALUE: ReadonlyMap<string, readonly string[]> = new Map(
  VALUES.map(([, name, says]) => [name, says.split(' ').map(stemOf)]),
)
const WRITE_VERBS = new Set(
  ['create', 'add', 'update', 'patch', 'set', 'delete', 'remove'].map(stemOf),
)
const OWN_WORDS = ['authenticated', 'me', 'own', 'self'].map(stemOf)
const QUOTED = /(?<=^|[\s(:])(?:"[^"]*"|'[^']*'(?=[\s.,!?)]|$)|“[^”]*”|‘[^’]*’)/g
const CLAUSE = /[,;:?!—–]+(?=\s|$)|\.(?=\s|$)|\s-\s/

/** Reads what a request asks for, be it a few words or whole sentences. */
export function readRequest(query: string, known: KnownWords): Request {
  const clauses = splitClauses(query)
  const intents = clauses.map(readIntent)
  const mainAt = Math.max(
    0,
    intents.findIndex(({ kind }) => kind !== 'statement'),
  )
  const main = intents[mainAt] ?? STATEMENT
  const words = clauses.flat()
  const reading: Reading = {
    known,
    concepts: [],
    seen: new Set(),
    count: words.filter((word) => !isFiller(word)).length,
  }
  for (const [at, clause] of clauses.entries())
    readConcepts(clause, at === mainAt ? main : STATEMENT, reading)
  if (words.some((word) => FIRST_PERSON.has(word)))
    reading.concepts.push({ forms: OWN_WORDS.map((word) => toForm([word], 1)), weight: OWN })
  const isPlural = main.isMany || isAboutSeveral((clauses[mainAt] ?? []).slice(main.from))
  // "node details" and "user groups" are to be shown.
  const isLabel = main.actions.length === 0 && clauses.length === 1 && words.length <= SHORT
  return {
    concepts: reading.concepts,
    actions: isLabel || isReading(main) ? readingActions(isPlural) : main.actions,
    isPlural,
    written: new Set(words),
    stems: new Set(words.filter((word) => !isNoise(word)).map(stemOf)),
    isSearch: main.verb === 'find' || main.verb === 'search',
  }
}

function splitClauses(query: string): readonly (readonly string[])[] {
  const text = query.slice(0, MAX_QUERY_CHARACTERS)
  const unquoted = text.replaceAll(QUOTED, ' ')
  const bare = splitWords(unquoted).length > 1 ? unquoted : text
  const named = VALUES.reduce(
    (rest, [pattern, name]) => rest.replaceAll(pattern, ` ${name} `),
    bare,
  ).replaceAll(/[’']/g, '')
  let room = MAX_QUERY_WORDS
  return named.split(CLAUSE).flatMap((clause) => {
    const words = splitWords(clause).slice(0, room)
    room -= words.length
    return words.length === 0 ? [] : [words]
  })
}

// "compare two branches" and "download the logs" read one thing, although its name is a plural.
function isReading({ actions, verb }: Intent): boolean {
  return actions.includes('list') && (verb === undefined || isGenericVerb(verb))
}

function readingActions(isPlural: boolean): readonly Action[] {
  return isPlural ? ['list', 'get'] : ['get', 'list']
}

// "the open pull requests of a team": the first group of words that are no verbs decides.
function isAboutSeveral(words: readonly string[]): boolean {
  if (words.some((word) => QUANTIFIERS.has(word))) return true
  const start = words.findIndex(
    (word) =>
      !isFiller(word) &&
      !SAID_BY_VALUE.has(word) &&
      (actionsOf(word).length === 0 || toSingular(word) !== word),
  )
  if (start < 0) return false
  const length = words.slice(start).findIndex(isFiller)
  const group = words.slice(start, length < 0 ? undefined : start + length)
  return group.some((word) => toSingular(word) !== word && !/(?:us|is)$/.test(word))
}

type Reading = {
  readonly known: KnownWords
  readonly concepts: Concept[]
  readonly seen: Set<string>
  /** How many words of the request say something. */
  readonly count: number
}

function readConcepts(words: readonly string[], intent: Intent, reading: Reading): void {
  const { concepts, seen } = reading
  let share = 1
  let nouns = 0
  const inPhrase = new Set<string>()
  const isMain = intent !== STATEMENT
  const once = (key: string, forms: () => readonly Form[], weight: number): void => {
    if (seen.has(key)) return
    seen.add(key)
    concepts.push({ forms: forms(), weight, isObject: isMain && nouns < 2 })
  }
  for (const [at, word] of words.entries()) {
    if (at > 1 && REASONS.has(word)) share *= REASON
    for (const { phrase, meanings } of phrasesAt(words, at)) {
      const meant = intent.kind === 'question' ? meanings.map(dropWriteVerbs) : meanings
      once(meanings.join(' '), () => toForms(meant, PHRASE), share)
      for (const part of phrase) inPhrase.add(part)
    }
    const said = SAID_BY_VALUE.get(word)
    if (said !== undefined) {
      once(word, () => said.map((one) => toForm([one], 1)), VALUE)
      continue
    }
    if (at < intent.from || (isFiller(word) && reading.count > 0) || isNumber(word)) continue
    const stem = stemOf(word)
    const isNamed = at > 0 && isDeterminer(words[at - 1] ?? '')
    const isVerb = !isNamed && (actionsOf(word).length > 0 || actionsOf(stem).length > 0)
    const weight = isGenericVerb(word)
      ? words.length > 1 || reading.count > 1
        ? VERB
        : 1
      : isVerb
        ? verbWeight(intent, at, nouns)
        : LATER_NOUN ** Math.min(4, nouns)
    if (!isVerb && !seen.has(stem)) nouns++
    const part = inPhrase.has(word) ? IN_PHRASE : 1
    once(stem, () => wordForms(word, stem, reading), share * weight * part)
  }
}

// "Who approved it" asks for reviews, although "approve it" creates one.
function dropWriteVerbs(words: readonly string[]): readonly string[] {
  const things = words.filter((word) => !WRITE_VERBS.has(word))
  return things.length === 0 ? words : things
}

// "issue 50" is not about fifty.
function isNumber(word: string): boolean {
  return /^\d+$/.test(word) && meaningsOf([word]).length === 0
}

function verbWeight({ kind, from }: Intent, at: number, nouns: number): number {
  if (kind === 'question') return VERB_OF_QUESTION
  return kind === 'order' && at === from ? LEADING_VERB : LATER_NOUN ** Math.min(4, nouns)
}

function toForm(words: readonly string[], value: number): Form {
  return { words, value }
}

function toForms(meanings: Meanings, value: number): readonly Form[] {
  return meanings.map((words, rank) => {
    const [word = '', ...rest] = words
    const isVerb = rest.length === 0 && (isGenericVerb(word) || isGenericVerb(`${word}e`))
    return toForm(words, value * NEXT ** rank * (isVerb ? VERB : 1))
  })
}

const ENDINGS = ['ion', 'ation', 'ment', 'al', 'er', 'or']
/** In whole sentences a word that no tool has is a name or beside the point, not misspelt. */
const MOST_WORDS_TO_GUESS = 5

function wordForms(word: string, stem: string, { known, count }: Reading): readonly Form[] {
  const meanings = meaningsOf([word])
  const bare = /^(.{4,}?)(?:ation|ion|ment|al|er|or)$/.exec(stem)?.[1]
  const kin = [...ENDINGS.map((ending) => stem + ending), ...(bare === undefined ? [] : [bare])]
    .map(stemOf)
    .filter((one) => one !== stem && known.has(one))
  const forms = [
    toForm([stem], meanings.length > 0 ? LITERAL : 1),
    ...toForms(meanings, SYNONYM).filter(({ words }) => words.length > 1 || words[0] !== stem),
    ...kin.map((one) => toForm([one], KIN)),
  ]
  const isGuessed = !known.has(stem) && forms.length === 1 && count <= MOST_WORDS_TO_GUESS
  return isGuessed ? [...forms, ...guessForms(stem, known)] : forms
}

function guessForms(stem: string, known: KnownWords): readonly Form[] {
  const forms: Form[] = []
  for (const other of known.keys()) {
    const value = guessValue(stem, other)
    if (value > 0) forms.push(toForm([other], value))
  }
  return forms
}

function guessValue(word: string, known: string): number {
  if (word.length > 2 && known.startsWith(word)) return PREFIX
  const edits = word.length < 8 ? 1 : 2
  if (word.length < 3 || /\d/.test(word) || Math.abs(word.length - known.length) > edits) return 0
  return word[0] === known[0] && isWithinEdits(word, known, edits) ? FUZZY : 0
}

function isWithinEdits(left: string, right: string, most: number): boolean {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let column = 1; column <= right.length; column++)
      next.push(
        Math.min(
          (row[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (row[column - 1] ?? 0) + (left[at - 1] === right[column - 1] ? 0 : 1),
        ),
      )
    if (Math.min(...next) > most) return false
    row = next
  }
  return (row[right.length] ?? most + 1) <= most
}
