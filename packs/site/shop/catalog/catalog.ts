import { BOUQUETS, DRIED, PLANTS, ROSES } from './flowers.ts'
import {
  type Category,
  type Product,
  type ProductForm,
  toProduct,
  type Variant,
} from './product.ts'
import { ACCESSORIES, GIFTS, SHIRTS, SUITS } from './tailoring.ts'

export const CATEGORIES: readonly Category[] = [
  { slug: 'roses', name: 'Roses', description: 'Red, blush and white, by the stem or by the box.' },
  {
    slug: 'bouquets',
    name: 'Bouquets',
    description: 'Tied in the morning, from what is in season.',
  },
  { slug: 'plants', name: 'Plants', description: 'With roots, in pots that are made near here.' },
  { slug: 'dried', name: 'Dried & Wreaths', description: 'From our attic: flowers that stay.' },
  { slug: 'shirts', name: 'Shirts & Blouses', description: 'Cut and sewn upstairs.' },
  { slug: 'suits', name: 'Suits & Dresses', description: 'Made to measure, or altered for you.' },
  { slug: 'accessories', name: 'Accessories', description: 'Silk, linen, brass and steel.' },
  { slug: 'gifts', name: 'Gifts', description: 'For people who have flowers already.' },
]

const FORMS: Readonly<Record<string, Readonly<Record<string, ProductForm>>>> = {
  roses: ROSES,
  bouquets: BOUQUETS,
  plants: PLANTS,
  dried: DRIED,
  shirts: SHIRTS,
  suits: SUITS,
  accessories: ACCESSORIES,
  gifts: GIFTS,
}

/** Every product, in the order of the categories. */
export const PRODUCTS: readonly Product[] = CATEGORIES.flatMap(({ slug }) =>
  Object.entries(FORMS[slug] ?? {}).map(([id, form]) => toProduct(slug, id, form)),
)

const byId = new Map(PRODUCTS.map((product) => [product.id, product]))
const byVariant = new Map(
  PRODUCTS.flatMap((product) =>
    product.variants.map((variant) => [variant.id, { product, variant }] as const),
  ),
)

export function findProduct(id: string): Product | undefined {
  return byId.get(id)
}

export function findVariant(
  id: string,
): { readonly product: Product; readonly variant: Variant } | undefined {
  return byVariant.get(id)
}

export function findCategory(slug: string): Category | undefined {
  return CATEGORIES.find((category) => category.slug === slug)
}
