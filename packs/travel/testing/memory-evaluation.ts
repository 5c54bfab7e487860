import type { EmbeddingsPort } from '../src/memories/memories-port.ts'
import { queryForms, rankMemories } from '../src/memories/search-user-memories.ts'
import {
  allMemories,
  type MemoryQuestion,
  PARAPHRASED,
  SHARING_WORDS,
  TUNING,
} from './memory-questions.ts'

export type MemoryScore = {
  readonly questions: number
  /** The share of questions whose answer is among the first three. */
  readonly hitAt3: number
  readonly hitAt1: number
  /** Questions whose answer is not among the first three. */
  readonly missed: readonly string[]
}

export type MemoryReport = {
  readonly memories: number
  readonly all: MemoryScore
  readonly paraphrased: MemoryScore
  readonly sharingWords: MemoryScore
  /** The questions by which the ranking was chosen. */
  readonly tuning: MemoryScore
}

const NOW = Date.parse('2026-11-16T00:00:00Z')
const CONTEXT = { tenant: 'home', userId: 'ann' }

/** Asks all questions over all memories; without a model by words alone. */
export async function evaluateMemories(
  embeddings: EmbeddingsPort,
  signal: AbortSignal,
): Promise<MemoryReport> {
  const contents = allMemories()
  const embed = async (texts: readonly string[]) =>
    (await embeddings.embed({ ...CONTEXT, texts }, signal))?.vectors
  const memoryVectors = await embed(contents)
  const candidates = contents.map((content, index) => ({
    memory: {
      id: `mem_${index}`,
      content,
      category: 'other' as const,
      // All of the same age: here only relevance is measured.
      createdAt: new Date(NOW).toISOString(),
    },
    vector: memoryVectors?.[index],
  }))
  const rank = async ({ question, answer }: MemoryQuestion): Promise<number> =>
    rankMemories(candidates, {
      query: question,
      nowMs: NOW,
      vectors: await embed(queryForms(question)),
    }).findIndex(({ content }) => content === answer)
  const score = async (asked: readonly MemoryQuestion[]): Promise<MemoryScore> => {
    const ranks: number[] = []
    for (const question of asked) ranks.push(await rank(question))
    const share = (most: number): number =>
      ranks.filter((one) => one >= 0 && one < most).length / asked.length
    return {
      questions: asked.length,
      hitAt3: share(3),
      hitAt1: share(1),
      missed: asked
        .filter((_, index) => (ranks[index] ?? -1) < 0 || (ranks[index] ?? 0) >= 3)
        .map(({ question }) => question),
    }
  }
  return {
    memories: contents.length,
    all: await score([...PARAPHRASED, ...SHARING_WORDS]),
    paraphrased: await score(PARAPHRASED),
    sharingWords: await score(SHARING_WORDS),
    tuning: await score(TUNING),
  }
}
