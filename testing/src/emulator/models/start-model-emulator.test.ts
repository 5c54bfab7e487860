import { afterEach, describe, expect, test } from 'vitest'
import type { ModelScript } from './conversation.ts'
import { lastResults } from './conversation.ts'
import { splitIntoFragments } from './fragments.ts'
import { type ModelEmulator, startModelEmulator } from './start-model-emulator.ts'

const started: ModelEmulator[] = []
afterEach(async () => {
  for (const emulator of started.splice(0)) await emulator.stop()
})

const priceScript: ModelScript = (conversation) => {
  const [result] = lastResults(conversation)
  return result === undefined
    ? { calls: [{ name: 'price', arguments: { product: 'thé 😀' } }], text: 'Hm.' }
    : { text: `So: ${result.text}` }
}

async function start(script: ModelScript = priceScript): Promise<ModelEmulator> {
  const emulator = await startModelEmulator({ script })
  started.push(emulator)
  return emulator
}

const KEYS = {
  authorization: 'Bearer k',
  'x-api-key': 'k',
  'x-goog-api-key': 'k',
  'anthropic-version': '2023-06-01',
}

async function post(
  { url }: ModelEmulator,
  path: string,
  body: unknown,
  headers: Record<string, string> = KEYS,
) {
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  return {
    status: response.status,
    text,
    json: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined,
  }
}

function events(text: string): readonly Record<string, unknown>[] {
  const lines = text.split(/\r?\n/).filter((line) => line.startsWith('data: {'))
  return lines.map((line) => JSON.parse(line.slice(6)))
}

const schema = {
  type: 'object',
  properties: { product: { type: 'string' } },
  required: ['product'],
  additionalProperties: false,
}
const user = { role: 'user', content: 'How much?' }
const ASKS = {
  chat: {
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4.1',
      messages: [user],
      tools: [{ type: 'function', function: { name: 'price', parameters: schema, strict: true } }],
    },
  },
  responses: {
    path: '/v1/responses',
    body: {
      model: 'gpt-4.1',
      input: [user],
      tools: [{ type: 'function', name: 'price', parameters: schema, strict: true }],
    },
  },
  anthropic: {
    path: '/v1/messages',
    body: {
      model: 'claude-x',
      max_tokens: 9,
      messages: [user],
      tools: [{ name: 'price', input_schema: schema, strict: true }],
    },
  },
  gemini: {
    path: '/v1beta/models/gemini-3-pro:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'How much?' }] }],
      tools: [{ functionDeclarations: [{ name: 'price', parametersJsonSchema: schema }] }],
    },
  },
} as const
type Api = keyof typeof ASKS
const APIS = Object.keys(ASKS) as readonly Api[]

describe.each(APIS)('%s', (api) => {
  const { path, body } = ASKS[api]

  test('marks its answers as emulated, and gives the script the same conversation for every wire format', async () => {
    const emulator = await start()
    const { status, text } = await post(emulator, path, body)
    expect([status, text.includes('-emulated"')]).toEqual([200, true])
    expect(emulator.conversations()).toMatchObject([
      { turns: [{ role: 'user', text: 'How much?' }], tools: [{ name: 'price', schema }] },
    ])
  })

  test('refuses a request without a key, an unknown model, and an invalid body', async () => {
    const emulator = await start()
    const nowhere = await post(emulator, path.replace('gemini-3', 'nope'), {
      ...body,
      model: 'nope',
    })
    const broken = await fetch(emulator.url + path, { method: 'POST', headers: KEYS, body: '{' })
    const keyless = await post(emulator, path, body, {})
    expect([keyless.status, nowhere.status, broken.status]).toEqual([
      api === 'gemini' ? 403 : 401,
      404,
      400,
    ])
    expect([keyless, nowhere].every(({ json }) => typeof json.error.message === 'string')).toBe(
      true,
    )
  })

  test('refuses a schema that breaks the vendor’s rules', async () => {
    const emulator = await start()
    const bad = JSON.stringify(body).replace('"type":"string"', '"type":"string","minLength":2')
    const { status, json } = await post(emulator, path, JSON.parse(bad))
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringContaining("'minLength' is not permitted"),
    ])
  })
})

const CALL = { id: 'c1', type: 'function', function: { name: 'price', arguments: '{}' } }

describe('an invalid conversation', () => {
  test.each<[string, Api, object, string]>([
    [
      'an answer to nothing',
      'chat',
      { messages: [user, { role: 'tool', tool_call_id: 'c1', content: '3' }] },
      "role 'tool' must be a response",
    ],
    [
      'a call without its answer',
      'chat',
      { messages: [user, { role: 'assistant', tool_calls: [CALL] }, user] },
      'did not have response messages: c1',
    ],
    [
      'an answer to nothing',
      'responses',
      { input: [user, { type: 'function_call_output', call_id: 'c1', output: '3' }] },
      'No tool call found',
    ],
    [
      'a call without its answer',
      'responses',
      { input: [user, { type: 'function_call', call_id: 'c1', name: 'price', arguments: '{}' }] },
      'No tool output found',
    ],
    [
      'an answer to nothing',
      'anthropic',
      {
        messages: [
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '3' }] },
        ],
      },
      'unexpected `tool_use_id`',
    ],
    [
      'a call without its answer',
      'anthropic',
      {
        messages: [
          user,
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'c1', name: 'price', input: {} }],
          },
          user,
        ],
      },
      'without `tool_result`',
    ],
    [
      'words before the answers',
      'anthropic',
      {
        messages: [
          user,
          {
            role: 'assistant',
            content: [{ type: 'tool_use', id: 'c1', name: 'price', input: {} }],
          },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'so' },
              { type: 'tool_result', tool_use_id: 'c1' },
            ],
          },
        ],
      },
      'must come first',
    ],
    [
      'a call without its answer',
      'gemini',
      {
        contents: [
          { role: 'user', parts: [{ text: 'x' }] },
          { role: 'model', parts: [{ functionCall: { name: 'price' }, thoughtSignature: 's' }] },
        ],
      },
      'followed by a function response',
    ],
    [
      'a call without its signature',
      'gemini',
      {
        contents: [
          { role: 'user', parts: [{ text: 'x' }] },
          { role: 'model', parts: [{ functionCall: { name: 'price' } }] },
          { role: 'user', parts: [{ functionResponse: { name: 'price', response: {} } }] },
        ],
      },
      'thought_signature',
    ],
  ])('%s is refused by %s', async (_, api, change, why) => {
    const emulator = await start()
    const { status, json } = await post(emulator, ASKS[api].path, { ...ASKS[api].body, ...change })
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(why)])
  })
})

describe('a streamed answer', () => {
  const ARGUMENTS = '{"product":"th\\u00e9 😀"}'

  test('is split inside escapes and between surrogates, and joins to the whole text', () => {
    const pieces = splitIntoFragments('{"a":"\\u00e9\\n😀"}')
    expect(pieces.join('')).toBe('{"a":"\\u00e9\\n😀"}')
    expect([
      pieces.some((piece) => piece.endsWith('\\')),
      pieces.some((piece) => piece === 'u'),
      pieces.some((piece) => !piece.isWellFormed()),
    ]).toEqual([true, true, true])
  })

  test('chat completions', async () => {
    const emulator = await start()
    const { text } = await post(emulator, ASKS.chat.path, {
      ...ASKS.chat.body,
      stream: true,
      stream_options: { include_usage: true },
    })
    const choices = events(text).flatMap(
      ({ choices }) =>
        choices as readonly {
          delta: { tool_calls?: [{ function: { arguments: string } }] }
          finish_reason: string
        }[],
    )
    expect(
      choices.map(({ delta }) => delta.tool_calls?.[0].function.arguments ?? '').join(''),
    ).toBe(ARGUMENTS)
    expect([
      choices.at(-1)?.finish_reason,
      text.endsWith('data: [DONE]\n\n'),
      'usage' in (events(text).at(-1) ?? {}),
    ]).toEqual(['tool_calls', true, true])
  })

  test('responses', async () => {
    const emulator = await start()
    const { text } = await post(emulator, ASKS.responses.path, {
      ...ASKS.responses.body,
      stream: true,
    })
    const all = events(text) as unknown as readonly {
      type: string
      delta?: string
      sequence_number: number
    }[]
    expect(
      all
        .filter(({ type }) => type === 'response.function_call_arguments.delta')
        .map(({ delta }) => delta)
        .join(''),
    ).toBe(ARGUMENTS)
    expect([all.map(({ sequence_number }) => sequence_number), all.at(-1)?.type]).toEqual([
      all.map((_, index) => index),
      'response.completed',
    ])
  })

  test('messages', async () => {
    const emulator = await start()
    const { text } = await post(emulator, ASKS.anthropic.path, {
      ...ASKS.anthropic.body,
      stream: true,
    })
    const all = events(text) as unknown as readonly {
      type: string
      delta?: { partial_json?: string }
    }[]
    expect(all.map(({ delta }) => delta?.partial_json ?? '').join('')).toBe(ARGUMENTS)
    expect([all[0]?.type, all.at(-1)?.type]).toEqual(['message_start', 'message_stop'])
  })

  test.each(['?alt=sse', ''])('generated content, as events or as a list (%s)', async (query) => {
    const emulator = await start()
    const { text, json } = await post(
      emulator,
      `/v1beta/models/gemini-2.5-flash:streamGenerateContent${query}`,
      ASKS.gemini.body,
    )
    const all = (json ?? events(text)) as readonly {
      candidates: [
        {
          content: { parts: [{ functionCall?: { id?: string; args: unknown } }] }
          finishReason?: string
        },
      ]
    }[]
    const calls = all.flatMap(({ candidates: [{ content }] }) =>
      content.parts.flatMap(({ functionCall }) => functionCall ?? []),
    )
    expect([calls, all.at(-1)?.candidates[0].finishReason]).toEqual([
      [{ name: 'price', args: { product: 'thé 😀' } }],
      'STOP',
    ])
  })
})

test('Responses continues from stored responses and items', async () => {
  const emulator = await start()
  const { path, body } = ASKS.responses
  const { json: first } = await post(emulator, path, body)
  const call = first.output.find(({ type }: { type: string }) => type === 'function_call')
  const output = { type: 'function_call_output', call_id: call.call_id, output: '3' }
  const byResponse = await post(emulator, path, {
    ...body,
    input: [output],
    previous_response_id: first.id,
  })
  const byItem = await post(emulator, path, {
    ...body,
    input: [user, { type: 'item_reference', id: call.id }, output],
  })
  expect([byResponse, byItem].map(({ json }) => json.output[0].content[0].text)).toEqual([
    'So: 3',
    'So: 3',
  ])
})

test('a planned fault is applied', async () => {
  const emulator = await start()
  emulator.fail({ kind: '429' })
  expect([
    (await post(emulator, ASKS.chat.path, ASKS.chat.body)).status,
    (await post(emulator, ASKS.chat.path, ASKS.chat.body)).status,
  ]).toEqual([429, 200])
})
