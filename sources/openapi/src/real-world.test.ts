import { isToolError } from '@surehand/core'
import type { SourceAnswer } from '@surehand/vault'
import { describe, expect, test } from 'vitest'
import { readAnswer } from './answer/read-answer.ts'
import type { Operation } from './operation/operation.ts'
import { type OpenApiOptions, readOpenApi } from './read-open-api.ts'
import { buildRequest } from './request/build-request.ts'

// Each of these was found in published documents.

const text = { type: 'string' }
const query = (name: string, more: object = {}) => ({ name, in: 'query', schema: text, ...more })

function read(paths: object, more: object = {}, options: Partial<OpenApiOptions> = {}) {
  const document = {
    openapi: '3.0.3',
    info: { title: 'Real', version: '1' },
    servers: [{ url: 'https://api.example' }],
    paths,
    ...more,
  }
  return readOpenApi(document, { name: 'real', allow: 'all', ...options })
}

function only(paths: object, more: object = {}): Operation {
  const { operations, report } = read(paths, more)
  expect(report.leftOut).toEqual([])
  expect(operations).toHaveLength(1)
  return operations[0] as Operation
}

const urlOf = (operation: Operation, input: object) =>
  buildRequest(operation, { input, idempotencyKey: 'k' }, {}).url

describe('a path', () => {
  test('with a fragment is sent without it', () => {
    const get = { parameters: [query('Action', { required: true })], responses: {} }
    const operation = only({ '/#Action=StopInstances': { get } })
    expect(urlOf(operation, { Action: 'StopInstances' })).toBe(
      'https://api.example/?Action=StopInstances',
    )
  })

  test('with a query keeps it, whatever the arguments', () => {
    const operation = only({ '/orders?open=1&all': { get: { parameters: [query('q')] } } })
    expect(urlOf(operation, { q: 'a&b' })).toBe('https://api.example/orders?open=1&all=&q=a%26b')
  })

  test('with parameters in its query sends each once, in its place', () => {
    const parameters = [query('q'), { name: 'target', in: 'path', required: true, schema: text }]
    const operation = only({ '/go?to={target}&q={q}': { get: { parameters } } })
    expect(urlOf(operation, { target: 'https://x/?a#b', q: 'z' })).toBe(
      'https://api.example/go?to=https%3A%2F%2Fx%2F%3Fa%23b&q=z',
    )
  })
})

test.each([
  ['', 'https://docs.example/a'],
  ['/api', 'https://docs.example/api/a'],
  ['../api/v2', 'https://docs.example/api/v2/a'],
])('the server %j refers to where the document came from', (url, sent) => {
  const { operations } = read(
    { '/a': { get: {} } },
    { servers: [{ url }] },
    { address: 'https://docs.example/v1/openapi.json' },
  )
  expect(urlOf(operations[0] as Operation, {})).toBe(sent)
})

describe('two schemes', () => {
  const oauth2 = { type: 'oauth2', flows: {} }

  test('that share a header are alternatives, not a request that nobody can make', () => {
    const operation = only(
      { '/files': { get: { security: [{ Oauth2: ['a'], Oauth2c: ['a'] }] } } },
      { components: { securitySchemes: { Oauth2: oauth2, Oauth2c: oauth2 } } },
    )
    expect(operation.plan.security.map((needs) => needs.map(({ scheme }) => scheme))).toEqual([
      ['Oauth2'],
      ['Oauth2c'],
    ])
  })

  test('in different places are sent together', () => {
    const key = { type: 'apiKey', in: 'header', name: 'X-Key' }
    const operation = only(
      { '/files': { get: { security: [{ key: [], oauth: [] }] } } },
      { components: { securitySchemes: { key, oauth: oauth2 } } },
    )
    expect(operation.plan.security.map((needs) => needs.map(({ scheme }) => scheme))).toEqual([
      ['key', 'oauth'],
    ])
  })

  const readSigned = (authtype: string) => {
    const hmac = {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      'x-amazon-apigateway-authtype': authtype,
    }
    const parameters = ['X-Amz-Signature', 'X-Amz-Date', 'X-Amz-Target'].map((name) => ({
      name,
      in: 'header',
      schema: text,
    }))
    const servers = [{ url: 'http://s.{region}.example' }, { url: 'https://s.{region}.example' }]
    return read(
      { '/': { get: { parameters, security: [{ hmac: [] }] } } },
      { components: { securitySchemes: { hmac } }, servers },
    )
  }

  test('a signature over the request is no API key: the vault signs, over TLS', () => {
    const { operations } = readSigned('awsSigv4')
    const plan = operations[0]?.plan
    expect(plan?.security).toEqual([[{ scheme: 'hmac', scopes: [], type: 'awsSignature' }]])
    expect(Object.keys(plan?.input.properties as object)).toEqual(['X-Amz-Target'])
    expect(plan?.server.url).toBe('https://s.{region}.example')
  })

  test('an operation with an old signature is left out, and says why', () => {
    const { operations, report } = readSigned('awsSigv2')
    expect(operations).toEqual([])
    expect(report.leftOut[0]?.reason).toContain('AWS Signature Version 2')
  })
})

describe('a credential that is declared as a parameter', () => {
  const needs = (operation: Operation) =>
    operation.plan.security.map((one) =>
      one.map((need) => ('in' in need ? `${need.in} ${need.name}` : need.scheme)),
    )

  test.each(['api_key', 'Secret', 'client_secret', 'X-Access-Token', 'apiToken'])(
    '%s is required from the vault, never from a model',
    (name) => {
      const parameters = [{ name, in: 'header', required: true, schema: text }, query('q')]
      const operation = only({ '/a': { get: { parameters } } })
      expect(Object.keys(operation.plan.input.properties as object)).toEqual(['q'])
      expect(needs(operation)).toEqual([[`header ${name}`]])
      expect(operation.contract.auth).toBe('service')
    },
  )

  test('is used if it is there, where it is optional', () => {
    const operation = only({ '/a': { get: { parameters: [query('api_key')] } } })
    expect(needs(operation)).toEqual([['query api_key'], []])
    expect(operation.contract.auth).toBe('none')
  })

  test.each(['application/x-www-form-urlencoded', 'multipart/form-data'])(
    'is required from the vault as a field of %s as well',
    (mediaType) => {
      const schema = {
        type: 'object',
        properties: { token: { ...text, description: 'Authentication token.' }, channel: text },
        required: ['token', 'channel'],
      }
      const requestBody = { required: true, content: { [mediaType]: { schema } } }
      const operation = only({ '/a': { post: { requestBody } } })
      expect(operation.plan.input.properties).toMatchObject({
        body: { properties: { channel: {} }, required: ['channel'] },
      })
      expect(JSON.stringify(operation.plan.input)).not.toContain('token')
      expect(needs(operation)).toEqual([['form token']])
      const input = { body: { channel: 'general', token: 'of a model' } }
      const request = buildRequest(operation, { input, idempotencyKey: 'k' }, {})
      expect(Buffer.from(request.body ?? '').toString()).not.toContain('of a model')
    },
  )

  test('is no argument where it is all that a form has', () => {
    const schema = { type: 'object', properties: { api_key: text }, required: ['api_key'] }
    const content = { 'application/x-www-form-urlencoded': { schema } }
    const operation = only({ '/a': { post: { requestBody: { required: true, content } } } })
    expect(operation.plan.input.required).toBeUndefined()
    const request = buildRequest(operation, { input: {}, idempotencyKey: 'k' }, {})
    expect(request).toMatchObject({
      body: '',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  })

  test('is sent with the scheme of the document, not instead of it', () => {
    const operation = only(
      {
        '/a': {
          get: { parameters: [query('app_key', { required: true })], security: [{ o: [] }] },
        },
      },
      { components: { securitySchemes: { o: { type: 'oauth2', flows: {} } } } },
    )
    expect(needs(operation)).toEqual([['o', 'query app_key']])
  })

  test.each([
    ['token', [['o']]],
    ['access_token', [['o']]],
    ['api_key', [['o', 'header api_key']]],
  ])(
    'beside OAuth, a required %s is the same token in another place, or a key of its own',
    (name, expected) => {
      const description = 'Authentication token.'
      const parameters = [{ name, in: 'header', required: true, schema: text, description }]
      const operation = only(
        { '/a': { post: { parameters, security: [{ o: [] }] } } },
        { components: { securitySchemes: { o: { type: 'oauth2', flows: {} } } } },
      )
      expect(operation.plan.input.properties).toEqual({})
      expect(needs(operation)).toEqual(expected)
    },
  )

  test.each(['pageToken', 'next_token', 'key', 'sort_key', 'userKey', 'secret_name'])(
    '%s is none',
    (name) => {
      const operation = only({ '/a': { get: { parameters: [query(name)] } } })
      expect(Object.keys(operation.plan.input.properties as object)).toEqual([name])
    },
  )

  test('parts of a signature are nobody’s to fill', () => {
    const parameters = ['X-Amz-Signature', 'X-Amz-Date'].map((name) => ({
      name,
      in: 'header',
      schema: text,
    }))
    expect(only({ '/a': { get: { parameters } } }).plan.input.properties).toEqual({})
  })
})

test('3.0 ignores what stands beside a reference, 3.1 does not', () => {
  const body = (openapi: string) =>
    only(
      {
        '/a': {
          post: {
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    properties: { pet: { $ref: '#/components/schemas/Pet', type: 'string' } },
                  },
                },
              },
            },
          },
        },
      },
      { openapi, components: { schemas: { Pet: { type: 'object', properties: { a: text } } } } },
    ).plan.input.properties as { body: { properties: { pet: object } } }
  expect(body('3.0.3').body.properties.pet).toEqual({ type: 'object', properties: { a: text } })
  expect(body('3.1.0').body.properties.pet).toMatchObject({ type: 'string' })
})

test('a text in a JSON parameter is sent as it is, other values as JSON', () => {
  const content = { 'application/json': { schema: {} } }
  const operation = only({
    '/a': { get: { parameters: [{ name: 'filter', in: 'query', content }] } },
  })
  expect(urlOf(operation, { filter: 'open' })).toBe('https://api.example/a?filter=open')
  expect(urlOf(operation, { filter: { a: 1 } })).toBe(
    'https://api.example/a?filter=%7B%22a%22%3A1%7D',
  )
})

test('a body of hundreds of fields keeps the required and the most used ones, and says what is missing', () => {
  const names = Array.from({ length: 674 }, (_, index) => `some_rarely_used_setting_${index}`)
  const property = {
    type: 'string',
    description: 'A sentence that describes this setting at length.',
  }
  const envelope = {
    type: 'object',
    properties: Object.fromEntries(
      ['zip_of_required', ...names, 'emailSubject', 'status'].map((name) => [name, property]),
    ),
    required: ['zip_of_required'],
    additionalProperties: false,
  }
  const post = {
    requestBody: {
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Envelope' } } },
    },
  }
  const { operations, report } = read(
    { '/envelopes': { post } },
    { components: { schemas: { Envelope: envelope } } },
  )
  const [operation] = operations
  const { body } = (operation?.plan.input.properties ?? {}) as {
    body: { properties: object; required: string[]; additionalProperties?: unknown }
  }
  const kept = Object.keys(body.properties)
  expect(kept).toEqual(expect.arrayContaining(['zip_of_required', 'emailSubject', 'status']))
  expect(kept.length).toBeGreaterThan(50)
  expect(body.required).toEqual(['zip_of_required'])
  // What is not described may still be sent.
  expect(body.additionalProperties).toBeUndefined()
  expect(report.losses.map(({ what }) => what).join()).toContain(
    `${677 - kept.length} optional fields are not described: some_rarely_used_setting_`,
  )
})

describe('a refusal', () => {
  const post = {
    operationId: 'add',
    requestBody: { content: { 'application/json': { schema: {} } } },
  }
  const answer = (status: number, body: unknown): SourceAnswer => ({
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    isCut: false,
  })
  function failure(operation: Operation, given: SourceAnswer) {
    try {
      readAnswer(operation, given, {})
    } catch (error) {
      if (isToolError(error)) return error
    }
    throw new Error('It was answered.')
  }

  test('409 without an idempotency key is one, with the words of the server', () => {
    const error = failure(only({ '/a': { post } }), answer(409, { message: 'The name is taken.' }))
    expect(error).toMatchObject({ code: 'TOOL_RESOURCE_ALREADY_EXISTS', effect: 'refused' })
    expect(error.message).toContain('The name is taken.')
  })

  test('409 with an idempotency key may be about the first attempt', () => {
    const key = { name: 'Idempotency-Key', in: 'header', schema: text }
    const operation = only({ '/a': { post: { ...post, parameters: [key] } } })
    expect(failure(operation, answer(409, {})).effect).toBe('possible')
  })

  test('says which fields were wrong, within bounds', () => {
    const errors = [
      { field: 'email', code: 'invalid' },
      'too \u202elong',
      ...Array(50).fill('more'),
    ]
    const { details } = failure(
      only({ '/a': { post } }),
      answer(422, { message: 'Invalid.', errors }),
    )
    expect(details?.provider_errors).toHaveLength(10)
    expect(details?.provider_errors).toEqual(
      expect.arrayContaining(['{"field":"email","code":"invalid"}', 'too ⟨U+202E⟩long']),
    )
  })
})
