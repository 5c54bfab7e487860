import { STOP_WORDS, splitWords, toSingular } from './text-index.ts'
import {
  type Action,
  actionsOf,
  isGenericVerb,
  LONGEST_PHRASE,
  type Meanings,
  meaningsOf,
  stemOf,
} from './tool-words.ts'

const MAX_QUERY_CHARACTERS = 1_000
const MAX_QUERY_WORDS = 64

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
const VALUE = 0.35
const OWN = 0.2

/** One or several words that a tool must have together, and how much they count. */
export type Form = { readonly words: readonly string[]; readonly value: number }
/** A word or phrase of a request with everything that may stand for it. */
export type Concept = { readonly forms: readonly Form[]; readonly weight: number }
export type Request = {
  readonly concepts: readonly Concept[]
  /** What is asked for, likeliest first. */
  readonly actions: readonly Action[]
  readonly isPlural: boolean
  readonly written: ReadonlySet<string>
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
  [/\bv\d+(?:\.\d+)*\b/g, 'valueversion', 'version tag release'],
  [/\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app)\b/gi, 'valuedomain', 'domain ingress host'],
]
const SAID_BY_VALUE: ReadonlyMap<string, readonly string[]> = new Map(
  VALUES.map(([, name, says]) => [name, says.split(' ').map(stemOf)]),
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
  return {
    concepts: reading.concepts,
    actions: main.actions.includes('list') ? readingActions(isPlural) : main.actions,
    isPlural,
    written: new Set(words),
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

function readingActions(isPlural: boolean): readonly Action[] {
  return isPlural ? ['list', 'get'] : ['get', 'list']
}

// "the open pull requests of a team": the first group of words that are no verbs decides.
function isAboutSeveral(words: readonly string[]): boolean {
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
  const once = (key: string, forms: () => readonly Form[], weight: number): void => {
    if (seen.has(key)) return
    seen.add(key)
    concepts.push({ forms: forms(), weight })
  }
  for (const [at, word] of words.entries()) {
    if (at > 1 && REASONS.has(word)) share *= REASON
    for (const { phrase, meanings } of phrasesAt(words, at))
      once(phrase.join(' '), () => toForms(meanings, PHRASE), share)
    const said = SAID_BY_VALUE.get(word)
    if (said !== undefined) {
      once(word, () => said.map((one) => toForm([one], 1)), VALUE)
      continue
    }
    if (at < intent.from || (isFiller(word) && reading.count > 0)) continue
    const stem = stemOf(word)
    const isVerb = actionsOf(word).length > 0 || actionsOf(stem).length > 0
    const weight = isGenericVerb(word)
      ? words.length > 1 || reading.count > 1
        ? VERB
        : 1
      : isVerb
        ? verbWeight(intent, at, nouns)
        : LATER_NOUN ** Math.min(4, nouns)
    if (!isVerb && !seen.has(stem)) nouns++
    once(stem, () => wordForms(word, stem, reading), share * weight)
  }
}

function verbWeight({ kind, from }: Intent, at: number, nouns: number): number {
  if (kind === 'question') return VERB_OF_QUESTION
  return kind === 'order' && at === from ? LEADING_VERB : LATER_NOUN ** Math.min(4, nouns)
}

const PARTICLES = new Set('out off back up down in on away over into know inside'.split(' '))
/** How far from its verb a particle may stand: "throw the people of that team out". */
const REACH = 7

type Phrase = { readonly phrase: readonly string[]; readonly meanings: Meanings }

/** Phrases that begin here: neighbouring words, and a verb with its particle further on. */
function phrasesAt(words: readonly string[], at: number): readonly Phrase[] {
  const close = Array.from({ length: LONGEST_PHRASE - 1 }, (_, less) =>
    words.slice(at, at + LONGEST_PHRASE - less),
  )
  const apart = words
    .slice(at + 2, at + 1 + REACH)
    .filter((word) => PARTICLES.has(word))
    .map((particle) => [words[at] ?? '', particle])
  return [...close, ...apart].flatMap((phrase) => {
    const meanings = phrase.length > 1 ? meaningsOf(phrase) : []
    return meanings.length === 0 ? [] : [{ phrase, meanings }]
  })
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
  const meanings = meaningsOf([word]).filter((one) => one.length > 1 || one[0] !== stem)
  const bare = /^(.{4,}?)(?:ation|ion|ment|al|er|or)$/.exec(stem)?.[1]
  const kin = [...ENDINGS.map((ending) => stem + ending), ...(bare === undefined ? [] : [bare])]
    .map(stemOf)
    .filter((one) => one !== stem && known.has(one))
  const forms = [
    toForm([stem], meanings.length > 0 ? LITERAL : 1),
    ...toForms(meanings, SYNONYM),
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

type Intent = {
  readonly kind: 'question' | 'order' | 'statement'
  readonly actions: readonly Action[]
  readonly verb?: string
  /** Where the clause begins to say something: after "could you please". */
  readonly from: number
  /** "which", "who" and "how many" ask for several. */
  readonly isMany: boolean
}
const STATEMENT: Intent = { kind: 'statement', actions: [], from: 0, isMany: false }

/** What a clause wants: "which runs failed" asks, "rerun them" orders, "I made a typo" tells. */
function readIntent(words: readonly string[]): Intent {
  const from = Math.max(
    0,
    words.findIndex((word) => !POLITE.has(word)),
  )
  const asked = words.slice(from)
  const [first = '', second = ''] = asked
  if (TELLERS.has(words[0] ?? '') && !WISHES.has(words[1] ?? ''))
    return { ...STATEMENT, actions: words.slice(1).map(actionsOf).find(isSome) ?? [] }
  const question: Intent = { kind: 'question', actions: ['list', 'get'], from, isMany: false }
  if (QUESTIONS.has(first))
    return { ...question, isMany: ASK_FOR_SEVERAL.has(first) || second === 'many' }
  // "tell me which", "give me a list", but not "get me out of it".
  if (TELL_ME.has(first) && (second === 'me' || second === 'us') && !isParticleNear(asked))
    return { ...question, from: from + 2 }
  for (const [at, word] of asked.entries()) {
    const actions = verbActions(asked, at)
    const kind = at === 0 ? 'order' : 'statement'
    if (actions.length > 0) return { kind, actions, verb: word, from, isMany: false }
  }
  // "comment on an issue": the first word is a verb that makes what it names.
  const isOrder = !isFiller(first) && LEADS.has(second)
  return isOrder
    ? { kind: 'order', actions: ['create', 'update'], from, isMany: false }
    : { ...STATEMENT, from }
}

function isParticleNear(words: readonly string[]): boolean {
  return words.slice(2, 4).some((word) => PARTICLES.has(word))
}

function isSome({ length }: readonly unknown[]): boolean {
  return length > 0
}

// By a phrase ("bring back"), by the verb itself, or by what tools call it ("squash" is merge).
function verbActions(words: readonly string[], at: number): readonly Action[] {
  const word = words[at] ?? ''
  const byPhrase = phrasesAt(words, at).flatMap(({ meanings }) =>
    meantActions(meanings.slice(0, 2)),
  )
  if (byPhrase.length > 0) return byPhrase
  const stem = stemOf(word)
  const own = [word, stem, toSingular(word), `${stem}e`].map(actionsOf).find(isSome)
  // "the open pull requests", "a new text": no verbs.
  if (own !== undefined && !ARTICLES.has(words[at - 1] ?? '')) return own
  return at === 0 ? meantActions(meaningsOf([word])) : []
}

function meantActions(meanings: Meanings): readonly Action[] {
  const verbs = meanings.flatMap(([meant = '']) => (NOUNS.has(meant) ? [] : [meant, `${meant}e`]))
  return [...new Set(verbs.flatMap(actionsOf))]
}

function isFiller(word: string): boolean {
  return STOP_WORDS.has(word) || FILLERS.has(word)
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

// Words that are verbs in requests and things in the names of tools.
const NOUNS = new Set(
  'call message text record phone star pin comment review order book file check count bill charge'
    .split(' ')
    .map(stemOf),
)
const ARTICLES = wordSet('a an the my our your his her their its this that these those of')
const QUESTIONS = wordSet(
  'which what whats who whos where when why how did does do is are was were any has have',
)
const ASK_FOR_SEVERAL = wordSet('which who whos')
const TELL_ME = wordSet('tell show give get send list fetch let')
const TELLERS = wordSet('i we he she they it there nobody someone everyone')
const WISHES = wordSet('want need would like d must have should')
const FIRST_PERSON = wordSet('my mine me i')
const POLITE = wordSet(
  `please can could would you i we want need to like id lets us kindly hey hi help me just now
  go ahead and`,
)
const LEADS = wordSet('a an the my me this on to all some')
const REASONS = wordSet('saying because so since whose')
const FILLERS = wordSet(
  `me do did does i am was were has have had how many much please something there new which what show
  when where about this these those out up our us he she her his him they them their its if not no
  dont doesnt isnt cant wont any more now right just only still all some than then so too also again
  will would should could may might must let lets get got want need like id im ive were youre thats
  s t m re d ll ve using use used called named saying anyone over under off down back away before
  after during while until since because but been being one two three first last next other another
  every each per via within without between through yet ever never actually really currently moment
  today yesterday tomorrow week day hour minute month year morning night evening ago soon asap thing
  things stuff who whom whose why here across around onto upon hey hi hello thanks thank going go
  come came able sure detail details information value whole fresh old api recent lately good`,
)
