import { describe, expect, test } from 'vitest'
import { collect, serverSentEvents } from './collect.ts'

async function* bytesOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all(text: string, size: number): Promise<readonly unknown[]> {
  const events: unknown[] = []
  for await (const event of serverSentEvents(bytesOf(text, size))) events.push(event)
  return events
}

describe('server-sent events', () => {
  const text =
    'event: a\r\ndata: {"text":"é😀"}\r\n\r\n: comment\ndata: {"two":\ndata: 2}\n\ndata: [DONE]\n\n'

  test.each([1, 2, 3, 5, 1_000])('are the same in pieces of %i bytes', async (size) => {
    expect(await all(text, size)).toEqual([{ text: 'é😀' }, { two: 2 }])
  })
})

describe('an incomplete response is never acted on', () => {
  const chunk = (delta: object, reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const call = {
    tool_calls: [
      {
        index: 0,
        id: 'c',
        type: 'function',
        function: { name: 'shop__order', arguments: '{"product":"tea"}' },
      },
    ],
  }

  test.each([
    ['openai-chat', [chunk({ role: 'assistant' }), chunk(call)]],
    ['openai-responses', [{ type: 'response.output_item.done', item: { type: 'function_call' } }]],
    [
      'anthropic',
      [
        { type: 'message_start', message: {} },
        { type: 'content_block_start', index: 0, content_block: { type: 'tool_use' } },
      ],
    ],
    [
      'gemini',
      [
        {
          candidates: [
            { content: { parts: [{ functionCall: { name: 'shop__order', args: {} } }] } },
          ],
        },
      ],
    ],
  ] as const)('%s', async (provider, events) => {
    await expect(collect(provider, events)).rejects.toMatchObject({ code: 'TOOL_NETWORK_ERROR' })
  })

  test('an error within a stream is an error', async () => {
    const events = [
      { type: 'message_start', message: {} },
      { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    ]
    await expect(collect('anthropic', events)).rejects.toThrow('Overloaded')
  })
})

test('the signature that Gemini needs back is kept with its call', async () => {
  const part = {
    functionCall: { id: '1', name: 'shop__price', args: {} },
    thoughtSignature: 'signed',
  }
  const events = [
    { candidates: [{ content: { parts: [{ text: 'Let ' }] } }] },
    { candidates: [{ content: { parts: [{ text: 'me.' }, part] } }], responseId: 'r' },
    { candidates: [{ content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] },
  ]
  expect(await collect('gemini', events)).toMatchObject({
    responseId: 'r',
    candidates: [
      { content: { role: 'model', parts: [{ text: 'Let me.' }, part] }, finishReason: 'STOP' },
    ],
  })
})
