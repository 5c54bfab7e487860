import { createHash, createHmac } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Caller, type ToolError, toEnvelope } from '@surehand/core'
import { buildSchema, graphql } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { startCollector } from '../fixtures/collector.ts'
import { readDemoConfig } from '../fixtures/demo-config.ts'
import { createLog } from '../log/log.ts'
import { serve } from '../serve/serve.ts'

type Sent = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly authorization: string | undefined
}

const NOW = new AbortController().signal
const schema = buildSchema(
  'type Query { hello(name: String!): String! pages(count: Int!): [String!]! } type Mutation { shout(text: String!): String! }',
)
const root = {
  hello: ({ name }: { name: string }) => `Hello ${name}`,
  pages: ({ count }: { count: number }) => Array.from({ length: count }, () => 'x'.repeat(5_000)),
  shout: ({ text }: { text: string }) => text.toUpperCase(),
}

const LISTING = JSON.stringify({
  tools: [
    {
      name: 'look',
      title: 'Look',
      description: 'Looks.',
      inputSchema: { type: 'object' },
      hints: {},
    },
  ],
  refused: [],
  notes: [],
})

let vendor: Server
let origin: string
let words = 'Looks at a thing.'
const sent: Sent[] = []

function petDocument(): string {
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: `${origin}/v1` }],
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    paths: {
      '/things/{id}': {
        get: {
          operationId: 'getThing',
          description: words,
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          security: [{ token: [] }],
          responses: {
            '200': {
              description: 'It.',
              content: { 'application/json': { schema: { type: 'object' } } },
            },
          },
        },
      },
      '/things': {
        get: {
          operationId: 'listThings',
          description: 'Lists things.',
          responses: { '200': { description: 'All.' } },
        },
      },
    },
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

beforeAll(async () => {
  vendor = createServer(async (request, response) => {
    const { method, url, headers } = request
    if (url !== '/openapi.json' && url !== '/graphql')
      sent.push({ method, url, authorization: headers.authorization })
    if (headers['x-amz-target'] !== undefined) signed = headers as SignedHeaders
    response.setHeader('content-type', 'application/json')
    if (url === '/openapi.json') return response.end(petDocument())
    if (url === '/graphql') {
      const { query, variables } = JSON.parse(await bodyOf(request)) as {
        query: string
        variables?: Record<string, unknown>
      }
      return response.end(
        JSON.stringify(
          await graphql({
            schema,
            source: query,
            rootValue: root,
            variableValues: variables ?? {},
          }),
        ),
      )
    }
    // vendors that say everything again that they were changes
    if (url === '/talkative') {
      const { id = null } = JSON.parse((await bodyOf(request)) || '{}') as { readonly id?: unknown }
      const error = {
        code: -32000,
        message: `who is ${headers.authorization?.slice('Bearer '.length)}?`,
      }
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
    }
    if (url?.includes('broken')) response.statusCode = 400
    return response.end(
      JSON.stringify({ id: url?.split('/').at(-1), echo: headers.authorization ?? null }),
    )
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => vendor.close())

type SignedHeaders = Readonly<Record<'host' | 'authorization' | 'x-amz-date', string>>
let signed: SignedHeaders | undefined

/** What AWS computes itself from what it received, by its documentation. */
function signatureOf(headers: SignedHeaders | undefined, secretKey: string, body: string): string {
  const date = headers?.['x-amz-date'] ?? ''
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const hmac = (key: string | Buffer, text: string) =>
    createHmac('sha256', key).update(text).digest()
  const canonical = [
    ...['POST', '/', '', `host:${headers?.host}`, `x-amz-date:${date}`],
    ...['x-amz-target:ListTables', '', 'host;x-amz-date;x-amz-target', sha256(body)],
  ].join('\n')
  const scope = [date.slice(0, 8), 'eu-west-1', 'dynamodb', 'aws4_request']
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  return hmac(
    key,
    ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n'),
  ).toString('hex')
}

const apps: App[] = []
afterAll(() => Promise.all(apps.map((app) => app.close())))

async function open(data: string, file?: string, also = origin): Promise<App> {
  const hosts = [origin, also].map((one) => `home=${new URL(one).host}`).join()
  const env = { SUREHAND_DATA: data, SUREHAND_PRIVATE_HOSTS: hosts, SUREHAND_LOG_LEVEL: 'silent' }
  const app = await createApp(await readConfig({ env, folder: data, file }))
  apps.push(app)
  return app
}

const newData = () => mkdtempSync(join(tmpdir(), 'surehand-imports-'))
const ann: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['admin', 'user'],
  capabilities: [],
}

async function call(app: App, tool: string, input: unknown, caller = ann) {
  return toEnvelope(await app.runtime.call({ tool, input, caller, surface: 'test' }))
}

describe('an API that nobody here has seen', () => {
  test('is imported from its address and called with the credential of the app, which is never shown', async () => {
    const app = await open(newData())
    const { report } = await app.imports.imports.add(
      ann,
      'things',
      { kind: 'openapi', from: { url: `${origin}/openapi.json` } },
      NOW,
    )
    expect([report.operations, report.taken.length]).toEqual([2, 2])
    const lacking = await call(app, 'things.getThing', { id: 'lamp' })
    expect(lacking.error?.message).toContain('no credential "things.token"')
    await app.imports.credentials.put(ann, 'things.token', {
      kind: 'bearer',
      origins: [origin],
      token: 'a-very-secret-token',
    })
    const answer = await call(app, 'things.getThing', { id: 'lamp' })
    expect(answer.status).toBe('success')
    expect(JSON.stringify(answer)).not.toContain('a-very-secret-token')
    expect(sent.at(-1)).toEqual({
      method: 'GET',
      url: '/v1/things/lamp',
      authorization: 'Bearer a-very-secret-token',
    })
  })

  test('wants signatures of AWS: they are made of a credential of the vault, over what is sent', async () => {
    const app = await open(newData())
    const hmac = {
      type: 'apiKey',
      in: 'header',
      name: 'Authorization',
      'x-amazon-apigateway-authtype': 'awsSigv4',
    }
    const target = { name: 'X-Amz-Target', in: 'header', required: true, schema: {} }
    const post = {
      operationId: 'ListTables',
      parameters: [target, { name: 'X-Amz-Signature', in: 'header', schema: {} }],
      requestBody: { content: { 'application/json': { schema: {} } } },
      'x-agent': { action: true },
    }
    const document = JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Tables', version: '1' },
      servers: [{ url: origin }],
      components: { securitySchemes: { hmac } },
      security: [{ hmac: [] }],
      paths: { '/#X-Amz-Target=ListTables': { post } },
    })
    const settings = { allow: 'all', sidecar: { ListTables: { approval: 'none' } } }
    await app.imports.imports.add(
      ann,
      'tables',
      { kind: 'openapi', from: null, settings, document },
      NOW,
    )
    const secretAccessKey = 'a-very-secret-access-key'
    await app.imports.credentials.put(ann, 'tables.hmac', {
      ...{ kind: 'aws', origins: [origin], region: 'eu-west-1', service: 'dynamodb' },
      ...{ accessKeyId: 'AKIDEXAMPLE', secretAccessKey },
    })
    const input = { 'X-Amz-Target': 'ListTables', body: { Limit: 3 } }
    expect((await call(app, 'tables.ListTables', input)).status).toBe('success')
    expect(signed?.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/dynamodb\/aws4_request, /,
    )
    expect(signed?.authorization).toContain(
      `Signature=${signatureOf(signed, secretAccessKey, '{"Limit":3}')}`,
    )
  })

  test('is not reached by a tenant for whom the configuration does not open its network', async () => {
    const app = await open(newData())
    const outsider = { ...ann, tenant: 'elsewhere' }
    const before = sent.length
    await expect(
      app.imports.imports.add(
        outsider,
        'things',
        { kind: 'openapi', from: { url: `${origin}/openapi.json` } },
        NOW,
      ),
    ).rejects.toThrow(/127\.0\.0\.1/)
    expect(sent.length).toBe(before)
  })

  test('speaks GraphQL: it is introspected, and a mutation is imported by name and requires approval', async () => {
    const app = await open(newData())
    const settings = { endpoint: `${origin}/graphql`, allow: ['mutation.shout'] }
    const from = { endpoint: `${origin}/graphql` }
    const { view } = await app.imports.imports.add(
      ann,
      'words',
      { kind: 'graphql', from, settings },
      NOW,
    )
    expect(view.tools).toBe(3)
    const hello = await call(app, 'words.hello', { name: 'Ann' })
    expect(JSON.stringify(hello.data)).toContain('Hello Ann')
    expect((await call(app, 'words.shout', { text: 'hey' })).error?.code).toBe(
      'TOOL_APPROVAL_REQUIRED',
    )
  })

  test('answers at length in GraphQL: the beginning, and a link to the whole for the one who asked', async () => {
    const app = await open(newData())
    const from = { endpoint: `${origin}/graphql` }
    const form = { kind: 'graphql', from, settings: from }
    await app.imports.imports.add(ann, 'words', form, NOW)
    const { data } = await call(app, 'words.pages', { count: 200 })
    const { artifact, truncated, data: shown } = data as Readonly<Record<string, unknown>>
    expect(shown).toEqual(Array.from({ length: 5 }, () => 'x'.repeat(4_000)))
    expect(truncated).toContain('cut after 5 items')
    const { uri, bytes } = artifact as { readonly uri: string; readonly bytes: number }
    const id = uri.split('/').at(-1) ?? ''
    const whole = await app.imports.files.find(ann, id)
    expect(whole?.bytes.byteLength).toBe(bytes)
    expect(JSON.parse(String(whole?.bytes))).toHaveLength(200)
    expect(await app.imports.files.find({ ...ann, principal: 'bob' }, id)).toBeUndefined()
  })

  test('is not at its address: the address is refused as a mistake, not as a fault of this server', async () => {
    const app = await open(newData())
    const refusal = async (kind: string, from: object, settings = {}) =>
      app.imports.imports
        .add(ann, 'wrong', { kind, from, settings }, NOW)
        .catch((thrown: unknown) => (thrown as ToolError).code)
    const elsewhere = { endpoint: `${origin}/page` }
    expect([
      await refusal('openapi', { url: `${origin}/page` }),
      await refusal('openapi', { url: `${origin}/broken` }),
      await refusal('graphql', elsewhere, elsewhere),
    ]).toEqual(Array.from({ length: 3 }, () => 'TOOL_INVALID_FIELD_VALUE'))
  })

  test('is mounted with an overlay for a tool that the server does not have: it is refused', async () => {
    const { imports } = (await open(newData())).imports
    const mount = {
      kind: 'mcp',
      from: { url: `${origin}/talkative` },
      document: LISTING,
      settings: { overlay: { loook: { leaveOut: true } } },
    }
    expect((await imports.preview(ann, 'far', mount, NOW)).unmatched).toEqual(['loook'])
    await expect(imports.add(ann, 'far', mount, NOW)).rejects.toThrow(
      'The settings name "loook", which the source does not have. Nothing was imported.',
    )
    expect(await imports.list(ann)).toEqual([])
  })

  test('is an MCP server that is started here: its tools are mounted, and every one asks first', async () => {
    const file = join(newData(), 'surehand.config.json')
    const args = [join(import.meta.dirname, '../../../../sources/mcp/src/fixtures/notes-main.ts')]
    const notes = { command: process.execPath, args, inherit: ['NODE_COMPILE_CACHE'] }
    writeFileSync(file, JSON.stringify({ mcpServers: { notes } }))
    const app = await open(newData(), file)
    const { view } = await app.imports.imports.add(
      ann,
      'mine',
      { kind: 'mcp', from: { server: 'notes' } },
      NOW,
    )
    expect(view.tools).toBeGreaterThan(3)
    expect((await call(app, 'mine.add', { left: 1, right: 2 })).error?.code).toBe(
      'TOOL_APPROVAL_REQUIRED',
    )
    const overlay = { add: { effect: 'read' } }
    await app.imports.imports.add(
      ann,
      'mine',
      { kind: 'mcp', from: { server: 'notes' }, settings: { overlay } },
      NOW,
    )
    expect((await call(app, 'mine.add', { left: 1, right: 2 })).status).toBe('success')
    // no maintenance runs here: the process that serves the call reports what it found
    const grown = { grow: { effect: 'read' } }
    const form = { kind: 'mcp', from: { server: 'notes' }, settings: { overlay: grown } }
    await app.imports.imports.add(ann, 'mine', form, NOW)
    expect((await call(app, 'mine.grow', {})).status).toBe('success')
    await expect
      .poll(async () => (await app.imports.imports.get(ann, 'mine')).held.map(({ id }) => id))
      .toEqual(['mine.extra'])
    // what runs here is for the app that the configuration names
    const outsider = { ...ann, tenant: 'elsewhere' }
    const theirs = app.imports.imports.add(
      outsider,
      'mine',
      { kind: 'mcp', from: { server: 'notes' } },
      NOW,
    )
    await expect(theirs).rejects.toThrow('There is no server "notes"')
    await expect(
      app.imports.imports.add(ann, 'other', { kind: 'mcp', from: { server: 'other' } }, NOW),
    ).rejects.toThrow('mcpServers')
  })
})

test('an MCP server at an address is mounted through egress, with a credential that is never shown', async () => {
  const env = {
    SUREHAND_PORT: '0',
    SUREHAND_DATA: newData(),
    SUREHAND_LOG_LEVEL: 'silent',
  }
  const config = await readDemoConfig({ env, folder: newData() })
  const serving = await serve(config, createLog(config))
  try {
    const { publicUrl } = serving.addresses
    const app = await open(newData(), undefined, publicUrl)
    const form = {
      kind: 'mcp',
      from: { url: `${publicUrl}/mcp` },
      settings: { credential: 'shop.token', overlay: { shop__price: { effect: 'read' } } },
    }
    await expect(app.imports.imports.add(ann, 'far', form, NOW)).rejects.toThrow()
    const token = serving.welcome.demoTokens?.ann ?? ''
    await app.imports.credentials.put(ann, 'shop.token', {
      kind: 'bearer',
      origins: [publicUrl],
      token,
    })
    expect((await app.imports.imports.add(ann, 'far', form, NOW)).view.tools).toBeGreaterThan(3)
    const answer = await call(app, 'far.shop__price', { productId: 'tea' })
    expect([answer.status, JSON.stringify(answer).includes(token)]).toEqual(['success', false])
  } finally {
    await serving.stop()
  }
})

test('one changed byte in a published document holds its tool back on every node, until an administrator accepts it', async () => {
  const data = newData()
  const [here, there] = [await open(data), await open(data)]
  words = 'Looks at a thing.'
  const form = { kind: 'openapi', from: { url: `${origin}/openapi.json` }, refreshSeconds: 1 }
  await here.imports.imports.add(ann, 'things', form, NOW)
  await here.imports.credentials.put(ann, 'things.token', {
    kind: 'bearer',
    origins: [origin],
    token: 'a-very-secret-token',
  })
  await expect
    .poll(async () => (await call(there, 'things.getThing', { id: 'a' })).status)
    .toBe('success')
  // a mounted server that is removed again must not stop the watcher
  const mount = { kind: 'mcp', from: { url: `${origin}/talkative` }, document: LISTING }
  await here.imports.imports.add(ann, 'far', mount, NOW)
  sent.length = 0
  here.startMaintenance()
  await expect.poll(() => sent.some(({ url }) => url === '/talkative')).toBe(true)
  await here.imports.imports.remove(ann, 'far')
  words = 'Looks at a thing!'
  const listHeld = async (app: App) => (await call(app, 'things.getThing', { id: 'a' })).error?.code
  await expect.poll(() => listHeld(here)).toBe('TOOL_TEMPORARILY_DISABLED')
  await expect.poll(() => listHeld(there)).toBe('TOOL_TEMPORARILY_DISABLED')
  expect((await call(there, 'things.listThings', {})).status).toBe('success')
  const view = await there.imports.imports.get(ann, 'things')
  expect(view.held[0]?.differences.join()).toContain(
    '"Looks at a thing." became "Looks at a thing!"',
  )
  await there.imports.imports.accept(ann, 'things', { document: view.document })
  await expect
    .poll(async () => (await call(here, 'things.getThing', { id: 'a' })).status)
    .toBe('success')
})

const canaries = Array.from(
  { length: 50 },
  (_, index) => `canary-${index}-${'x'.repeat(8)}-${index * 7919}`,
)
// each of them is listened to for as long as the app is open
const MOUNTED = 10

/**
 * Brings an API and a server for each secret, and has them refuse with the secret in their words.
 */
async function letOthersTalk(app: App): Promise<readonly unknown[]> {
  words = 'Looks at a thing.'
  const document = petDocument()
  const { imports, credentials } = app.imports
  const seen: unknown[] = []
  for (const [index, token] of canaries.entries()) {
    const name = `api_${index}`
    seen.push(
      await imports.add(
        ann,
        name,
        { kind: 'openapi', from: null, document, refreshSeconds: 0 },
        NOW,
      ),
    )
    seen.push(
      await credentials.put(ann, `${name}.token`, { kind: 'bearer', origins: [origin], token }),
    )
    seen.push(
      await call(app, `${name}.getThing`, { id: 'lamp' }),
      await call(app, `${name}.getThing`, { id: 'broken' }),
    )
    if (index >= MOUNTED) continue
    const mount = {
      kind: 'mcp',
      from: { url: `${origin}/talkative` },
      settings: { credential: `${name}.token` },
      document: LISTING,
    }
    seen.push(
      await imports.add(ann, `far_${index}`, mount, NOW),
      await call(app, `far_${index}.look`, {}),
    )
  }
  seen.push(
    await credentials.list(ann),
    await app.stores.audit.list({ tenant: 'home' }),
    await imports.list(ann),
  )
  for await (const line of app.audit.export?.('home') ?? []) seen.push(line)
  return seen
}

test('fifty canary secrets in credentials stand in no answer, error, audit record or list, no line of the log and no span', async () => {
  const collector = await startCollector()
  const lines: string[] = []
  const env = {
    SUREHAND_DATA: newData(),
    SUREHAND_PORT: '0',
    SUREHAND_PRIVATE_HOSTS: `home=${new URL(origin).host}`,
    SUREHAND_LOG_LEVEL: 'debug',
    SUREHAND_OTLP_ENDPOINT: collector.url,
  }
  const config = await readConfig({ env, folder: env.SUREHAND_DATA })
  const serving = await serve(config, createLog(config, { write: (line) => void lines.push(line) }))
  const before = sent.length
  const seen = await letOthersTalk(serving.app)
  expect(new Set(sent.slice(before).map(({ authorization }) => authorization)).size).toBe(50)
  await expect
    .poll(() => lines.filter((line) => line.includes('background work failed')).length)
    .toBeGreaterThan(0)
  await serving.stop()
  expect(collector.spans.filter(({ name }) => name.endsWith('getThing'))).toHaveLength(100)
  const changes = [JSON.stringify(seen), ...lines, ...collector.bodies].join('\n')
  expect(
    canaries.filter(
      (canary) =>
        changes.includes(canary) || changes.includes(Buffer.from(canary).toString('base64')),
    ),
  ).toEqual([])
})
