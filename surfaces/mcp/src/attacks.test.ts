import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import {
  type Caller,
  createRuntime,
  definePack,
  defineTool,
  memoryStores,
  type Runtime,
} from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import { implementations, manageTools, toDefinition } from '@surehand/documents'
import { createEdge } from '@surehand/edge'
import { createIdentity, createIdentityApi } from '@surehand/identity'
import { foreignSchemas } from '@surehand/json-schema'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { TASKS_EXTENSION } from './capabilities.ts'
import { callIdOf } from './fixtures/call-id-of.ts'
import { rawClient } from './fixtures/raw-client.ts'
import { schemaTools } from './fixtures/schema-tools.ts'
import { type Served, serve } from './fixtures/serve.ts'
import { ann, foreigner, openShop } from './fixtures/shop.ts'

let served: Served | undefined
afterEach(() => served?.close())

type Answered = {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

function bodyOf(name: string, input: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: { name, arguments: input, _meta: meta },
  })
}

const order = bodyOf('shop__order', { product: 'tea' })

function send(
  opened: Served,
  body: string,
  headers: OutgoingHttpHeaders = {},
  path = '/mcp',
): Promise<Answered> {
  const usual = {
    authorization: 'Bearer ann',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'shop__order',
  }
  return new Promise((resolve, reject) => {
    const method = body === '' ? 'GET' : 'POST'
    const request = httpRequest(
      opened.url,
      { method, path, headers: { ...usual, ...headers } },
      (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

describe('a client with invalid tokens', () => {
  const show = (opened: Served, token: string) =>
    send(opened, order, { authorization: `Bearer ${token}` })
  // The clock stands still, so that no attempt is refilled on a slow machine.
  const openEdge = () => createEdge({ clock: { ...systemClock(), ticks: () => 0 } })

  async function guessUntilRefused(opened: Served): Promise<readonly number[]> {
    const statuses: number[] = []
    while (statuses.length < 500 && statuses.at(-1) !== 429)
      statuses.push((await show(opened, `guess-${statuses.length}`)).status)
    return statuses
  }

  test('is throttled after some attempts, whatever token it sends then, and nothing is looked up meanwhile', async () => {
    const looked: string[] = []
    served = await serve(
      openShop().runtime,
      (token) => {
        looked.push(token)
        return token === 'ann' ? ann : undefined
      },
      { edge: openEdge() },
    )
    const statuses = await guessUntilRefused(served)
    looked.splice(0)
    const late = await show(served, 'ann')
    expect([statuses.length >= 40, new Set(statuses)]).toEqual([true, new Set([401, 429])])
    expect([late.status, Number(late.headers['retry-after']) > 0, looked]).toEqual([429, true, []])
  })

  test('does not affect a client of the same address that was served before', async () => {
    served = await serve(openShop().runtime, { ann }, { edge: openEdge() })
    await show(served, 'guess')
    await show(served, 'ann')
    await guessUntilRefused(served)
    expect((await show(served, 'ann')).status).toBe(200)
  })
})

describe('the metadata for getting a token', () => {
  const scopes = ['tools.read', 'tools.call']

  test('is served at the path of this resource and at the root, and at no other', async () => {
    served = await serve(
      openShop().runtime,
      { ann },
      { authorizationServers: ['https://id.example.com'], scopes },
    )
    const [own, root, other, longer] = await Promise.all(
      ['/mcp', '', '/other', '-of-another'].map((path) =>
        send(
          served as Served,
          '',
          { authorization: '' },
          `/.well-known/oauth-protected-resource${path}`,
        ),
      ),
    )
    expect(JSON.parse(own?.text ?? '')).toEqual({
      resource: served.url,
      authorization_servers: ['https://id.example.com'],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    })
    expect(own?.headers['content-type']).toBe('application/json')
    expect(root?.text).toBe(own?.text)
    expect([other?.status, longer?.status]).toEqual([404, 404])
  })

  test('leaves out lists without an entry', async () => {
    served = await serve(openShop().runtime, { ann })
    const metadata = await send(
      served,
      '',
      { authorization: '' },
      '/.well-known/oauth-protected-resource/mcp',
    )
    expect(JSON.parse(metadata.text)).toEqual({
      resource: served.url,
      bearer_methods_supported: ['header'],
    })
  })

  test('is linked in the challenge, with the scopes', async () => {
    served = await serve(openShop().runtime, { ann }, { scopes })
    const answer = await send(served, order, { authorization: 'Bearer of bad news' })
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="http://${served.host}/.well-known/oauth-protected-resource/mcp", scope="tools.read tools.call"`,
    )
  })
})

describe('tokens', () => {
  const root: Caller = {
    tenant: 'home',
    principal: 'root',
    actor: 'user',
    roles: ['admin'],
    capabilities: [],
  }

  /** A runtime with its own store, and a token for it. */
  async function openTenant() {
    const shop = openShop()
    const stores = memoryStores()
    const clock = systemClock()
    const identity = createIdentity({ store: stores.admin, clock, home: 'home' })
    const { administration } = createRuntime({ packs: [], stores })
    const identityApi = createIdentityApi({
      administration,
      directory: identity.directory,
      clock,
      home: 'home',
    })
    await identityApi.principals.put(root, 'ann', { roles: ['user'] })
    return {
      shop,
      identity,
      identityApi,
      made: await identityApi.tokens.create(root, { principal: 'ann', name: 'laptop' }),
    }
  }

  test('that are forged, foreign, revoked or in the address open nothing', async () => {
    const [own, other] = [await openTenant(), await openTenant()]
    const opened = await serve(
      own.shop.runtime,
      async (token) => (await own.identity.authenticate(token))?.caller,
    )
    served = opened
    const statusWith = async (token: string) =>
      (await send(opened, order, { authorization: `Bearer ${token}` })).status
    expect(await statusWith(own.made.token)).toBe(200)
    expect(await statusWith(other.made.token)).toBe(401)
    expect(await statusWith(`${own.made.token.slice(0, -4)}AAAA`)).toBe(401)
    expect(await statusWith(`${own.made.token} ${own.made.token}`)).toBe(401)
    const inAddress = await send(
      opened,
      order,
      { authorization: '' },
      `/mcp?access_token=${own.made.token}`,
    )
    expect(inAddress.status).toBe(401)
    expect(own.shop.orders).toEqual(['tea'])
    await own.identityApi.tokens.revoke(root, own.made.id)
    await expect.poll(() => statusWith(own.made.token)).toBe(401)
  })
})

describe('streams', () => {
  const capabilities = { extensions: { [TASKS_EXTENSION]: {} } }
  const later = { name: 'shop__orderLater', arguments: { product: 'a boat' } }

  async function beginTask(opened: Served, token: string): Promise<unknown> {
    const { result } = await rawClient(opened, token, capabilities).send('tools/call', later)
    return result?.taskId
  }

  const listen = (opened: Served, token: string, taskId: unknown) =>
    rawClient(opened, token, capabilities).listen('subscriptions/listen', {
      notifications: { taskIds: [taskId] },
    })

  test('beyond the limit of a principal are refused, and another opens one all the same', async () => {
    const edge = createEdge({ streams: { perPrincipal: 2 } })
    served = await serve(openShop().runtime, { ann, foreigner }, { edge })
    const opened = served
    const tasks = {
      ann: await beginTask(opened, 'ann'),
      foreigner: await beginTask(opened, 'foreigner'),
    }
    const first = async (token: 'ann' | 'foreigner') =>
      (await listen(opened, token, tasks[token]).next()).value
    const acknowledged = { method: 'notifications/subscriptions/acknowledged' }
    expect(await first('ann')).toMatchObject(acknowledged)
    expect(await first('ann')).toMatchObject(acknowledged)
    const refused = await send(
      opened,
      JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'subscriptions/listen',
        params: {
          notifications: { taskIds: [tasks.ann] },
          _meta: { ...meta, ...{ 'io.modelcontextprotocol/clientCapabilities': capabilities } },
        },
      }),
      { 'mcp-method': 'subscriptions/listen', 'mcp-name': '' },
    )
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '5'])
    expect(refused.text).toContain('you have 2, which is the limit')
    expect(await first('foreigner')).toMatchObject(acknowledged)
  })

  test('end when their token is revoked', async () => {
    let isRevoked = false
    const shop = openShop()
    served = await serve(shop.runtime, (token) => (token === 'ann' && !isRevoked ? ann : undefined))
    const words = listen(served, 'ann', await beginTask(served, 'ann'))
    await words.next()
    isRevoked = true
    const rest = (async () => {
      for await (const _ of words);
    })()
    await expect(rest).rejects.toThrow('terminated')
  })
})

describe("another tenant's ids", () => {
  const capabilities = { extensions: { [TASKS_EXTENSION]: {} } }

  test('of calls look like missing ones', async () => {
    served = await serve(openShop().runtime, { ann, foreigner })
    const { result } = await rawClient(served, 'ann', {}).send('tools/call', {
      name: 'shop__order',
      arguments: { product: 'a secret' },
    })
    const callId = callIdOf(result as Parameters<typeof callIdOf>[0])
    const { connect: open } = served
    const readAs = async (token: string, id: string) => {
      const client = await open('2026', token)
      return client.readResource({ uri: `surehand://calls/${id}` }).then(
        ({ contents }) => JSON.stringify(contents),
        (error: Error) => error.message.replace(id, 'ID'),
      )
    }
    expect(await readAs('ann', callId)).toContain('order 1')
    expect(await readAs('foreigner', callId)).toBe(
      await readAs('foreigner', callId.replace(/.$/, '0')),
    )
  })

  test.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'of tasks look like missing ones to %s',
    async (method) => {
      const shop = openShop()
      served = await serve(shop.runtime, { ann, foreigner })
      const later = { name: 'shop__orderLater', arguments: { product: 'a boat' } }
      const { result: task } = await rawClient(served, 'ann', capabilities).send(
        'tools/call',
        later,
      )
      const { send: ask } = rawClient(served, 'foreigner', capabilities)
      const foreign = await ask(method, { taskId: task?.taskId, inputResponses: {} })
      const missing = await ask(method, { taskId: 'call_0.0', inputResponses: {} })
      expect(foreign.error?.code).toBe(-32602)
      expect(foreign.error).toEqual(missing.error)
      const { result } = await rawClient(served, 'ann', capabilities).send('tasks/get', {
        taskId: task?.taskId,
      })
      expect(result).toMatchObject({ status: 'working' })
    },
  )
})

describe('a body', () => {
  /**
   * Sends the head and the first bytes, then a blank every 20 ms; returns what arrives until the
   * connection closes.
   */
  function dripping(opened: Served, head: readonly string[], first: string): Promise<string> {
    const [name = '', port = ''] = opened.host.split(':')
    return new Promise((resolve) => {
      let text = ''
      const lines = [
        'POST /mcp HTTP/1.1',
        `Host: ${opened.host}`,
        'Authorization: Bearer ann',
        'Content-Type: application/json',
        ...head,
      ]
      let drip: NodeJS.Timeout | undefined
      const socket = connect(Number(port), name, () => {
        socket.write(`${lines.join('\r\n')}\r\n\r\n${first}`)
        // not sooner: on a busy machine the first drop would come before the request's own line
        drip = setInterval(() => socket.write(' '), 20)
      })
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(drip)
        resolve(text)
      })
    })
  }

  test('that drips is not waited for, and its connection is closed', async () => {
    served = await serve(openShop().runtime, { ann }, { bodyTimeoutMs: 200 })
    expect(await dripping(served, ['Content-Length: 100000'], '{')).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('that says it is too large is refused before it comes, and not taken for ever', async () => {
    served = await serve(openShop().runtime, { ann }, { bodyTimeoutMs: 200, maxBodyBytes: 10_000 })
    expect(await dripping(served, ['Content-Length: 100000'], '{')).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('that turns out too large on the way is refused too', async () => {
    served = await serve(openShop().runtime, { ann }, { maxBodyBytes: 10_000 })
    const answer = await send(served, order.replace('tea', 'x'.repeat(20_000)), {
      'transfer-encoding': 'chunked',
    })
    expect(answer.status).toBe(413)
  })

  test('that is not UTF-8 is refused instead of being repaired', async () => {
    const shop = openShop()
    served = await serve(shop.runtime, { ann })
    const [head = '', tail = ''] = order.split('tea')
    const [name = '', port = ''] = served.host.split(':')
    const bytes = Buffer.concat([Buffer.from(head), Buffer.from([0xff, 0xfe]), Buffer.from(tail)])
    const status = await new Promise((resolve, reject) => {
      const headers = { authorization: 'Bearer ann', 'content-type': 'application/json' }
      const request = httpRequest(
        { host: name, port, path: '/mcp', method: 'POST', headers },
        (response) => resolve(response.statusCode),
      )
      request.on('error', reject)
      request.end(bytes)
    })
    expect(status).toBe(400)
    expect(shop.orders).toEqual([])
  })

  test('may be as large as a tool that was registered later takes it', async () => {
    const note = (id: string, maxInputBytes?: number) =>
      defineTool({
        id,
        title: 'Take a note',
        category: 'custom',
        description: 'Takes a note.',
        input: z.object({ text: z.string() }),
        output: z.object({ length: z.number() }),
        contract: { effect: 'read', ...(maxInputBytes === undefined ? {} : { maxInputBytes }) },
        execute: async ({ input }) => ({ length: input.text.length }),
      })
    const runtime: Runtime = createRuntime({
      packs: [definePack({ name: 'notes', tools: [note('notes.short', 100)] })],
      stores: memoryStores(),
    })
    served = await serve(runtime, { ann })
    const input = { text: 'x'.repeat(200_000) }
    const long = bodyOf('notes__long', input)
    const headers = { 'mcp-name': 'notes__long' }
    const short = { 'mcp-name': 'notes__short' }
    expect((await send(served, bodyOf('notes__short', input), short)).status).toBe(413)
    const unnamed = { 'mcp-name': '', 'mcp-protocol-version': '2025-11-25' }
    const huge = bodyOf('notes__long', { text: 'x'.repeat(2 * 1024 * 1024) })
    expect((await send(served, huge, unnamed)).status).toBe(413)
    const admin: Caller = {
      ...ann,
      actor: 'user',
      roles: ['admin'],
      capabilities: ['tools.manage'],
    }
    const management = manageTools(runtime, {
      schemas: foreignSchemas(),
      implementations: implementations({
        functions: { 'notes.long': async () => ({ length: 200_000 }) },
      }),
    })
    const definition = toDefinition(note('notes.long'), { createdAt: 0, updatedAt: 0 })
    expect(await management.registerTool(admin, definition)).toMatchObject({ success: true })
    const taken = await send(served, long, headers)
    expect([taken.status, JSON.parse(taken.text).result.content]).toEqual([
      200,
      [{ type: 'text', text: '{"length":200000}' }],
    ])
  })
})

describe('a field that travels in a header too', () => {
  const region = (value: unknown, shard?: number) =>
    bodyOf('test_param_header', { region: value, ...(shard === undefined ? {} : { shard }) })
  const named = { 'mcp-name': 'test_param_header' }
  const coded = `=?base64?${Buffer.from('für alle').toString('base64')}?=`

  test.each([
    ['as it is', region('eu'), { 'mcp-param-region': 'eu' }, 200],
    ['in Base64', region('für alle'), { 'mcp-param-region': coded }, 200],
    [
      'as another writing of the same number',
      region('eu', 42),
      { 'mcp-param-region': 'eu', 'mcp-param-shard': '42.0' },
      200,
    ],
    ['as something else', region('eu'), { 'mcp-param-region': 'us' }, 400],
    [
      'as another number',
      region('eu', 42),
      { 'mcp-param-region': 'eu', 'mcp-param-shard': '43' },
      400,
    ],
    ['as nothing', region('eu'), {}, 400],
    ['as broken Base64', region('Hello'), { 'mcp-param-region': '=?base64?SGVsbG8?=' }, 400],
    // a wrapped name is taken by the SDK: it must not be a way around
    [
      'as something else, its tool wrapped',
      region('eu'),
      { 'mcp-param-region': 'us', 'mcp-name': `=?base64?${btoa('test_param_header')}?=` },
      400,
    ],
  ])('is taken or refused: %s', async (_, body, headers, status) => {
    const runtime = createRuntime({
      packs: [definePack({ name: 'regions', tools: schemaTools })],
      stores: memoryStores(),
    })
    served = await serve(runtime, { ann })
    const answer = await send(served, body, { ...named, ...headers })
    expect(answer.status).toBe(status)
    if (status === 400)
      expect(JSON.parse(answer.text)).toMatchObject({ id: 7, error: { code: -32020 } })
  })
})
