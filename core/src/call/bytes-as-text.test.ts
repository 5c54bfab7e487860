import { expect, test } from 'vitest'
import { bytesAsText } from './bytes-as-text.ts'

test('bytes become base64, also those of a view into more of them', () => {
  const bytes = new Uint8Array([0, 104, 105, 0]).subarray(1, 3)
  expect(bytesAsText({ image: bytes, name: 'x' })).toEqual({ image: 'aGk=', name: 'x' })
})

test.each([[undefined], [null], ['text'], [7], [[new Uint8Array(1)]]])('%o is left alone or stays no object of fields', (input) => {
  const same = { a: 1 }
  expect(bytesAsText(same)).toBe(same)
  if (!Array.isArray(input)) expect(bytesAsText(input)).toBe(input)
})
