import { readStock } from '../selling/stock.ts'
import type { Shop } from '../shop.ts'
import { PRODUCTS } from './catalog.ts'
import { type Product, priceFrom } from './product.ts'

export type ProductFilter = {
  readonly q?: string | undefined
  readonly category?: string | undefined
  readonly colour?: string | undefined
  /** Minor units. */
  readonly maxPrice?: number | undefined
  readonly minPrice?: number | undefined
  readonly inStock?: boolean
  readonly sort: 'featured' | 'price' | '-price' | 'name'
}

/** The products that pass a filter, in the wanted order. */
export function filterProducts(shop: Shop, filter: ProductFilter): readonly Product[] {
  const { category, colour, maxPrice = Number.POSITIVE_INFINITY, minPrice = 0 } = filter
  const words = (filter.q ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  const found = PRODUCTS.filter(
    (product) =>
      (category === undefined || product.category === category) &&
      (colour === undefined || product.colours.includes(colour.toLowerCase())) &&
      product.variants.some(({ price }) => price <= maxPrice && price >= minPrice) &&
      (filter.inStock !== true || product.variants.some(({ id }) => readStock(shop, id) > 0)) &&
      hasWords(product, words),
  )
  return found.toSorted(ORDERS[filter.sort])
}

const ORDERS: Readonly<Record<ProductFilter['sort'], (one: Product, other: Product) => number>> = {
  featured: (one, other) => Number(other.isFeatured) - Number(one.isFeatured),
  price: (one, other) => priceFrom(one) - priceFrom(other),
  '-price': (one, other) => priceFrom(other) - priceFrom(one),
  name: (one, other) => one.name.localeCompare(other.name, 'en'),
}

function hasWords(product: Product, words: readonly string[]): boolean {
  const { name, description, keywords, colours, category } = product
  const text = [name, description, keywords, category, ...colours].join(' ').toLowerCase()
  // "roses" finds "rose".
  return words.every((word) => text.includes(word) || text.includes(word.replace(/s$/, '')))
}
