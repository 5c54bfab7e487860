import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { systemOnly, type WriteRequest, writeRequest } from '../write-request.ts'

const Page = z.object({
  url: z.string().max(2_048),
  title: z.string().max(500),
  body: z.string().max(20_000),
  language: z.string().max(35),
  kind: z.enum(['catalog', 'blog', 'docs', 'other']),
  productId: z.string().max(128).optional(),
  price: z.int().optional(),
  currency: z.string().length(3).optional(),
  lastmod: z.string().max(64).optional(),
  hash: z.string().length(64),
})
export type PageToStore = z.output<typeof Page>

const Vector = z.object({
  url: z.string().max(2_048),
  model: z.string().max(100),
  hash: z.string().length(64).describe('Of the page whose meaning it is.'),
  vector: z.string().max(8_192).describe('Signed bytes in base64.'),
})
export type VectorToStore = z.output<typeof Vector>

const Input = z.object({
  pages: z.array(Page).max(50).default([]),
  removed: z.array(z.string().max(2_048)).max(1_000).default([]),
  vectors: z.array(Vector).max(50).default([]),
})
type StoreInput = z.output<typeof Input>

const store = defineTransaction(
  'site.store_pages',
  async (tx, { tenant, now, input }: WriteRequest<StoreInput>) => {
    await tx.run(
      `insert into site_indexes (tenant, revision, crawled_at) values (?, 1, ?)
        on conflict (tenant) do update set revision = site_indexes.revision + 1, crawled_at = excluded.crawled_at`,
      tenant,
      now,
    )
    const index = await tx.get('select revision from site_indexes where tenant = ?', tenant)
    const revision = Number(index?.revision ?? 1)
    for (const page of input.pages)
      await tx.run(
        `insert into site_pages (tenant, url, title, body, language, kind, product_id, price, currency, lastmod, hash, revision)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          on conflict (tenant, url) do update set title = excluded.title, body = excluded.body,
            language = excluded.language, kind = excluded.kind, product_id = excluded.product_id,
            price = excluded.price, currency = excluded.currency, lastmod = excluded.lastmod,
            hash = excluded.hash, revision = excluded.revision`,
        tenant,
        page.url,
        page.title,
        page.body,
        page.language,
        page.kind,
        page.productId ?? null,
        page.price ?? null,
        page.currency ?? null,
        page.lastmod ?? null,
        page.hash,
        revision,
      )
    for (const url of input.removed) {
      await tx.run('delete from site_pages where tenant = ? and url = ?', tenant, url)
      await tx.run('delete from site_page_vectors where tenant = ? and url = ?', tenant, url)
    }
    for (const vector of input.vectors) await storeVector(tx, tenant, revision, vector)
    return { revision, stored: input.pages.length, removed: input.removed.length }
  },
)

// The page gets the new revision, so that indexes in memory read it again.
async function storeVector(
  tx: Tx,
  tenant: string,
  revision: number,
  { url, model, hash, vector }: VectorToStore,
): Promise<void> {
  await tx.run(
    `insert into site_page_vectors (tenant, url, model, hash, vector) values (?, ?, ?, ?, ?)
      on conflict (tenant, url) do update set model = excluded.model, hash = excluded.hash,
        vector = excluded.vector`,
    tenant,
    url,
    model,
    hash,
    vector,
  )
  await tx.run(
    'update site_pages set revision = ? where tenant = ? and url = ?',
    revision,
    tenant,
    url,
  )
}

export const storePages = defineTool({
  id: 'site.store_pages',
  title: 'Store pages in the search index',
  category: 'site',
  description:
    'Writes pages that the crawler has read, and their vectors, into the search index. Called by the server.',
  input: Input,
  output: z.object({ revision: z.int(), stored: z.int(), removed: z.int() }),
  contract: {
    ...systemOnly,
    effect: 'writes.index',
    reversible: true,
    idempotency: 'caller',
    timeout: '20s',
    maxInputBytes: 4 * 1024 * 1024,
  },
  examples: [
    {
      name: 'one page',
      input: {
        pages: [
          {
            url: 'https://shop.example/products/red-roses',
            title: 'Red roses',
            body: 'Twelve red roses.',
            language: 'en',
            kind: 'catalog',
            productId: 'red-roses',
            price: 1990,
            currency: 'EUR',
            hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
          },
        ],
      },
    },
    { name: 'a page that is gone', input: { pages: [], removed: ['https://shop.example/old'] } },
  ],
  transaction: transact(store, writeRequest<StoreInput>('idx')),
})
