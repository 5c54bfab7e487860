import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { Terminal } from '@surehand/cli'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApp, resolveLocalCaller } from '../app.ts'
import { readConfig } from '../config/read-config.ts'
import { runAdopt } from './adopt.ts'

const NOTES = join(import.meta.dirname, '../../../../sources/mcp/src/fixtures/notes-main.ts')
const SECRET = 'a-secret-of-the-notes'
const folder = mkdtempSync(join(tmpdir(), 'surehand-adopt-'))
const data = join(folder, 'data')
const file = join(folder, 'client.json')

const headers: IncomingHttpHeaders[] = []
// A server of 2025 with one tool, which remembers what it was sent.
const server = createServer(async (request, response) => {
  headers.push(request.headers)
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { id, method } = JSON.parse(body || '{}') as { id?: number; method?: string }
  if (id === undefined) return response.writeHead(method === undefined ? 405 : 202).end()
  const results: Readonly<Record<string, object>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'far', version: '1.0.0' },
    },
    'tools/list': { tools: [{ name: 'get_time', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'noon' }] },
  }
  const result = results[method ?? '']
  const error = { code: -32601, message: 'Method not found' }
  response.setHeader('content-type', 'application/json')
  return response.end(
    JSON.stringify({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) }),
  )
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** One use of `surehand adopt`, with what it printed. */
async function adopt(...args: readonly string[]) {
  const written = { stdout: '', stderr: '' }
  const screen = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
      return true
    },
  })
  // Of a terminal, the command uses these.
  const terminal = {
    stdin: new PassThrough(),
    stdout: screen('stdout'),
    stderr: screen('stderr'),
  } as unknown as Terminal
  const code = await runAdopt(args, terminal, { data })
  return { code, ...written }
}

async function withApp<T>(
  work: (call: (tool: string, input: object) => Promise<string>) => Promise<T>,
) {
  const config = await readConfig({ env: {}, folder, overrides: { data } })
  const app = await createApp(config)
  try {
    const caller = await resolveLocalCaller(app, {})
    return await work(async (tool, input) =>
      JSON.stringify(await app.runtime.call({ tool, input, caller, surface: 'test' })),
    )
  } finally {
    await app.close()
  }
}

const before = () => `{
  // what I use
  "mcpServers": {
    "My Notes": { "command": ${JSON.stringify(process.execPath)}, "args": [${JSON.stringify(NOTES)}], "env": { "NOTES_TOKEN": "${SECRET}" } },
    "far": { "url": "${url}", "headers": { "X-Notes-Key": "${SECRET}-2", "X-Team": "one" } }, // near, in fact
    "broken": { "command": "/no/such/program" }
  }
}
`

test('a client gets Surehand instead of its servers, and its servers back', async () => {
  writeFileSync(file, before(), { mode: 0o644 })

  const shown = await adopt(file, '--dry-run')
  expect(shown.stdout).toContain('My Notes, as "my_notes"')
  expect(shown.stdout).toContain('secrets that go into the vault: NOTES_TOKEN')
  expect(shown.stdout).toContain('1 open: add')
  expect(shown.stdout).toContain('broken: it could not be used')
  expect(shown.stdout).not.toContain(SECRET)
  expect(readFileSync(file, 'utf8')).toBe(before())
  expect(() => statSync(data)).toThrow('ENOENT')
  await expect(adopt(file)).rejects.toThrow('no person is here to agree')

  const done = await adopt(file, '--yes', '--open', 'my_notes.environment')
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('2 servers are behind') })
  const after = readFileSync(file, 'utf8')
  expect(after).toContain('// what I use')
  expect(after).toContain('"broken"')
  expect(after).not.toContain(SECRET)
  expect(JSON.parse(after.replaceAll(/\/\/ .*/g, '')).mcpServers.surehand.args).toEqual([
    process.argv[1],
    ...['mcp', '--data', data],
  ])
  expect(statSync(`${file}.before-surehand`).mode & 0o777).toBe(0o600)
  expect(statSync(file).mode & 0o777).toBe(0o644)
  expect(readFileSync(join(data, 'adopted.json'), 'utf8')).not.toContain(SECRET)

  await withApp(async (call) => {
    // The process has the variable, and its value is not shown.
    const shownEnvironment = await call('my_notes.environment', {})
    expect(shownEnvironment).toContain('NOTES_TOKEN')
    expect(shownEnvironment).not.toContain(SECRET)
    expect(await call('my_notes.add', { left: 1, right: 2 })).toContain('"sum":3')
    expect(await call('my_notes.fail', {})).toContain('"status":"pending"')
    headers.length = 0
    expect(await call('far.get_time', {})).toContain('noon')
    expect(headers[0]).toMatchObject({ 'x-notes-key': `${SECRET}-2`, 'x-team': 'one' })
  })

  const undone = await adopt(file, '--undo')
  expect(undone.stdout).toContain('byte for byte')
  expect(readFileSync(file, 'utf8')).toBe(before())
  expect(() => statSync(`${file}.before-surehand`)).toThrow('ENOENT')
  expect(JSON.parse(readFileSync(join(data, 'adopted.json'), 'utf8'))).toEqual({
    servers: {},
    privateHosts: [],
    adoptions: [],
  })
  await withApp(async (call) => {
    expect(await call('far.get_time', {})).toContain('TOOL_NOT_FOUND')
  })
  await expect(adopt(file, '--undo')).rejects.toThrow('Nothing of')
})
