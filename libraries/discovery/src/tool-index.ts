import type { IndexedText, TextIndex } from '@surehand/core/ports'
import { analyzeTool, type IndexedTool } from './analyze-tool.ts'
import { type Found, type MeaningOptions, rankByMeaning } from './rank-by-meaning.ts'
import { type Concept, type Form, type Request, readRequest } from './read-request.ts'
import { createToolPostings, findPlace, POSTING, type ToolPostings } from './tool-postings.ts'

/** How much it counts that a tool's name says no more than was asked for. */
const PRECISION = 0.65
const NAME_HIT = 1.4
/** How much it counts whose tools the words of a request belong to. */
const AFFINITY = 0.3
/** A namespace of few tools is not taken to be meant because one of them has a word. */
const SMALL_NAMESPACE = 20
/** "delete a Slack message" names whose tools are meant. */
const NAMED_NAMESPACE = 1.3
/** The first noun, or the verb, is what the tool's path is about. */
const HEADED = 1.25
/** How much less each further tool of a namespace counts, the first five. */
const SAME_NAMESPACE = 0.95
const MOST_OF_ONE = 5
/** So many tools are ordered anew by that. */
const SPREAD = 100
const SEARCHES = 1.2
const DOES_NOT_SEARCH = 0.75
const UNASKED_VARIANT = 0.65
const DEPRECATED = 0.85
const ACTIONS = { same: 1.5, asked: 1.15, able: 0.95, other: 0.75, guessed: 1.05 } as const

/**
 * An index that finds a tool among thousands by what it does. Beside the words it compares the
 * action (create, list, get, update, delete) and how much of the tool's name was asked for, and with
 * `embeddings` the meaning.
 */
export function toolIndex({ embeddings, ...options }: MeaningOptions = {}): TextIndex {
  const tools = createToolPostings()
  const pending = new Map<string, IndexedText>()

  /** Indexes what was added, until the time is up; whether everything is indexed. */
  function update(mostMs = Number.POSITIVE_INFINITY): boolean {
    const start = performance.now()
    for (const [id, text] of pending) {
      if (performance.now() - start > mostMs) return false
      pending.delete(id)
      const { tool, words } = analyzeTool(text)
      tools.put(tool, words)
    }
    return true
  }

  const words = {
    put: (text: IndexedText) => void pending.set(text.id, text),
    remove(id: string) {
      pending.delete(id)
      tools.remove(id)
    },
    search(query: string): readonly Found[] {
      update()
      return rankTools(query, tools)
    },
  }
  return embeddings === undefined
    ? words
    : rankByMeaning(words, { embeddings, ...options, update, briefs: tools.briefs })
}

/** What the words of a request add up to. The arrays are by slot. */
type Tally = {
  readonly found: Float64Array
  readonly named: Float64Array
  readonly headed: Uint8Array
  readonly affinity: Map<string, number>
}

/** Tools that have words of a request, best first. */
function rankTools(query: string, tools: ToolPostings): readonly Found[] {
  const request = readRequest(query, tools.words)
  const slots = tools.slots()
  const tally = tallyConcepts(request.concepts, tools)
  const whole = tools.nameWeights()
  const most = Math.max(Number.MIN_VALUE, ...tally.affinity.values())
  const results: Ranked[] = []
  for (const [slot, tool] of slots.entries()) {
    const found = tally.found[slot] ?? 0
    if (tool === undefined || found === 0) continue
    const asked = Math.min(1, (tally.named[slot] ?? 0) / Math.max(whole[slot] ?? 0, 1e-9))
    const belongs = (tally.affinity.get(tool.namespace) ?? 0) / most
    const score =
      found *
      (1 - PRECISION + PRECISION * asked) *
      (1 - AFFINITY + AFFINITY * belongs) *
      (tally.headed[slot] === 1 ? HEADED : 1) *
      requestFactor(tool, request)
    results.push({ id: tool.id, namespace: tool.namespace, score })
  }
  return spreadNamespaces(results.sort(compareFound))
}

type Ranked = Found & { readonly namespace: string }

function compareFound(left: Found, right: Found): number {
  return right.score - left.score || (left.id < right.id ? -1 : 1)
}

/**
 * "Save the password as a secret" does not say whose secrets: after one service's best tools, the
 * best of another comes before its fifth.
 */
function spreadNamespaces(results: readonly Ranked[]): readonly Found[] {
  const counts = new Map<string, number>()
  const first = results.slice(0, SPREAD).map(({ id, namespace, score }) => {
    const before = counts.get(namespace) ?? 0
    counts.set(namespace, before + 1)
    return { id, score: score * SAME_NAMESPACE ** Math.min(before, MOST_OF_ONE) }
  })
  const rest = results.slice(SPREAD).map(({ id, score }) => ({
    id,
    score: score * SAME_NAMESPACE ** MOST_OF_ONE,
  }))
  return [...first.sort(compareFound), ...rest]
}

function tallyConcepts(concepts: readonly Concept[], tools: ToolPostings): Tally {
  const slots = tools.slots()
  const tally: Tally = {
    found: new Float64Array(slots.length),
    named: new Float64Array(slots.length),
    headed: new Uint8Array(slots.length),
    affinity: new Map(),
  }
  const best = new Float64Array(slots.length)
  const asked = new Set<string>()
  for (const { forms, weight, isObject = false } of concepts) {
    const touched: number[] = []
    for (const form of forms) {
      markHolders(form, { best, touched, tools })
      for (const word of form.words) {
        if (asked.has(word)) continue
        asked.add(word)
        tallyName(word, Math.min(1, form.value * weight * NAME_HIT), { tally, tools })
      }
    }
    const words = new Set(forms.flatMap((form) => form.words))
    const rates = new Map<string, number>()
    for (const slot of touched) {
      const value = weight * (best[slot] ?? 0)
      best[slot] = 0
      tally.found[slot] = (tally.found[slot] ?? 0) + value
      if (isObject && isHeaded(slots[slot], words)) tally.headed[slot] = 1
      const namespace = slots[slot]?.namespace ?? ''
      rates.set(namespace, (rates.get(namespace) ?? 0) + value)
    }
    tallyAffinity(rates, weight, { tally, tools })
  }
  return tally
}

function isHeaded(tool: IndexedTool | undefined, words: ReadonlySet<string>): boolean {
  for (const word of tool?.head ?? []) if (words.has(word)) return true
  return false
}

/** Notes for every tool with all words of a form what it is worth, where no other form is more. */
function markHolders(
  { words, value }: Form,
  {
    best,
    touched,
    tools,
  }: { readonly best: Float64Array; readonly touched: number[]; readonly tools: ToolPostings },
): void {
  const [first, ...rest] = words.map((word) => tools.words.get(word) ?? [])
  const list = first ?? []
  const worth = value * Math.max(...words.map(tools.rarityOf))
  const slots = tools.slots()
  for (let at = 0; at < list.length; at += POSTING) {
    const slot = list[at] ?? 0
    if (slots[slot] === undefined) continue
    let place = list[at + 1] ?? 0
    for (const other of rest) place = Math.min(place, findPlace(other, slot))
    if (place === 0) continue
    if (best[slot] === 0) touched.push(slot)
    best[slot] = Math.max(best[slot] ?? 0, worth * place)
  }
}

type Tallying = { readonly tally: Tally; readonly tools: ToolPostings }

// "delete a branch" is about branches, not about protections of branches.
function tallyName(word: string, value: number, { tally, tools }: Tallying): void {
  const list = tools.words.get(word) ?? []
  const weight = tools.rarityOf(word) * value
  for (let at = 0; at < list.length; at += POSTING) {
    const slot = list[at] ?? 0
    const share = list[at + 2] ?? 0
    if (share > 0) tally.named[slot] = (tally.named[slot] ?? 0) + share * weight
  }
}

// "pod" and "cluster" speak of Kubernetes, and so of its services, not of another's.
function tallyAffinity(
  rates: ReadonlyMap<string, number>,
  weight: number,
  { tally: { affinity }, tools }: Tallying,
): void {
  const shares = [...rates].map(
    ([namespace, sum]) => [namespace, sum / (tools.sizeOf(namespace) + SMALL_NAMESPACE)] as const,
  )
  const whole = shares.reduce((sum, [, share]) => sum + share, 0)
  for (const [namespace, share] of shares)
    affinity.set(namespace, (affinity.get(namespace) ?? 0) + (weight * share) / whole)
}

function requestFactor(tool: IndexedTool, request: Request): number {
  const { searches, namespace, variants, isDeprecated } = tool
  const { written, isSearch } = request
  const isUnasked = variants.length > 0 && !variants.some((word) => isAskedFor(word, written))
  return (
    actionFactor(tool, request) *
    (searches ? (isSearch ? SEARCHES : DOES_NOT_SEARCH) : 1) *
    (written.has(namespace) ? NAMED_NAMESPACE : 1) *
    (isUnasked ? UNASKED_VARIANT : 1) *
    (isDeprecated ? DEPRECATED : 1)
  )
}

// "all" is said of most lists; only these words mean a list over all places.
const EVERYWHERE = ['everywhere', 'across', 'overall']

function isAskedFor(variant: string, written: ReadonlySet<string>): boolean {
  return variant === 'all' ? EVERYWHERE.some((word) => written.has(word)) : written.has(variant)
}

function actionFactor({ actions }: IndexedTool, request: Request): number {
  if (request.actions.length === 0)
    return actions.includes(request.isPlural ? 'list' : 'get') ? ACTIONS.guessed : 1
  const [wanted] = request.actions
  const [does] = actions
  if (does === undefined || wanted === undefined) return 1
  if (does === wanted) return ACTIONS.same
  if (request.actions.includes(does)) return ACTIONS.asked
  return actions.includes(wanted) ? ACTIONS.able : ACTIONS.other
}
