import type { IndexedTool } from './analyze-tool.ts'
import type { PhraseMatch } from './match-phrases.ts'
import type { Concept, Request } from './read-request.ts'
import { findPlace, type Postings, type ToolPostings } from './tool-postings.ts'

/** What is known of a tool for a request, by the names of `FEATURES`. */
export const FEATURES = [
  'words and action',
  'words',
  'asked of its name',
  'service',
  'headed',
  'same action',
  'asked action',
  'able action',
  'other action',
  'guessed action',
  'covered',
  'covered twice',
  'in name',
  'in head',
  'in phrases',
  'in parents',
  'in summary',
  'beside',
  'literal',
  'first concept',
  'object in head',
  'unasked words',
  'depth',
  'deep',
  'searches',
  'does not search',
  'named service',
  'unasked variant',
  'deprecated',
  'without phrases',
  'phrase said',
  'phrase says it',
  'phrase both',
  'phrase exact',
  'phrase squared',
  'phrase second',
  'phrase pairs',
  'phrase best',
] as const
export type Feature = (typeof FEATURES)[number]

export type Candidate = {
  readonly tool: IndexedTool
  readonly slot: number
  /** The sum over words with the factors set by hand, by which candidates were chosen. */
  readonly score: number
  readonly found: number
  readonly asked: number
  readonly belongs: number
  readonly isHeaded: boolean
  readonly action: 'same' | 'asked' | 'able' | 'other' | 'guessed' | undefined
  readonly searches: boolean | undefined
  readonly isUnasked: boolean
}

type Facts = {
  readonly request: Request
  readonly tools: ToolPostings
  /** The most that any candidate has. */
  readonly best: { readonly score: number; readonly found: number; readonly both: number }
  readonly phrase: PhraseMatch
  readonly prepared: PreparedConcepts
}

/** So large a share of a service's tools has phrases where they were written for all of them. */
const LEAST_PHRASED = 0.1

/** Computes the features of a candidate. */
export function readFeatures(
  candidate: Candidate,
  { request, tools, best, phrase, prepared }: Facts,
): Float64Array {
  const { tool, slot } = candidate
  const values = new Map<Feature, number>()
  values.set('words and action', Math.log(candidate.score / best.score))
  values.set('words', Math.log(candidate.found / best.found))
  values.set('asked of its name', candidate.asked)
  values.set('service', candidate.belongs)
  values.set('headed', Number(candidate.isHeaded))
  if (candidate.action !== undefined) values.set(`${candidate.action} action`, 1)
  if (candidate.searches === true) values.set('searches', 1)
  if (candidate.searches === false) values.set('does not search', 1)
  values.set('named service', Number(request.written.has(tool.namespace)))
  values.set('unasked variant', Number(candidate.isUnasked))
  values.set('deprecated', Number(tool.isDeprecated))
  values.set('depth', Math.min(6, tool.depth) / 6)
  values.set('deep', Number(tool.depth > 4))
  readMatches(slot, { prepared, values, tool })
  const { askedWords } = prepared
  let unasked = 0
  for (const [word, share] of tool.named) if (!askedWords.has(word)) unasked += share
  values.set('unasked words', Math.min(4, unasked) / 4)
  // Where people's phrases for a service are known, an operation without any is a rare one.
  const phrased = tools.phrasedOf(tool.namespace) / tools.sizeOf(tool.namespace)
  if (tool.phrases.length === 0) values.set('without phrases', Number(phrased > LEAST_PHRASED))
  if (tool.phrases.length > 0) {
    const { said, says, both, second, pairs } = phrase
    values.set('phrase said', said)
    values.set('phrase says it', says)
    values.set('phrase both', both)
    values.set('phrase exact', Number(both > 0.9))
    values.set('phrase squared', both ** 2)
    values.set('phrase second', second)
    values.set('phrase pairs', pairs)
    values.set('phrase best', both === best.both && both > 0 ? 1 : 0)
  }
  return Float64Array.from(FEATURES, (feature) => values.get(feature) ?? 0)
}

/** What is looked up once for all candidates of a request. */
export type PreparedConcepts = {
  readonly askedWords: ReadonlySet<string>
  readonly concepts: readonly {
    readonly worth: number
    readonly isObject: boolean
    readonly forms: readonly {
      readonly words: readonly string[]
      readonly lists: readonly Postings[]
      readonly value: number
    }[]
  }[]
}

/** Looks up the words of a request. */
export function prepareConcepts(
  concepts: readonly Concept[],
  { words, rarityOf }: ToolPostings,
): PreparedConcepts {
  return {
    askedWords: new Set(concepts.flatMap(({ forms }) => forms.flatMap((form) => form.words))),
    concepts: concepts.map(({ forms, weight, isObject = false }) => {
      const rarity = Math.max(...forms.flatMap((form) => form.words.map(rarityOf)))
      return {
        worth: weight * Math.min(rarity, RAREST),
        isObject,
        forms: forms.map((form) => ({
          ...form,
          lists: form.words.map((word) => words.get(word) ?? []),
        })),
      }
    }),
  }
}
/** Words rarer than this count no more. */
const RAREST = 5

type Matching = {
  readonly prepared: PreparedConcepts
  readonly tool: IndexedTool
  readonly values: Map<Feature, number>
}

const PLACE_OF: readonly (readonly [least: number, feature: Feature])[] = [
  [1, 'in name'],
  [0.85, 'in head'],
  [0.75, 'in phrases'],
  [0.7, 'in parents'],
  [0.6, 'in summary'],
  [0, 'beside'],
]

function readMatches(slot: number, { prepared, tool, values }: Matching): void {
  let whole = 0
  let covered = 0
  let literal = 0
  const places = new Map<Feature, number>()
  for (const [at, { forms, worth, isObject }] of prepared.concepts.entries()) {
    whole += worth
    let best = 0
    let bestPlace = 0
    let isLiteral = false
    for (const [rank, { words, lists, value }] of forms.entries()) {
      let place = 1
      for (const list of lists) place = Math.min(place, findPlace(list, slot))
      if (place * value > best) {
        best = place * value
        bestPlace = place
        isLiteral = rank === 0
      }
      if (isObject && place > 0 && words.some((word) => tool.head.has(word)))
        values.set('object in head', 1)
    }
    if (best === 0) continue
    covered += worth * Math.min(1, best)
    if (isLiteral) literal += worth
    if (at === 0) values.set('first concept', 1)
    const feature = PLACE_OF.find(([least]) => bestPlace >= least)?.[1] ?? 'beside'
    places.set(feature, (places.get(feature) ?? 0) + worth)
  }
  if (whole === 0) return
  for (const [feature, worth] of places) values.set(feature, worth / whole)
  values.set('covered', covered / whole)
  values.set('covered twice', (covered / whole) ** 2)
  values.set('literal', literal / whole)
}
