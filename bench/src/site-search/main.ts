import { localEmbeddings } from '../../../libraries/discovery/src/index.ts'
import { openShopApp } from '../../../packs/site/src/fixtures/shop-app.ts'
import { indexedSearch } from '../../../packs/site/src/search/providers/indexed-search.ts'
import type { SiteSearch } from '../../../packs/site/src/search/search-port.ts'
import {
  PARAPHRASED,
  type SearchQuestion,
  SHARING_WORDS,
  TUNING,
  UNANSWERABLE,
} from '../../../packs/site/testing/search-questions.ts'

// Asks the judged questions over the pages of the demo shop, read by the real crawler: by words
// alone, and by words and meaning.
const { signal } = new AbortController()
const app = await openShopApp({
  contract: { search: undefined },
  settings: { SITE_EMBEDDINGS: 'on' },
})
const isVerbose = process.argv.includes('--verbose')

try {
  console.log(await operate('site.refresh_index'))
  const started = process.cpuUsage()
  console.log(await operate('site.embed_pages', { maxPages: 2_000 }))
  const { user, system } = process.cpuUsage(started)
  console.log(`${((user + system) / 1e6).toFixed(1)} s of CPU for the vectors\n`)
  const embeddings = localEmbeddings()
  await embeddings.embed({ texts: ['the model is loaded'] }, signal)
  const parts = { query: app.services.query, fetchFor: () => fetch }
  for (const [name, search] of [
    ['words alone', indexedSearch(parts)],
    ['words and meaning', indexedSearch({ ...parts, embeddings })],
  ] as const) {
    console.log(name)
    await report(search, 'sharing words', SHARING_WORDS)
    await report(search, 'paraphrased', PARAPHRASED)
    await report(search, 'tuning (not evaluated)', TUNING.filter(isAnswerable))
    const nothing = [UNANSWERABLE, TUNING.filter((one) => !isAnswerable(one))]
    for (const questions of nothing) await reportNothing(search, questions)
  }
} finally {
  await app.close()
}

async function operate(tool: string, input: object = {}): Promise<string> {
  const { data, error } = await app.operate(tool, input)
  return `${tool}: ${JSON.stringify(data ?? error)}`
}

function isAnswerable({ answers }: SearchQuestion): boolean {
  return answers.length > 0
}

async function find(search: SiteSearch, query: string): Promise<readonly string[]> {
  const request = { tenant: 'shop', query, filters: [], page: undefined, locale: undefined }
  const { items, missing } = await search.search(request, signal)
  // On a busy machine the model may answer too late, which is not what is measured here.
  if (missing.length > 0) return find(search, query)
  return items.map(({ url }) => new URL(url).pathname)
}

async function report(
  search: SiteSearch,
  name: string,
  questions: readonly SearchQuestion[],
): Promise<void> {
  const ranks: number[] = []
  for (const { query, answers } of questions) {
    const paths = await find(search, query)
    const rank = paths.findIndex((path) => answers.includes(path))
    ranks.push(rank)
    if (isVerbose && (rank < 0 || rank > 2))
      console.log(`      ${query}: ${paths.slice(0, 3).join(' ')}`)
  }
  const share = (most: number): string =>
    (ranks.filter((rank) => rank >= 0 && rank < most).length / ranks.length).toFixed(2)
  console.log(
    `  ${name.padEnd(24)} ${String(ranks.length).padStart(2)} questions  hit@1 ${share(1)}  hit@3 ${share(3)}  hit@10 ${share(10)}`,
  )
}

async function reportNothing(search: SiteSearch, questions: readonly SearchQuestion[]) {
  let answered = 0
  for (const { query } of questions) {
    const paths = await find(search, query)
    if (paths.length > 0) answered++
    if (isVerbose && paths.length > 0) console.log(`      ${query}: ${paths.slice(0, 3).join(' ')}`)
  }
  console.log(
    `  nothing to find: ${answered} of ${questions.length} questions had results all the same`,
  )
}
