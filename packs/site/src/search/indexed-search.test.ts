import { createHash } from 'node:crypto'
import { type Embeddings, LOCAL_MODEL } from '@surehand/discovery'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openSiteApp, type SiteApp } from '../fixtures/site-app.ts'
import { siteCrawler } from '../providers/site-crawler.ts'
import { indexedSearch } from './providers/indexed-search.ts'
import type { SiteSearch } from './search-port.ts'

let app: SiteApp
let search: SiteSearch
let batch = 0
const { signal } = new AbortController()
beforeAll(async () => {
  app = await openSiteApp()
  search = indexedSearch({ query: app.services.query, fetchFor: () => fetch })
})
afterAll(() => app.close())

function pageOf(title: string) {
  return {
    url: `https://shop.example/${title.split(' ')[0]?.toLowerCase()}`,
    title,
    body: `${title}. A page about ${title}.`,
    language: 'en',
    kind: 'catalog',
    price: title.length * 100,
    currency: 'EUR',
    hash: createHash('sha256').update(title).digest('hex'),
  }
}

async function store(titles: readonly string[], removed: readonly string[] = []): Promise<void> {
  const outcome = await app.runtime.call({
    tool: 'site.store_pages',
    input: { pages: titles.map(pageOf), removed },
    caller: app.services.systemCaller('shop'),
    surface: 'test',
    idempotencyKey: `batch ${++batch}`,
  })
  expect(outcome.status).toBe('done')
}

async function find(query: string, filters: Parameters<SiteSearch['search']>[0]['filters'] = []) {
  const request = { tenant: 'shop', query, filters, page: undefined, locale: undefined }
  return (await search.search(request, signal)).items.map(({ title }) => title)
}

test('pages are found by words, plurals and small mistakes', async () => {
  await store(['Roses in red', 'Tulips', 'Peonies for weddings'])
  expect(await find('red rose')).toEqual(['Roses in red'])
  expect(await find('peonnies')).toEqual(['Peonies for weddings'])
  expect(await find('show me tulip')).toEqual(['Tulips'])
})

test('filters hold for every result', async () => {
  const filters = [{ field: 'price', op: 'lte', value: 700 }] as const
  expect(await find('page', filters)).toEqual(['Tulips'])
  expect(await find('page', [{ field: 'colour', op: 'eq', value: 'red' }])).toEqual([
    'Roses in red',
  ])
})

test('changed, new and removed pages arrive in the background, without a new index', async () => {
  await store(['Roses in white', 'Lilies'], ['https://shop.example/tulips'])
  await expect.poll(() => find('roses')).toEqual(['Roses in white'])
  expect(await find('lilies')).toEqual(['Lilies'])
  expect(await find('tulips')).toEqual([])
})

test('results are paged by an opaque cursor', async () => {
  await store(Array.from({ length: 25 }, (_, index) => `Vase${index} of glass`))
  const ask = (page: string | undefined) =>
    search.search({ tenant: 'shop', query: 'glass', filters: [], page, locale: undefined }, signal)
  await expect.poll(async () => (await ask(undefined)).items.length).toBe(10)
  const first = await ask(undefined)
  const second = await ask(first.nextPage)
  const third = await ask(second.nextPage)
  expect([second.items.length, third.items.length, third.nextPage]).toEqual([10, 5, undefined])
  const urls = [first, second, third].flatMap(({ items }) => items.map(({ url }) => url))
  expect(new Set(urls).size).toBe(25)
})

test('a filter by a field that pages are not compared by is refused', async () => {
  const filters = [{ field: 'rating', op: 'gte', value: 4 }] as const
  await expect(find('roses', filters)).rejects.toMatchObject({ code: 'TOOL_INVALID_FIELD_VALUE' })
})

describe('by meaning', () => {
  // A model that knows two subjects. Texts about neither are in the middle.
  const embed: Embeddings['embed'] = async ({ texts }) => ({
    model: LOCAL_MODEL,
    vectors: texts.map((text) => {
      const isRefund = /refund|money/i.test(text)
      const isFlower = /lilies|blossom/i.test(text)
      return [isRefund ? 1 : 0, isFlower ? 1 : 0, isRefund || isFlower ? 0 : 1, 0]
    }),
  })
  const other = 'https://shop.example/refunds'
  const makeParts = () => ({ query: app.services.query, fetchFor: () => fetch })

  test('pages get vectors in the background, once, and are found by other words', async () => {
    await store(['Refunds and returns'])
    const crawler = siteCrawler({
      given: app.services,
      reader: { sitemap: () => expect.fail('not read') },
      fetchFor: () => expect.fail('not fetched'),
      embeddings: { embed },
    })
    const request = { tenant: 'shop', maxPages: 100, idempotencyKey: 'embed 1' }
    expect(await crawler.embed(request, signal)).toMatchObject({ left: 0 })
    expect(await crawler.embed({ ...request, idempotencyKey: 'embed 2' }, signal)).toEqual({
      embedded: 0,
      left: 0,
    })
    const byMeaning = indexedSearch({ ...makeParts(), embeddings: { embed } })
    const asked = { tenant: 'shop', query: 'my money', filters: [], page: undefined }
    const answer = await byMeaning.search({ ...asked, locale: undefined }, signal)
    expect(answer).toMatchObject({ items: [{ url: other, score: 1 }], missing: [] })
    expect(await find('my money')).toEqual([])
  })

  test('a page that changes is found by words until its vector is computed again', async () => {
    const byMeaning = indexedSearch({ ...makeParts(), embeddings: { embed } })
    const ask = async (query: string) => {
      const asked = { tenant: 'shop', query, filters: [], page: undefined, locale: undefined }
      return (await byMeaning.search(asked, signal)).items.map(({ title }) => title)
    }
    expect(await ask('blossom')).toEqual(['Lilies'])
    await store(['Lilies without vectors'])
    await expect.poll(() => ask('lilies')).toEqual(['Lilies without vectors'])
    expect(await ask('blossom')).toEqual([])
  })

  test('a model that fails or is not there leaves the search by words, which says so', async () => {
    const failing = { embed: () => Promise.reject(new Error('no memory')) }
    const asked = { tenant: 'shop', query: 'roses', filters: [], page: undefined }
    const answer = await indexedSearch({ ...makeParts(), embeddings: failing }).search(
      { ...asked, locale: undefined },
      signal,
    )
    expect(answer).toMatchObject({
      items: [{ title: 'Roses in white' }],
      missing: ['the search by meaning'],
    })
    const absent = indexedSearch({ ...makeParts(), embeddings: { embed: async () => null } })
    expect(await absent.search({ ...asked, locale: undefined }, signal)).toMatchObject({
      items: [{ title: 'Roses in white' }],
      missing: [],
    })
  })
})
