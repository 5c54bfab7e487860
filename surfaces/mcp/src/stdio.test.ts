import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, test } from 'vitest'

const main = fileURLToPath(new URL('./fixtures/stdio-main.ts', import.meta.url))
const sum = { name: 'chatty__add', arguments: { left: 2, right: 3 } }

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}

function lineOf(id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...sum, _meta } })
}

let client: Client | undefined
afterEach(() => client?.close())

describe('a server on stdio', () => {
  test.each(['2026', '2025'])('serves clients of %s, though its tool prints', async (era) => {
    const mode = era === '2026' ? { pin: '2026-07-28' } : 'legacy'
    client = new Client({ name: 'tests', version: '1.0.0' }, { versionNegotiation: { mode } })
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [main],
      stderr: 'pipe',
    })
    await client.connect(transport)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'chatty__add',
      'surehand__result',
    ])
    expect((await client.callTool(sum)).content).toEqual([{ type: 'text', text: '{"sum":5}' }])
  })

  test('writes the protocol to stdout and nothing else; what a tool prints comes out on stderr', async () => {
    const child = spawn(process.execPath, [main], { stdio: 'pipe' })
    const [out, err] = [collect(child.stdout), collect(child.stderr)]
    child.stdin.write(`${lineOf(1)}\n`)
    await expect.poll(() => out.text.endsWith('\n')).toBe(true)
    const ended = once(child, 'exit')
    child.stdin.end()
    expect(await ended).toEqual([0, null])
    const lines = out.text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ jsonrpc: '2.0', id: 1, result: expect.anything() }),
    ])
    for (const way of ['console.log', 'console.info', 'process.stdout.write'])
      expect(err.text).toContain(`adding with ${way}`)
  })

  test('answers what was piped into it at once, and ends', async () => {
    const child = spawn(process.execPath, [main], { stdio: 'pipe' })
    const out = collect(child.stdout)
    const ended = once(child, 'exit')
    child.stdin.end([1, 2, 3].map((id) => `${lineOf(id)}\n`).join(''))
    expect(await ended).toEqual([0, null])
    const lines = out.text.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).id).toSorted()).toEqual([1, 2, 3])
  })

  test('outlives a vanished client only for as long as its call runs', async () => {
    const child = spawn(process.execPath, [main], { stdio: 'pipe' })
    const ended = once(child, 'exit')
    child.stdin.write(`${lineOf(1)}\n`)
    await once(child.stdout, 'data')
    child.stdout.destroy()
    child.stdin.write(`${lineOf(2)}\n`)
    child.stdin.end()
    expect(await ended).toEqual([0, null])
  })
})

function collect(stream: NodeJS.ReadableStream): { text: string } {
  const collected = { text: '' }
  stream.on('data', (chunk) => {
    collected.text += String(chunk)
  })
  return collected
}
