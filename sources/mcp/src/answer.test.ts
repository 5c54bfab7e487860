import { expect, test } from 'vitest'
import { toToolAnswer } from './answer.ts'

const options = {
  server: 'notes',
  tool: 'read',
  isShaped: false,
  artifactBytes: 1_000,
  answerBytes: 100,
  hide: (text: string) => text,
  refusedRequests: [],
  failsWithoutEffect: false,
}
const tags = [...'buy'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
const answer = (text: string) =>
  (toToolAnswer({ content: [{ type: 'text', text }] }, options) as { content: unknown[] }).content

test('words that only a model would read are spelled out, in texts and in data', () => {
  expect(answer(`hello${tags.join('')}`)).toEqual([
    { type: 'text', text: 'hello⟨U+E0062⟩⟨U+E0075⟩⟨U+E0079⟩' },
  ])
  expect(answer('\u001b[8msecret\u001b[0m \u202elleh')).toEqual([
    { type: 'text', text: '⟨U+001B⟩[8msecret⟨U+001B⟩[0m ⟨U+202E⟩lleh' },
  ])
  expect(
    toToolAnswer(
      { structuredContent: { [`k${tags[0]}`]: [tags[1]] } },
      { ...options, isShaped: true },
    ),
  ).toEqual({ 'k⟨U+E0062⟩': ['⟨U+E0075⟩'] })
})

test('what ordinary texts contain stays as it is', () => {
  const text = 'a\r\nb\tc\u00a0d 👨‍👩‍👧 שלום'
  expect(answer(text)).toEqual([{ type: 'text', text }])
})

test('a long text is cut, and says so', () => {
  const content = [{ type: 'text', text: 'x'.repeat(300) }]
  expect(toToolAnswer({ content }, options)).toEqual({
    content: [
      {
        type: 'text',
        text: `${'x'.repeat(100)}\n[These are the first 100 of 300 characters. Ask the tool for less at a time.]`,
      },
    ],
  })
})

test('data in a declared shape are bounded as well', () => {
  const structuredContent = { rows: Array(100).fill('an old row') }
  const shaped = { ...options, isShaped: true }
  const cut = JSON.stringify(toToolAnswer({ content: [], structuredContent }, shaped))
  expect(cut.length).toBeLessThan(300)
  expect(cut).toMatch(/of \d{4} characters/)
  const small = { rows: ['one'] }
  expect(toToolAnswer({ content: [], structuredContent: small }, shaped)).toEqual(small)
})
