import { describe, expect, test } from 'vitest'
import { collect } from './collect.ts'
import { openClearance } from './fixtures/clearance.ts'
import { ada } from './fixtures/shop.ts'
import { functionCalling } from './function-calling.ts'
import type { ProviderName } from './providers/wire.ts'

/** Handles a response; returns what was cleared and what the model reads. */
async function handleResponse(
  provider: ProviderName,
  response: unknown,
): Promise<{ cleared: readonly unknown[]; reported: string }> {
  const { runtime, cleared } = openClearance()
  const messages = await functionCalling(runtime, ada, { provider, run: 'chat' }).handle(response)
  return { cleared, reported: JSON.stringify(messages) }
}

const chatCall = (id = 'call_1') => ({
  id,
  type: 'function',
  function: { name: 'shop__clear', arguments: '{"only":null}' },
})
const item = {
  type: 'function_call',
  call_id: 'call_1',
  name: 'shop__clear',
  arguments: '{"only":null}',
  status: 'completed',
}

/** A complete response with one complete call and the given finish reason. */
const ending: Readonly<Record<ProviderName, (end: unknown) => unknown>> = {
  'openai-chat': (end) => ({
    choices: [{ index: 0, message: { tool_calls: [chatCall()] }, finish_reason: end }],
  }),
  'openai-responses': (end) => ({ status: end, output: [item] }),
  anthropic: (end) => ({
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'shop__clear', input: {} }],
    stop_reason: end,
  }),
  gemini: (end) => ({
    candidates: [
      { content: { parts: [{ functionCall: { name: 'shop__clear' } }] }, finishReason: end },
    ],
  }),
}

describe('the calls of a response are made only if it ended normally', () => {
  test.each<[ProviderName, unknown]>([
    ['openai-chat', 'tool_calls'],
    ['openai-chat', 'stop'],
    ['openai-chat', 'function_call'],
    ['openai-chat', null],
    ['openai-responses', 'completed'],
    ['anthropic', 'tool_use'],
    ['anthropic', 'end_turn'],
    ['anthropic', 'stop_sequence'],
    ['gemini', 'STOP'],
    ['gemini', undefined],
  ])('%s: made after %s', async (provider, end) => {
    expect((await handleResponse(provider, ending[provider](end))).cleared).toEqual([{}])
  })

  test.each<[ProviderName, string]>([
    ['openai-chat', 'length'],
    ['openai-chat', 'content_filter'],
    ['openai-chat', 'a reason of tomorrow'],
    ['openai-responses', 'incomplete'],
    ['openai-responses', 'failed'],
    ['openai-responses', 'in_progress'],
    ['openai-responses', 'cancelled'],
    ['anthropic', 'max_tokens'],
    ['anthropic', 'model_context_window_exceeded'],
    ['anthropic', 'refusal'],
    ['anthropic', 'pause_turn'],
    ['gemini', 'MAX_TOKENS'],
    ['gemini', 'SAFETY'],
    ['gemini', 'MALFORMED_FUNCTION_CALL'],
    ['gemini', 'FINISH_REASON_UNSPECIFIED'],
  ])('%s: not made after %s, and the model reads so', async (provider, end) => {
    const { cleared, reported } = await handleResponse(provider, ending[provider](end))
    expect(cleared).toEqual([])
    expect(reported).toContain(`nothing was done: the response ended with \\"${end}\\"`)
  })

  test.each<ProviderName>(['openai-responses', 'anthropic'])(
    '%s: not made where it doesn’t say how it ended',
    async (provider) => {
      const { cleared, reported } = await handleResponse(provider, ending[provider](undefined))
      expect(cleared).toEqual([])
      expect(reported).toContain('the response ended with no reason')
    },
  )

  test('every call of a response that ran out of tokens is answered, none is made', async () => {
    const response = {
      choices: [
        {
          index: 0,
          message: { tool_calls: [chatCall('a'), chatCall('b')] },
          finish_reason: 'length',
        },
      ],
    }
    const { runtime, cleared } = openClearance()
    const heard: unknown[] = []
    const onEnvelope = ({ status }: { readonly status: string }, id: string) =>
      heard.push([id, status])
    const messages = await functionCalling(runtime, ada, {
      provider: 'openai-chat',
      onEnvelope,
    }).handle(response)
    expect([cleared, messages.map((message) => message.tool_call_id), heard]).toEqual([
      [],
      ['a', 'b'],
      [
        ['a', 'failed'],
        ['b', 'failed'],
      ],
    ])
  })

  test('an incomplete item is not made, the complete one beside it is', async () => {
    const output = [
      item,
      { ...item, call_id: 'call_2', arguments: '{"only":"a"}', status: 'incomplete' },
    ]
    const { cleared, reported } = await handleResponse('openai-responses', {
      status: 'completed',
      output,
    })
    expect(cleared).toEqual([{}])
    expect(reported).toContain('nothing was done: the vendor says that it is not complete')
  })

  test('the calls of a blocked prompt are not made', async () => {
    const { cleared } = await handleResponse('gemini', {
      ...(ending.gemini(undefined) as object),
      promptFeedback: { blockReason: 'SAFETY' },
    })
    expect(cleared).toEqual([])
  })
})

describe('a text that Anthropic streamed and that is not an input', () => {
  const anthropicEvents = (json: string) => [
    { type: 'message_start', message: { role: 'assistant', content: [] } },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'tool_use', id: 'toolu_1', name: 'shop__clear', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'input_json_delta', partial_json: json },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    { type: 'message_stop' },
  ]
  const storeAndReload = (response: unknown): unknown => JSON.parse(JSON.stringify(response))

  test.each([
    ['{"only":"dra', 'not JSON'],
    ['{"only":"a","only":"b"}', 'repeats a key'],
    ['null', 'must be an object'],
    ['[]', 'must be an object'],
    ['{"only":"\\ud800"}', 'half a character'],
  ])('%s is refused, at once and after it was stored as JSON', async (json, why) => {
    const response = await collect('anthropic', anthropicEvents(json))
    for (const delivered of [response, storeAndReload(response)]) {
      const { cleared, reported } = await handleResponse('anthropic', delivered)
      expect(cleared).toEqual([])
      expect(reported).toContain(why)
    }
  })

  test('a valid input runs unchanged, also after it was stored', async () => {
    const { cleared } = await handleResponse(
      'anthropic',
      storeAndReload(await collect('anthropic', anthropicEvents('{"only":"drafts"}'))),
    )
    expect(cleared).toEqual([{ only: 'drafts' }])
  })

  test.each([{ only: 'drafts' }, '{"only":"drafts"}', 7])(
    'the name it is kept under, written by a model with %j, opens nothing',
    async (text) => {
      const input = { 'surehand.unparsed': text }
      const content = [{ type: 'tool_use', id: 'toolu_1', name: 'shop__clear', input }]
      const { cleared, reported } = await handleResponse('anthropic', {
        content,
        stop_reason: 'tool_use',
      })
      expect(cleared).toEqual([])
      expect(reported).toContain('nothing was done')
    },
  )
})

describe('arguments that Gemini streamed in pieces', () => {
  const chunk = (functionCall: object, finishReason?: string) => ({
    responseId: 'r',
    candidates: [
      {
        content: { parts: [{ functionCall }] },
        ...(finishReason === undefined ? {} : { finishReason }),
      },
    ],
  })
  const piece = {
    partialArgs: [{ jsonPath: '$.only', stringValue: 'drafts', willContinue: false }],
  }

  test('are one call, which is not made', async () => {
    const response = await collect('gemini', [
      chunk({ name: 'shop__clear', willContinue: true }),
      chunk(piece),
      chunk({}, 'STOP'),
    ])
    const { cleared, reported } = await handleResponse('gemini', response)
    expect(cleared).toEqual([])
    expect(reported.match(/nothing was done: its arguments were streamed in pieces/g)).toHaveLength(
      1,
    )
  })

  test('are not made if only the name and the end arrive', async () => {
    const response = await collect('gemini', [
      chunk({ name: 'shop__clear', willContinue: true }),
      chunk({ willContinue: false }, 'STOP'),
    ])
    expect((await handleResponse('gemini', response)).cleared).toEqual([])
  })

  test('are recognized by the pieces, even if the first does not say that more will come', async () => {
    const response = await collect('gemini', [chunk({ name: 'shop__clear' }), chunk(piece, 'STOP')])
    const parts = [{ functionCall: { name: 'shop__clear' } }, { functionCall: piece }]
    for (const delivered of [
      response,
      { candidates: [{ content: { parts }, finishReason: 'STOP' }] },
    ])
      expect((await handleResponse('gemini', delivered)).cleared).toEqual([])
  })

  test('do not run in a complete response', async () => {
    expect(
      (await handleResponse('gemini', chunk({ name: 'shop__clear', ...piece }, 'STOP'))).cleared,
    ).toEqual([])
  })

  test('a stream that breaks off is incomplete, even if it contained prompt feedback', async () => {
    const events = [
      { ...chunk({ name: 'shop__clear', args: {} }), promptFeedback: { safetyRatings: [] } },
    ]
    await expect(collect('gemini', events)).rejects.toMatchObject({ code: 'TOOL_NETWORK_ERROR' })
  })

  test('null is not a call without arguments', async () => {
    expect(
      (await handleResponse('gemini', chunk({ name: 'shop__clear', args: null }, 'STOP'))).cleared,
    ).toEqual([])
  })
})

describe('only the first of several answers is acted on', () => {
  const delta = (index: number, given: object, reason: string | null = null) => ({
    choices: [{ index, delta: given, finish_reason: reason }],
  })
  const calls = (json: string) => ({
    tool_calls: [
      { index: 0, id: 'c', type: 'function', function: { name: 'shop__clear', arguments: json } },
    ],
  })

  test('the calls of another choice are not made', async () => {
    const events = [
      delta(1, calls('{"only":"b"}')),
      delta(0, calls('{"only":"a"}')),
      delta(0, {}, 'tool_calls'),
      delta(1, {}, 'tool_calls'),
    ]
    expect(
      (await handleResponse('openai-chat', await collect('openai-chat', events))).cleared,
    ).toEqual([{ only: 'a' }])
  })

  test('the end of another choice is not the end of the first', async () => {
    await expect(
      collect('openai-chat', [delta(0, calls('{"only":"a"}')), delta(1, {}, 'stop')]),
    ).rejects.toMatchObject({
      code: 'TOOL_NETWORK_ERROR',
    })
  })

  test('it is an error if only another choice has calls', async () => {
    const events = [
      delta(0, { content: 'No.' }),
      delta(1, calls('{"only":"b"}')),
      delta(0, {}, 'stop'),
      delta(1, {}, 'tool_calls'),
    ]
    await expect(collect('openai-chat', events)).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
    })
    const whole = {
      choices: [
        { index: 1, message: { tool_calls: [chatCall()] } },
        { index: 0, message: { content: 'No.' } },
      ],
    }
    await expect(handleResponse('openai-chat', whole)).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
    })
    const parts = [{ functionCall: { name: 'shop__clear', args: {} } }]
    const candidates = [
      { content: { parts: [{ text: 'No.' }] }, finishReason: 'STOP' },
      { index: 1, content: { parts }, finishReason: 'STOP' },
    ]
    await expect(handleResponse('gemini', { candidates })).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
    })
    await expect(collect('gemini', [{ candidates }])).rejects.toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
    })
  })
})
