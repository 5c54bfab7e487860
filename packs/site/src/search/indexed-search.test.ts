import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSiteApp, type SiteApp } from '../fixtures/site-app.ts'
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

async function store(titles: readonly string[], removed: readonly string[] = []): Promise<void> {
  const pages = titles.map((title) => ({
    url: `https://shop.example/${title.split(' ')[0]?.toLowerCase()}`,
    title,
    body: `${title}. A page about ${title}.`,
    language: 'en',
    kind: 'catalog',
    price: title.length * 100,
    currency: 'EUR',
    hash: createHash('sha256').update(title).digest('hex'),
  }))
  const outcome = await app.runtime.call({
    tool: 'site.store_pages',
    input: { pages, removed },
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
