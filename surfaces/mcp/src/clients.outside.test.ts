import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createMCPClient } from '@ai-sdk/mcp'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as Transport1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ann } from '@surehand/testing/fixture-shop'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerQuestion, type ClientShop, decide, openClientShop } from './fixtures/client-shop.ts'
import type { ModelClient } from './fixtures/clients.ts'
import { type Served, serve } from './fixtures/serve.ts'

// Every client × everything that a call may need: the cells of docs/mcp-clients.md are what this
// test has seen, with the clients' own packages and one server for all of them.

const COLUMNS = [
  'list',
  'read',
  'write with approval',
  'denial with reason',
  'question',
  'background job',
  'progress',
  'cancel',
] as const
type Column = (typeof COLUMNS)[number]

/** Options of a call that a client may have. */
type CallOptions = {
  readonly onProgress?: (message: string) => void
  readonly signal?: AbortSignal
}
type TriedClient = Omit<ModelClient, 'call'> & {
  readonly call: (
    name: string,
    input: Record<string, unknown>,
    options?: CallOptions,
  ) => Promise<string>
}
type Tried = {
  readonly package: string
  readonly open: (served: Served) => Promise<TriedClient>
  /** What the client itself cannot do, and why. */
  readonly lacks: Partial<Record<Column, string>>
}

const CLIENTS = join(import.meta.dirname, '..', 'clients', 'node_modules')
const TOKEN = 'ann'
const AUTHORIZATION = `Bearer ${TOKEN}`

type Result = { readonly isError?: boolean | undefined; readonly content?: unknown }
const textOf = ({ isError, content }: Result): string =>
  `${isError === true ? 'ERROR ' : ''}${(content as readonly { readonly text: string }[]).map(({ text }) => text).join('\n')}`

function overSdk1(open: (served: Served) => Transport): Tried['open'] {
  return async (served) => {
    const client = new Client1({ name: 'tests', version: '1.0.0' })
    await client.connect(open(served))
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      async call(name, input, { onProgress, signal } = {}) {
        const options = {
          ...(signal === undefined ? {} : { signal }),
          ...(onProgress === undefined
            ? {}
            : { onprogress: ({ message = '' }) => onProgress(message) }),
        }
        return textOf(
          (await client.callTool({ name, arguments: input }, undefined, options)) as Result,
        )
      },
      close: () => client.close(),
    }
  }
}

function overSdk2(mode: 'legacy' | { readonly pin: string }): Tried['open'] {
  return async ({ url }) => {
    const client = new Client({ name: 'tests', version: '1.0.0' }, {
      versionNegotiation: { mode },
    } as ClientOptions)
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: AUTHORIZATION } },
      }),
    )
    return {
      tools: async () => (await client.listTools()).tools.map(({ name }) => name),
      async call(name, input, { onProgress, signal } = {}) {
        const options = {
          ...(signal === undefined ? {} : { signal }),
          ...(onProgress === undefined
            ? {}
            : { onprogress: ({ message = '' }: Said) => onProgress(message) }),
        }
        return textOf(await client.callTool({ name, arguments: input }, options))
      },
      close: () => client.close(),
    }
  }
}

const langChain: Tried['open'] = async ({ url }) => {
  let heard: ((message: string) => void) | undefined
  const client = new MultiServerMCPClient({
    mcpServers: { surehand: { url, transport: 'http', headers: { authorization: AUTHORIZATION } } },
    onProgress: ({ message = '' }: Said) => heard?.(message),
  })
  const tools = await client.getTools()
  return {
    tools: async () => tools.map(({ name }) => name),
    async call(name, input, { onProgress, signal } = {}) {
      heard = onProgress
      const tool = tools.find((one) => one.name === name)
      if (tool === undefined) throw new Error(`There is no tool ${name}.`)
      const call = { type: 'tool_call' as const, id: 'call-1', name, args: input }
      const { content } = (await tool.invoke(call, signal === undefined ? {} : { signal })) as {
        readonly content: unknown
      }
      return typeof content === 'string' ? content : JSON.stringify(content)
    },
    close: () => client.close(),
  }
}

const aiSdk: Tried['open'] = async ({ url }) => {
  const client = await createMCPClient({
    transport: { type: 'http', url, headers: { authorization: AUTHORIZATION } },
  })
  const tools = await client.tools()
  return {
    tools: async () => Object.keys(tools),
    async call(name, input, { signal } = {}) {
      const options = {
        toolCallId: 'call-1',
        messages: [],
        context: {},
        ...(signal === undefined ? {} : { abortSignal: signal }),
      }
      return textOf((await tools[name]?.execute?.(input, options)) as Result)
    },
    close: () => client.close(),
  }
}

const run = promisify(execFile)

const inspector: Tried['open'] = async ({ url }) => {
  const program = join(
    CLIENTS,
    '@modelcontextprotocol',
    'inspector',
    'clients',
    'launcher',
    'build',
    'index.js',
  )
  const ask = async (...words: readonly string[]): Promise<unknown> => {
    const args = [
      program,
      '--cli',
      url,
      '--transport',
      'http',
      '--header',
      `Authorization: ${AUTHORIZATION}`,
      ...words,
    ]
    return JSON.parse((await run(process.execPath, args)).stdout)
  }
  return {
    tools: async () =>
      (
        (await ask('--method', 'tools/list')) as {
          readonly tools: readonly { readonly name: string }[]
        }
      ).tools.map(({ name }) => name),
    async call(name, input) {
      const given = Object.entries(input).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${value}`,
      ])
      return textOf((await ask('--method', 'tools/call', '--tool-name', name, ...given)) as Result)
    },
    close: async () => undefined,
  }
}

const mcpRemote = overSdk1(
  ({ url }) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [
        join(CLIENTS, 'mcp-remote', 'dist', 'proxy.js'),
        url,
        '--allow-http',
        '--transport',
        'http-only',
        '--header',
        `Authorization:${AUTHORIZATION}`,
      ],
      stderr: 'ignore',
    }) as Transport,
)

const TRIED: Readonly<Record<string, Tried>> = {
  'MCP SDK 1.x': {
    package: '@modelcontextprotocol/sdk',
    open: overSdk1(
      ({ url }) =>
        new Transport1(new URL(url), {
          requestInit: { headers: { authorization: AUTHORIZATION } },
        }) as Transport,
    ),
    lacks: {},
  },
  'MCP SDK 2.x, 2025-11-25': {
    package: '@modelcontextprotocol/client',
    open: overSdk2('legacy'),
    lacks: {},
  },
  'MCP SDK 2.x, 2026-07-28': {
    package: '@modelcontextprotocol/client',
    open: overSdk2({ pin: '2026-07-28' }),
    lacks: {},
  },
  'AI SDK': { package: '@ai-sdk/mcp', open: aiSdk, lacks: { progress: 'it asks for none' } },
  'LangChain adapters': { package: '@langchain/mcp-adapters', open: langChain, lacks: {} },
  'Inspector CLI': {
    package: '@modelcontextprotocol/inspector',
    open: inspector,
    lacks: {
      progress: 'it prints the answer alone',
      cancel: 'its launcher leaves the call running when it is ended',
    },
  },
  'mcp-remote': { package: 'mcp-remote', open: mcpRemote, lacks: {} },
}

type Said = { readonly message?: string | undefined }

const RESULT = 'surehand__result'
const seen = new Map<string, Map<Column, string>>()
let shop: ClientShop
let served: Served
beforeAll(async () => {
  shop = openClientShop()
  served = await serve(shop.runtime, { ann })
})
afterAll(async () => {
  await served.close()
  await shop.runtime.stop()
})

function callIdIn(text: string): string {
  return /Call: (call_\w+)/.exec(text)?.[1] ?? ''
}

describe.each(Object.entries(TRIED))('%s', (name, { open, lacks }) => {
  let client: TriedClient
  beforeAll(async () => {
    client = await open(served)
    seen.set(name, new Map())
  })
  afterAll(() => client.close())

  const fetchAnswer = (text: string): Promise<string> =>
    client.call(RESULT, { call_id: callIdIn(text), wait_seconds: 20 })

  const TRIALS: Readonly<Record<Column, () => Promise<void>>> = {
    list: async () =>
      expect(await client.tools()).toEqual(expect.arrayContaining(['shop__buy', RESULT])),
    read: async () =>
      expect(await client.call('shop__price', { product: 'tea' })).toBe('{"amount":3}'),
    async 'write with approval'() {
      const asked = await client.call('shop__buy', { product: `tea for ${name}` })
      expect(asked).toMatch(/^Nothing has been done yet/)
      await decide(shop, 'approve')
      expect(await fetchAnswer(asked)).toMatch(/^\{"order":"order \d+"\}$/)
    },
    async 'denial with reason'() {
      const asked = await client.call('shop__buy', { product: `a yacht for ${name}` })
      await decide(shop, 'deny', 'Too dear.')
      expect(await fetchAnswer(asked)).toMatch(/^TOOL_APPROVAL_DENIED[\s\S]*"Too dear\."/)
    },
    async question() {
      const asked = await client.call('shop__gift', { product: `a vase for ${name}` })
      expect(asked).toContain('What shall the card say?')
      await answerQuestion(shop)
      expect(await fetchAnswer(asked)).toMatch(/^\{"order":"order \d+"\}$/)
    },
    'background job': async () =>
      expect(await client.call('shop__later', { product: `rice for ${name}` })).toMatch(
        /^\{"order":"order \d+"\}$/,
      ),
    async progress() {
      const heard: string[] = []
      const counted = client.call(
        'shop__count',
        { shelf: name },
        { onProgress: (message) => heard.push(message) },
      )
      await expect.poll(() => heard).toContain('half of the shelf')
      shop.finishCounting()
      expect(await counted).toBe('{"counted":7}')
    },
    async cancel() {
      const before = shop.counting.length
      const left = new AbortController()
      const counted = client
        .call('shop__count', { shelf: `left by ${name}` }, { signal: left.signal })
        .catch(() => 'left')
      await expect.poll(() => shop.counting.length).toBe(before + 1)
      left.abort()
      await expect.poll(() => shop.counting[before]?.aborted).toBe(true)
      expect(await counted).toBe('left')
    },
  }

  for (const column of COLUMNS)
    test(`${column}${lacks[column] === undefined ? '' : ': not by this client'}`, async () => {
      const why = lacks[column]
      if (why === undefined) await TRIALS[column]()
      seen.get(name)?.set(column, why === undefined ? 'yes' : `no: ${why}`)
    })
})

test('the table of the documentation is what was seen', async () => {
  const cell = (name: string, column: Column): string => seen.get(name)?.get(column) ?? 'FAILED'
  const rows = Object.entries(TRIED).map(
    ([name, { package: from }]) =>
      `| ${name} (\`${from}\`) | ${COLUMNS.map((column) => cell(name, column)).join(' | ')} |`,
  )
  await expect(
    `${HEAD}\n| client | ${COLUMNS.join(' | ')} |\n|${' --- |'.repeat(COLUMNS.length + 1)}\n${rows.join('\n')}\n`,
  ).toMatchFileSnapshot('../../../docs/mcp-clients.md')
})

const HEAD = `# MCP clients

<!-- Generated by surfaces/mcp/src/clients.outside.test.ts; \`npx vitest run --project outside surfaces/mcp/src/clients.outside.test.ts -u\` writes it anew. -->

What works with which client, tried in the gate with the clients' own packages against one server over HTTP, without any setting of ours in the client. Where a call waits for a person, the client is told so in an ordinary result and fetches the answer with \`surehand__result\`; a client that can show forms or pages (elicitation) is asked directly instead. A job in the background is awaited for 25 seconds; no client here declares the tasks extension of 2026-07-28, which the [MCP surface](../surfaces/mcp/README.md) serves. "no" names what the client itself cannot do.
`
