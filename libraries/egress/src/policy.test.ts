import { describe, expect, test } from 'vitest'
import { rejectionOf } from './fixtures/rejection-of.ts'
import { checkAddresses, checkTarget, type EgressPolicy } from './policy.ts'
import { readTarget } from './target.ts'

const admit = (url: string, policy: EgressPolicy = {}) => checkTarget(readTarget(url), policy)
const denialOf = async (url: string, policy: EgressPolicy = {}) =>
  (await rejectionOf(Promise.try(admit, url, policy))).message

describe('without an allow-list', () => {
  test.each([
    'http://example.com/',
    'https://example.com:443/',
    'http://example.com:80/',
    'https://bücher.example/',
    'http://a_b.example.org./',
  ])('%s is allowed', (url) => {
    expect(admit(url)).toBe('public')
  })

  test.each([
    ['http://localhost/', 'it is the name of this machine'],
    ['http://LOCALHOST./', 'it is the name of this machine'],
    ['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', 'it is the name of this machine'],
    ['http://db.localhost/', 'it is the name of this machine'],
    ['http://intranet/', 'a name without a dot'],
    ['http://printer.local/', 'under .local'],
    ['http://metadata.google.internal/', 'under .internal'],
    ['http://router.home.arpa/', 'under .arpa'],
    ['http://wiki.corp./', 'under .corp'],
    ['http://example.com:22/', 'port 22 is not among 80, 443'],
    ['http://example.com:8080/', 'port 8080 is not among 80, 443'],
    ['http://example..com/', 'it is not a valid host name'],
    ['http://example.com../', 'it is not a valid host name'],
    ['http://.example.com/', 'it is not a valid host name'],
    ["http://a'b.example.com/", 'it is not a valid host name'],
    [`http://${'a'.repeat(64)}.com/`, 'it is not a valid host name'],
    [`http://${'a.'.repeat(130)}com/`, 'it is not a valid host name'],
  ])('%s is refused', async (url, why) => {
    expect(await denialOf(url)).toContain(why)
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
  ])('allows %s', (url) => {
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
  ])('does not allow %s', async (url) => {
    expect(await denialOf(url, { allow })).toContain('was not contacted')
  })

  test('that contains an address does not allow a name that resolves to it', async () => {
    const target = readTarget('http://rebound.example.com/')
    const reach = checkTarget(target, { allow })
    expect(
      (await rejectionOf(Promise.try(checkAddresses, target, reach, ['127.0.0.1']))).message,
    ).toBe(
      'rebound.example.com:80 was not contacted: it resolves to 127.0.0.1, which is loopback. ' +
        'If the request is intended, an administrator can allow { host: "rebound.example.com", port: 80 } in the tenant\'s egress policy.',
    )
  })

  test('never allows a metadata service, by address or by name', async () => {
    const open = [
      { host: '169.254.169.254', port: 80 },
      { host: 'metadata.internal', port: 80 },
    ]
    for (const url of ['http://169.254.169.254/', 'http://metadata.internal/']) {
      const target = readTarget(url)
      const reach = checkTarget(target, { allow: open })
      expect(reach).toBe('opened')
      const answer = await rejectionOf(
        Promise.try(checkAddresses, target, reach, ['169.254.169.254']),
      )
      expect(answer).toMatchObject({
        code: 'TOOL_RESOURCE_ACCESS_DENIED',
        effect: 'none',
        retryable: false,
      })
      expect(answer.message).toContain('No policy can allow this address.')
    }
  })

  test('allows nothing with an entry that is not a host', async () => {
    expect(
      await denialOf('http://intranet/', { allow: [{ host: 'http://intranet', port: 80 }] }),
    ).toContain('was not contacted')
  })
})

test('the ports of public hosts can be set, and 80 is then allowed only if it is listed', async () => {
  expect(admit('http://example.com:8080/', { ports: [8080] })).toBe('public')
  expect(await denialOf('http://example.com/', { ports: [8080] })).toContain(
    'port 80 is not among 8080',
  )
})

test('one forbidden address among allowed ones refuses the request', async () => {
  const target = readTarget('http://example.com/')
  const answer = await rejectionOf(
    Promise.try(checkAddresses, target, 'public', ['93.184.216.34', '10.0.0.1', '2606:4700::1']),
  )
  expect(answer.message).toContain('it resolves to 10.0.0.1, which is a private network')
})

test.each([
  'http://user@example.com/',
  'http://user:password@example.com/',
  'http://:password@example.com/',
])('%s is refused because of its user name or password', async (url) => {
  const answer = await rejectionOf(Promise.try(readTarget, url))
  expect(answer).toMatchObject({ code: 'TOOL_RESOURCE_ACCESS_DENIED', effect: 'none' })
  expect(answer.message).toContain(
    'example.com:80 was not contacted: its URL contains a user name or password.',
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
])('%s is parsed as 127.0.0.1', (url) => {
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
])('%j is not a URL', async (url) => {
  expect(await rejectionOf(Promise.try(readTarget, url))).toMatchObject({
    code: 'TOOL_INVALID_FIELD_VALUE',
    effect: 'none',
  })
})
