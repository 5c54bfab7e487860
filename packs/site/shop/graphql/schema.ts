import { buildSchema } from 'graphql'

/** The GraphQL schema: the catalogue, carts and slots, for clients that prefer it to the API. */
export const SCHEMA = buildSchema(`
"An amount in minor units of its currency."
type Money { amount: Int! currency: String! }
type Variant {
  variantId: ID!
  name: String!
  sku: String!
  price: Money!
  inStock: Boolean!
  available: Int!
}
type Product {
  productId: ID!
  name: String!
  summary: String!
  description: String!
  category: String!
  colours: [String!]!
  priceFrom: Money!
  inStock: Boolean!
  url: String!
  image: String!
  details: [String!]!
  variants: [Variant!]!
}
type ProductPage { items: [Product!]! total: Int! }
enum PageKind { catalog blog docs other }
type SearchHit {
  kind: PageKind!
  title: String!
  snippet: String!
  url: String!
  score: Float!
  productId: ID
  priceFrom: Money
}
type CartLine {
  lineId: ID!
  productId: ID!
  variantId: ID!
  name: String!
  quantity: Int!
  unitPrice: Money!
  total: Money!
  notes: String
}
type Totals { subtotal: Money! discount: Money! shipping: Money! tax: Money! total: Money! }
type Cart {
  cartId: ID!
  revision: Int!
  state: String!
  lines: [CartLine!]!
  coupons: [String!]!
  totals: Totals!
  url: String!
}
type AddedLine { lineId: ID! cart: Cart! }
type Slot {
  slotId: ID!
  resourceId: ID!
  title: String!
  start: String!
  end: String!
  price: Money!
  capacity: Int!
  state: String!
}
enum ProductSort { featured price name }
type Query {
  "Products, filtered by category, colour, price and words."
  products(q: String, category: String, colour: String, maxPrice: Int, sort: ProductSort = featured, first: Int = 24, offset: Int = 0): ProductPage!
  product(productId: ID!): Product
  "Products, articles and help pages, the best first."
  search(q: String!, kind: PageKind, first: Int = 24): [SearchHit!]!
  cart(cartId: ID!): Cart
  "Free slots in time order. Times are RFC 3339."
  slots(resourceId: ID, from: String, to: String, first: Int = 24): [Slot!]!
}
input LineInput { productId: ID! variantId: ID quantity: Int = 1 notes: String }
type Mutation {
  "Every mutation takes an idempotency key: the same key has the same answer and no second effect."
  createCart(idempotencyKey: String!): Cart!
  addCartLine(cartId: ID!, line: LineInput!, idempotencyKey: String!): AddedLine!
  updateCartLine(cartId: ID!, lineId: ID!, quantity: Int!, idempotencyKey: String!): Cart!
  removeCartLine(cartId: ID!, lineId: ID!, idempotencyKey: String!): Cart!
  applyCoupon(cartId: ID!, code: String!, idempotencyKey: String!): Cart!
}
`)
