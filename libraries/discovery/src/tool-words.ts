import { once } from '@surehand/core/internal'
import { EVERYDAY_WORDS } from './everyday-words.ts'
import { toSingular } from './text-index.ts'

/**
 * What a tool does with its object. Requests and tools use different verbs for the same thing: "open
 * a pull request" is `pulls/create`, "close an issue" is an update of its state.
 */
export type Action = 'create' | 'list' | 'get' | 'update' | 'delete'

// A verb may stand for several actions: the first is the most likely one.
const GENERIC: Readonly<Record<string, readonly Action[]>> = {
  ...verbs('create new make add start open begin register need set-up', ['create']),
  ...verbs('send post write put give', ['create', 'update']),
  ...verbs('list browse which', ['list', 'get']),
  ...verbs('show display see view what who find search', ['list', 'get']),
  ...verbs('get fetch read retrieve describe look lookup is', ['get', 'list']),
  ...verbs('update edit change modify', ['update']),
  ...verbs('set', ['update', 'create']),
  ...verbs('delete remove', ['delete']),
}
// These also say much about the object, so their letters count in full.
const SPECIFIC: Readonly<Record<string, readonly Action[]>> = {
  ...verbs('draft generate insert compose attach file launch trigger dispatch run raise', [
    'create',
  ]),
  ...verbs('provision buy purchase submit publish upload invite book order ask request', [
    'create',
  ]),
  ...verbs('tell say announce message text call ring phone record tape rerun retry redo kick', [
    'create',
  ]),
  ...verbs('join follow subscribe grant allow apply dial bring share store save keep bind warn', [
    'create',
    'update',
  ]),
  ...verbs('schedule charge refund pay star pin react remind transfer withdraw deploy bill', [
    'create',
    'update',
  ]),
  ...verbs('block protect ban restrict copy fork clone reply comment answer notify', [
    'create',
    'update',
  ]),
  ...verbs('download inspect check count export compare verify track', ['get', 'list']),
  ...verbs('rename replace patch move adjust upgrade downgrade assign enable disable turn', [
    'update',
  ]),
  ...verbs('restart resume pause suspend stop end finish void archive extend renew finalize', [
    'update',
  ]),
  ...verbs('close reopen resolve lock unlock mark mute unmute hang scale cordon roll bump', [
    'update',
  ]),
  ...verbs('correct fix amend revise tweak alter switch swap increase decrease reduce squash', [
    'update',
  ]),
  ...verbs('approve reject accept capture confirm', ['create', 'update']),
  ...verbs('merge dismiss', ['update', 'create']),
  ...verbs('leave unpin unstar unfollow unsubscribe unblock clear purge terminate kill', [
    'delete',
  ]),
  ...verbs('drop destroy erase wipe revoke release unassign detach forget trash scrap evict', [
    'delete',
  ]),
  ...verbs('cancel', ['delete', 'update', 'create']),
  ...verbs('forward redirect point double triple halve lower demote promote hide', ['update']),
  ...verbs('stop end close shut quit undo', ['update', 'delete']),
  ...verbs('take throw', ['delete', 'update']),
  ...verbs('expose route limit cap require prevent forbid connect let label tag', [
    'create',
    'update',
  ]),
  ...verbs('prepare build log report inform contact arrange organize organise establish enter', [
    'create',
  ]),
  ...verbs('reserve enrol enroll install duplicate execute ship introduce produce', ['create']),
  ...verbs('reset rotate refresh reschedule postpone shorten resize grow shrink expand', [
    'update',
  ]),
  ...verbs('reassign activate deactivate freeze unfreeze configure complete restore convert', [
    'update',
  ]),
  ...verbs('snooze silence drain uncordon unarchive reactivate rebase dequeue settle waive', [
    'update',
    'create',
  ]),
  ...verbs('authorize authorise reimburse enqueue onboard welcome', ['create', 'update']),
  ...verbs('discard dump expel disconnect unlink abolish', ['delete']),
  ...verbs('raise', ['update', 'create']),
  ...verbs('empty', ['delete']),
}

function verbs(words: string, actions: readonly Action[]): Record<string, readonly Action[]> {
  return Object.fromEntries(words.split(' ').map((word) => [word, actions]))
}

const NO_ACTIONS: readonly Action[] = []

/** The actions that a verb may mean; none for other words. */
export function actionsOf(word: string): readonly Action[] {
  if (isGenericVerb(word)) return GENERIC[word] ?? NO_ACTIONS
  return Object.hasOwn(SPECIFIC, word) ? (SPECIFIC[word] ?? NO_ACTIONS) : NO_ACTIONS
}

/** Whether a verb says only what is done, whatever the object. */
export function isGenericVerb(word: string): boolean {
  return Object.hasOwn(GENERIC, word)
}

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `sent send, made make, bought buy, paid pay, ran run, took take, taken take, gave give, given give,
  wrote write, written write, got get, told tell, found find, kept keep, held hold, built build,
  spent spend, broke break, broken break, brought bring, chosen choose, hung hang, people person,
  indices index, statuses status, aliases alias, branches branch, searches search, classes class,
  ingresses ingress, addresses address, fixes fix, batches batch, switches switch, patches patch,
  boxes box, status status, dns dns, sms sms, mms mms`
    .split(/,\s+/)
    .map((pair): [string, string] => {
      const [form = '', word = ''] = pair.split(' ')
      return [form, word]
    }),
)
// Words that only look like forms of others.
const OWN_WORDS = new Set('setting settings billing string namespaced following'.split(' '))

/** The form that "merge", "merged", "merging" and "merges" share. */
export function stemOf(word: string): string {
  const irregular = IRREGULAR.get(word)
  const single = irregular ?? toSingular(word)
  if (irregular !== undefined || OWN_WORDS.has(word)) return trimEnd(single)
  const rest = /^(.{3,})(?:ing|ed)$/.exec(single)?.[1]
  if (rest === undefined || !/[aeiouy]/.test(rest) || rest.endsWith('e')) return trimEnd(single)
  return trimEnd(/([bdgmnprt])\1$/.test(rest) ? rest.slice(0, -1) : rest)
}

function trimEnd(word: string): string {
  return word.length > 3 && word.endsWith('e') ? word.slice(0, -1) : word
}

// Verbs in requests, but things in the names of tools.
const THINGS = new Set(
  'call message text record phone star pin comment review order book file check count bill charge'
    .split(' ')
    .flatMap((word) => [word, stemOf(word)]),
)

/** Whether a word, which may be a verb in a request, names a thing in a tool. */
export function isThing(word: string): boolean {
  return THINGS.has(word)
}

/** What an entry of the vocabulary stands for, each a word or several that belong together. */
export type Meanings = readonly (readonly string[])[]

/** Phrases are found with and without these: "end the call", "end his call". */
/** Words that phrases are compared without: they stand in any request. */
export function isNoise(word: string): boolean {
  return ARTICLES.has(word) || NOISE.has(word)
}
const NOISE = new Set(
  `please i we you it its is are be was were that this so to for of and with our us can could would
  like want need have has been will should just now right thats im id am do does did let lets`.split(
    /\s+/,
  ),
)
export const ARTICLES = new Set(
  'a an the my our your his her their its this that these those some any'.split(' '),
)
const vocabulary = once(readVocabulary)
/** The most words of a phrase of the vocabulary. */
export const LONGEST_PHRASE = 4

// By its very words first ("planned" is not "plan"), then by their stems, as the first entry has it.
function readVocabulary(): ReadonlyMap<string, Meanings> {
  const found = new Map<string, Meanings>()
  for (const entry of EVERYDAY_WORDS.split(/[;\n]/)) {
    const [said = '', meant = ''] = entry.split(':')
    if (meant === '') continue
    const words = said.trim().split(/[ -]/)
    const meanings = meant.trim().split(' ')
    const stems = meanings.map((one) => one.split('-').map(stemOf))
    found.set(words.join(' '), stems)
    if (isParticiple(words)) continue
    const bare = words.filter((word) => !ARTICLES.has(word))
    const keys = (bare.length > 1 ? [words, bare] : [words]).map(stemKey)
    for (const key of keys) if (!found.has(key)) found.set(key, stems)
  }
  return found
}

// "saved" are the cards on file; "save" is something else.
function isParticiple([word = '', ...rest]: readonly string[]): boolean {
  return rest.length === 0 && word.endsWith('ed') && actionsOf(word.slice(0, -1)).length > 0
}

// Not to be mistaken for a word: stems of some words are others.
function stemKey(words: readonly string[]): string {
  // "written in" is not "write in".
  const toStem = (word: string): string =>
    words.length > 1 && IRREGULAR.has(word) ? word : stemOf(word)
  return `~${words.map(toStem).join(' ')}`
}

const NO_MEANINGS: Meanings = []

/** What tools call a word or phrase of a request. */
export function meaningsOf(words: readonly string[]): Meanings {
  const known = vocabulary()
  return known.get(words.join(' ')) ?? known.get(stemKey(words)) ?? NO_MEANINGS
}
