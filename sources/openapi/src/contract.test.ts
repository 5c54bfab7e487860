import { type Caller, createRuntime, definePack, memoryStores } from '@surehand/core'
import { definitionHash, foreignPort } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import type { SourceRequest } from '@surehand/vault'
import { describe, expect, test } from 'vitest'
import { openApiSource, openApiTools } from './open-api-tools.ts'
import { type OpenApiOptions, readOpenApi } from './read-open-api.ts'

const key = { name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }
const body = {
  content: {
    'application/json': { schema: { type: 'object', properties: { name: { type: 'string' } } } },
  },
}
const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '2' },
  servers: [{ url: 'https://shop.example/v1' }],
  security: [{ oauth: ['orders'] }],
  paths: {
    '/orders': {
      get: { operationId: 'listOrders', summary: 'List orders', responses: {} },
      post: { operationId: 'placeOrder', parameters: [key], requestBody: body, responses: {} },
    },
    '/orders/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      put: { operationId: 'changeOrder', requestBody: body, responses: {} },
      delete: {
        operationId: 'dropOrder',
        responses: {},
        'x-surehand': { approval: 'none', effect: 'read', reversible: true },
      },
    },
    '/open': { get: { operationId: 'open', security: [], deprecated: true, responses: {} } },
  },
  webhooks: { shipped: { post: {} } },
  components: { securitySchemes: { oauth: { type: 'oauth2', flows: {} } } },
}
const read = (options: Partial<OpenApiOptions> = {}, changed: object = document) =>
  readOpenApi(changed as never, { name: 'shop', ...options })
const contractOf = (
  id: string,
  options: Partial<OpenApiOptions> = { allow: 'all' },
  changed: object = document,
) => read(options, changed).operations.find(({ operationId }) => operationId === id)?.contract
const ids = (options: Partial<OpenApiOptions>, changed?: object) =>
  read(options, changed).operations.map(({ operationId }) => operationId)

describe('which operations become tools', () => {
  test('by default, only reads; the others have their reason', () => {
    const { operations, report } = read()
    expect(operations.map(({ toolId }) => toolId)).toEqual(['shop.listOrders', 'shop.open'])
    expect(report.leftOut.map(({ key }) => key)).toEqual([
      'DELETE /orders/{id}',
      'POST /orders',
      'PUT /orders/{id}',
      'webhook shipped',
    ])
    expect(report).toMatchObject({ taken: 2, document: { operations: 6 } })
  })

  test('those on the allow-list, by id or by method and path; a name that matches none is reported', () => {
    const { operations, report } = read({
      allow: ['placeOrder', 'DELETE /orders/{id}', 'plceOrder'],
    })
    expect(operations.map(({ operationId }) => operationId)).toEqual(['dropOrder', 'placeOrder'])
    expect(report.unmatched).toEqual(['plceOrder'])
  })

  test('those that the document marks with x-agent', () => {
    const marked = structuredClone(document)
    Object.assign(marked.paths['/orders'].post, { 'x-agent': { action: true } })
    expect(ids({}, marked)).toEqual(['placeOrder'])
    expect(ids({ allow: 'reads' }, marked)).toEqual(['listOrders', 'open'])
  })

  test('those that an overlay marks, without those that it removes', () => {
    const overlay = {
      overlay: '1.0.0',
      info: { title: 'o', version: '1' },
      actions: [
        {
          target: "$.paths['/orders'].post",
          update: { 'x-agent': { action: true }, summary: 'Place an order' },
        },
        { target: '$.paths.*[?(@.operationId == "dropOrder")]', remove: true },
      ],
    }
    const { operations, report } = read({ overlay: JSON.stringify(overlay) })
    expect(operations.map(({ operationId, title }) => [operationId, title])).toEqual([
      ['placeOrder', 'Place an order'],
    ])
    expect(report.document.operations).toBe(5)
    expect(document.paths['/orders'].post).not.toHaveProperty('x-agent')
  })
})

describe('the contract of an operation', () => {
  test('a GET is a read, and needs the service credential if the document says so', () => {
    expect(contractOf('listOrders')).toMatchObject({
      effect: 'read',
      by: 'read',
      approval: 'none',
      auth: 'service',
    })
    expect(contractOf('open')).toMatchObject({ auth: 'none' })
  })

  test('a write requires approval, and with a key header it is done once', () => {
    expect(contractOf('placeOrder')).toMatchObject({
      effect: 'writes.shop',
      reversible: true,
      approval: 'confirm',
      by: 'writeOnce',
    })
    expect(contractOf('changeOrder')).toMatchObject({ approval: 'confirm', by: 'write' })
  })

  test('a document cannot loosen a contract', () => {
    expect(contractOf('dropOrder')).toMatchObject({
      effect: 'writes.shop',
      reversible: false,
      approval: 'confirm',
      by: 'write',
    })
  })

  test('a document can tighten a contract', () => {
    const stricter = structuredClone(document)
    Object.assign(stricter.paths['/orders'].post, {
      'x-surehand': { approval: 'admin', reversible: false, limits: [{ calls: 2, per: '1m' }] },
    })
    expect(contractOf('placeOrder', { allow: 'all' }, stricter)).toMatchObject({
      approval: 'admin',
      reversible: false,
      limits: [{ calls: 2, per: '1m' }],
    })
  })

  test('the importer can loosen a contract, in a sidecar or an overlay', () => {
    const sidecar = { dropOrder: { approval: 'none', idempotent: true, allow: true } } as const
    expect(contractOf('dropOrder', { sidecar })).toMatchObject({
      approval: 'none',
      by: 'writeOnce',
      reversible: false,
    })
    const overlay = {
      overlay: '1.0.0',
      actions: [
        {
          target: '$.paths[*].delete',
          update: { 'x-surehand': { allow: true, approval: 'none' } },
        },
      ],
    }
    expect(contractOf('dropOrder', { overlay })).toMatchObject({ approval: 'none', by: 'write' })
  })

  test.each([{ title: 5 }, { description: { a: 1 } }, { title: null }])(
    'a sidecar title or description that is not a text leaves its operation out: %j',
    (entry) => {
      const { report } = read({ sidecar: { listOrders: entry as never } })
      expect(report.leftOut.find(({ key }) => key === 'GET /orders')?.reason).toContain(
        'is not a text',
      )
    },
  )

  test('an invalid contract in a sidecar is refused before its tools are listed', () => {
    const { operations } = read({ sidecar: { listOrders: { timeout: '0s' } } })
    const parts = {
      port: foreignPort('shop', { keysValidFor: '1d' }),
      schemas: foreignSchemas(),
    } as const
    expect(() => openApiTools(operations, parts)).toThrow('The duration "0s" is no time at all')
  })

  test('an unknown field in a sidecar entry leaves its operation out', () => {
    const { report } = read({ allow: 'all', sidecar: { dropOrder: { aproval: 'none' } as never } })
    expect(report.leftOut).toContainEqual(
      expect.objectContaining({
        operationId: 'dropOrder',
        reason: expect.stringContaining('aproval'),
      }),
    )
  })
})

describe('under the runtime', () => {
  const caller: Caller = {
    tenant: 'home',
    principal: 'ann',
    actor: 'user',
    roles: [],
    capabilities: [],
  }
  function shopApi(options: Partial<OpenApiOptions>, status = 200) {
    const sent: SourceRequest[] = []
    const { operations } = read(options)
    const tools = openApiTools(operations, {
      port: foreignPort('shop', { keysValidFor: '1d' }),
      schemas: foreignSchemas(),
    })
    const source = openApiSource(operations, async (request) => {
      sent.push(request)
      return {
        status,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from('{"message":"so it is\u200b"}'),
        isCut: false,
      }
    })
    const runtime = createRuntime({
      packs: [definePack({ name: 'shop', tools: [...tools] })],
      stores: memoryStores(),
      providers: { shop: source },
    })
    return {
      sent,
      tools,
      runtime,
      call: (tool: string, input: unknown, idempotencyKey = 'k-1') =>
        runtime.call({ tool, input, caller, surface: 'test', idempotencyKey }),
    }
  }

  test('a write waits for approval, and nothing is sent', async () => {
    const { sent, call } = shopApi({ allow: 'all' })
    expect(await call('shop.placeOrder', { body: { name: 'tea' } })).toMatchObject({
      status: 'pending',
    })
    expect(sent).toEqual([])
  })

  test('the idempotency key is sent in the header of the API, and the model cannot fill it', async () => {
    const { sent, call, tools } = shopApi({
      allow: 'all',
      sidecar: { placeOrder: { approval: 'none' } },
    })
    expect(await call('shop.placeOrder', { body: { name: 'tea' } })).toMatchObject({
      status: 'done',
    })
    expect(sent[0]?.headers['idempotency-key']).toMatch(/.{8,}/)
    expect(
      JSON.stringify(tools.find(({ id }) => id === 'shop.placeOrder')?.input.toJson('input')),
    ).not.toMatch(/idempotency/i)
    await call('shop.placeOrder', { body: { name: 'tea' } })
    expect(sent).toHaveLength(1)
  })

  test('a request names the credential it needs, and holds none', async () => {
    const { sent, call } = shopApi({})
    await call('shop.listOrders', {})
    expect(sent[0]).toMatchObject({
      url: 'https://shop.example/v1/orders',
      security: [[{ scheme: 'oauth', scopes: ['orders'], type: 'oauth2' }]],
    })
    expect(Object.keys(sent[0]?.headers ?? {})).toEqual(['accept'])
  })

  test('a failed status becomes an error with a known code and a visible message', async () => {
    const { call } = shopApi({}, 404)
    expect(await call('shop.listOrders', {})).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_RESOURCE_NOT_FOUND',
        details: { provider_message: 'so it is⟨U+200B⟩', provider_status: 404 },
      },
    })
  })

  test('the words of the API stand beside an unknown outcome, now and when it is asked for again', async () => {
    const { sent, call } = shopApi(
      { allow: 'all', sidecar: { changeOrder: { approval: 'none' } } },
      500,
    )
    const unknown = {
      status: 'failed',
      error: {
        code: 'TOOL_OUTCOME_UNKNOWN',
        message: expect.stringMatching(/It is not known whether .* happened\..*so it is/),
        details: { provider_message: 'so it is⟨U+200B⟩' },
      },
    }
    expect(await call('shop.changeOrder', { id: '1', body: {} })).toMatchObject(unknown)
    expect(await call('shop.changeOrder', { id: '1', body: {} })).toMatchObject(unknown)
    expect(sent).toHaveLength(1)
  })

  test('the order of keys in a document does not matter', () => {
    const reverseKeys = (value: unknown): unknown =>
      Array.isArray(value)
        ? value.map(reverseKeys)
        : typeof value === 'object' && value !== null
          ? Object.fromEntries(
              Object.entries(value)
                .reverse()
                .map(([name, member]) => [name, reverseKeys(member)]),
            )
          : value
    const hashes = [document, reverseKeys(document) as object].map((one) =>
      openApiTools(read({ allow: 'all' }, one).operations, {
        port: foreignPort('shop', { keysValidFor: '1d' }),
        schemas: foreignSchemas(),
      }).map((tool) => [tool.id, definitionHash(tool)]),
    )
    expect(hashes[0]).toEqual(hashes[1])
  })
})
