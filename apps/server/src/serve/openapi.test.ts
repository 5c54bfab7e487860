import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCaller } from '@surehand/identity'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp } from '../app.ts'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { createLog } from '../log/log.ts'
import { type RunningServer, serve } from './serve.ts'

// What the server answers, compared with what its OpenAPI document says: every path is requested
// once, and no answer may lack a field or have one that the document does not name.

let server: RunningServer
let token: string

beforeAll(async () => {
  const env = { SUREHAND_PORT: '0', SUREHAND_LOG_LEVEL: 'silent' }
  const folder = mkdtempSync(join(tmpdir(), 'surehand-openapi-'))
  const config = await readDemoConfig({ env, folder })
  const app = await createApp(config)
  const by = systemCaller('home')
  await app.identityApi.principals.put(by, 'boss', { roles: ['admin', 'user'] })
  await app.identityApi.principals.put(by, 'second', { roles: ['admin', 'user'] })
  token = (await app.identityApi.tokens.create(by, { principal: 'boss', name: 'test' })).token
  await app.close()
  server = await serve(config, createLog(config))
})
afterAll(() => server.stop())

type Json = Readonly<Record<string, unknown>>
type Answer = { readonly data: Json; readonly metadata: { readonly call_id: string } }
type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

async function send(method: string, path: string, { body, headers = {} }: Sent = {}) {
  return fetch(server.addresses.publicUrl + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function signIn(): Promise<void> {
  const { publicUrl } = server.addresses
  await fetch(`${publicUrl}/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ token }),
    headers: { origin: publicUrl },
    redirect: 'manual',
  })
}

const DEVICE_KEYS = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

const IMPORTED = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: 'https://pets.example' }],
  paths: {
    '/pets': { get: { operationId: 'listPets', responses: { 200: { description: 'ok' } } } },
  },
})

const PROGRAM = {
  id: 'made.price',
  title: 'Price',
  description: 'Looks up a price.',
  version: '1.0.0',
  category: 'custom',
  input: { type: 'object', properties: { productId: { type: 'string' } }, required: ['productId'] },
  output: {},
  contract: { effect: 'read' },
  steps: [{ id: 'look', tool: 'shop.price', input: { productId: { $ref: 'input.productId' } } }],
  answer: { $ref: 'steps.look' },
}

test('every path answers as the OpenAPI document says', async () => {
  const document = (await (await send('GET', '/openapi.json')).json()) as Document
  const asked = new Set<string>()
  const refused: string[] = []
  const problems: unknown[] = []

  async function ask(operation: string, path?: string, sent?: Sent): Promise<Answer> {
    const [method = '', template = ''] = operation.split(' ')
    const response = await send(method, path ?? template, sent)
    const text = await response.text()
    asked.add(operation)
    const type = response.headers.get('content-type') ?? ''
    const described = describedAnswer(document, method, template, response.status)?.[type]
    if (!response.ok) refused.push(operation)
    if (described === undefined) problems.push([operation, response.status, type, text])
    else if (template !== '/openapi.json' && type === 'application/json')
      for (const found of findProblems(document, described.schema, JSON.parse(text)))
        problems.push([operation, found])
    return (type === 'application/json' ? JSON.parse(text) : {}) as Answer
  }

  // It goes on until the client leaves.
  async function askStream(operation: string): Promise<void> {
    const [method = '', path = ''] = operation.split(' ')
    const response = await send(method, path)
    asked.add(operation)
    const type = response.headers.get('content-type') ?? ''
    const described = describedAnswer(document, method, path, response.status)?.[type]
    if (described === undefined) problems.push([operation, response.status, type])
    await response.body?.cancel()
  }

  await ask('GET /openapi.json')
  await ask('GET /v1/tools')
  await ask('GET /v1/tools/{id}', '/v1/tools/shop.buy')
  for (const part of ['contract', 'access', 'figures'])
    await ask(`GET /v1/tools/{id}/${part}`, `/v1/tools/shop.buy/${part}`)
  const found = await ask('GET /v1/search', '/v1/search?q=buy')
  expect(found.data.items).not.toEqual([])
  const buy = (quantity: number) =>
    ask('POST /v1/tools/shop.buy/call', undefined, { body: { productId: 'tea', quantity } })

  const first = await buy(21)
  const [approval = {}] = (await ask('GET /v1/approvals')).data.items as readonly Json[]
  const approvalPath = `/v1/approvals/${approval.id}`
  const edited = await ask('PUT /v1/approvals/{id}/input', `${approvalPath}/input`, {
    body: { productId: 'tea', quantity: 23 },
  })
  await ask('GET /v1/approvals/{id}', `/v1/approvals/${edited.data.id}`)
  await ask('POST /v1/approvals/{id}/delegation', `/v1/approvals/${edited.data.id}/delegation`, {
    body: { to: 'second' },
  })
  await ask('POST /v1/approvals/{id}/decision', `/v1/approvals/${edited.data.id}/decision`, {
    body: { verdict: 'deny', digest: edited.data.digest, reason: 'Enough tea.' },
  })
  await ask('GET /v1/calls/{id}', `/v1/calls/${first.metadata.call_id}`)

  const gift = await ask('POST /v1/tools/shop.gift/call', undefined, {
    body: { productId: 'tea', to: 'Ann' },
  })
  const giftPath = `/v1/calls/${gift.metadata.call_id}`
  const [question = {}] = (await ask('GET /v1/questions')).data.items as readonly Json[]
  expect((await ask('GET /v1/inbox')).data.items).not.toEqual([])
  await askStream('GET /v1/inbox/events')
  await ask('GET /v1/views')
  await ask('GET /v1/views/{pack}/{name}', '/v1/views/none/none')
  await ask('GET /v1/calls')
  await ask('GET /v1/calls/{id}/tree', `${giftPath}/tree`)
  await ask('GET /v1/calls/{id}/trace', `${giftPath}/trace`)
  await ask('GET /v1/calls/{id}/events', `${giftPath}/events`)
  await ask('GET /v1/questions/{id}', `/v1/questions/${question.id}`)
  await ask('POST /v1/questions/{id}/answer', `/v1/questions/${question.id}/answer`, {
    body: { answer: { words: 'For Ann', wrap: true }, digest: question.digest },
  })
  const { metadata } = await buy(24)
  await ask('DELETE /v1/calls/{id}', `/v1/calls/${metadata.call_id}`)
  await ask('POST /v1/unknown/{id}/resolve', '/v1/unknown/call_none/resolve', {
    body: { found: 'not_done', text: 'There is no such order.' },
  })

  const { data: audit } = await ask('GET /v1/audit')
  const proof = `/v1/audit/records/${(audit.items as readonly Json[]).at(-1)?.id}/proof`
  // under the next signed head
  await expect.poll(async () => (await send('GET', proof)).status).toBe(200)
  await ask('GET /v1/audit/records/{id}/proof', proof)
  await ask('GET /v1/audit/export')
  await ask('GET /v1/audit/keys')
  await ask('GET /v1/audit/retention')
  await ask('GET /v1/session')
  await ask('GET /v1/figures')
  await ask('POST /v1/audit/verify')
  const { data: program } = await ask('POST /v1/programs', undefined, {
    body: { program: PROGRAM, examples: [{ name: 'tea', input: { productId: 'tea' } }] },
  })
  await ask('GET /v1/programs')
  await ask('GET /v1/programs/{id}', '/v1/programs/made.price')
  await ask('POST /v1/programs/{id}/dry-run', '/v1/programs/made.price/dry-run', {
    body: { input: { productId: 'tea' } },
  })
  await ask('POST /v1/programs/{id}/accept', '/v1/programs/made.price/accept', {
    body: { digest: program.digest },
  })
  await ask('DELETE /v1/programs/{id}', '/v1/programs/made.price')
  await ask('GET /v1/tenants')
  await ask('PUT /v1/tenants/{id}', '/v1/tenants/globex', { body: { name: 'Globex' } })
  await ask('GET /v1/principals')
  await ask('PUT /v1/principals/{id}', '/v1/principals/dora', { body: { roles: ['user'] } })
  const made = await ask('POST /v1/tokens', undefined, { body: { principal: 'ann', name: 'new' } })
  await ask('GET /v1/tokens')
  await ask('DELETE /v1/tokens/{id}', `/v1/tokens/${made.data.id}`)
  await ask('POST /v1/links', undefined, { body: { principal: 'ann' } })
  await ask('GET /v1/policy')
  await ask('POST /v1/what-if', undefined, {
    body: { policy: { disabledTools: ['shop.*'] }, principals: { boss: { roles: ['user'] } } },
  })
  await ask('PUT /v1/policy', undefined, { body: { disabledTools: ['mail.*'] } })

  await ask('GET /v1/notifications')
  await ask('PUT /v1/notifications', undefined, { body: { requests: 'mine' } })
  const device = { endpoint: 'https://push.example/send/1', keys: DEVICE_KEYS, name: 'Phone' }
  const { data: notified } = await ask('POST /v1/notifications/devices', undefined, {
    body: device,
  })
  const [phone = {}] = notified.devices as readonly Json[]
  const phonePath = `/v1/notifications/devices/${phone.id}`
  await ask('DELETE /v1/notifications/devices/{id}', phonePath)
  await ask('POST /v1/notifications/test')

  await signIn()
  const [session = {}] = (await ask('GET /v1/sessions')).data.items as readonly Json[]
  await ask('DELETE /v1/sessions/{id}', `/v1/sessions/${session.id}`)
  await signIn()
  expect((await ask('DELETE /v1/sessions')).data).toEqual({ ended: 1 })

  const hook = '/v1/webhooks/ops'
  await ask('PUT /v1/webhooks/{id}', hook, { body: { url: 'http://127.0.0.1:9/hook' } })
  await ask('GET /v1/webhooks')
  await ask('POST /v1/webhooks/{id}/test', `${hook}/test`)
  await ask('GET /v1/webhooks/{id}/deliveries', `${hook}/deliveries`)
  await ask('DELETE /v1/webhooks/{id}', hook)

  const credential = '/v1/credentials/pets.key'
  const body = { kind: 'bearer', origins: ['https://pets.example'], token: 'secret-0123456789' }
  const { data: stored } = await ask('PUT /v1/credentials/{id}', credential, { body })
  await ask('GET /v1/credentials')
  await ask('POST /v1/credentials/{id}/authorize', `${credential}/authorize`)
  const match = { 'if-match': `"${stored.version}"` }
  await ask('DELETE /v1/credentials/{id}', credential, { headers: match })

  const source = { body: { kind: 'openapi', document: IMPORTED } }
  await ask('POST /v1/imports/{name}/preview', '/v1/imports/pets/preview', source)
  const { data: added } = await ask('PUT /v1/imports/{name}', '/v1/imports/pets', source)
  await ask('GET /v1/imports')
  await ask('GET /v1/imports/{name}', '/v1/imports/pets')
  await ask('POST /v1/imports/{name}/refresh', '/v1/imports/pets/refresh')
  await ask('POST /v1/imports/{name}/accept', '/v1/imports/pets/accept', {
    body: { document: added.document },
  })
  await ask('DELETE /v1/imports/{name}', '/v1/imports/pets')

  const boss = { ...systemCaller('home'), principal: 'boss' }
  const file = { bytes: Buffer.from('whole'), mediaType: 'application/octet-stream' }
  const { url } = await server.app.imports.files.keep(boss, file)
  await ask('GET /v1/artifacts/{id}', new URL(url).pathname)

  expect(problems).toEqual([])
  // The answer of a denied call, a view of no pack, a call that is not unknown, and a document that was uploaded.
  expect(refused).toEqual([
    'GET /v1/calls/{id}',
    'GET /v1/views/{pack}/{name}',
    'POST /v1/unknown/{id}/resolve',
    'POST /v1/imports/{name}/refresh',
  ])
  expect(listOperations(document).filter((operation) => !asked.has(operation))).toEqual([])
})

type Content = Readonly<Record<string, { readonly schema: Json }>>
type Response200 = { readonly $ref?: string; readonly content?: Content }
type Operation = { readonly responses: Readonly<Record<string, Response200>> }
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly responses: Readonly<Record<string, Response200>>
    readonly schemas: Readonly<Record<string, Json>>
  }
}

/** The operations of the surface itself: each tool has further ones. */
function listOperations({ paths }: Document): readonly string[] {
  return Object.entries(paths)
    .filter(([path]) => !/^\/v1\/tools\/[^{]+\/call$/.test(path))
    .flatMap(([path, item]) =>
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${path}`),
    )
}

function describedAnswer(
  { paths, components }: Document,
  method: string,
  path: string,
  status: number,
): Content | undefined {
  const responses = paths[path]?.[method.toLowerCase()]?.responses
  const found = responses?.[status] ?? responses?.[`${Math.floor(status / 100)}XX`]
  return found?.$ref === undefined
    ? found?.content
    : components.responses[found.$ref.split('/').at(-1) ?? '']?.content
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

function findProblems({ components }: Document, schema: Json, answer: Json): readonly unknown[] {
  const parts = (schema.allOf as readonly { readonly properties?: Json }[] | undefined) ?? []
  const data = (parts[1]?.properties?.data ?? {}) as Json
  return [
    ...check({ $ref: '#/components/schemas/Envelope' }, answer, components),
    ...(answer.error === undefined ? check(data, answer.data, components) : []),
  ]
}

function check(schema: Json, value: unknown, components: Document['components']) {
  const validate = ajv.compile(
    close({ ...schema, components: { schemas: components.schemas } }) as Json,
  )
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message, params }) => [
        instancePath,
        message,
        params,
      ])
}

/** The same schema without room for fields that it does not name. */
function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close)
  if (typeof node !== 'object' || node === null) return node
  const closed = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, close(value)]))
  const isObject = 'properties' in node && 'type' in node && node.type === 'object'
  return isObject && !('additionalProperties' in node)
    ? { ...closed, additionalProperties: false }
    : closed
}
