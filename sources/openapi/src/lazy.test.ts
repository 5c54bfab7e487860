import { type Caller, createRuntime, definePack, memoryStores } from '@surehand/core'
import { definitionHash, foreignPort } from '@surehand/core/host'
import { toolDescriptors } from '@surehand/documents'
import { foreignSchemas } from '@surehand/json-schema'
import type { SourceRequest } from '@surehand/vault'
import { describe, expect, test } from 'vitest'
import { openApiSource, openApiTools } from './open-api-tools.ts'
import { readOpenApi } from './read-open-api.ts'
import { catalogueTokens } from './report.ts'
import { fromCache, toCache } from './source-cache.ts'

const ann: Caller = { tenant: 'home', principal: 'ann', actor: 'user', roles: [], capabilities: [] }

/** A document that writes down whose schemas were looked at. */
function watchReads(looked: string[]) {
  const schemaOf = (name: string) => ({
    get schema() {
      looked.push(name)
      return { type: 'object', properties: { text: { type: 'string' } } }
    },
  })
  const operation = (name: string) => ({
    operationId: name,
    summary: `Does ${name}`,
    parameters: [Object.assign(schemaOf(`${name} parameter`), { name: 'page', in: 'query' })],
    requestBody: { content: { 'application/json': schemaOf(`${name} body`) } },
    responses: {
      200: { headers: { Link: {} }, content: { 'application/json': schemaOf(`${name} answer`) } },
    },
  })
  return {
    openapi: '3.1.0',
    servers: [{ url: 'https://h.example' }],
    paths: { '/a': { post: operation('a') }, '/b': { post: operation('b') } },
  }
}

const parts = () => ({
  port: foreignPort('h', { keysValidFor: '1d' as const }),
  schemas: foreignSchemas({ onLoss: () => {} }),
})

describe('a document’s schemas', () => {
  test('give a tool the names of its arguments to be found by, from the cache too', () => {
    const read = readOpenApi(watchReads([]), { name: 'h', allow: 'all' })
    const cached = fromCache(toCache(read, 'key'), 'key')
    for (const operations of [read.operations, cached?.operations ?? []])
      expect(openApiTools(operations, parts()).map(({ keywords }) => keywords)).toEqual([
        'POST /a page body text',
        'POST /b page body text',
      ])
  })

  test('are not read for names, texts and contracts', () => {
    const looked: string[] = []
    const { operations } = readOpenApi(watchReads(looked), { name: 'h', allow: 'all' })
    const tools = openApiTools(operations, parts())
    expect(
      tools.map(({ id, description, contract }) => [
        id,
        description.split('\n')[0],
        contract.effect,
        contract.approval?.kind,
      ]),
    ).toEqual([
      ['h.a', 'Does a', 'writes.h', 'confirm'],
      ['h.b', 'Does b', 'writes.h', 'confirm'],
    ])
    expect(looked).toEqual([])
  })

  test('are read for the one tool that is used, and all of them for the report', () => {
    const looked: string[] = []
    const read = readOpenApi(watchReads(looked), { name: 'h', allow: 'all' })
    const [first] = openApiTools(read.operations, parts())
    first?.input.toJson('input')
    expect(new Set(looked)).toEqual(new Set(['a parameter', 'a body', 'a answer']))
    expect(read.report.taken).toBe(2)
    expect(new Set(looked).size).toBe(6)
  })
})

const document = {
  openapi: '3.1.0',
  servers: [{ url: 'https://h.example' }],
  paths: {
    '/bad': {
      post: {
        operationId: 'bad',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Gone' } } },
        },
        responses: {},
      },
    },
    '/good': { get: { operationId: 'good', responses: {} } },
  },
}
const REASON = 'it refers to "#/components/schemas/Gone", which is not in the document'

function shop(isReported: 'reported' | 'unreported') {
  const sent: SourceRequest[] = []
  const read = readOpenApi(document, {
    name: 'h',
    allow: 'all',
    sidecar: { bad: { approval: 'none' } },
  })
  if (isReported === 'reported') expect(read.report.taken).toBe(1)
  const source = openApiSource(read.operations, async (request) => {
    sent.push(request)
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
      isCut: false,
    }
  })
  const tools = openApiTools(read.operations, parts())
  const runtime = createRuntime({
    packs: [definePack({ name: 'h', tools })],
    stores: memoryStores(),
    providers: { h: source },
  })
  const call = (tool: string, input: unknown) =>
    runtime.call({ tool, input, caller: ann, surface: 'test', idempotencyKey: 'k-1' })
  return { read, tools, runtime, sent, call }
}

describe('an operation whose schemas cannot be used', () => {
  test('has its reason in the report, and the others become tools', () => {
    const { read } = shop('unreported')
    expect(read.report.leftOut).toEqual([{ key: 'POST /bad', operationId: 'bad', reason: REASON }])
    expect([read.report.taken, catalogueTokens(read.operations) > 0]).toEqual([1, true])
  })

  test.each(['reported', 'unreported'] as const)(
    'is refused with the same reason when it is called, %s before, and nothing is sent',
    async (is) => {
      const { call, sent } = shop(is)
      for (const input of [{}, { body: {} }, { body: { a: 1 } }])
        expect(await call('h.bad', input)).toMatchObject({
          status: 'failed',
          error: {
            code: 'TOOL_CONFIGURATION_ERROR',
            message: `h.bad cannot be called: ${REASON}.`,
          },
        })
      expect(sent).toEqual([])
      expect(await call('h.good', {})).toMatchObject({ status: 'done' })
    },
  )

  test('does not make listing fail: its schema accepts nothing and says why', () => {
    const { tools, runtime } = shop('unreported')
    const [bad, good] = tools
    expect(bad?.input.toJson('input')).toEqual({
      type: 'object',
      description: `h.bad cannot be called: ${REASON}.`,
      not: {},
    })
    expect([bad, good].map((tool) => tool && definitionHash(tool).length)).toEqual([64, 64])
    expect(
      toolDescriptors(runtime)('home').map(({ name, schema }) => [name, 'not' in schema]),
    ).toEqual([
      ['h.bad', true],
      ['h.good', false],
    ])
  })

  test('is not stored in the cache', () => {
    const { read } = shop('unreported')
    const again = fromCache(toCache(read, 'k'), 'k')
    expect(again?.operations.map(({ toolId }) => toolId)).toEqual(['h.good'])
    expect(again?.report).toEqual(read.report)
  })
})

describe('from the cache', () => {
  const read = readOpenApi(watchReads([]), { name: 'h', allow: 'all' })

  test('come the same tools, complete', () => {
    const again = fromCache(toCache(read, 'k'), 'k')
    const hashes = [read.operations, again?.operations ?? []].map((operations) =>
      openApiTools(operations, parts()).map((tool) => [
        tool.id,
        definitionHash(tool),
        tool.examples,
      ]),
    )
    expect(hashes[1]).toEqual(hashes[0])
    expect(
      again?.operations.map(({ operationId, isDeprecated }) => [operationId, isDeprecated]),
    ).toEqual([
      ['a', false],
      ['b', false],
    ])
  })

  test('comes nothing if the bytes belong to another entry or an older format, or are damaged', () => {
    const bytes = toCache(read, 'k')
    const older = Buffer.from(
      Buffer.from(bytes).toString().replace('"written":"lines-4"', '"written":"lines-3"'),
    )
    expect([
      fromCache(bytes, 'other'),
      fromCache(older, 'k'),
      fromCache(bytes.subarray(0, -1), 'k'),
      fromCache(bytes.subarray(0, 30), 'k'),
    ]).toEqual([undefined, undefined, undefined, undefined])
  })
})
