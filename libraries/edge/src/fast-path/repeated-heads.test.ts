import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { readRequestHead } from './read-request-head.ts'
import { createHeadReader } from './repeated-heads.ts'

function request(length: string, first = 'POST /mcp HTTP/1.1', more = ''): Buffer {
  const lines = [
    first,
    'Host: a',
    `Content-Length: ${length}`,
    'Authorization: Bearer t0ken',
    more,
    '{}',
  ]
  return Buffer.from(lines.join('\r\n'), 'latin1')
}

const change = record({
  at: nat({ max: 100 }),
  drop: nat({ max: 3 }),
  put: constantFrom('', '0', '7', '65536', '\r\n', ' ', ':', 'Content-Length: 3\r\n', 'x: y\r\n'),
})

test('whatever comes after a head that was learned, it is read as if it were the first', () => {
  let repeated = 0
  assert(
    property(
      constantFrom('1', '2', '02', '999', '65536', '99999', ''),
      array(change, { maxLength: 2 }),
      (length, changes) => {
        const text = changes.reduce(
          (so, { at, drop, put }) => so.slice(0, at) + put + so.slice(at + drop),
          request(length).toString('latin1'),
        )
        const read = createHeadReader()
        const learned = read(request('2'))
        const bytes = Buffer.from(text, 'latin1')
        const head = read(bytes)
        if (head?.headers === learned?.headers) repeated++
        expect(head).toEqual(readRequestHead(bytes))
      },
    ),
    { numRuns: 3_000 },
  )
  // else nothing was compared
  expect(repeated).toBeGreaterThan(200)
})

test('heads of the same client share their texts, also after a different one', () => {
  const read = createHeadReader()
  const first = read(request('2'))
  expect(read(request('2'))?.headers).toBe(first?.headers)
  const other = read(request('2', 'POST /other HTTP/1.1'))
  expect(other).toMatchObject({ path: '/other' })
  expect(read(request('345', 'POST /other HTTP/1.1'))).toMatchObject({
    bodyBytes: 345,
    headers: { 'content-length': '345' },
  })
})

test('heads that differ each time are no longer remembered', () => {
  const read = createHeadReader()
  for (let call = 0; call < 6; call++) read(request('2', undefined, `Idempotency-Key: ${call}\r\n`))
  const head = read(request('2'))
  expect(read(request('2'))?.headers).not.toBe(head?.headers)
})

test('a head that has not arrived completely is not taken for the last one', () => {
  const whole = request('2')
  for (let end = 0; end < whole.length - 2; end++) {
    const read = createHeadReader()
    read(whole)
    expect(read(whole.subarray(0, end)), `cut at ${end}`).toBeUndefined()
  }
})
