import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createEgress, type Egress } from './egress.ts'
import { told } from './fixtures/told.ts'
import { type Seen, startWeb, type Web } from './fixtures/web.ts'
import { followUp } from './redirect.ts'
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
const sent = (seen: Seen | undefined) =>
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
  ])('%i of %s asks for %j', async (status, method, expected) => {
    redirect = to(status, '/end')
    await egress.fetch({
      tenant: 'a',
      url: here.url,
      method,
      headers: { 'content-type': 'text/plain' },
      body: 'body',
    })
    expect(sent(here.seen[1])).toEqual(expected)
  })

  test.each([301, 302, 303, 307, 308])('%i of HEAD stays HEAD', async (status) => {
    redirect = to(status, '/end')
    await egress.fetch({ tenant: 'a', url: here.url, method: 'HEAD' })
    expect(here.seen[1]?.method).toBe('HEAD')
  })

  test.each([300, 304, 305, 306, 399])('%i is an answer, not a redirect', async (status) => {
    redirect = to(status, '/end')
    expect((await egress.fetch({ tenant: 'a', url: here.url })).status).toBe(status)
  })

  test('a redirect that says no place is an answer', async () => {
    redirect = (response) => response.writeHead(302).end('nowhere')
    expect((await egress.fetch({ tenant: 'a', url: here.url })).text()).toBe('nowhere')
  })

  test('whoever wants to stop gets the redirect', async () => {
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
  const shown = ({ headers: seen }: Pick<Seen, 'headers'>) =>
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

  test('stay with a redirect within the origin', async () => {
    redirect = to(302, '/end')
    await egress.fetch({ tenant: 'a', url: here.url, headers, credentialHeaders: ['x-API-key'] })
    expect(here.seen.map(shown)).toEqual([ALL, ALL])
  })

  test('are dropped when it leaves the origin, and so is every header nobody vouched for', async () => {
    redirect = to(302, `${there.url}/`)
    await egress.fetch({ tenant: 'a', url: here.url, headers, credentialHeaders: ['x-API-key'] })
    expect([...here.seen, ...there.seen].map(shown)).toEqual([ALL, ['accept']])
  })

  test('are dropped whatever they are called, when they are named', async () => {
    redirect = to(302, `${there.url}/`)
    await egress.fetch({
      tenant: 'a',
      url: here.url,
      headers: { accept: 'a secret' },
      credentialHeaders: ['Accept'],
    })
    expect(there.seen.map(({ headers: seen }) => seen.accept)).toEqual([undefined])
  })

  test('do not come back when the trip does', async () => {
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
    expect([...here.seen, ...away.seen].map(shown)).toEqual([ALL, ['accept'], ['accept']])
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
  ])('what carries credentials or a body does not go: %j', async (request) => {
    expect(await told(Promise.try(followUp, readRequest(request), answer))).toMatchObject({
      code: 'TOOL_RESOURCE_ACCESS_DENIED',
      message:
        'example.com:80 is not reached: example.com:443 redirects there from https to http, with a request that carries credentials or a body. ' +
        'Send it to an https URL.',
    })
  })

  test('what carries neither does', () => {
    expect(followUp(readRequest(https), answer)?.target.url.href).toBe('http://example.com/')
  })
})

describe('where it leads', () => {
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

  test('a place in UTF-8 is read as such', async () => {
    redirect = (response) =>
      response.writeHead(302, { location: Buffer.from('/ü?ä').toString('latin1') }).end()
    await told(egress.fetch({ tenant: 'a', url: here.url, limits: { maxRedirects: 1 } }))
    expect(here.seen[1]?.url).toBe('/%C3%BC?%C3%A4')
  })

  test.each([
    ['http://169.254.169.254/latest/', 'a metadata service of a cloud'],
    ['//10.0.0.1/', 'a private network'],
    ['http://[::1]/', 'loopback'],
    ['http://localhost/', 'it means this machine'],
    ['http://user:password@example.com/', 'has a user name or password in it'],
    ['file:///etc/passwd', 'it is neither http nor https'],
    ['gopher://127.0.0.1:25/', 'it is neither http nor https'],
    ['javascript:alert(1)', 'it is neither http nor https'],
    ['http://example.com:22/', 'port 22'],
    ['http://[bad/', 'it redirects to what is no URL'],
  ])('%s is refused', async (location, why) => {
    redirect = to(302, location)
    const answer = await told(egress.fetch({ tenant: 'a', url: here.url }))
    expect(answer.code).toBe('TOOL_RESOURCE_ACCESS_DENIED')
    expect(answer.message).toContain(why)
    expect(answer.message).not.toContain('password@')
    expect(here.seen.length).toBe(1)
  })

  test('five redirects are followed and a sixth is not', async () => {
    let left = 5
    redirect = (response) =>
      response.writeHead(302, { location: left-- > 1 ? '/again' : '/end' }).end()
    expect((await egress.fetch({ tenant: 'a', url: here.url })).text()).toBe('here')
    left = 6
    expect((await told(egress.fetch({ tenant: 'a', url: here.url }))).message).toContain(
      'it redirects more than 5 times',
    )
    expect(here.seen.length).toBe(6 + 6)
  })

  test('a redirect with a long body is followed all the same', async () => {
    redirect = (response) =>
      response.writeHead(302, { location: '/end' }).end(Buffer.alloc(1024 * 1024))
    expect((await egress.fetch({ tenant: 'a', url: here.url })).text()).toBe('here')
  })
})
