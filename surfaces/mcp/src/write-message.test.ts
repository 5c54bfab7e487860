import { expect, test } from 'vitest'
import { writeResult } from './write-message.ts'

/** A tool that counts how often it is written. */
function countedTool(name: string) {
  const counted = { written: 0 }
  const inputSchema = {
    type: 'object' as const,
    toJSON() {
      counted.written++
      return { type: 'object' }
    },
  }
  return { tool: { name, inputSchema }, counted }
}

test('a page of tools is the JSON of its parts, and each tool is written once for all pages', () => {
  const [one, two] = [countedTool('one'), countedTool('two "é" $&')]
  const result = { tools: [one.tool, two.tool], ttlMs: 1, _meta: { a: '"tools":"\u0000"' } }
  const expected = JSON.stringify({ jsonrpc: '2.0', id: 7, result })
  expect([one.counted.written, two.counted.written]).toEqual([1, 1])
  for (let times = 0; times < 3; times++) expect(writeResult(7, result)).toBe(expected)
  expect([one.counted.written, two.counted.written]).toEqual([2, 2])
})

test('another result is written as it is', () => {
  expect(writeResult('a', { content: [] })).toBe(
    '{"jsonrpc":"2.0","id":"a","result":{"content":[]}}',
  )
})
