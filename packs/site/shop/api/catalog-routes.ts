import { z } from 'zod'
import { CATEGORIES, findProduct, PRODUCTS } from '../catalog/catalog.ts'
import { describeProduct, describeVariant, summarizeProduct } from '../catalog/describe.ts'
import { filterProducts } from '../catalog/filter.ts'
import { search } from '../content/search.ts'
import { notFound } from '../refusal.ts'
import { json } from '../web/respond.ts'
import type { Route, Visit } from '../web/route.ts'
import { Cursor, Limit, pageOf } from './paging.ts'
import { readQuery } from './read-body.ts'

const cents = z.coerce.number().int().min(0).optional()
const ProductsQuery = z.object({
  q: z.string().max(200).optional(),
  category: z.string().max(64).optional(),
  colour: z.string().max(32).optional(),
  maxPrice: cents,
  minPrice: cents,
  inStock: z.enum(['true', 'false']).optional(),
  sort: z.enum(['featured', 'price', '-price', 'name']).default('featured'),
  limit: Limit,
  cursor: Cursor,
})
const SearchQuery = z.object({
  q: z.string().max(1000),
  kind: z.enum(['catalog', 'blog', 'docs', 'other']).optional(),
  limit: Limit,
  cursor: Cursor,
})

function listCategories({ shop }: Visit): Response {
  const items = CATEGORIES.map(({ slug, name, description }) => ({
    slug,
    name,
    description,
    url: `${shop.origin}/shop/${slug}`,
    products: PRODUCTS.filter(({ category }) => category === slug).length,
  }))
  return json({ items })
}

function listProducts(visit: Visit): Response {
  const { limit, cursor, inStock, ...filter } = readQuery(visit, ProductsQuery)
  const found = filterProducts(visit.shop, { ...filter, inStock: inStock === 'true' })
  const page = pageOf(found, { limit, cursor })
  return json({
    ...page,
    items: page.items.map((product) => summarizeProduct(visit.shop, product)),
  })
}

function requireProduct({ params }: Visit) {
  const product = findProduct(params.productId ?? '')
  if (product === undefined) throw notFound('This product')
  return product
}

function runSearch(visit: Visit): Response {
  const { q, kind, limit, cursor } = readQuery(visit, SearchQuery)
  return json(pageOf(search(visit.shop, q, kind), { limit, cursor }))
}

export const CATALOG_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/categories', handle: listCategories },
  { method: 'GET', path: '/api/products', handle: listProducts },
  {
    method: 'GET',
    path: '/api/products/{productId}',
    handle: (visit) => json(describeProduct(visit.shop, requireProduct(visit))),
  },
  {
    method: 'GET',
    path: '/api/products/{productId}/variants',
    handle: (visit) =>
      json({
        items: requireProduct(visit).variants.map((variant) =>
          describeVariant(visit.shop, variant),
        ),
      }),
  },
  { method: 'GET', path: '/api/search', handle: runSearch },
]
