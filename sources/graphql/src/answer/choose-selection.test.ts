import { describe, expect, test } from 'vitest'
import { documentOf } from '../operation/document.ts'
import { readGraphql } from '../read-graphql.ts'

// In the manner of Saleor and Linear: results beside lists of errors, and objects with many fields.
const SDL = `
type Query { issues(first: Int): IssueConnection! }
type Mutation {
  productCreate(name: String!): ProductCreate
  issueArchive(id: ID!): IssuePayload!
  appTokenDelete(id: ID!): AppTokenDelete
  itemMove(id: ID!): ItemMove
  refundCreate(order: ID!): RefundCreate
  brandingSet(id: ID!): BrandingSet
}
type AppTokenDelete { errors: [ProductError!]! shop: Team appToken: AppToken }
type AppToken { id: ID! name: String authToken: String value: String }
type ItemMove { clientMutationId: String items(after: String, first: Int): IssueConnection }
type RefundCreate { order: Order refund: Refund userErrors: [ProductError!]! }
type Order { id: ID! ${Array.from({ length: 60 }, (_, index) => `aPrice${index}: Bag`).join(' ')} }
type Bag { shopMoney: Money! }
type Refund { id: ID! createdAt: String }
type BrandingSet { branding: Branding userErrors: [ProductError!]! }
type Branding { customizations: Customizations }
type Customizations { header: Header }
type Header { alignment: String }
type ProductCreate { errors: [ProductError!]! product: Product }
type ProductError {
  field: String message: String code: String! attributes: [ID!] values: [ID!] index: Int
  addressType: String sources: [String!] variants: [ID!] warehouses: [ID!]
}
type Product {
  id: ID! name: String! slug: String! isAvailable: Boolean isAvailableForPurchase: Boolean
  created: String updatedAt: String rating: Float seoTitle: String seoDescription: String
  category: Category pricing: Pricing
}
type Category { id: ID! name: String! level: Int! backgroundImage: String }
type Pricing { onSale: Boolean total: Money }
type Money { amount: Float! currency: String! }
type IssuePayload { success: Boolean! lastSyncId: Float! issue: Issue }
type IssueConnection { nodes: [Issue!]! pageInfo: PageInfo! }
type PageInfo { hasNextPage: Boolean! endCursor: String }
type Issue {
  id: ID! identifier: String! title: String! number: Float! priority: Float! url: String! dueDate: String
  ${Array.from({ length: 30 }, (_, index) => `aBoring${index}: Float`).join(' ')}
  labelIds: [String!]! branchName: String! createdAt: String! description: String
  state: State! assignee: User team: Team! subIssueSortOrder: Float boardOrder: Float!
}
type State { id: ID! name: String! color: String! position: Float! type: String! }
type User { id: ID! name: String! displayName: String! email: String! avatarUrl: String isMe: Boolean! }
type Team { id: ID! key: String! name: String! }
`

const { operations } = readGraphql(SDL, {
  name: 'x',
  endpoint: 'https://x.example/graphql',
  allow: ['mutation.*'],
})
const documentFor = (id: string): string => {
  const operation = operations.find((one) => one.id === `x.${id}`)
  if (operation === undefined) throw new Error(`${id} is missing.`)
  return documentOf(operation)
}

describe('a mutation answers with', () => {
  test('the object that it changed and one level of its parts, whatever its errors could say', () => {
    const document = documentFor('productCreate')
    expect(document).toMatch(/product \{ id name slug .*category \{ id name /)
    expect(document).toMatch(/errors \{ code message field \}|errors \{ (?:code|message|field) /)
    expect(document).not.toContain('warehouses')
  })

  test('every object that it returns, before the parts of one of them use up the room', () => {
    const document = documentFor('refundCreate')
    expect(document).toMatch(/order \{ id aPrice0 \{ shopMoney \{ amount /)
    expect(document).toContain('refund { id createdAt }')
  })

  test('an object that is called like a secret, without the secret itself', () => {
    expect(documentFor('appTokenDelete')).toContain('appToken { id name }')
  })

  test('the first items of a page, where it returns nothing else', () => {
    expect(documentFor('itemMove')).toMatch(/items\(first: 5\) \{ .*nodes \{ id identifier /)
  })

  test('what an object holds that has no values of its own', () => {
    expect(documentFor('brandingSet')).toContain(
      'branding { customizations { header { alignment } } }',
    )
  })

  test('the object beside flags of its own', () => {
    expect(documentFor('issueArchive')).toMatch(
      /issue \{ id identifier title .*state \{ id name type/,
    )
  })
})

test('a list tells the state and the people of its items before every number they have', () => {
  const document = documentFor('issues')
  for (const part of [
    'identifier',
    'priority',
    'dueDate',
    'state { id name type',
    'assignee { id name',
    'team { id ',
  ])
    expect(document).toContain(part)
  expect(document.indexOf('state {')).toBeLessThan(document.indexOf('aBoring0'))
})

test('a caller may ask for fields that the usual answer leaves out', () => {
  const issues = operations.find(({ id }) => id === 'x.issues')
  const nodes = issues?.offered?.find(({ name }) => name === 'nodes')
  expect(nodes?.fields?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['aBoring29', 'labelIds', 'boardOrder']),
  )
})
