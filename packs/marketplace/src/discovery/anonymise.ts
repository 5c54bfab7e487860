import { isMedicineWord } from '../prescriptions/medicine-words.ts'
import {
  AMBIGUOUS_NAMES,
  COMMON,
  NAMES,
  PLACES,
  SURNAME_FORMS,
  THINGS,
} from './anonymise/given-names.ts'
import { type Removal, removeIds } from './anonymise/remove-ids.ts'

/** Longer texts are cut: what is not looked at must not leave. */
const MAX_LENGTH = 4000

export type Anonymised = {
  readonly text: string
  /** How many pieces were removed, by kind. */
  readonly removed: { readonly contacts: number; readonly names: number }
}

/**
 * Removes names of people, phone numbers, e-mail addresses and ids from a text in English, French,
 * Kinyarwanda or Swahili, and leaves what is needed and where. What was removed is not marked: a mark
 * would be searched for.
 *
 * @example
 * anonymise('I am Claudine, 0788123456, need amoxicillin 500mg near Kimironko').text
 * // 'need amoxicillin 500mg near Kimironko'
 */
export function anonymise(text: string): Anonymised {
  const plain = text
    .slice(0, MAX_LENGTH)
    .replaceAll('\uE000', ' ')
    .normalize('NFKC')
    .replace(/[\u200B-\u200F\u2060\uFEFF]/g, '')
    .replace(/[’‘`´]/g, "'")
  const withoutIds = removeIds(plain)
  const withoutNames = removeNames(withoutIds.text)
  return {
    text: tidy(withoutNames.text),
    removed: { contacts: withoutIds.count, names: withoutNames.count },
  }
}

// Removed pieces leave their punctuation and the words that introduced them.
function tidy(text: string): string {
  return text
    .replace(/\(\s*\)|\[\s*\]|\(\s*(?=$|[,.;])/g, ' ')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s+([,.;:!?])/g, '$1')
    .replace(/([,;:.!?])(?:\s*[,;:.])+/g, '$1')
    .replace(/^[\s,;:.!?/-]+|[\s,;:/-]+$/g, '')
    .trim()
}

const WORD = /[\p{L}][\p{L}'’-]*/gu

// What stands before a name. The words of one language may follow those of another.
const INTRODUCTIONS =
  /(?<![\p{L}])(?:my (?:full )?names? (?:is|are)|name\s*:|names\s*:|i am called|they call me|this is|je m'appelle|je me nomme|mon nom (?:est|c'est)|moi c'est|nom\s*:|nitwa|njye nitwa|amazina yanjye ni|izina ryanjye ni|amazina\s*:|izina\s*:|jina langu ni|naitwa|ninaitwa|jina\s*:|mimi ni|patient(?: name)?\s*:|umurwayi\s*:|mgonjwa\s*:|client(?: name)?\s*:|contact\s*:|attn\s*:?|signed|regards|best regards|cordialement|bien à vous|sincerely|murakoze cyane,|wenu|wako)[\s,:-]*$/iu
const TITLES =
  /(?<![\p{L}])(?:mr|mrs|ms|miss|mister|madam|dr|doctor|docteur|prof|professor|pr|pastor|pasteur|father|père|sister|soeur|sœur|brother|frère|m|mme|mlle|monsieur|madame|mademoiselle|maître|bwana|bi|bibi|mzee|mheshimiwa|ndugu|dada|kaka|mwalimu|daktari|mama|baba|papa|maman|muganga|dogiteri|nyakubahwa|umubyeyi|pasitoro|padiri)\.?\s*$/iu
const RELATIONS =
  /(?<![\p{L}])(?:(?:my|our|his|her) (?:son|daughter|husband|wife|mother|father|mum|mom|dad|brother|sister|friend|baby|child|kid|boss|uncle|aunt|grandmother|grandfather|colleague|neighbou?r|cousin)|(?:mon|ma|notre) (?:fils|fille|mari|femme|épouse|époux|mère|père|frère|soeur|sœur|ami|amie|bébé|enfant|patron|oncle|tante|collègue|voisine?|cousine?)|(?:umuhungu|umukobwa|umugabo|umugore|umwana|umubyeyi|inshuti|murumuna|mukuru|mushiki|musaza) w(?:anjye|acu)|(?:mama|papa|data|mukuru|murumuna|mushiki|nyogokuru|sogokuru)(?: wanjye)?|inshuti yanjye|(?:mtoto|mwana|mume|mke|mama|baba|kaka|dada|rafiki|bibi|babu|jirani|binti) (?:wangu|yangu|wetu|yetu))(?:,| called| named| appelée?| nommée?| witwa| anaitwa| aitwaye)?\s*$/iu
const REQUESTS =
  /(?<![\p{L}])(?:ask for|call|contact|speak to|talk to|reach|delivered? to|send (?:it )?to|on behalf of|prescribed by|written by|prescribed to|referred by|demandez(?: à)?|appelez|contactez|de la part de|prescrit par|livrer à|envoyer à|muhamagare|mubaze|ubaze|uhamagare|yandikiwe na|byanditswe na|muulize|mpigie|wasiliana na|imeandikwa na|called|named|appelée?|nommée?|witwa|anaitwa|aitwaye)\s*$/iu
const SELF =
  /(?<![\p{L}])(?:i am|i'm|im|je suis|c'est|ici|ndi|mimi|it's|its|it is|from|de|by|par|pour|for|kwa|wa|na)\s*$/iu
const AFTER = /^\s+(?:here|speaking|ici présente?|hano|hapa)(?![\p{L}])/iu
const PLACE_BEFORE =
  /(?<![\p{L}])(?:near|at|in|around|behind|opposite|next to|close to|between|towards|près de|pres de|à|chez|dans|vers|derrière|en face de|à côté de|hafi ya|hafi y|ku|mu|i|kuri|ahateganye na|inyuma ya|karibu na|katika|mjini|nyuma ya|kando ya|jirani na)\s*(?:the |la |le |l'|y')?$/iu

type Token = {
  readonly word: string
  readonly key: string
  readonly index: number
  readonly end: number
}
type Verdict = 'name' | 'likely' | 'unknown' | 'other'

/** Removes names of people: introduced ones, known ones, and what stands beside them. */
function removeNames(text: string): Removal {
  const tokens = [...text.matchAll(WORD)].map(
    ({ 0: word, index }): Token => ({ word, key: foldWord(word), index, end: index + word.length }),
  )
  const marked = new Set<number>()
  tokens.forEach((token, at) => {
    if (marked.has(at)) return
    const verdict = judge(token)
    if (verdict === 'other') return
    const cue = findCue(text, token, tokens[at - 1])
    if (!isName(token, verdict, cue) && !isFullName(tokens, at, text)) return
    markRun(tokens, at, text, marked)
    if (cue !== 'place' && beginsName(tokens, at, text)) marked.add(at - 1)
  })
  return { text: cutOut(text, tokens, marked), count: marked.size }
}

type Cue = 'strong' | 'weak' | 'place' | 'none'

function findCue(text: string, token: Token, previous: Token | undefined): Cue {
  const before = text.slice(Math.max(0, token.index - 48), token.index)
  if (PLACE_BEFORE.test(before)) return 'place'
  if ([INTRODUCTIONS, TITLES, RELATIONS, REQUESTS].some((cue) => cue.test(before))) return 'strong'
  if (AFTER.test(text.slice(token.end))) return 'strong'
  return previous !== undefined && SELF.test(before) ? 'weak' : 'none'
}

function isName(token: Token, verdict: Verdict, cue: Cue): boolean {
  switch (cue) {
    case 'strong':
      return verdict !== 'other'
    case 'weak':
      return (
        verdict === 'name' || verdict === 'likely' || (verdict === 'unknown' && isCapital(token))
      )
    case 'place':
      return verdict === 'name'
    case 'none':
      return verdict === 'name'
  }
}

// Two capitalized words that no list knows are a name more often than a thing; "Kigali Heights" and
// "Samsung Galaxy" begin with a word that a list knows.
function isFullName(tokens: readonly Token[], at: number, text: string): boolean {
  const [first, second] = [tokens[at], tokens[at + 1]]
  if (first === undefined || second === undefined || !isAdjacent(first, second, text)) return false
  const before = text.slice(Math.max(0, first.index - 48), first.index)
  const previous = tokens[at - 1]
  const followsThing =
    previous !== undefined && isAdjacent(previous, first, text) && THINGS.has(previous.key)
  if (PLACE_BEFORE.test(before) || followsThing) return false
  const verdicts = [judge(first), judge(second)]
  const isCapitalized = isCapital(first) && isCapital(second)
  if (verdicts.every((verdict) => verdict === 'likely')) return true
  return isCapitalized && verdicts.every((verdict) => verdict === 'unknown' || verdict === 'likely')
}

// A name goes on with the names, initials and capitalized unknown words that follow it.
function markRun(tokens: readonly Token[], start: number, text: string, marked: Set<number>): void {
  marked.add(start)
  const isWrittenSmall = !/\p{Lu}/u.test(text)
  for (let at = start + 1; at < tokens.length && at <= start + 4; at++) {
    const [previous, token] = [tokens[at - 1], tokens[at]]
    if (previous === undefined || token === undefined || !isAdjacent(previous, token, text)) return
    const verdict = judge(token)
    const goesOn =
      (isWrittenSmall && verdict === 'unknown' && endsName(tokens[at + 1], token, text)) ||
      verdict === 'name' ||
      verdict === 'likely' ||
      (verdict === 'unknown' && isCapital(token)) ||
      /^\p{Lu}$/u.test(token.word) ||
      isParticle(token, tokens[at + 1])
    if (!goesOn) return
    marked.add(at)
  }
}

// "Anna van der Berg", "Ali bin Said": what follows decides.
function isParticle({ key }: Token, next: Token | undefined): boolean {
  const isOne = /^(?:van|von|der|den|de|da|dos|del|di|bin|binti|ben|al|el|ole|arap|wa)$/.test(key)
  return isOne && next !== undefined && (isCapital(next) || /^(?:der|den|la)$/.test(next.key))
}

// An unknown word before a known name belongs to it: "MASSAWE Collins", "ndi massawe collins".
function beginsName(tokens: readonly Token[], at: number, text: string): boolean {
  const [previous, token] = [tokens[at - 1], tokens[at]]
  if (previous === undefined || token === undefined || !isAdjacent(previous, token, text))
    return false
  const verdict = judge(previous)
  if (verdict !== 'unknown' && verdict !== 'likely') return false
  const before = text.slice(Math.max(0, previous.index - 48), previous.index)
  if (isCapital(previous)) return !PLACE_BEFORE.test(before)
  return !/\p{Lu}/u.test(text) && (/(?:^|[.,:;]\s*)$/.test(before) || SELF.test(before))
}

// In a text without capital letters, an unknown word behind a name belongs to it if the sentence then
// goes on with a usual word or ends: "my mother mukamana collins needs insulin".
function endsName(next: Token | undefined, token: Token, text: string): boolean {
  if (next === undefined) return true
  return COMMON.has(next.key) || /^\s*[,.;:\d+(]/.test(text.slice(token.end))
}

function judge({ key, word }: Token): Verdict {
  if (PLACES.has(key) || THINGS.has(key) || COMMON.has(key) || isMedicineWord(key)) return 'other'
  if (NAMES.has(key)) return 'name'
  if (key.includes('-') && key.split('-').some((part) => NAMES.has(part))) return 'name'
  if (key.length >= 6 && SURNAME_FORMS.some((form) => form.test(key))) return 'name'
  if (AMBIGUOUS_NAMES.has(key)) return 'likely'
  return word.length >= 3 ? 'unknown' : 'other'
}

function isAdjacent(one: Token, other: Token, text: string): boolean {
  const between = text.slice(one.end, other.index)
  // "J. Claude": a full stop ends a sentence unless it follows an initial or a title.
  return between === ' ' || (/^\. ?$/.test(between) && one.word.length <= 3)
}

function isCapital({ word }: Token): boolean {
  return /^\p{Lu}\p{L}/u.test(word)
}

function foldWord(word: string): string {
  return word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/'s?$/, '')
}

const LEFT_OVER =
  /(?<![\p{L}])(?:hello,? |hi,? |bonjour,? |muraho,? |habari,? )?(?:my (?:full )?names? (?:is|are)|names?\s*:|i am called|they call me|this is|i am|i'm|je m'appelle|je me nomme|mon nom (?:est|c'est)|je suis|moi c'est|nom\s*:|nitwa|njye nitwa|(?:amazina yanjye|izina ryanjye) ni|ndi|(?:amazina|izina)\s*:|jina langu ni|naitwa|ninaitwa|mimi ni|mimi|jina\s*:|(?:patient|client|umurwayi|mgonjwa)(?: name)?\s*:|(?:best )?regards|cordialement|sincerely|called|named|appelée?|nommée?|witwa|anaitwa|aitwaye)[\s,:-]*\uE000+/giu

function cutOut(text: string, tokens: readonly Token[], marked: ReadonlySet<number>): string {
  let left = ''
  let from = 0
  for (const [at, token] of tokens.entries()) {
    if (!marked.has(at)) continue
    left += `${text.slice(from, token.index)}\uE000`
    from = token.end
  }
  left += text.slice(from)
  return left
    .replace(/\uE000(?:[\s.]*\uE000)+/g, '\uE000')
    .replace(LEFT_OVER, ' ')
    .replace(/(?<![\p{L}])(?:mr|mrs|ms|dr|mme|mlle|prof)\.?\s*\uE000/giu, ' ')
    .replaceAll('\uE000', ' ')
}
