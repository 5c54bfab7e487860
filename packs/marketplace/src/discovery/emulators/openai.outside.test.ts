import { createOpenAI } from '@ai-sdk/openai'
import { startEmulator } from '@surehand/testing'
import { generateText } from 'ai'
import { expect, test } from 'vitest'
import { routes } from './openai.ts'

// The AI SDK speaks OpenAI's Responses API: what it reads from the emulator, it would read from OpenAI.
test('the AI SDK finds the sources of a web search in the answer of the emulator', async () => {
  const emulator = await startEmulator({ routes })
  try {
    const openai = createOpenAI({ apiKey: 'k', baseURL: `${emulator.url}/v1` })
    const { sources, text } = await generateText({
      model: openai.responses('gpt-5.5'),
      prompt: 'amoxicillin in Kimironko',
      tools: { web_search: openai.tools.webSearch({}) },
    })
    expect(text).toContain('Kimironko Pharmacy')
    expect(sources.map((source) => (source.sourceType === 'url' ? source.url : ''))).toContain(
      'https://kimironko-pharmacy.example/amoxicillin?utm_source=openai',
    )
  } finally {
    await emulator.stop()
  }
})
