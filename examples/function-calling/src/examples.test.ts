import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { talkToAnthropic } from './anthropic.ts'
import { talkToGemini } from './gemini.ts'
import { talkToOpenai } from './openai.ts'
import { talkToResponses } from './openai-responses.ts'

// An API key in a developer's environment must not make a test call a vendor.
beforeEach(() => {
  for (const name of ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'MODEL'])
    vi.stubEnv(name, '')
  vi.stubEnv('MODEL', undefined)
})
afterEach(() => vi.unstubAllEnvs())

describe.each([
  ['openai.ts', talkToOpenai],
  ['openai-responses.ts', talkToResponses],
  ['anthropic.ts', talkToAnthropic],
  ['gemini.ts', talkToGemini],
] as const)('%s', (_, run) => {
  test.each(['whole', 'streamed'] as const)(
    'two calls at once, a write, and a refund that waits for a person (%s)',
    async (delivery) => {
      const lines: string[] = []
      const { shop, text } = await run({ delivery, say: (line) => lines.push(line) })
      expect(lines[0]).toContain('EMULATED')
      expect(lines.slice(1)).toEqual([
        'shop.price: {"drink":"tea","cents":320}',
        'shop.price: {"drink":"coffee","cents":410}',
        'shop.order: {"order":1}',
        'shop.refund: TOOL_APPROVAL_REQUIRED',
        'Kim is asked: Refund order 7? – and approves.',
        'shop.refund: {"refunded":7}',
      ])
      expect([shop.orders, shop.refunds]).toEqual([['2 × tea'], [7]])
      expect(text).toContain('{"refunded":7}')
    },
  )
})
