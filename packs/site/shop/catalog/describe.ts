import { readStock } from '../selling/stock.ts'
import { type Money, money, type Shop } from '../shop.ts'
import { type Product, priceFrom, type Variant } from './product.ts'

export type ProductSummary = {
  readonly productId: string
  readonly name: string
  readonly summary: string
  readonly category: string
  readonly colours: readonly string[]
  readonly priceFrom: Money
  readonly inStock: boolean
  readonly url: string
  readonly image: string
}

export type VariantView = {
  readonly variantId: string
  readonly name: string
  readonly sku: string
  readonly price: Money
  readonly inStock: boolean
  readonly available: number
  readonly attributes: Readonly<Record<string, string>>
}

export type ProductView = ProductSummary & {
  readonly description: string
  readonly details: readonly string[]
  readonly variants: readonly VariantView[]
}

export function describeVariant(shop: Shop, variant: Variant): VariantView {
  const available = readStock(shop, variant.id)
  return {
    variantId: variant.id,
    name: variant.name,
    sku: variant.sku,
    price: money(variant.price),
    inStock: available > 0,
    available,
    attributes: variant.attributes,
  }
}

export function summarizeProduct(shop: Shop, product: Product): ProductSummary {
  const { id, name, summary, category, colours, variants } = product
  return {
    productId: id,
    name,
    summary,
    category,
    colours,
    priceFrom: money(priceFrom(product)),
    inStock: variants.some((variant) => readStock(shop, variant.id) > 0),
    url: `${shop.origin}/products/${id}`,
    image: `${shop.origin}/images/${id}.svg`,
  }
}

export function describeProduct(shop: Shop, product: Product): ProductView {
  return {
    ...summarizeProduct(shop, product),
    description: product.description,
    details: product.details,
    variants: product.variants.map((variant) => describeVariant(shop, variant)),
  }
}
