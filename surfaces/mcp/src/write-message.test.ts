import { expect, test } from 'vitest'
import { writeResult, writePage } from './write-message.ts'

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

test('a long page is written in parts of whole tools', () => {
  const inputSchema = { type: 'object' as const }
  const tools = Array.from({ length: 40 }, (_, index) => ({
    name: `tool ${index}`,
    description: `"tools":"\u0000" 🛒${'é'.repeat(5_000)}`,
    inputSchema,
  }))
  const result = { tools, nextCursor: 'next' }
  const parts = [...writePage(7, result)]
  expect(parts.length).toBe(4)
  for (const part of parts) expect(part.length).toBeLessThan(75_000)
  expect(parts.join('')).toBe(JSON.stringify({ jsonrpc: '2.0', id: 7, result }))
})

test('a page without tools is written too', () => {
  expect([...writePage(null, { tools: [] })]).toEqual([
    '{"jsonrpc":"2.0","id":null,"result":{"tools":[]}}',
  ])
})
