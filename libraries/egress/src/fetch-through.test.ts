import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEgress, type Egress, fetchThrough } from './egress.ts'
import { rejectionOf } from './fixtures/rejection-of.ts'
import { startRawWeb, startWeb, type Web } from './fixtures/web.ts'

let web: Web
let egress: Egress
let get: typeof globalThis.fetch

beforeEach(async () => {
  web = await startWeb((request, response) => {
    if (request.url === '/turn') response.writeHead(302, { location: '/end' }).end()
    else if (request.url === '/nothing') response.writeHead(204).end()
    else if (request.url === '/odd') response.writeHead(700).end()
    else if (request.url === '/events')
      response.setHeader('content-type', 'text/event-stream').write('data: one\n\n')
    else response.end('{"at":"the end"}')
  })
  egress = createEgress()
  get = fetchThrough(egress, { tenant: 'a', allow: [{ host: '127.0.0.1', port: web.port }] })
})

afterEach(async () => {
  await egress.close()
  await web.stop()
})

test('a library that accepts a fetch gets a Response', async () => {
  const response = await get(new URL('/turn', web.url))
  expect([response.status, response.ok, response.url, await response.json()]).toEqual([
    200,
    true,
    `${web.url}/end`,
    { at: 'the end' },
  ])
})

test('every form of request is sent', async () => {
  await get(`${web.url}/a`, {
    method: 'POST',
    body: new URLSearchParams({ b: 'c' }),
    headers: { 'x-d': 'e' },
  })
  await get(new Request(`${web.url}/f`, { method: 'PUT', body: 'g' }))
  expect(web.seen).toMatchObject([
    {
      method: 'POST',
      url: '/a',
      body: 'b=c',
      headers: { 'x-d': 'e', 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    },
    { method: 'PUT', url: '/f', body: 'g' },
  ])
})

test('a body is streamed, and can be cancelled', async () => {
  const response = await get(`${web.url}/events`)
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: one\n\n')
  await reader?.cancel()
})

test('a body that was never read frees its connection when it is cancelled', async () => {
  const endless = await startRawWeb((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
  )
  const response = await fetchThrough(egress, {
    tenant: 'a',
    allow: [{ host: '127.0.0.1', port: endless.port }],
  })(endless.url)
  expect(endless.open()).toBe(1)
  await response.body?.cancel()
  await expect.poll(endless.open).toBe(0)
  await endless.stop()
})

test('aborting the signal ends the body too', async () => {
  const controller = new AbortController()
  const response = await get(`${web.url}/events`, { signal: controller.signal })
  const text = rejectionOf(response.text())
  controller.abort()
  expect(await text).toMatchObject({ code: 'TOOL_CANCELLED', effect: 'possible' })
})

test('redirects are followed, returned or refused, as the request says', async () => {
  expect((await get(`${web.url}/turn`, { redirect: 'manual' })).status).toBe(302)
  expect((await rejectionOf(get(`${web.url}/turn`, { redirect: 'error' }))).message).toContain(
    'it redirects, and the request allows no redirect',
  )
})

test('a response without a body has none', async () => {
  expect([
    (await get(`${web.url}/nothing`)).status,
    (await get(web.url, { method: 'HEAD' })).body,
  ]).toEqual([204, null])
})

test('a status that a Response cannot have is a ToolError', async () => {
  expect((await rejectionOf(get(`${web.url}/odd`))).code).toBe('TOOL_EXTERNAL_SERVICE_ERROR')
})

test('a request that egress refuses is refused, without its password in the error', async () => {
  expect((await rejectionOf(get('http://169.254.169.254/'))).code).toBe(
    'TOOL_RESOURCE_ACCESS_DENIED',
  )
  const answer = await rejectionOf(get('http://user:hush@example.com/'))
  expect([answer.code, answer.message.includes('hush')]).toEqual([
    'TOOL_RESOURCE_ACCESS_DENIED',
    false,
  ])
})
