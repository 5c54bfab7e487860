import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { classifyAddress, isSameAddress } from './classify-address.ts'

const access = (text: string) => classifyAddress(text).access

describe('a metadata service of a cloud', () => {
  test.each([
    '169.254.169.254',
    '169.254.170.2',
    '169.254.170.23',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '2002:a83f:8110::',
    '64:ff9b::168.63.129.16',
    '2001:0:a9fe:a9fe::',
    '2001:0:808:808:0:0:5601:5601',
    'fc00::5efe:a9fe:a9fe',
  ])('%s is closed, and no allow-list can open it', (address) => {
    expect(access(address)).toBe('closed')
  })
})

describe('an address that only an allow-list can open', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.255', 'loopback'],
    ['::1', 'loopback'],
    ['10.1.2.3', 'a private network'],
    ['172.16.0.1', 'a private network'],
    ['172.31.255.255', 'a private network'],
    ['192.168.1.1', 'a private network'],
    ['100.64.0.1', 'a shared address space'],
    ['fd12:3456::1', 'a private network'],
    ['fc00::1', 'a private network'],
    ['198.18.0.1', 'for benchmarking'],
    ['198.19.255.255', 'for benchmarking'],
    ['2001:2::1', 'for benchmarking'],
    ['192.0.2.1', 'for documentation'],
    ['198.51.100.7', 'for documentation'],
    ['203.0.113.9', 'for documentation'],
    ['2001:db8::1', 'for documentation'],
    ['3fff:fff::1', 'for documentation'],
    ['::ffff:127.0.0.1', '127.0.0.1 inside, loopback'],
    ['::ffff:7f00:1', '127.0.0.1 inside, loopback'],
    ['64:ff9b::10.0.0.1', '10.0.0.1 inside, a private network'],
    ['2002:7f00:1::', '127.0.0.1 inside, loopback'],
    ['2001:0:808:808:0:0:80ff:fffe', '127.0.0.1 inside, loopback'],
    ['2001:0:7f00:1:0:0:f7f7:f7f7', '127.0.0.1 inside, loopback'],
    ['2606:4700::5efe:7f00:1', '127.0.0.1 inside, loopback'],
    ['2606:4700::200:5efe:c0a8:1', '192.168.0.1 inside, a private network'],
  ])('%s is private: %s', (address, what) => {
    expect(classifyAddress(address)).toMatchObject({ access: 'private', what })
  })
})

describe('an address that is never allowed', () => {
  test.each([
    '0.0.0.0',
    '0.1.2.3',
    '169.254.0.1',
    '192.0.0.1',
    '192.88.99.1',
    '224.0.0.1',
    '239.255.255.250',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::7f00:1',
    '::127.0.0.1',
    '::8.8.8.8',
    '::ffff:0:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b:1::7f00:1',
    '64:ff9b:1:fffe::808:808',
    '100::1',
    '100:0:0:1::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'feff::1',
    'ff02::1',
    '5f00::1',
    '1::1',
    '4000::1',
    'e000::1',
    '::ffff:0.0.0.0',
    'fe80::1%lo',
    '2606:4700::1%1',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    '1.2.3',
    '[::1]',
    ' 8.8.8.8',
    'localhost',
    '',
  ])('%j is closed', (address) => {
    expect(access(address)).toBe('closed')
  })
})

describe('a public address', () => {
  test.each([
    '8.8.8.8',
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.1',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
    '168.63.129.15',
    '168.63.129.17',
    '2606:4700:4700::1111',
    '2a00:1450:4001:830::200e',
    '2001:200::1',
    '2001:4860:4860::8888',
    '2003::1',
    '3ffe::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::1',
  ])('%s may be reached', (address) => {
    expect(access(address)).toBe('public')
  })
})

test('an IPv4-mapped IPv6 address is written as IPv4', () => {
  expect(classifyAddress('::ffff:5db8:d822').address).toBe('93.184.216.34')
})

test('two spellings of one address are equal, and two addresses never are', () => {
  expect(isSameAddress('2606:4700:0:0::1', '2606:4700::1')).toBe(true)
  expect(isSameAddress('::ffff:1.2.3.4', '1.2.3.4')).toBe(true)
  expect(isSameAddress('1.2.3.4', '1.2.3.5')).toBe(false)
  expect(isSameAddress('not an address', 'not an address')).toBe(false)
})

test('an IPv4 address that is not public is not public in any IPv6 form either', () => {
  const octet = fc.integer({ min: 0, max: 255 })
  fc.assert(
    fc.property(fc.tuple(octet, octet, octet, octet), (bytes) => {
      const [a, b, c, d] = bytes.map((byte) => byte.toString(16).padStart(2, '0'))
      const not = bytes.map((byte) => (byte ^ 0xff).toString(16).padStart(2, '0'))
      const forms = [
        `::ffff:${a}${b}:${c}${d}`,
        `64:ff9b::${a}${b}:${c}${d}`,
        `2002:${a}${b}:${c}${d}::1`,
        `2001:0:${a}${b}:${c}${d}::f7f7:f7f7`,
        `2001:0:808:808::${not[0]}${not[1]}:${not[2]}${not[3]}`,
        `2606:4700::5efe:${a}${b}:${c}${d}`,
      ]
      expect(forms.map(access)).toEqual(forms.map(() => access(bytes.join('.'))))
      expect(access(`::${a}${b}:${c}${d}`)).not.toBe('public')
    }),
    { numRuns: 2_000 },
  )
})
