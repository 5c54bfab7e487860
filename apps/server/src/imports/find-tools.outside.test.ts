import { basename } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import {
  DEVELOPMENT_SETS,
  openToolSearch,
  readPublishedTools,
  readRequests,
  withoutAskedPhrases,
} from '../fixtures/tool-requests.ts'

let search: ReturnType<typeof openToolSearch>
let count = 0

beforeAll(() => {
  // The phrases that were taken from these requests would answer them.
  const tools = withoutAskedPhrases(readPublishedTools())
  count = tools.length
  search = openToolSearch(tools)
})

/** Of all requests, how many have a right tool first, and among the first five. */
async function judge(file: string) {
  const ranked = await Promise.all(readRequests(file).map((one) => search.rank(one)))
  const share = (most: number) =>
    Math.round((100 * ranked.filter(({ rank }) => rank >= 0 && rank < most).length) / ranked.length)
  const wrong = ranked.filter(({ isAnswerable }) => !isAnswerable).map(({ one }) => one.request)
  return { requests: ranked.length, wrong, first: share(1), inFive: share(5) }
}

// A little below what `npm run bench -- tool-search` measures, so that a change of a few requests is
// a decision and not a failure.
const LEAST: Readonly<Record<string, readonly [requests: number, first: number, inFive: number]>> =
  {
    'development.tsv': [84, 90, 97],
    'held-out.tsv': [84, 80, 94],
    'outsider.json': [90, 80, 93],
    'outsider-2.json': [100, 85, 95],
    'outsider-3.json': [100, 65, 86],
    'sentences.tsv': [760, 80, 93],
  }

test.each(DEVELOPMENT_SETS.map((file) => [basename(file), file]))(
  'everyday requests of %s find a right tool first and among five by words alone',
  async (name, file) => {
    const [requests, first = 100, inFive = 100] = LEAST[name] ?? []
    const judged = await judge(file)
    expect(count).toBeGreaterThan(2_800)
    expect(judged.requests).toBe(requests)
    expect(judged.wrong).toEqual([])
    expect(judged.first).toBeGreaterThanOrEqual(first)
    expect(judged.inFive).toBeGreaterThanOrEqual(inFive)
  },
)
