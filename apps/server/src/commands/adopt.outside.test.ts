import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Terminal } from '@surehand/cli'
import { freePort } from '@surehand/testing/free-port'
import { parse } from 'jsonc-parser'
import { expect, onTestFinished, test } from 'vitest'
import { runAdopt } from './adopt.ts'

// Seven servers that others have published on npm, one of them over HTTP as well, in the file of a
// client.
const INSTALLED = join(import.meta.dirname, '../../../../sources/mcp/servers')
const SUREHAND = join(import.meta.dirname, '../surehand.ts')

const binary = (name: string) => {
  const folder = join(INSTALLED, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : (Object.values<string>(bin)[0] ?? ''))
}
const official = (name: string) => `@modelcontextprotocol/server-${name}`
const startByNode = (name: string, more: object = {}) => ({
  command: process.execPath,
  args: [binary(name)],
  ...more,
})

async function startOverHttp(): Promise<string> {
  const port = await freePort()
  const child = spawn(process.execPath, [binary(official('everything')), 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  onTestFinished(() => void child.kill())
  const url = `http://127.0.0.1:${port}/mcp`
  await expect
    .poll(() =>
      fetch(url).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBeGreaterThan(0)
  return url
}

async function run(args: readonly string[], data: string): Promise<string> {
  let stdout = ''
  const screen = {
    write(text: string) {
      stdout += text
      return true
    },
  }
  const terminal = {
    stdin: new PassThrough(),
    stdout: screen,
    stderr: { write: () => true },
  } as unknown as Terminal
  const { argv } = process
  // The client is to start Surehand and not the program that runs this test.
  process.argv = [process.execPath, SUREHAND]
  try {
    expect(await runAdopt(args, terminal, { data })).toBe(0)
  } finally {
    process.argv = argv
  }
  return stdout
}

test('seven published servers become one governed list, and a client gets them back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-adopt-'))
  const files = join(folder, 'files')
  mkdirSync(files)
  writeFileSync(join(files, 'note.txt'), 'the text of the note')
  const servers = {
    // npx is asked for these two, without a version
    filesystem: { command: 'npx', args: ['-y', official('filesystem'), files], cwd: INSTALLED },
    memory: {
      command: 'npx',
      args: ['-y', official('memory')],
      cwd: INSTALLED,
      env: { MEMORY_FILE_PATH: join(folder, 'memory.json') },
    },
    everything: startByNode(official('everything')),
    'sequential-thinking': startByNode(official('sequential-thinking')),
    'brave-search': startByNode(official('brave-search'), {
      env: { BRAVE_API_KEY: 'BSA-secret-1' },
    }),
    github: startByNode(official('github'), {
      env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'ghp_secret2secret2' },
    }),
    airbnb: startByNode('@openbnb/mcp-server-airbnb'),
    remote: { type: 'http', url: await startOverHttp(), headers: { 'X-Api-Key': 'secret-3' } },
  }
  const file = join(folder, 'client.json')
  const before = `// my servers\n${JSON.stringify({ mcpServers: servers }, undefined, 2)}\n`
  writeFileSync(file, before)
  const data = join(folder, 'data')

  const shown = await run([file, '--yes'], data)
  expect(shown).toContain('8 servers are behind Surehand now')
  expect(shown).toMatch(/pinned: @modelcontextprotocol\/server-filesystem@\d+\.\d+\.\d+/)
  expect(shown).toContain('secrets that go into the vault: GITHUB_PERSONAL_ACCESS_TOKEN')
  const after = readFileSync(file, 'utf8')
  expect(after).toContain('// my servers')
  expect(after).not.toMatch(/BSA-secret|ghp_secret|secret-3/)
  expect(Object.keys(parse(after).mcpServers)).toEqual(['surehand'])

  const client = new Client({ name: 'a client', version: '1.0.0' })
  const { command, args } = parse(after).mcpServers.surehand
  await client.connect(new StdioClientTransport({ command, args, cwd: folder }))
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  const spaces = new Set(tools.map(({ name }) => name.split('__')[0]))
  for (const name of Object.keys(servers)) expect(spaces).toContain(name.replaceAll('-', '_'))
  const call = async (name: string, input: Record<string, unknown>) =>
    JSON.stringify((await client.callTool({ name, arguments: input })).content)
  // reads are open
  const path = join(files, 'note.txt')
  expect(await call('filesystem__read_text_file', { path })).toContain('the text of the note')
  expect(await call('memory__read_graph', {})).toContain('entities')
  // over HTTP, and the server says of it that it only reads
  expect(await call('remote__echo', { message: 'x' })).toContain('Echo: x')
  // writes and deletions ask, and nothing has been done
  const written = { path: join(files, 'new.txt'), content: 'x' }
  expect(await call('filesystem__write_file', written)).toContain('Nothing has been done yet')
  const entities = { entityNames: ['Ann'] }
  expect(await call('memory__delete_entities', entities)).toContain('Nothing has been done yet')
  await client.close()

  expect(await run([file, '--undo'], data)).toContain('byte for byte')
  expect(readFileSync(file, 'utf8')).toBe(before)
})
