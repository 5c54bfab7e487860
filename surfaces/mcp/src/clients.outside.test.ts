import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ann } from '@surehand/testing/fixture-shop'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answerQuestion, type ClientShop, decide, openClientShop } from './fixtures/client-shop.ts'
import {
  authorization,
  connectSdk2,
  MODEL_CLIENTS,
  type ModelClient,
  type OpenClient,
  resultText,
  sdk1,
} from './fixtures/clients.ts'
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
  'task',
  'progress',
  'cancel',
] as const
type Column = (typeof COLUMNS)[number]

type Tried = {
  readonly package: string
  readonly open: OpenClient
  /** What the client itself cannot do, and why. */
  readonly lacks: Partial<Record<Column, string>>
}

const CLIENTS = join(import.meta.dirname, '..', 'clients', 'node_modules')
const { authorization: AUTHORIZATION } = authorization('ann')

type Rpc = { readonly method: string; readonly params: Readonly<Record<string, unknown>> }
type TaskOutcome = {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly result?: Parameters<typeof resultText>[0]
  readonly error?: Error
}
// The parts of the package that are used here; it is installed with the other clients.
type ExtTasks = {
  readonly createTaskSessionFromClient: (client: unknown, options: object) => TaskSession
  readonly toolDeclarationFromMcpTool: (tool: unknown) => unknown
}
type TaskSession = {
  readonly callTool: (name: string, input: object, options: object) => Promise<TaskExecution>
  readonly close: () => Promise<void>
}
type TaskExecution = {
  readonly kind: 'immediate' | 'task'
  readonly settle: () => Promise<{ readonly outcome: TaskOutcome }>
}

/** A client of SDK 2.x with the official package for tasks, which the SDK itself does not contain. */
function withExtTasks(mode: 'legacy' | { readonly pin: string }, open: OpenClient): OpenClient {
  return async (served, token) => {
    const client = await open(served, token)
    return {
      ...client,
      async callAsTask(name, input) {
        const sdk = await connectSdk2(mode, served, token)
        const path = join(CLIENTS, '@modelcontextprotocol', 'ext-tasks', 'dist/client/index.js')
        const tasks = (await import(pathToFileURL(path).href)) as ExtTasks
        const session = tasks.createTaskSessionFromClient(sdk, {
          endpointId: served.url,
          ...(mode === 'legacy' ? {} : rawRequests(served, mode.pin)),
        })
        try {
          const tool = (await sdk.listTools()).tools.find((listed) => listed.name === name)
          const execution = await session.callTool(name, input, {
            task: { preference: 'require' },
            declaration: tasks.toolDeclarationFromMcpTool(tool),
          })
          if (execution.kind !== 'task') throw new Error('The call was not made as a task.')
          const { outcome } = await execution.settle()
          return outcome.result === undefined
            ? `ERROR ${outcome.status}: ${outcome.error?.message}`
            : resultText(outcome.result)
        } finally {
          await session.close()
          await sdk.close()
        }
      },
    }
  }
}

// The package leaves requests of the stateless revision to its host: the SDK's client refuses
// results that are tasks.
function rawRequests({ url }: Served, protocolVersion: string): object {
  let id = 0
  return {
    v2RequestFraming: {
      protocolVersion,
      clientInfo: { name: 'tests', version: '1.0.0' },
      clientCapabilities: {},
    },
    async rawDispatch({ method, params }: Rpc) {
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: AUTHORIZATION,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-protocol-version': protocolVersion,
          'mcp-method': method,
          'mcp-name': String(params.name ?? params.taskId),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      })
      const { result, error } = (await response.json()) as Record<'result' | 'error', unknown>
      return error === undefined ? { kind: 'result', result } : { kind: 'error', error }
    },
  }
}

const run = promisify(execFile)

const inspector: OpenClient = async ({ url }) => {
  const launcher = '@modelcontextprotocol/inspector/clients/launcher/build/index.js'
  const ask = async (...words: readonly string[]): Promise<unknown> => {
    const target = ['--cli', url, '--transport', 'http']
    const args = [join(CLIENTS, launcher), ...target, '--header', `Authorization: ${AUTHORIZATION}`]
    return JSON.parse((await run(process.execPath, [...args, ...words])).stdout)
  }
  const callWords = (name: string, input: Record<string, unknown>): readonly string[] => [
    ...['--method', 'tools/call', '--tool-name', name],
    ...Object.entries(input).flatMap(([key, value]) => ['--tool-arg', `${key}=${value}`]),
  ]
  type Listed = { readonly tools: readonly { readonly name: string }[] }
  type Result = Parameters<typeof resultText>[0]
  return {
    tools: async () =>
      ((await ask('--method', 'tools/list')) as Listed).tools.map(({ name }) => name),
    call: async (name, input) => resultText((await ask(...callWords(name, input))) as Result),
    // It declares tasks to servers of the stateless revision alone.
    callAsTask: (name, input) =>
      ask('--protocol-era', 'modern', ...callWords(name, input)).then(
        (result) => resultText(result as Result),
        (error: Error & { readonly stderr?: string }) => `ERROR ${error.message}\n${error.stderr}`,
      ),
    close: async () => undefined,
  }
}

const mcpRemote = sdk1(
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

const REVISION = { pin: '2026-07-28' }
const NO_TASKS = 'it has no tasks'

const TRIED: Readonly<Record<string, Tried>> = {
  'MCP SDK 1.x': {
    package: '@modelcontextprotocol/sdk',
    open: MODEL_CLIENTS['SDK 1'],
    lacks: {},
  },
  'MCP SDK 2.x, 2025-11-25': {
    package: '@modelcontextprotocol/client',
    open: withExtTasks('legacy', MODEL_CLIENTS['SDK 2 (2025-11-25)']),
    lacks: {},
  },
  'MCP SDK 2.x, 2026-07-28': {
    package: '@modelcontextprotocol/client',
    open: withExtTasks(REVISION, MODEL_CLIENTS['SDK 2 (2026-07-28)']),
    lacks: {},
  },
  'AI SDK': {
    package: '@ai-sdk/mcp',
    open: MODEL_CLIENTS['@ai-sdk/mcp'],
    lacks: { task: NO_TASKS, progress: 'it asks for none' },
  },
  'LangChain adapters': {
    package: '@langchain/mcp-adapters',
    open: MODEL_CLIENTS['@langchain/mcp-adapters'],
    lacks: { task: NO_TASKS },
  },
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
  let client: ModelClient
  beforeAll(async () => {
    client = await open(served, 'ann')
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
    async task() {
      const callAsTask = async (product: string, verdict: 'approve' | 'deny', reason?: string) => {
        const ended = client.callAsTask?.('shop__buy', { product })
        await expect.poll(() => shop.runtime.approvals.list('acme', 'pending')).toHaveLength(1)
        await decide(shop, verdict, reason)
        return ended
      }
      expect(await callAsTask(`a boat for ${name}`, 'approve')).toMatch(/^\{"order":"order \d+"\}$/)
      expect(await callAsTask(`a plane for ${name}`, 'deny', 'Too loud.')).toMatch(
        /^ERROR [\s\S]*Too loud\./,
      )
    },
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

What works with which client, tried in the gate with the clients' own packages against one server over HTTP, without any setting of ours in the client. Where a call waits for a person, the client is told so in an ordinary result and fetches the answer with \`surehand__result\`; a client that can show forms or pages (elicitation) is asked directly instead. A job in the background is awaited for 25 seconds. In the column "task" a purchase is made as a task, which a person approves or denies meanwhile: SDK 1.x has tasks of its own (\`experimental.tasks\`), SDK 2.x has them by \`@modelcontextprotocol/ext-tasks\`, and the Inspector uses them with \`--protocol-era modern\`. "no" names what the client itself cannot do. What a model reads behind each client is in the [transcripts](transcripts/mcp.md).
`
