import type { IndexedTool } from './analyze-tool.ts'
import type { Found } from './rank-by-meaning.ts'
import type { Candidate } from './rank-features.ts'
import type { Concept, Form, Request } from './read-request.ts'
import { findPlace, POSTING, type ToolPostings } from './tool-postings.ts'

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
const SEARCHES = 1.2
const DOES_NOT_SEARCH = 0.75
const UNASKED_VARIANT = 0.65
const DEPRECATED = 0.85
const ACTIONS = { same: 1.5, asked: 1.15, able: 0.95, other: 0.75, guessed: 1.05 } as const

/** What the words of a request add up to. The arrays are by slot. */
type Tally = {
  readonly found: Float64Array
  readonly named: Float64Array
  readonly headed: Uint8Array
  readonly affinity: Map<string, number>
}

export type ChosenTools = {
  readonly candidates: readonly Candidate[]
  /** The tools after them, in their order. */
  readonly rest: readonly Found[]
}

/** Tools that have words of a request, best first by factors that were set by hand. */
export function chooseCandidates(request: Request, tools: ToolPostings, most: number): ChosenTools {
  const slots = tools.slots()
  const tally = tallyConcepts(request.concepts, tools)
  const whole = tools.nameWeights()
  const largest = Math.max(Number.MIN_VALUE, ...tally.affinity.values())
  const readFacts = (slot: number, tool: IndexedTool): Facts => ({
    found: tally.found[slot] ?? 0,
    asked: Math.min(1, (tally.named[slot] ?? 0) / Math.max(whole[slot] ?? 0, 1e-9)),
    belongs: (tally.affinity.get(tool.namespace) ?? 0) / largest,
    isHeaded: tally.headed[slot] === 1,
    action: compareActions(tool, request),
    searches: tool.searches ? request.isSearch : undefined,
    isUnasked: isUnaskedVariant(tool, request),
  })
  const scored: Scored[] = []
  for (let slot = 0; slot < slots.length; slot++) {
    const tool = slots[slot]
    if (tool === undefined || (tally.found[slot] ?? 0) === 0) continue
    const score = scoreByHand(tool, readFacts(slot, tool), request)
    scored.push({ id: tool.id, tool, slot, score })
  }
  scored.sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
  return {
    candidates: scored
      .slice(0, most)
      .map(({ tool, slot, score }) => ({ tool, slot, score, ...readFacts(slot, tool) })),
    rest: scored.slice(most),
  }
}

type Facts = Omit<Candidate, 'tool' | 'slot' | 'score'>
type Scored = Found & { readonly tool: IndexedTool; readonly slot: number }

function scoreByHand(
  { namespace, isDeprecated }: IndexedTool,
  facts: Facts,
  { written }: Request,
): number {
  const { found, asked, belongs, isHeaded, action, searches, isUnasked } = facts
  return (
    found *
    (1 - PRECISION + PRECISION * asked) *
    (1 - AFFINITY + AFFINITY * belongs) *
    (isHeaded ? HEADED : 1) *
    (action === undefined ? 1 : ACTIONS[action]) *
    (searches === undefined ? 1 : searches ? SEARCHES : DOES_NOT_SEARCH) *
    (written.has(namespace) ? NAMED_NAMESPACE : 1) *
    (isUnasked ? UNASKED_VARIANT : 1) *
    (isDeprecated ? DEPRECATED : 1)
  )
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

function isUnaskedVariant({ variants }: IndexedTool, { written }: Request): boolean {
  return variants.length > 0 && !variants.some((word) => isAskedFor(word, written))
}

// "all" is said of most lists; only these words mean a list over all places.
const EVERYWHERE = ['everywhere', 'across', 'overall']

function isAskedFor(variant: string, written: ReadonlySet<string>): boolean {
  return variant === 'all' ? EVERYWHERE.some((word) => written.has(word)) : written.has(variant)
}

function compareActions({ actions }: IndexedTool, request: Request): Candidate['action'] {
  if (request.actions.length === 0)
    return actions.includes(request.isPlural ? 'list' : 'get') ? 'guessed' : undefined
  const [wanted] = request.actions
  const [does] = actions
  if (does === undefined || wanted === undefined) return undefined
  if (does === wanted) return 'same'
  if (request.actions.includes(does)) return 'asked'
  return actions.includes(wanted) ? 'able' : 'other'
}
