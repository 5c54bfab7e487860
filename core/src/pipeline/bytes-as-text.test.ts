import { expect, test } from 'vitest'
import { z } from 'zod'
import { bytesFields } from '../define/json-schema.ts'
import { bytesAsText } from './validate.ts'

const Bytes = z.string().meta({ contentEncoding: 'base64' })
const fields = bytesFields(
  z.object({ image: Bytes.optional().describe('A picture'), name: z.string() }),
)

test('bytes become base64 where a field takes it, also those of a view into more of them', () => {
  const bytes = new Uint8Array([0, 104, 105, 0]).subarray(1, 3)
  expect(bytesAsText({ image: bytes, name: 'x' }, fields)).toEqual({ image: 'aGk=', name: 'x' })
})

test('bytes for any other field stay what they are, and are refused later', () => {
  const input = { name: new Uint8Array(1) }
  expect(bytesAsText(input, fields)).toBe(input)
})

test.each([[undefined], [null], ['text'], [7], [{ image: 'aGk=' }]])(
  '%o is left alone',
  (input) => {
    expect(bytesAsText(input, fields)).toBe(input)
  },
)
