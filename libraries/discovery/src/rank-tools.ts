import { chooseCandidates } from './choose-candidates.ts'
import { createPhraseMatcher } from './match-phrases.ts'
import type { Found } from './rank-by-meaning.ts'
import { type Candidate, FEATURES, prepareConcepts, readFeatures } from './rank-features.ts'
import { RANK_WEIGHTS } from './rank-weights.ts'
import { readRequest } from './read-request.ts'
import type { ToolPostings } from './tool-postings.ts'

/** So many tools are ranked by fitted weights; those after them keep their order. */
const RANKED = 80
const WEIGHTS = Float64Array.from(FEATURES, (feature) => RANK_WEIGHTS[feature])
/** Scores stay on the scale of words, beside which meanings are weighed. */
const SCALE = 1 / RANK_WEIGHTS['words and action']

export type RankedCandidates = {
  /** The best tools by factors that were set by hand. */
  readonly candidates: readonly Candidate[]
  readonly rest: readonly Found[]
  /** What is known of the candidates, by `FEATURES`. */
  readonly features: readonly Float64Array[]
}

/** Tools for a request, with the features that weights are fitted on. */
export function readCandidates(query: string, tools: ToolPostings): RankedCandidates {
  const request = readRequest(query, tools.words)
  const { candidates, rest } = chooseCandidates(request, tools, RANKED)
  const match = createPhraseMatcher(request, tools.rarityOf)
  const prepared = prepareConcepts(request.concepts, tools)
  const ranked = candidates.map((candidate) => ({
    candidate,
    phrase: match(candidate.tool.phrases),
  }))
  const best = {
    score: candidates[0]?.score ?? 1,
    found: Math.max(...ranked.map(({ candidate }) => candidate.found)),
    both: Math.max(...ranked.map(({ phrase }) => phrase.both)),
  }
  return {
    candidates,
    rest,
    features: ranked.map(({ candidate, phrase }) =>
      readFeatures(candidate, { request, tools, best, phrase, prepared }),
    ),
  }
}

/** Tools that have words of a request, best first. */
export function rankTools(query: string, tools: ToolPostings): readonly Found[] {
  const { candidates, rest, features } = readCandidates(query, tools)
  const best = candidates[0]?.score ?? 1
  const ranked = features
    .map((values, at) => ({
      id: candidates[at]?.tool.id ?? '',
      score: best * Math.exp(SCALE * weigh(values, WEIGHTS)),
    }))
    .sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
  const last = ranked.at(-1)?.score ?? 0
  return [...ranked, ...rest.map(({ id, score }) => ({ id, score: Math.min(score, last) }))]
}

/** The sum of features, each times its weight. */
export function weigh(values: Float64Array, weights: Float64Array): number {
  let sum = 0
  for (let at = 0; at < values.length; at++) sum += (values[at] ?? 0) * (weights[at] ?? 0)
  return sum
}
