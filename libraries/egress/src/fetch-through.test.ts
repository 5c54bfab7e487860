import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEgress, type Egress } from './egress.ts'
import { fetchThrough } from './fetch-through.ts'
import { told } from './fixtures/told.ts'
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

test('a library that takes a fetch gets a Response', async () => {
  const response = await get(new URL('/turn', web.url))
  expect([response.status, response.ok, response.url, await response.json()]).toEqual([
    200,
    true,
    `${web.url}/end`,
    { at: 'the end' },
  ])
})

test('what it sends is sent, in each of its forms', async () => {
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

test('a body comes as it is written, and can be left', async () => {
  const response = await get(`${web.url}/events`)
  const reader = response.body?.getReader()
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: one\n\n')
  await reader?.cancel()
})

test('a body nobody has begun to read gives its connection up when it is left', async () => {
  const endless = await startRawWeb((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'),
  )
  const response = await fetchThrough(egress, {
    tenant: 'a',
    allow: [{ host: '127.0.0.1', port: endless.port }],
  })(endless.url)
  expect(endless.open()).toBe(1)
  await response.body?.cancel()
  await expect.poll(endless.open, { timeout: 60_000 }).toBe(0)
  await endless.stop()
})

test('its signal ends the body too', async () => {
  const controller = new AbortController()
  const response = await get(`${web.url}/events`, { signal: controller.signal })
  const text = told(response.text())
  controller.abort()
  expect(await text).toMatchObject({ code: 'TOOL_CANCELLED', effect: 'possible' })
})

test('redirects are followed, given, or refused, as it asks', async () => {
  expect((await get(`${web.url}/turn`, { redirect: 'manual' })).status).toBe(302)
  expect((await told(get(`${web.url}/turn`, { redirect: 'error' }))).message).toContain(
    'it redirects, and the caller wants none',
  )
})

test('an answer without a body has none', async () => {
  expect([
    (await get(`${web.url}/nothing`)).status,
    (await get(web.url, { method: 'HEAD' })).body,
  ]).toEqual([204, null])
})

test('a status that no Response can have is an error of the table', async () => {
  expect((await told(get(`${web.url}/odd`))).code).toBe('TOOL_EXTERNAL_SERVICE_ERROR')
})

test('what egress refuses is refused, and no password is told', async () => {
  expect((await told(get('http://169.254.169.254/'))).code).toBe('TOOL_RESOURCE_ACCESS_DENIED')
  const answer = await told(get('http://user:hush@example.com/'))
  expect([answer.code, answer.message.includes('hush')]).toEqual([
    'TOOL_RESOURCE_ACCESS_DENIED',
    false,
  ])
})
