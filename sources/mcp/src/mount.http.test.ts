import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { aCall, mounted, textOf } from './fixtures/mounted.ts'
import { type ServedNotes, serveNotes } from './fixtures/serve-notes.ts'
import type { ForeignListing } from './listing.ts'
import type { Mount } from './mount.ts'
import type { MountOptions } from './mount-options.ts'

const going = new AbortController().signal
const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function startServer(era: 'modern' | 'legacy', port?: number): Promise<ServedNotes> {
  const notes = await serveNotes(era, port)
  closing.push(notes.close)
  return notes
}

function open(url: string, options: Partial<MountOptions> = {}): Mount {
  const mount = mounted({ kind: 'http', url }, options)
  closing.push(mount.close)
  return mount
}

async function serveRaw(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

describe.each([
  ['modern', '2026-07-28'],
  ['legacy', '2025-11-25'],
] as const)('a %s server over HTTP', (era, protocolVersion) => {
  test('lists its tools, answers, and is sent the key', async () => {
    const { url } = await startServer(era)
    const mount = open(url)
    expect((await mount.tools()).tools).toHaveLength(10)
    expect(mount.health()).toMatchObject({ state: 'open', era, protocolVersion })
    expect(await mount.source.read(aCall('add', { left: 2, right: 3 }), going)).toEqual({ sum: 5 })
    expect(textOf(await mount.source.write(aCall('key', {}, 'the-key'), going))).toBe('the-key')
    await expect(mount.source.write(aCall('fail'), going)).rejects.toMatchObject({
      effect: 'refused',
      message: 'fail of notes failed: the disk is full',
    })
    await expect(mount.source.write(aCall('ask'), going)).rejects.toMatchObject({
      message: expect.stringContaining('mounted servers may not use'),
    })
  })

  test('reports that its tools changed', async () => {
    const notes = await startServer(era)
    const heard: ForeignListing[] = []
    const mount = open(notes.url, { onChange: (listing) => void heard.push(listing) })
    await mount.tools()
    await expect.poll(() => mount.health().isFollowed).toBe(true)
    // the stream of 2025 is opened behind our back
    if (era === 'legacy')
      await expect
        .poll(() => notes.headers.some(({ accept }) => accept === 'text/event-stream'))
        .toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 300))
    await notes.grow()
    await expect
      .poll(() => heard.map(({ tools }) => tools.some(({ name }) => name === 'extra')))
      .toEqual([true])
  })

  test('survives a restart of the server', async () => {
    const before = await startServer(era)
    const mount = open(before.url)
    await mount.tools()
    await before.close()
    // A call may still go out on a connection that was open; then its effect is unknown.
    await expect
      .poll(() => mount.source.write(aCall('key'), going).catch((thrown: unknown) => thrown))
      .toMatchObject({
        code: 'TOOL_NETWORK_ERROR',
        message: 'notes could not be reached (ECONNREFUSED).',
        effect: 'none',
      })
    await startServer(era, Number(new URL(before.url).port))
    expect(textOf(await mount.source.write(aCall('key'), going))).toBe('key-1')
  })

  test('that hangs up in the middle of a call leaves its effect open', async () => {
    const notes = await startServer(era)
    const mount = open(notes.url)
    await mount.tools()
    const nap = mount.source.write(aCall('nap'), going)
    setTimeout(() => void notes.close(), 300)
    await expect(nap).rejects.toMatchObject({ code: 'TOOL_NETWORK_ERROR', effect: 'possible' })
  })

  test('is left when the caller has left', async () => {
    const mount = open((await startServer(era)).url)
    await mount.tools()
    const leaving = new AbortController()
    const nap = mount.source.write(aCall('nap'), leaving.signal)
    setTimeout(() => leaving.abort(), 200)
    await expect(nap).rejects.toMatchObject({ code: 'TOOL_CANCELLED', effect: 'possible' })
  })
})

describe('a server over HTTP', () => {
  test('that has forgotten the session is greeted again, and the call is sent once more', async () => {
    const notes = await startServer('legacy')
    const mount = open(notes.url)
    await mount.tools()
    notes.forget()
    expect(textOf(await mount.source.write(aCall('key'), going))).toBe('key-1')
    expect(mount.health().restarts).toBe(1)
  })

  test('that has forgotten the session lists its tools all the same', async () => {
    const notes = await startServer('legacy')
    const mount = open(notes.url)
    const { tools } = await mount.tools()
    notes.forget()
    expect((await mount.tools()).tools).toEqual(tools)
    expect(mount.health().restarts).toBe(1)
  })

  test('that says 400 for a session it has forgotten is greeted again as well', async () => {
    const notes = await startServer('legacy')
    const answered: number[] = []
    const passOn: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init)
      answered.push(answer.status)
      if (answer.status !== 404) return answer
      const error = { code: -32_000, message: 'Bad Request: No valid session ID provided' }
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 400 })
    }
    const mount = open(notes.url, { fetch: passOn })
    await mount.tools()
    notes.forget()
    expect(textOf(await mount.source.write(aCall('key'), going))).toBe('key-1')
    expect(answered).toContain(404)
  })

  test('that is a page and no MCP server is named as such', async () => {
    const url = await serveRaw((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')
    })
    await expect(open(url).source.write(aCall('key'), going)).rejects.toMatchObject({
      effect: 'none',
      message: 'notes does not answer as an MCP server does; check its address or command.',
    })
  })

  test.each([
    [401, 'TOOL_API_KEY_INVALID'],
    [403, 'TOOL_RESOURCE_ACCESS_DENIED'],
    [503, 'TOOL_EXTERNAL_SERVICE_ERROR'],
  ])('that answers the first request with %i has done nothing', async (status, code) => {
    const url = await serveRaw(
      (_request, response) => void response.writeHead(status).end('a long story'),
    )
    await expect(open(url).source.write(aCall('key'), going)).rejects.toMatchObject({
      code,
      effect: 'none',
      message: `notes answered connecting with HTTP ${status}.`,
    })
  })

  test.each([
    ['application/json', '{"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":"'],
    [
      'text/event-stream',
      'event: message\ndata: {"jsonrpc":"2.0","id":0,"result":{"content":[{"type":"text","text":"',
    ],
  ])('is cut off when its answer in %s does not end', async (contentType, begin) => {
    const url = await serveRaw(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString('utf8'))
      if (method !== 'tools/call')
        return void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(first(id, method))
      response.writeHead(200, { 'content-type': contentType }).write(begin)
      const timer = setInterval(() => response.write('x'.repeat(100_000)), 1)
      response.on('close', () => clearInterval(timer))
    })
    const mount = open(url, { limits: { messageBytes: 500_000 } })
    await mount.tools()
    await expect(mount.source.write(aCall('key'), going)).rejects.toMatchObject({
      code: 'TOOL_INVALID_OUTPUT',
      effect: 'possible',
    })
  })

  test('is not sent anywhere else by a redirect', async () => {
    const elsewhere: string[] = []
    const other = await serveRaw((request, response) => {
      elsewhere.push(request.url ?? '')
      response.writeHead(200).end()
    })
    const url = await serveRaw(
      (_request, response) => void response.writeHead(307, { location: other }).end(),
    )
    await expect(open(url).tools()).rejects.toMatchObject({ effect: 'none' })
    expect(elsewhere).toEqual([])
  })

  test.each(['ftp://host/mcp', 'http://user:word@host/mcp', 'nonsense'])(
    'at %s is refused at once',
    (url) => {
      expect(() => open(url)).toThrow(TypeError)
    },
  )

  test('is reached by the fetch that is handed in, and by no other', async () => {
    const mount = mounted(
      { kind: 'http', url: 'http://127.0.0.1:1/mcp' },
      { fetch: async () => Promise.reject(new Error('egress says no')) },
    )
    await expect(mount.tools()).rejects.toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
      effect: 'none',
    })
  })
})

/** What a server of 2026 with one tool says before it is called. */
function first(id: unknown, method: string): string {
  const cached = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const discovered = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, ...cached }
  const listed = { tools: [{ name: 'key', inputSchema: { type: 'object' } }], ...cached }
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: method === 'server/discover' ? discovered : listed,
  })
}
