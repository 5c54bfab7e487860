import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEgress, type Egress } from './egress.ts'
import type { Exchange } from './exchange.ts'
import { readExchanges, recordToFile } from './exchange.ts'
import { rejectionOf } from './fixtures/rejection-of.ts'
import { startWeb, type Web } from './fixtures/web.ts'
import { recordingEgress } from './recording-egress.ts'
import { replayingEgress } from './replaying-egress.ts'
import type { EgressRequest } from './request.ts'

let web: Web
let egress: Egress
let answers = 0

beforeEach(async () => {
  answers = 0
  web = await startWeb((request, response) => {
    answers++
    if (request.url?.startsWith('/binary')) response.end(Buffer.from([0xff, 0x00, 0xfe]))
    else if (request.url?.startsWith('/turn')) response.writeHead(302, { location: '/count' }).end()
    else if (request.url?.startsWith('/echo')) {
      response.setHeader('set-cookie', 'session=fresh-secret')
      response.setHeader('x-echo', String(request.headers.authorization))
      response.end(JSON.stringify({ headers: request.headers, url: request.url }))
    } else response.end(`answer ${answers}`)
  })
  egress = createEgress({ policyOf: () => ({ allow: [{ host: '127.0.0.1', port: web.port }] }) })
})

afterEach(async () => {
  await egress.close()
  await web.stop()
})

async function record(...requests: Omit<EgressRequest, 'tenant'>[]): Promise<Exchange[]> {
  const kept: Exchange[] = []
  const recording = recordingEgress(egress, (exchange) => kept.push(exchange))
  for (const request of requests)
    await recording.fetch({ tenant: 'a', ...request }).catch(() => undefined)
  return kept
}

test('a recorded response is replayed byte for byte, without a network', async () => {
  const requests = [
    { url: `${web.url}/count` },
    { url: `${web.url}/count` },
    { url: `${web.url}/binary` },
    { url: `${web.url}/turn` },
  ]
  const kept = await record(...requests)
  await web.stop()
  const replaying = replayingEgress(kept)
  const replayed = []
  for (const request of requests) replayed.push(await replaying.fetch({ tenant: 'b', ...request }))
  expect(
    replayed.map(({ status, bytes }) => [status, Buffer.from(bytes).toString('latin1')]),
  ).toEqual([
    [200, 'answer 1'],
    [200, 'answer 2'],
    [200, '\xff\x00\xfe'],
    [200, 'answer 5'],
  ])
  expect(replayed[3]?.url).toBe(`${web.url}/count`)
  web = await startWeb(() => undefined)
})

test('a request that was not recorded fails, and the error lists what is left', async () => {
  const replaying = replayingEgress(await record({ url: `${web.url}/count?key=hush` }))
  await expect(
    replaying.fetch({ tenant: 'a', url: `${web.url}/other?key=hush`, method: 'POST', body: '' }),
  ).rejects.toMatchObject({
    code: 'TOOL_CONFIGURATION_ERROR',
    message: `The recording has no unused exchange for POST ${web.url}/other. Record it again.`,
    effect: 'none',
    details: { left: [`GET ${web.url}/count`] },
  })
})

test('an exchange is used once', async () => {
  const replaying = replayingEgress(await record({ url: `${web.url}/count` }))
  await replaying.fetch({ tenant: 'a', url: `${web.url}/count` })
  expect((await rejectionOf(replaying.fetch({ tenant: 'a', url: `${web.url}/count` }))).code).toBe(
    'TOOL_CONFIGURATION_ERROR',
  )
})

test('another body is another request', async () => {
  const replaying = replayingEgress(
    await record({ url: `${web.url}/count`, method: 'POST', body: 'one' }),
  )
  expect(
    (
      await rejectionOf(
        replaying.fetch({ tenant: 'a', url: `${web.url}/count`, method: 'POST', body: 'two' }),
      )
    ).code,
  ).toBe('TOOL_CONFIGURATION_ERROR')
})

test('a failure is recorded, and fails again', async () => {
  const kept = await record({ url: 'http://10.0.0.1/' })
  const [first, again] = [
    await rejectionOf(egress.fetch({ tenant: 'a', url: 'http://10.0.0.1/' })),
    await rejectionOf(replayingEgress(kept).fetch({ tenant: 'a', url: 'http://10.0.0.1/' })),
  ]
  expect(again).toEqual(first)
})

test('no credential is in a recording, wherever it was echoed, and a replay works with other credentials', async () => {
  const request = (secret: string): Omit<EgressRequest, 'tenant'> => ({
    url: `${web.url}/echo?page=2&api_key=query-${secret}`,
    method: 'POST',
    headers: {
      Authorization: `Bearer token-${secret}`,
      Cookie: `id=cookie-${secret}; b=c`,
      'X-Key': `key-"${secret}"`,
      accept: '*/*',
    },
    credentialHeaders: ['x-key'],
    credentialQuery: ['api_key'],
    body: `grant=token-${secret}&also=cookie-${secret}`,
  })
  const [exchange] = await record(request('hush'))
  expect(exchange?.request).toEqual({
    method: 'POST',
    url: `${web.url}/echo?page=2&api_key=%5Bhidden%5D`,
    headers: { authorization: '[hidden]', cookie: '[hidden]', 'x-key': '[hidden]', accept: '*/*' },
    body: { text: 'grant=[hidden]&also=[hidden]' },
  })
  expect(JSON.stringify(exchange)).not.toMatch(/hush|fresh-secret/)
  expect(exchange?.outcome).toMatchObject({ status: 200 })
  const replayed = await replayingEgress(exchange === undefined ? [] : [exchange]).fetch({
    tenant: 'a',
    ...request('other'),
  })
  expect(replayed.json()).toMatchObject({
    url: '/echo?page=2&api_key=[hidden]',
    headers: { accept: '*/*' },
  })
})

test('a recorded error does not contain the password of its URL', async () => {
  const kept = await record(
    { url: 'http://user:hush-hush@example.com/' },
    { url: 'http://user:hush-hush@[bad' },
  )
  expect(kept.map(({ request }) => request.url)).toEqual(['http://example.com/', '[hidden]'])
  expect(JSON.stringify(kept)).not.toContain('hush')
})

test('a recording is a file with one line per exchange', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'egress-'))
  const path = join(folder, 'exchanges.jsonl')
  const recording = recordingEgress(egress, recordToFile(path))
  await recording.fetch({ tenant: 'a', url: `${web.url}/count` })
  const stream = await recording.stream({ tenant: 'a', url: `${web.url}/binary` })
  stream.discard()
  expect(readFileSync(path, 'utf8').trimEnd().split('\n').length).toBe(2)
  const replaying = replayingEgress(readExchanges(path))
  expect((await replaying.fetch({ tenant: 'a', url: `${web.url}/count` })).text()).toBe('answer 1')
  const chunks = []
  for await (const chunk of (await replaying.stream({ tenant: 'a', url: `${web.url}/binary` }))
    .body)
    chunks.push(...chunk)
  expect(chunks).toEqual([0xff, 0x00, 0xfe])
  rmSync(folder, { recursive: true })
})

test('a file that is not a recording is reported with its line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'egress-'))
  const path = join(folder, 'exchanges.jsonl')
  recordToFile(path)({
    request: { method: 'GET', url: 'x', headers: {} },
    outcome: { code: 'TOOL_NETWORK_ERROR', message: 'x' },
  })
  recordToFile(path)({} as Exchange)
  expect(() => readExchanges(path)).toThrow(`${path}:2 is not a recorded exchange.`)
  rmSync(folder, { recursive: true })
})
