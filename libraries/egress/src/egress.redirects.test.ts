import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEgress, type Egress } from './egress.ts'
import { rejectionOf } from './fixtures/rejection-of.ts'
import { type Seen, startWeb, type Web } from './fixtures/web.ts'
import { nextRequest } from './follow-redirects.ts'
import { readRequest } from './request.ts'

let here: Web
let there: Web
let egress: Egress
let redirect: (response: ServerResponse) => void

beforeEach(async () => {
  there = await startWeb((_, response) => response.end('there'))
  here = await startWeb((request, response) =>
    request.url === '/end' ? response.end('here') : redirect(response),
  )
  const allow = [here, there].map(({ port }) => ({ host: '127.0.0.1', port }))
  egress = createEgress({ policyOf: () => ({ allow }) })
})

afterEach(async () => {
  await egress.close()
  await here.stop()
  await there.stop()
})

const to = (status: number, location: string) => (response: ServerResponse) =>
  response.writeHead(status, { location }).end()
const requestLineOf = (seen: Seen | undefined) =>
  seen && [seen.method, seen.body, seen.headers['content-type']]

describe('the method and the body', () => {
  test.each([
    [301, 'POST', ['GET', '', undefined]],
    [302, 'POST', ['GET', '', undefined]],
    [303, 'POST', ['GET', '', undefined]],
    [307, 'POST', ['POST', 'body', 'text/plain']],
    [308, 'POST', ['POST', 'body', 'text/plain']],
    [301, 'PUT', ['PUT', 'body', 'text/plain']],
    [302, 'PATCH', ['PATCH', 'body', 'text/plain']],
    [303, 'PUT', ['GET', '', undefined]],
    [303, 'DELETE', ['GET', '', undefined]],
  ])('%i of %s leads to %j', async (status, method, expected) => {
    redirect = to(status, '/end')
    await egress.fetch({
      tenant: 'a',
      url: here.url,
      method,
      headers: { 'content-type': 'text/plain' },
      body: 'body',
    })
    expect(requestLineOf(here.seen[1])).toEqual(expected)
  })

  test.each([301, 302, 303, 307, 308])('%i of HEAD stays HEAD', async (status) => {
    redirect = to(status, '/end')
    await egress.fetch({ tenant: 'a', url: here.url, method: 'HEAD' })
    expect(here.seen[1]?.method).toBe('HEAD')
  })

  test.each([300, 304, 305, 306, 399])('%i is returned, not followed', async (status) => {
    redirect = to(status, '/end')
    expect((await egress.fetch({ tenant: 'a', url: here.url })).status).toBe(status)
  })

  test('a redirect without a location is returned', async () => {
    redirect = (response) => response.writeHead(302).end('nowhere')
    expect((await egress.fetch({ tenant: 'a', url: here.url })).text()).toBe('nowhere')
  })

  test('with `stop` the redirect is returned', async () => {
    redirect = to(302, `${there.url}/`)
    const answer = await egress.fetch({ tenant: 'a', url: here.url, redirect: 'stop' })
    expect([answer.status, answer.headers.get('location'), there.connections()]).toEqual([
      302,
      `${there.url}/`,
      0,
    ])
  })
})

describe('credentials', () => {
  const headers = {
    AUTHORIZATION: 'Bearer one',
    Cookie: 'a=b',
    'Proxy-Authorization': 'Basic two',
    'X-Api-Key': 'three',
    'X-Unnamed-Token': 'four',
    Accept: 'text/plain',
  }
  const receivedHeaders = ({ headers: seen }: Pick<Seen, 'headers'>) =>
    [
      'authorization',
      'cookie',
      'proxy-authorization',
      'x-api-key',
      'x-unnamed-token',
      'accept',
    ].filter((name) => name in seen)
  const ALL = [
    'authorization',
    'cookie',
    'proxy-authorization',
    'x-api-key',
    'x-unnamed-token',
    'accept',
  ]

  test('are kept for a redirect within the origin', async () => {
    redirect = to(302, '/end')
    await egress.fetch({ tenant: 'a', url: here.url, headers, credentialHeaders: ['x-API-key'] })
    expect(here.seen.map(receivedHeaders)).toEqual([ALL, ALL])
  })

  test('are dropped for another origin, and so is every header that is not on the list', async () => {
    redirect = to(302, `${there.url}/`)
    await egress.fetch({ tenant: 'a', url: here.url, headers, credentialHeaders: ['x-API-key'] })
    expect([...here.seen, ...there.seen].map(receivedHeaders)).toEqual([ALL, ['accept']])
  })

  test('are dropped under any name that the request lists', async () => {
    redirect = to(302, `${there.url}/`)
    await egress.fetch({
      tenant: 'a',
      url: here.url,
      headers: { accept: 'a secret' },
      credentialHeaders: ['Accept'],
    })
    expect(there.seen.map(({ headers: seen }) => seen.accept)).toEqual([undefined])
  })

  test('are not added again when a redirect returns to the first origin', async () => {
    const away = await startWeb((_, response) =>
      response.writeHead(302, { location: `${here.url}/end` }).end(),
    )
    redirect = to(302, `${away.url}/`)
    await egress.fetch({
      tenant: 'a',
      url: here.url,
      headers,
      allow: [{ host: '127.0.0.1', port: away.port }],
    })
    expect([...here.seen, ...away.seen].map(receivedHeaders)).toEqual([ALL, ['accept'], ['accept']])
    await away.stop()
  })
})

describe('from https to http', () => {
  const answer = { status: 307, headers: new Headers({ location: 'http://example.com/' }) }
  const https = { tenant: 'a', url: 'https://example.com/' }

  test.each([
    { ...https, headers: { authorization: 'Bearer x' } },
    { ...https, headers: { 'x-key': 'x' }, credentialHeaders: ['X-Key'] },
    { ...https, method: 'POST', body: 'client_secret=x' },
  ])('a request with credentials or a body is refused: %j', async (request) => {
    expect(await rejectionOf(Promise.try(nextRequest, readRequest(request), answer))).toMatchObject(
      {
        code: 'TOOL_RESOURCE_ACCESS_DENIED',
        message:
          'example.com:80 was not contacted: example.com:443 redirects there from https to http, and the request has credentials or a body. ' +
          'Use an https URL.',
      },
    )
  })

  test('a request with neither is sent', () => {
    expect(nextRequest(readRequest(https), answer)?.target.url.href).toBe('http://example.com/')
  })
})

describe('the location of a redirect', () => {
  test.each([
    ['relative', '/end', 'here'],
    ['with dots', '/a/../end', 'here'],
    ['without a scheme', () => there.url.replace('http:', ''), 'there'],
    ['with a backslash', () => `http:\\\\127.0.0.1:${there.port}\\`, 'there'],
    ['in capitals', () => there.url.toUpperCase(), 'there'],
  ])('%s', async (_, location, text) => {
    redirect = to(302, typeof location === 'string' ? location : location())
    expect((await egress.fetch({ tenant: 'a', url: here.url })).text()).toBe(text)
  })

  test('in UTF-8 is decoded as such', async () => {
    redirect = (response) =>
      response.writeHead(302, { location: Buffer.from('/ü?ä').toString('latin1') }).end()
    await rejectionOf(egress.fetch({ tenant: 'a', url: here.url, limits: { maxRedirects: 1 } }))
    expect(here.seen[1]?.url).toBe('/%C3%BC?%C3%A4')
  })

  test.each([
    ['http://169.254.169.254/latest/', 'a metadata service of a cloud'],
    ['//10.0.0.1/', 'a private network'],
    ['http://[::1]/', 'loopback'],
    ['http://localhost/', 'it is the name of this machine'],
    ['http://user:password@example.com/', 'contains a user name or password'],
    ['file:///etc/passwd', 'it is neither http nor https'],
    ['gopher://127.0.0.1:25/', 'it is neither http nor https'],
    ['javascript:alert(1)', 'it is neither http nor https'],
    ['http://example.com:22/', 'port 22'],
    ['http://[bad/', 'it redirects to an invalid URL'],
  ])('%s is refused', async (location, why) => {
    redirect = to(302, location)
    const answer = await rejectionOf(egress.fetch({ tenant: 'a', url: here.url }))
    expect(answer.code).toBe('TOOL_RESOURCE_ACCESS_DENIED')
    expect(answer.message).toContain(why)
    expect(answer.message).not.toContain('password@')
    expect(here.seen.length).toBe(1)
  })

  test('is followed five times but not six times', async () => {
    let left = 5
    redirect = (response) =>
      response.writeHead(302, { location: left-- > 1 ? '/again' : '/end' }).end()
    expect((await egress.fetch({ tenant: 'a', url: here.url })).text()).toBe('here')
    left = 6
    expect((await rejectionOf(egress.fetch({ tenant: 'a', url: here.url }))).message).toContain(
      'it redirects more than 5 times',
    )
    expect(here.seen.length).toBe(6 + 6)
  })

  test('is followed also after a long body', async () => {
    redirect = (response) =>
      response.writeHead(302, { location: '/end' }).end(Buffer.alloc(1024 * 1024))
    expect((await egress.fetch({ tenant: 'a', url: here.url })).text()).toBe('here')
  })
})
