import { createRuntime, definePack, memoryStores } from '@surehand/core'
import { foreignPort } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import { expect, test } from 'vitest'
import { openApiSource, openApiTools } from '../open-api-tools.ts'
import { type OpenApiOptions, readOpenApi } from '../read-open-api.ts'
import { fromCache, toCache } from '../source-cache.ts'

const document = (changed: object = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Desk', version: '1' },
  servers: [{ url: 'https://support.example' }],
  paths: {
    '/tickets': {
      get: { operationId: 'listTickets', summary: 'List tickets', responses: {} },
      post: { operationId: 'issues/create', summary: 'Create', responses: {} },
    },
    '/v1/customers/{id}': {
      get: {
        operationId: 'customer',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {},
      },
    },
  },
  ...changed,
})

function phrasesOf(id: string, source: object, options: Partial<OpenApiOptions> = {}) {
  const read = readOpenApi(source as never, { name: 'support', allow: 'all', ...options })
  const { operations } = fromCache(toCache(read, 'key'), 'key') ?? read
  return operations.find(({ operationId }) => operationId === id)?.phrases
}

test('a document that is not known has no phrases, whatever its operations are called', () => {
  expect(phrasesOf('issues/create', document())).toEqual([])
})

test('a known API is recognised by its server, and its operations by id or by method and path', () => {
  const github = document({ servers: [{ url: 'https://api.github.com' }] })
  expect(phrasesOf('issues/create', github)).toContain('file a bug')
  expect(phrasesOf('listTickets', github)).toEqual([])
  const stripe = document({ servers: [{ url: 'https://api.stripe.com/' }] })
  expect(phrasesOf('customer', stripe)).toContain('look up a customer')
  const pretender = document({ servers: [{ url: 'https://api.github.com.example' }] })
  expect(phrasesOf('issues/create', pretender)).toEqual([])
})

test('an importer gives phrases in a sidecar or an overlay, before those that are known', () => {
  const sidecar = { listTickets: { phrases: ['what is broken'] } }
  expect(phrasesOf('listTickets', document(), { sidecar })).toEqual(['what is broken'])
  const overlay = {
    overlay: '1.0.0',
    actions: [
      {
        target: "$.paths['/tickets'].post",
        update: { 'x-surehand': { phrases: ['call the plumber'] } },
      },
    ],
  }
  const github = document({ servers: [{ url: 'https://api.github.com' }] })
  expect(phrasesOf('issues/create', github, { overlay })?.[0]).toBe('call the plumber')
})

test.each([['no list'], [[1]], [['x'.repeat(201)]], [Array(51).fill('x')]])(
  'phrases that are no short texts leave the operation out: %j',
  (phrases) => {
    const { report } = readOpenApi(document() as never, {
      name: 'support',
      sidecar: { listTickets: { phrases } } as never,
    })
    expect(report.leftOut).toContainEqual(
      expect.objectContaining({
        key: 'GET /tickets',
        reason: 'the phrases of GET /tickets must be at most 50 texts of at most 200 characters',
      }),
    )
  },
)

test('the index of a runtime gets the phrases of imported tools', () => {
  const { operations } = readOpenApi(document() as never, {
    name: 'support',
    sidecar: { listTickets: { phrases: ['what is broken', 'open problems'] } },
  })
  const phrases = new Map<string, string | undefined>()
  const caller = { tenant: 'home', principal: 'ann', actor: 'user' as const }
  const runtime = createRuntime({
    packs: [
      definePack({
        name: 'support',
        tools: openApiTools(operations, {
          port: foreignPort('support', { keysValidFor: '1d' }),
          schemas: foreignSchemas(),
        }),
      }),
    ],
    stores: memoryStores(),
    providers: { support: openApiSource(operations, () => Promise.reject(new Error('not sent'))) },
    textIndex: {
      put: ({ fields }) => void phrases.set(fields.id ?? '', fields.phrases),
      remove: () => undefined,
      search: () => [],
    },
  })
  runtime.searchTools({ ...caller, roles: [], capabilities: [] }, 'what is broken')
  expect(phrases.get('support.listTickets')).toBe('what is broken\nopen problems')
  expect(phrases.get('support.customer')).toBe('')
})
