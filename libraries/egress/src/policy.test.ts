import { describe, expect, test } from 'vitest'
import { told } from './fixtures/told.ts'
import { admitAddresses, admitTarget, type EgressPolicy } from './policy.ts'
import { readTarget } from './target.ts'

const admit = (url: string, policy: EgressPolicy = {}) => admitTarget(readTarget(url), policy)
const refusedFor = async (url: string, policy: EgressPolicy = {}) =>
  (await told(Promise.try(admit, url, policy))).message

describe('without an allow-list', () => {
  test.each([
    'http://example.com/',
    'https://example.com:443/',
    'http://example.com:80/',
    'https://bücher.example/',
    'http://a_b.example.org./',
  ])('%s may be looked up', (url) => {
    expect(admit(url)).toBe('public')
  })

  test.each([
    ['http://localhost/', 'it means this machine'],
    ['http://LOCALHOST./', 'it means this machine'],
    ['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'it means this machine'],
    ['http://db.localhost/', 'it means this machine'],
    ['http://intranet/', 'a name without a dot'],
    ['http://printer.local/', 'under .local'],
    ['http://metadata.google.internal/', 'under .internal'],
    ['http://router.home.arpa/', 'under .arpa'],
    ['http://wiki.corp./', 'under .corp'],
    ['http://example.com:22/', 'port 22 is not among 80, 443'],
    ['http://example.com:8080/', 'port 8080 is not among 80, 443'],
    ['http://example..com/', 'it is no host name'],
    ['http://example.com../', 'it is no host name'],
    ['http://.example.com/', 'it is no host name'],
    ["http://a'b.example.com/", 'it is no host name'],
    [`http://${'a'.repeat(64)}.com/`, 'it is no host name'],
    [`http://${'a.'.repeat(130)}com/`, 'it is no host name'],
  ])('%s is not', async (url, why) => {
    expect(await refusedFor(url)).toContain(why)
  })
})

describe('an allow-list', () => {
  const allow = [
    { host: 'localhost', port: 4010 },
    { host: '127.0.0.1', port: 80 },
    { host: '::1', port: 80 },
    { host: 'Shop.Internal', port: 443 },
  ]

  test.each([
    'http://localhost:4010/',
    'http://LOCALHOST.:4010/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://[::1]/',
    'https://shop.internal/',
  ])('opens %s', (url) => {
    expect(admit(url, { allow })).toBe('opened')
  })

  test.each([
    'http://localhost:4011/',
    'http://localhost/',
    'http://sub.localhost:4010/',
    'http://127.0.0.1:4010/',
    'https://127.0.0.1:81/',
    'http://shop.internal/',
    'https://other.shop.internal/',
    'http://[::1]:4010/',
  ])('does not open %s', async (url) => {
    expect(await refusedFor(url, { allow })).toContain('is not reached')
  })

  test('that opens an address does not open a name that leads to it', async () => {
    const target = readTarget('http://rebound.example.com/')
    const reach = admitTarget(target, { allow })
    expect((await told(Promise.try(admitAddresses, target, reach, ['127.0.0.1']))).message).toBe(
      'rebound.example.com:80 is not reached: it leads to 127.0.0.1, which is loopback. ' +
        'If it is meant, an administrator allows { host: "rebound.example.com", port: 80 } in the tenant\'s egress policy.',
    )
  })

  test('never opens a metadata service, by address or by name', async () => {
    const open = [
      { host: '169.254.169.254', port: 80 },
      { host: 'metadata.internal', port: 80 },
    ]
    for (const url of ['http://169.254.169.254/', 'http://metadata.internal/']) {
      const target = readTarget(url)
      const reach = admitTarget(target, { allow: open })
      expect(reach).toBe('opened')
      const answer = await told(Promise.try(admitAddresses, target, reach, ['169.254.169.254']))
      expect(answer).toMatchObject({
        code: 'TOOL_RESOURCE_ACCESS_DENIED',
        effect: 'none',
        retryable: false,
      })
      expect(answer.message).toContain('No policy opens this address.')
    }
  })

  test('opens nothing by a host that can not be read', async () => {
    expect(
      await refusedFor('http://intranet/', { allow: [{ host: 'http://intranet', port: 80 }] }),
    ).toContain('is not reached')
  })
})

test('more ports can be named for public hosts, and 80 is then one only if it is named', async () => {
  expect(admit('http://example.com:8080/', { ports: [8080] })).toBe('public')
  expect(await refusedFor('http://example.com/', { ports: [8080] })).toContain(
    'port 80 is not among 8080',
  )
})

test('one forbidden address among good ones refuses them all', async () => {
  const target = readTarget('http://example.com/')
  const answer = await told(
    Promise.try(admitAddresses, target, 'public', ['93.184.216.34', '10.0.0.1', '2606:4700::1']),
  )
  expect(answer.message).toContain('it leads to 10.0.0.1, which is a private network')
})

test.each([
  'http://user@example.com/',
  'http://user:password@example.com/',
  'http://:password@example.com/',
])('%s has a user name or password', async (url) => {
  const answer = await told(Promise.try(readTarget, url))
  expect(answer).toMatchObject({ code: 'TOOL_RESOURCE_ACCESS_DENIED', effect: 'none' })
  expect(answer.message).toContain(
    'example.com:80 is not reached: its URL has a user name or password in it.',
  )
})

test.each([
  'http://127.1/',
  'http://0177.0.0.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://127。0。0。1/',
  'http://127.0.0.1./',
  'http://%31%32%37.1/',
])('%s is 127.0.0.1, as URL reads it', (url) => {
  expect(readTarget(url)).toMatchObject({ host: '127.0.0.1', isAddress: true })
})

test.each([
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://0x7f.0.0.1.0x/',
  'http://[::1%25lo]/',
  'http://',
  '//example.com/',
  'example.com',
  '',
])('%j is no URL', async (url) => {
  expect(await told(Promise.try(readTarget, url))).toMatchObject({
    code: 'TOOL_INVALID_FIELD_VALUE',
    effect: 'none',
  })
})
