import type { IndexedText, TextIndex } from '@surehand/core/ports'
import { analyzeTool, type IndexedTool } from './analyze-tool.ts'
import { type Found, type MeaningOptions, rankByMeaning } from './rank-by-meaning.ts'
import { STOP_WORDS, splitWords, toSingular } from './text-index.ts'
import { type Action, actionsOf, isGenericVerb, synonymsOf } from './tool-words.ts'

const SYNONYM = 0.7
const STEM = 0.95
const PREFIX = 0.6
const FUZZY = 0.45
// A verb is told by what a tool does; its own letters say little more.
const VERB = 0.35
// Above 1: a tool that lacks a word of the request loses more than its share.
const COVERAGE = 1.4
// "delete a Slack message" names whose tools are meant.
const NAMED_NAMESPACE = 1.3
const SEARCHES = 1.2
const MAX_QUERY_CHARACTERS = 1_000
const MAX_QUERY_WORDS = 24

/** A word of a request with everything that may stand for it. */
type Concept = { readonly forms: ReadonlyMap<string, number>; readonly isVerb: boolean }

/**
 * An index that finds a tool among thousands by what it does. Beside the words it compares the
 * action (create, list, get, update, delete) and how much of the tool's name was asked for, and with
 * `embeddings` the meaning.
 */
export function toolIndex({ embeddings, waitMs }: MeaningOptions = {}): TextIndex {
  const tools = new Map<string, IndexedTool>()
  const pending = new Map<string, IndexedText>()
  const holders = new Map<string, Set<string>>()
  const rarities = new Map<string, number>()

  function drop(id: string): void {
    rarities.clear()
    for (const word of tools.get(id)?.words.keys() ?? []) holders.get(word)?.delete(id)
    tools.delete(id)
  }

  function update(): void {
    for (const [id, text] of pending) {
      drop(id)
      const tool = analyzeTool(text)
      tools.set(id, tool)
      for (const word of tool.words.keys()) {
        const known = holders.get(word)
        if (known === undefined) holders.set(word, new Set([id]))
        else known.add(id)
      }
    }
    pending.clear()
  }

  function rarity(word: string): number {
    const known = rarities.get(word)
    if (known !== undefined) return known
    const fresh = Math.log(1 + tools.size / (1 + (holders.get(word)?.size ?? 0)))
    rarities.set(word, fresh)
    return fresh
  }

  function searchWords(query: string): readonly Found[] {
    if (pending.size > 0) update()
    const request = readRequest(query, holders)
    const weights = request.concepts.map((concept) => weighConcept(concept, rarity))
    const candidates = new Set(
      request.concepts.flatMap(({ forms, isVerb }) =>
        isVerb && request.concepts.length > 1
          ? []
          : [...forms.keys()].flatMap((word) => [...(holders.get(word) ?? [])]),
      ),
    )
    return [...candidates]
      .map((id) => {
        const tool = tools.get(id)
        const score = tool === undefined ? 0 : scoreTool(tool, request, { weights, rarity })
        return { id, score }
      })
      .filter(({ score }) => score > 0)
      .sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
  }

  const words = {
    put: (text: IndexedText) => void pending.set(text.id, text),
    remove(id: string) {
      pending.delete(id)
      drop(id)
    },
    search: searchWords,
  }
  return embeddings === undefined
    ? words
    : rankByMeaning(words, {
        embeddings,
        ...(waitMs !== undefined && { waitMs }),
        count: () => tools.size,
        briefOf: (id) => tools.get(id)?.brief ?? id,
      })
}

type Request = {
  readonly concepts: readonly Concept[]
  readonly actions: readonly Action[]
  readonly isPlural: boolean
  readonly written: ReadonlySet<string>
  /** "find customers by email": a tool that searches is meant. */
  readonly isSearch: boolean
}
type Weighing = {
  readonly weights: readonly number[]
  readonly rarity: (word: string) => number
}

function weighConcept({ forms, isVerb }: Concept, rarity: (word: string) => number): number {
  const [word = ''] = forms.keys()
  return rarity(word) * (isVerb ? VERB : 1)
}

function scoreTool(tool: IndexedTool, request: Request, { weights, rarity }: Weighing): number {
  let found = 0
  let whole = 0
  const asked = new Set<string>()
  for (const [index, { forms }] of request.concepts.entries()) {
    const weight = weights[index] ?? 0
    whole += weight
    let best = 0
    for (const [form, value] of forms) {
      const place = tool.words.get(form)
      if (place === undefined) continue
      best = Math.max(best, value * place)
      asked.add(form)
    }
    found += weight * best
  }
  if (found === 0) return 0
  const coverage = found / whole
  return (
    coverage ** COVERAGE *
    precision(tool, asked, rarity) *
    actionFactor(tool, request) *
    (request.written.has(tool.namespace) ? NAMED_NAMESPACE : 1) *
    (request.isSearch && tool.searches ? SEARCHES : 1) *
    tool.prior
  )
}

// "delete a branch" is about branches, not about protections of branches.
function precision(
  { named }: IndexedTool,
  asked: ReadonlySet<string>,
  rarity: (word: string) => number,
): number {
  let whole = 0
  let hit = 0
  for (const [word, share] of named) {
    const weight = rarity(word) * share
    whole += weight
    if (asked.has(word)) hit += weight
  }
  return 0.55 + 0.45 * (whole === 0 ? 0 : hit / whole)
}

function actionFactor({ actions }: IndexedTool, request: Request): number {
  if (request.actions.length === 0)
    return actions.includes(request.isPlural ? 'list' : 'get') ? 1.05 : 1
  const [wanted] = request.actions
  const [does] = actions
  if (does === undefined || wanted === undefined) return 1
  if (does === wanted) return 1.35
  if (request.actions.includes(does)) return 1.15
  return actions.includes(wanted) ? 0.95 : 0.75
}

function readRequest(query: string, holders: ReadonlyMap<string, unknown>): Request {
  const written = splitWords(query.slice(0, MAX_QUERY_CHARACTERS))
  const words = [...new Set(written)].slice(0, MAX_QUERY_WORDS)
  const verbAt = words.findIndex((word) => actionsOf(word).length > 0)
  const significant = words.filter((word) => !STOP_WORDS.has(word) && !FILLERS.has(word))
  const kept = significant.length > 0 ? significant : words
  const verb = words[verbAt]
  const isPlural = kept.some((word) => toSingular(word) !== word)
  const actions = verb === undefined ? guessActions(written) : actionsOf(verb)
  return {
    concepts: kept.map((word) =>
      readConcept(word, { isVerb: word === verb && isGenericVerb(word), holders }),
    ),
    // "read messages" asks for several.
    actions: isPlural && actions.includes('list') ? ['list', ...actions] : actions,
    isPlural,
    written: new Set(written),
    isSearch: verb === 'find' || verb === 'search',
  }
}

// "comment on an issue", "refund a payment": the first word is a verb that makes what it names.
function guessActions([first = '', second = '']: readonly string[]): readonly Action[] {
  const isImperative = !STOP_WORDS.has(first) && !FILLERS.has(first) && LEADS.has(second)
  return isImperative ? ['create', 'update'] : []
}

const LEADS = new Set('a an the my me this on to all some'.split(' '))

const FILLERS = new Set(
  'me do did does i am was were has have had how many much please something there new which what show when where about this these those out up'.split(
    ' ',
  ),
)

function readConcept(
  word: string,
  { isVerb, holders }: { readonly isVerb: boolean; readonly holders: ReadonlyMap<string, unknown> },
): Concept {
  const plain = toSingular(word)
  const forms = new Map([[plain, 1]])
  for (const other of [...synonymsOf(plain), ...synonymsOf(word)])
    for (const part of other.split('-')) if (!forms.has(part)) forms.set(part, SYNONYM)
  for (const stem of listStems(plain)) if (!forms.has(stem)) forms.set(stem, STEM)
  // Guesses only for words that no tool has.
  if (!holders.has(plain))
    for (const known of holders.keys()) {
      const value = guessValue(plain, known)
      if (value > 0 && !forms.has(known)) forms.set(known, value)
    }
  return { forms, isVerb }
}

// "reviewed", "merging" and "recordings" belong to review, merge and record.
function listStems(word: string): readonly string[] {
  const stems = /^(.{3,}?)(?:ing|ed|er|ation|ion|ment|al)$/.exec(word)?.[1]
  const bare = word.replace(/e$/, '')
  const own = [`${bare}ing`, `${bare}ed`, `${bare}er`, `${bare}ion`]
  return stems === undefined ? own : [stems, `${stems}e`, ...own]
}

function guessValue(word: string, known: string): number {
  if (word.length > 2 && known.startsWith(word)) return PREFIX
  const edits = word.length < 8 ? 1 : 2
  if (word.length < 4 || /\d/.test(word) || Math.abs(word.length - known.length) > edits) return 0
  return isWithinEdits(word, known, edits) ? FUZZY : 0
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
