export const DOCUMENT_IDS = ['github', 'stripe', 'cut', 'graphql'] as const
export type DocumentId = (typeof DOCUMENT_IDS)[number]

/** An operation whose tool is checked in every contender's result: does it have its parameters and its body? */
export type SampleOperation = {
  /** `METHOD /path`; for GraphQL the field. */
  readonly key: string
  readonly operationId: string
  readonly parameters: readonly string[]
  readonly body: readonly string[]
}

export type Document = {
  readonly title: string
  /** The namespace of its tools. */
  readonly name: string
  /** Origins that operations may call, besides the document's own. */
  readonly origins: readonly string[]
  readonly sample: SampleOperation
}

const createIssue: SampleOperation = {
  key: 'POST /repos/{owner}/{repo}/issues',
  operationId: 'issues/create',
  parameters: ['owner', 'repo'],
  body: ['title', 'labels'],
}
const github = { name: 'github', origins: ['https://uploads.github.com'], sample: createIssue }

export const CUT_OPERATIONS = 200

export const DOCUMENTS: Readonly<Record<DocumentId, Document>> = {
  github: { title: "GitHub's OpenAPI document", ...github },
  stripe: {
    title: "Stripe's OpenAPI document",
    name: 'stripe',
    origins: ['https://files.stripe.com'],
    sample: {
      key: 'POST /v1/customers/{customer}',
      operationId: 'PostCustomersCustomer',
      parameters: ['customer'],
      body: ['email', 'metadata'],
    },
  },
  cut: { title: "A document cut from GitHub's", ...github },
  graphql: {
    title: "GitHub's GraphQL schema",
    name: 'github',
    origins: [],
    sample: {
      key: 'mutation.createIssue',
      operationId: 'createIssue',
      parameters: ['input'],
      body: ['repositoryId', 'title'],
    },
  },
}
