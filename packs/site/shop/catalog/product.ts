import type { Picture } from '../pictures/picture.ts'

export type Variant = {
  readonly id: string
  readonly name: string
  readonly sku: string
  /** Minor units. */
  readonly price: number
  /** Pieces when the shop opens for the first time; the database counts from there. */
  readonly initialStock: number
  readonly attributes: Readonly<Record<string, string>>
}

export type Product = {
  readonly id: string
  readonly name: string
  readonly summary: string
  readonly description: string
  readonly category: string
  readonly colours: readonly string[]
  /** Further words by which it is found, German ones among them. */
  readonly keywords: string
  readonly details: readonly string[]
  readonly picture: Picture
  readonly variants: readonly Variant[]
  readonly isFeatured: boolean
}

export type Category = {
  readonly slug: string
  readonly name: string
  readonly description: string
}

type VariantForm = readonly [label: string, euros: number, stock?: number]

export type ProductForm = {
  readonly name: string
  readonly summary: string
  readonly more: string
  readonly colours: string
  readonly keywords: string
  readonly details: readonly string[]
  readonly picture: Picture
  /** What the variants differ in: Size, Stems, Colour. */
  readonly by: string
  readonly variants: readonly VariantForm[]
  readonly featured?: true
}

/** A product from its row: ids, article numbers and minor units are derived. */
export function toProduct(category: string, id: string, form: ProductForm): Product {
  return {
    id,
    name: form.name,
    summary: form.summary,
    description: `${form.summary} ${form.more}`,
    category,
    colours: form.colours.split(' '),
    keywords: form.keywords,
    details: form.details,
    picture: form.picture,
    isFeatured: form.featured === true,
    variants: form.variants.map(([label, euros, stock = 40], index) => ({
      id: `${id}-${slugOf(label)}`,
      name: label,
      sku: `TT-${skuOf(id)}-${index + 1}`,
      price: Math.round(euros * 100),
      initialStock: stock,
      attributes: { [form.by]: label },
    })),
  }
}

export function priceFrom(product: Product): number {
  return Math.min(...product.variants.map(({ price }) => price))
}

function slugOf(label: string): string {
  return label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

function skuOf(id: string): string {
  return id
    .split('-')
    .map((word) => word.slice(0, 3).toUpperCase())
    .join('')
}
