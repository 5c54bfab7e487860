import MiniSearch from 'minisearch'
import { RESOURCES } from '../booking/resources.ts'
import { findProduct, PRODUCTS } from '../catalog/catalog.ts'
import { priceFrom } from '../catalog/product.ts'
import { type Money, money, type Shop } from '../shop.ts'
import type { Article } from './article.ts'
import { HELP } from './help.ts'
import { JOURNAL } from './journal.ts'

export type SearchHit = {
  readonly kind: 'catalog' | 'blog' | 'docs' | 'other'
  readonly title: string
  readonly snippet: string
  readonly url: string
  readonly score: number
  readonly productId?: string
  readonly priceFrom?: Money
}

type Document = {
  readonly id: string
  readonly kind: SearchHit['kind']
  readonly path: string
  readonly title: string
  readonly snippet: string
  readonly words: string
  readonly body: string
  readonly productId?: string
}

const DOCUMENTS: readonly Document[] = [
  ...PRODUCTS.map((product) => ({
    id: `p/${product.id}`,
    kind: 'catalog' as const,
    path: `/products/${product.id}`,
    title: product.name,
    snippet: product.summary,
    words: `${product.colours.join(' ')} ${product.keywords} ${product.category}`,
    body: `${product.description} ${product.details.join(' ')}`,
    productId: product.id,
  })),
  ...JOURNAL.map((article) => articleDocument('blog', '/journal', article)),
  ...HELP.map((article) => articleDocument('docs', '/help', article)),
  ...RESOURCES.map(({ id, name, description }) => ({
    id: `r/${id}`,
    kind: 'other' as const,
    path: `/appointments/${id}`,
    title: name,
    snippet: description,
    words: 'appointment book booking slot Termin buchen',
    body: description,
  })),
]

function articleDocument(kind: 'blog' | 'docs', folder: string, article: Article): Document {
  const path = `${folder}/${article.slug}`
  const { title, summary, body } = article
  return { id: path, kind, path, title, snippet: summary, words: '', body: body.join(' ') }
}

const index = new MiniSearch<Document>({
  fields: ['title', 'words', 'body'],
  storeFields: ['kind'],
  searchOptions: { boost: { title: 4, words: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
})
index.addAll(DOCUMENTS)
const byId = new Map(DOCUMENTS.map((document) => [document.id, document]))

// "under 40", "less than €40", "unter 40 Euro", "bis 40"
const PRICE =
  /\b(?:under|below|less than|up to|max|unter|bis)\s*(?:€|eur|euros?)?\s*(\d{1,5})(?:[.,](\d\d))?\s*(?:€|eur|euros?)?/i
const STOP_WORDS = new Set(
  'a an the for of in with and or find show me ein eine der die das für mit'.split(' '),
)

/** Searches all pages, the best first. A price in the query limits the products. */
export function search(
  { origin }: Shop,
  query: string,
  kind?: SearchHit['kind'],
): readonly SearchHit[] {
  const price = PRICE.exec(query)
  const maxPrice =
    price === null ? Number.POSITIVE_INFINITY : Number(price[1]) * 100 + Number(price[2] ?? 0)
  const words = query
    .replace(PRICE, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && !STOP_WORDS.has(word.toLowerCase()))
    .join(' ')
  const strict = index.search(words)
  const found = strict.length > 0 ? strict : index.search(words, { combineWith: 'OR' })
  const best = found[0]?.score ?? 1
  return found.flatMap(({ id, score }) => {
    const document = byId.get(String(id))
    if (document === undefined || (kind !== undefined && document.kind !== kind)) return []
    const hit = toHit(document, origin, Math.round((score / best) * 1000) / 1000)
    if (price !== null && (hit.priceFrom?.amount ?? Number.POSITIVE_INFINITY) > maxPrice) return []
    return [hit]
  })
}

function toHit({ kind, path, title, snippet, productId }: Document, origin: string, score: number) {
  const product = productId === undefined ? undefined : findProduct(productId)
  return {
    kind,
    title,
    snippet,
    url: `${origin}${path}`,
    score,
    ...(product !== undefined && {
      productId: product.id,
      priceFrom: money(priceFrom(product)),
    }),
  }
}
