import { describe, expect, test } from 'vitest'
import { FORMATS } from './formats.ts'

const cases: Readonly<
  Record<string, { readonly good: readonly string[]; readonly bad: readonly string[] }>
> = {
  'date-time': {
    good: [
      '2024-02-29T00:00:00Z',
      '2025-01-15T08:30:00Z',
      '2024-01-01T00:00:00+14:00',
      '2024-01-01t00:00:00.123456789z',
      '2016-12-31T23:59:60Z',
      '2017-01-01T00:59:60+01:00',
    ],
    bad: [
      '2024-02-30T00:00:00Z',
      '2023-02-29T00:00:00Z',
      '1900-02-29T00:00:00Z',
      '2024-01-01T00:00:00',
      '2024-01-01 00:00:00Z',
      '2024-01-01\n00:00:00Z',
      '2024-01-01T24:00:00Z',
      '2024-01-01T00:00:00+24:00',
      '2024-01-01T00:60:00Z',
      '2016-12-31T22:59:60Z',
      '2024-01-01T00:00:00.Z',
      '2024-1-1T00:00:00Z',
      '2024-01-01T00:00:00+0100',
      '2024-01-01T00:00:00Z\n',
      '２024-01-01T00:00:00Z',
      '',
      'yesterday',
    ],
  },
  date: {
    good: ['2024-02-29', '2000-02-29', '2025-12-31'],
    bad: [
      '2024-02-30',
      '2023-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-01-00',
      '2024-1-1',
      '20240101',
      '2024-01-01T00:00:00Z',
    ],
  },
  time: {
    good: ['10:00:00Z', '23:59:60Z', '08:30:06.283185Z', '10:05:08+01:00'],
    bad: ['10:00:00', '25:00:00Z', '10:00Z', '10:00:60Z', '10:60:00Z', '08:30:06-8:00'],
  },
  email: {
    good: [
      'a@b.co',
      'first.last+tag@example.com',
      '"a b"@example.com',
      'a@[127.0.0.1]',
      "o'neil@example.com",
    ],
    bad: [
      'a',
      '@b.c',
      'a@',
      'a b@c.de',
      'a.@b.c',
      '.a@b.c',
      'a..b@c.de',
      'a@-b.c',
      'a@b..c',
      'a@b.c\n',
      'a@b@c.de',
      `${'a'.repeat(65)}@b.co`,
    ],
  },
  uri: {
    good: [
      'http://example.com',
      'https://user:pw@example.com:8042/over/there?name=ferret#nose',
      'mailto:John.Doe@example.com',
      'urn:isbn:0451450523',
      'http://[2001:db8::1]:80/',
      'file:///etc/passwd',
      'tel:+1-816-555-1212',
      'http://a/%41',
      'data:text/plain;base64,SGVsbG8=',
      'about:blank',
    ],
    bad: [
      'a',
      '//a',
      '/a/b',
      'http://a b',
      'http://ex.com/ü',
      'http://a/%zz',
      'http://a/%4',
      'http://a\n',
      'http://a/<b>',
      'http://a/{b}',
      'http://a#b#c',
      '1http://a',
      ':a',
      'http://[::1',
      'http://a:b:c/',
      'http://a]/',
      'x:[y]',
    ],
  },
  uuid: {
    good: [
      '2EB8AA08-AA98-11EA-B4AA-73B441D16380',
      '98d80576-482e-427f-8434-7f86890ab222',
      '00000000-0000-0000-0000-000000000000',
    ],
    bad: [
      '2eb8aa08-aa98-11ea-b4aa-73b441d1638',
      '2eb8aa08aa9811eab4aa73b441d16380',
      'g8d80576-482e-427f-8434-7f86890ab222',
      '{98d80576-482e-427f-8434-7f86890ab222}',
    ],
  },
  duration: {
    good: ['P1D', 'PT30M', 'P1Y2M3DT4H5M6S', 'P1W', 'P4Y', 'PT0S', 'PT1H1S', 'PT1.5S', 'P1Y1D'],
    bad: [
      'P',
      'PT',
      'P1DT',
      '1D',
      'p1d',
      'P1S',
      'PT1D',
      'P2D1Y',
      'PT1S2M',
      '-P1D',
      'P1.5D1D',
      'P１D',
      '',
    ],
  },
  ipv4: {
    good: ['127.0.0.1', '0.0.0.0'],
    bad: ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '1.2.3.4/8'],
  },
  ipv6: {
    good: ['::1', '2001:db8::8a2e:370:7334', '::ffff:1.2.3.4'],
    bad: ['12345::', '::1%eth0', '1:2:3', 'g::1'],
  },
}

describe.each(Object.entries(cases))('%s', (name, { good, bad }) => {
  test('takes what is one', () =>
    expect(good.filter((text) => FORMATS.get(name)?.test(text) !== true)).toEqual([]))
  test('takes nothing else', () =>
    expect(bad.filter((text) => FORMATS.get(name)?.test(text) !== false)).toEqual([]))
})

test('no text of a megabyte takes any of them longer than a moment', () => {
  const million = 1 << 20
  const hostile = [
    'a',
    '1',
    't',
    ' ',
    '@',
    '.',
    '-',
    ':',
    '/',
    '%41',
    'a@',
    'a.',
    'a-',
    '"\\a',
    'P1',
    '1:',
    '[',
    '#',
  ].flatMap((part) => {
    const long = part.repeat(million / part.length)
    return [
      long,
      `http://${long}`,
      `http://${long}<`,
      `a@${long}`,
      `"${long}`,
      `2024-01-01T00:00:00.${long}`,
      `data:${long}`,
      `PT${long}`,
    ]
  })
  for (const [name, { test: isOne }] of FORMATS) {
    for (const text of hostile) {
      const before = process.threadCpuUsage()
      isOne(text)
      expect
        .soft(process.threadCpuUsage(before).user, `${name} of ${text.slice(0, 24)}`)
        .toBeLessThan(1_000_000)
    }
  }
})

test('a data: URI of sixteen megabytes is a URI and does not overflow the stack', () => {
  expect(FORMATS.get('uri')?.test(`data:image/png;base64,${'AAAA'.repeat(4 << 20)}`)).toBe(true)
})
