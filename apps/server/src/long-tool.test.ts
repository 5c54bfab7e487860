import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDemoConfig } from './fixtures/demo-config.ts'
import { createLog } from './log/log.ts'
import { type RunningServer, serve } from './serve/serve.ts'

// The demo's long tool over every surface that reports progress.
let serving: RunningServer
let url: string
let token: string

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-long-'))
  const config = await readDemoConfig({
    env: { SUREHAND_PORT: '0', SUREHAND_LOG_LEVEL: 'silent' },
    folder,
  })
  serving = await serve(config, createLog(config))
  url = serving.addresses.publicUrl
  token = serving.welcome.demoTokens?.ann ?? ''
})
afterAll(() => serving.stop())

const counted = { shelves: 3, items: 126 }

test('over HTTP, as events', async () => {
  const response = await fetch(`${url}/v1/tools/shop.countStock/call`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      prefer: 'wait=30',
    },
    body: '{"shelves": 3}',
  })
  const events = (await response.text()).split('\n\n').filter((frame) => frame.includes('data: '))
  expect(events.filter((frame) => frame.includes('event: progress')).join()).toContain(
    'shelf 2 of 3',
  )
  expect(JSON.parse(events.at(-1)?.split('data: ')[1] ?? '{}')).toMatchObject({
    status: 'success',
    data: counted,
  })
})

test('over MCP, as a task', async () => {
  const send = async (method: string, params: Readonly<Record<string, unknown>>) => {
    const name = params.name ?? params.taskId
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': String(name),
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {
              extensions: { 'io.modelcontextprotocol/tasks': {} },
            },
            'surehand/envelope': true,
          },
        },
      }),
    })
    return ((await response.json()) as { result: Record<string, unknown> }).result
  }
  const task = await send('tools/call', { name: 'shop__countStock', arguments: { shelves: 3 } })
  expect(task).toMatchObject({ resultType: 'task', status: 'working' })
  const seen = new Set<string>()
  await expect
    .poll(
      async () => {
        const now = await send('tasks/get', { taskId: task.taskId })
        seen.add(String(now.statusMessage))
        return now
      },
      { interval: 100 },
    )
    .toMatchObject({ status: 'completed', result: { structuredContent: counted } })
  expect([...seen].filter((message) => message.includes('of 3'))).not.toEqual([])
})

test('over MCP, as progress of a client of 2025', async () => {
  const client = new Client({ name: 'old', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  await client.connect(transport)
  const progress: string[] = []
  const onprogress = ({ message }: { readonly message?: string | undefined }) =>
    void progress.push(message ?? '')
  const answer = await client.callTool(
    {
      name: 'shop__countStock',
      arguments: { shelves: 3 },
      _meta: { 'surehand/envelope': true },
    },
    { onprogress },
  )
  expect(answer.structuredContent).toMatchObject(counted)
  expect(progress.join()).toContain('of 3')
  await client.close()
})

test('on the command line', async () => {
  const program = join(import.meta.dirname, 'surehand.ts')
  const env = {
    SUREHAND_URL: url,
    SUREHAND_TOKEN: token,
    HOME: tmpdir(),
    PATH: process.env.PATH ?? '',
  }
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [program, 'call', 'shop.countStock', '--shelves', '3', '--wait', '30'],
    { env },
  )
  expect(stdout).toContain('126')
  expect(stderr).toContain('of 3')
})
