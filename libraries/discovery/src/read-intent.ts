import { STOP_WORDS, toSingular } from './text-index.ts'
import {
  type Action,
  ARTICLES,
  actionsOf,
  isGenericVerb,
  isThing,
  LONGEST_PHRASE,
  type Meanings,
  meaningsOf,
  stemOf,
} from './tool-words.ts'
export type Intent = {
  readonly kind: 'question' | 'order' | 'statement'
  readonly actions: readonly Action[]
  readonly verb?: string
  /** Where the clause begins to say something: after "could you please". */
  readonly from: number
  /** "which", "who" and "how many" ask for several. */
  readonly isMany: boolean
}
export const STATEMENT: Intent = { kind: 'statement', actions: [], from: 0, isMany: false }

/** What a clause wants: "which runs failed" asks, "rerun them" orders, "I made a typo" tells. */
export function readIntent(words: readonly string[]): Intent {
  // "we have to pay her back" is an order as well.
  const isObliged = words[2] === 'to' && TELLERS.has(words[0] ?? '') && WISHES.has(words[1] ?? '')
  const from = isObliged
    ? 3
    : Math.max(
        0,
        words.findIndex((word) => !POLITE.has(word)),
      )
  const asked = words.slice(from)
  const [first = '', second = ''] = asked
  if (TELLERS.has(words[0] ?? '') && !WISHES.has(words[1] ?? ''))
    return { ...STATEMENT, actions: words.slice(1).map(actionsOf).find(isSome) ?? [] }
  if (NEGATIONS.has(first))
    return { kind: 'statement', actions: ['update', 'delete', 'create'], from, isMany: false }
  if (UNNEEDED.test(words.join(' ')))
    return { kind: 'statement', actions: ['delete', 'update'], from, isMany: false }
  const question: Intent = { kind: 'question', actions: ['list', 'get'], from, isMany: false }
  if (QUESTIONS.has(first))
    return { ...question, isMany: ASK_FOR_SEVERAL.has(first) || HAPPENINGS.has(second) }
  // "tell me which", "give me a list", but not "get me out of it".
  if (TELL_ME.has(first) && (second === 'me' || second === 'us') && !isParticleNear(asked))
    return { ...question, from: from + 2 }
  if (isNounOrParticiple(first) || isAboutState(asked)) return question
  if (first === 'let') return { kind: 'order', actions: ['create', 'update'], from, isMany: false }
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

// "refund status", although "refund" is a verb.
function isAboutState(words: readonly string[]): boolean {
  const [first = '', ...rest] = words
  return (
    STATES.has(rest.at(-1) ?? '') && !isGenericVerb(first) && !words.some((word) => isFiller(word))
  )
}

// "replies in a thread", "saved cards": what is to be shown, although "reply" and "save" are verbs.
function isNounOrParticiple(word: string): boolean {
  if (isFiller(word) || actionsOf(word).length > 0) return false
  const stem = stemOf(word)
  const isParticiple = word.endsWith('ed') && [stem, `${stem}e`].map(actionsOf).some(isSome)
  return isParticiple || (toSingular(word) !== word && !/(?:us|is)$/.test(word))
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
  // "make it private" changes what is there, "make a copy" does not.
  if (word === 'make' && !MADE.has(words[at + 1] ?? '')) return ['create', 'update']
  const own = [word, stem, toSingular(word), `${stem}e`].map(actionsOf).find(isSome)
  // "the open pull requests", "a new text": no verbs.
  if (own !== undefined && !isDeterminer(words[at - 1] ?? '')) return own
  return at === 0 ? meantActions(meaningsOf([word])) : []
}

export function isDeterminer(word: string): boolean {
  return ARTICLES.has(word) || word === 'of'
}

function meantActions(meanings: Meanings): readonly Action[] {
  const verbs = meanings.flatMap(([meant = '']) => (isThing(meant) ? [] : [meant, `${meant}e`]))
  return [...new Set(verbs.flatMap(actionsOf))]
}

export function isFiller(word: string): boolean {
  return STOP_WORDS.has(word) || FILLERS.has(word)
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/))
}

const QUESTIONS = wordSet(
  'which what whats who whos where when why how did does do is are was were any has have',
)
const ASK_FOR_SEVERAL = wordSet('which who whos')
const STATES = wordSet('status state history details count info')
const HAPPENINGS = wordSet('many happened happens went goes')
const UNNEEDED = /\b(?:no longer|not|dont) (?:need|use|want)\b/
const NEGATIONS = wordSet('dont nobody noone never no')
const MADE = wordSet('a an new some another me us one two three')
export const QUANTIFIERS = wordSet('any every all each')
const TELL_ME = wordSet('tell show give get send list fetch let')
const TELLERS = wordSet('i we he she they it there nobody someone everyone')
const WISHES = wordSet('want need would like d must have should')
export const FIRST_PERSON = wordSet('my mine me i')
const POLITE = wordSet(
  `please can could would you i we want need to like id lets us kindly hey hi help me just now
  go ahead and`,
)
const LEADS = wordSet('a an the my me this on to all some')
export const REASONS = wordSet('saying because so since whose')
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

const PARTICLES = new Set('out off back up down away know inside'.split(' '))
/** Particles only at the end of a clause: "let Maria in", but not "let the bot deploy in prod". */
const PREPOSITIONS = new Set('in on over into'.split(' '))
/** How far from its verb a particle may stand: "throw the people of that team out". */
const REACH = 7
/** How many words may stand between a verb and its object: "revoke Jonas's old access". */
const GAP = 3

type Phrase = { readonly phrase: readonly string[]; readonly meanings: Meanings }

/** Phrases that begin here: neighbouring words, and a verb with its particle further on. */
export function phrasesAt(words: readonly string[], at: number): readonly Phrase[] {
  const first = words[at] ?? ''
  const isLeadingVerb =
    actionsOf(first).length > 0 && words.slice(0, at).every((word) => POLITE.has(word))
  const close = neighbours(words.slice(at))
  const rest = words.slice(at + 1).filter((word) => !ARTICLES.has(word))
  const bare = ARTICLES.has(first) ? [] : neighbours([first, ...rest])
  const apart = words
    .slice(at + 2, at + 1 + REACH)
    .filter((word, index) =>
      PREPOSITIONS.has(word)
        ? at + 3 + index === words.length
        : PARTICLES.has(word) || (isLeadingVerb && index < GAP && !isFiller(word)),
    )
    .map((particle) => [first, particle])
  return [...close, ...bare, ...apart].flatMap((phrase) => {
    const meanings = phrase.length > 1 ? meaningsOf(phrase) : []
    return meanings.length === 0 ? [] : [{ phrase, meanings }]
  })
}

function neighbours(words: readonly string[]): readonly (readonly string[])[] {
  return Array.from({ length: LONGEST_PHRASE - 1 }, (_, less) =>
    words.slice(0, LONGEST_PHRASE - less),
  )
}
