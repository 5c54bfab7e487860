import { expect, test } from 'vitest'
import { evaluateMemories } from '../../testing/memory-evaluation.ts'
import { PARAPHRASED, SHARING_WORDS, TUNING } from '../../testing/memory-questions.ts'
import { noEmbeddings } from './providers/no-embeddings.ts'

// With embeddings it takes half a minute: npm run bench -- travel.
test('by words alone, nine of ten questions that share words find their memory in the first three', async () => {
  const { memories, sharingWords } = await evaluateMemories(
    noEmbeddings(),
    new AbortController().signal,
  )
  expect(memories).toBe(500)
  expect(sharingWords.hitAt3).toBeGreaterThanOrEqual(0.9)
})

test('paraphrased questions share no telling word with their answer', () => {
  const words = (text: string) =>
    new Set(
      text
        .toLowerCase()
        .match(/[a-z]{4,}/g)
        ?.filter((word) => !COMMON.has(word)) ?? [],
    )
  for (const { question, answer } of PARAPHRASED)
    expect(
      [...words(question)].filter((word) => words(answer).has(word)),
      question,
    ).toEqual([])
  expect(
    new Set([...PARAPHRASED, ...SHARING_WORDS, ...TUNING].map(({ answer }) => answer)).size,
  ).toBe(90)
})

const COMMON = new Set(
  'does have they what when where which with would should like likes'.split(' '),
)
