import { localEmbeddings } from '../../../libraries/discovery/src/index.ts'
import { noEmbeddings } from '../../../packs/travel/src/memories/providers/no-embeddings.ts'
import { searchForeignMemories } from '../../../packs/travel/testing/foreign-memories.ts'
import {
  evaluateMemories,
  type MemoryScore,
} from '../../../packs/travel/testing/memory-evaluation.ts'

// Asks 60 questions over 500 memories, by meaning and by words alone, and compares with the goals.
const GOAL_ALL = 0.85
const GOAL_WORDS = 0.9

function printScore(name: string, { questions, hitAt1, hitAt3, missed }: MemoryScore): void {
  console.log(
    `${name.padEnd(42)} ${String(questions).padStart(3)} questions  hit@3 ${hitAt3.toFixed(3)}  hit@1 ${hitAt1.toFixed(3)}`,
  )
  for (const question of missed.slice(0, 15)) console.log(`    missed: ${question}`)
}

const { signal } = new AbortController()
const startedAt = performance.now()
const byMeaning = await evaluateMemories(localEmbeddings(), signal)
const seconds = (performance.now() - startedAt) / 1000
const byWords = await evaluateMemories(noEmbeddings(), signal)

console.log(`${byMeaning.memories} memories; with embeddings ${seconds.toFixed(1)} s in all\n`)
printScore('with embeddings, all', byMeaning.all)
printScore('with embeddings, paraphrased', byMeaning.paraphrased)
printScore('with embeddings, sharing words', byMeaning.sharingWords)
printScore('with embeddings, tuning (not evaluated)', byMeaning.tuning)
printScore('words alone, sharing words', byWords.sharingWords)
printScore('words alone, paraphrased', { ...byWords.paraphrased, missed: [] })

const privacy = await searchForeignMemories(10_000, 'bench')
console.log(
  `\n${privacy.tries} searches by 30 people with similar names: ${privacy.found} memories found, ${privacy.foreign.length} of another person`,
)
const isReached =
  privacy.foreign.length === 0 &&
  byMeaning.all.hitAt3 >= GOAL_ALL &&
  byWords.sharingWords.hitAt3 >= GOAL_WORDS
console.log(
  `\nGoals: hit@3 ≥ ${GOAL_ALL} with embeddings over all, ≥ ${GOAL_WORDS} by words where they are shared, nothing of another person: ${isReached ? 'reached' : 'MISSED'}`,
)
process.exit(isReached ? 0 : 1)
