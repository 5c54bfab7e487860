import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader } from './stdio-transport.ts'

test('lines come out as they went in, however the stream was cut', () => {
  const line = fc.string({ maxLength: 30 }).map((text) => text.replaceAll('\n', ' '))
  fc.assert(
    fc.property(
      fc.array(line),
      fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
      (lines, cuts) => {
        const reader = new LineReader(1_000)
        const whole = Buffer.from(lines.map((one) => `${one}\n`).join(''))
        const read: unknown[] = []
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = cuts[turn % cuts.length] ?? 1
          for (const one of reader.read(whole.subarray(at, at + size)))
            read.push(one.kind === 'line' ? one.text : one)
          at += size
        }
        expect(read).toEqual(lines.map((one) => Buffer.from(one).toString('utf8')))
      },
    ),
  )
})

test('a line that is too long is not buffered; only its ends are reported', () => {
  const reader = new LineReader(1_000)
  const pieces = [
    '{"id":7,',
    'x'.repeat(600),
    'y'.repeat(100_000),
    'z'.repeat(600),
    '"end":1}\n',
    'short\n',
  ]
  const read = pieces.flatMap((piece) => [...reader.read(Buffer.from(piece))])
  expect(read).toEqual([
    {
      kind: 'long',
      head: expect.stringMatching(/^\{"id":7,x+$/),
      tail: expect.stringMatching(/^z+"end":1\}$/),
      bytes: 101_216,
    },
    { kind: 'line', text: 'short', bytes: 5 },
  ])
})
