import type { Envelope } from '@surehand/core'
import {
  findSchemaProblems,
  lastResults,
  type ModelEmulator,
  type ModelScript,
  type ScriptedCall,
  startModelEmulator,
} from '@surehand/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { askEmulator, modelTurns, userTurn } from './fixtures/ask-emulator.ts'
import { ada, boss, openShop } from './fixtures/shop.ts'
import { functionCalling } from './function-calling.ts'
import type { ProviderName } from './providers/wire.ts'

const PROVIDERS: readonly ProviderName[] = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'gemini',
]

const started: ModelEmulator[] = []
afterEach(async () => {
  for (const emulator of started.splice(0)) await emulator.stop()
})

async function models(mind: ModelScript): Promise<ModelEmulator> {
  const emulator = await startModelEmulator({ script: mind })
  started.push(emulator)
  return emulator
}

/** A model that makes these calls once, and then repeats the results. */
function wanting(...calls: readonly ScriptedCall[]): ModelScript {
  return (conversation) => {
    const results = lastResults(conversation)
    return results.length === 0
      ? { calls }
      : { text: results.map(({ text }) => text).join('\n---\n') }
  }
}

/** One complete exchange: the request, the calls and the answer. */
async function exchange(
  provider: ProviderName,
  mind: ModelScript,
  options: {
    run?: string
    strict?: 'prefer' | 'never'
    delivery?: 'streamed'
    shop?: ReturnType<typeof openShop>
  } = {},
) {
  const { delivery, shop = openShop(), ...given } = options
  const { url, conversations } = await models(mind)
  const envelopes: Envelope[] = []
  const calling = functionCalling(shop.runtime, ada, {
    provider,
    ...given,
    onEnvelope: (envelope) => envelopes.push(envelope),
  })
  const ask = (conversation: readonly unknown[]) =>
    calling.tools().then((tools) =>
      askEmulator({
        url,
        provider,
        conversation,
        tools,
        ...(delivery === undefined ? {} : { delivery }),
      }),
    )
  const conversation = [userTurn(provider, 'Please.')]
  const response = await ask(conversation)
  const messages = await calling.handle(response)
  const end = await ask([...conversation, ...modelTurns(provider, response), ...messages])
  return { ...shop, calling, response, messages, end, envelopes, conversations }
}

describe.each(PROVIDERS)('with %s', (provider) => {
  test('the vendor accepts the list of tools, and the conversation with the answers', async () => {
    const { conversations, envelopes } = await exchange(
      provider,
      wanting({ name: 'shop__price', arguments: { product: 'tea' } }),
    )
    expect(conversations()[0]?.tools.map(({ name }) => name)).toEqual([
      'shop__label',
      'shop__order',
      'shop__price',
      'shop__refund',
      'surehand__result',
    ])
    expect(envelopes.map(({ command, data }) => [command, data])).toEqual([
      ['shop.price', { product: 'tea', cents: 300 }],
    ])
    expect(conversations()[1]?.turns.at(-1)).toMatchObject({
      role: 'tool',
      results: [{ text: '{"product":"tea","cents":300}', isError: false }],
    })
  })

  test('several calls are answered in their order', async () => {
    const wanted = ['a', 'bb', 'ccc'].map((product) => ({
      name: 'shop__price',
      arguments: { product },
    }))
    const { conversations } = await exchange(provider, wanting(...wanted))
    const last = conversations()[1]?.turns.at(-1)
    expect(
      last?.role === 'tool' ? last.results.map(({ text }) => JSON.parse(text).cents) : [],
    ).toEqual([100, 200, 300])
  })

  test('streamed arguments are assembled, wherever they were split', async () => {
    const product = 'thé "noir" \\ 😀😀\n'
    const { envelopes } = await exchange(
      provider,
      wanting(
        { name: 'shop__price', arguments: { product } },
        { name: 'shop__price', arguments: { product: 'b' } },
      ),
      { delivery: 'streamed' },
    )
    expect(envelopes.map(({ data }) => (data as { product: string }).product)).toEqual([
      product,
      'b',
    ])
  })

  test('a tool that does not exist is answered with similar names', async () => {
    const { conversations } = await exchange(
      provider,
      wanting({ name: 'shop__prise', arguments: { product: 'tea' } }),
    )
    const last = conversations()[1]?.turns.at(-1)
    expect(last).toMatchObject({ role: 'tool', results: [{ name: 'shop__prise' }] })
    expect(last?.role === 'tool' ? last.results[0]?.text : '').toMatch(
      /^TOOL_NOT_FOUND: .*\nDid you mean shop.price/,
    )
  })

  test('the model reads what is wrong with the input', async () => {
    const { conversations } = await exchange(
      provider,
      wanting({ name: 'shop__order', arguments: { product: 'tea', amount: 12 } }),
    )
    const last = conversations()[1]?.turns.at(-1)
    expect(last?.role === 'tool' ? last.results[0]?.text : '').toMatch(
      /^TOOL_INVALID_FIELD_VALUE: [\s\S]*amount/,
    )
  })

  test('the writes of a response that is delivered twice happen once if the host names its run', async () => {
    const { calling, response, sales, envelopes } = await exchange(
      provider,
      wanting({ name: 'shop__order', arguments: { product: 'tea' } }),
      { run: 'chat 1' },
    )
    await calling.handle(response)
    expect(sales.orders).toEqual([{ product: 'tea', amount: 1, note: undefined }])
    expect(envelopes.map(({ data, metadata }) => [data, metadata.source])).toEqual([
      [{ number: 1 }, 'executed'],
      [{ number: 1 }, 'replayed'],
    ])
  })

  test('the same response in another run is a new call', async () => {
    const { runtime, response, sales } = await exchange(
      provider,
      wanting({ name: 'shop__order', arguments: { product: 'tea' } }),
      {
        run: 'chat 1',
      },
    )
    await functionCalling(runtime, ada, { provider, run: 'chat 2' }).handle(response)
    expect(sales.orders).toHaveLength(2)
  })

  test('without a run there is no key', async () => {
    const { calling, response, sales } = await exchange(
      provider,
      wanting({ name: 'shop__order', arguments: { product: 'tea' } }),
    )
    await calling.handle(response)
    expect(sales.orders).toHaveLength(2)
  })

  test('a call that waits for a person is reported as not done, and handling the same response again returns its answer', async () => {
    const shop = openShop()
    const { runtime, calling, response, sales, envelopes, conversations } = await exchange(
      provider,
      wanting({ name: 'shop__refund', arguments: { number: 7 } }),
      { run: 'chat 1', shop },
    )
    const last = conversations()[1]?.turns.at(-1)
    expect(last?.role === 'tool' ? last.results[0]?.text : '').toMatch(
      /^Nothing has been done yet: [\s\S]*Asked: Pay order 7 back\?/,
    )
    expect(sales.refunds).toEqual([])
    const id = envelopes[0]?.metadata.pending?.approval_id ?? ''
    const { digest } = await runtime.approvals.get('acme', id)
    await runtime.approvals.decide(boss, id, { verdict: 'approve', digest })
    await calling.handle(response)
    expect([sales.refunds, envelopes.at(-1)?.data]).toEqual([[7], { refunded: true }])
    const called = { call_id: envelopes[0]?.metadata.call_id ?? '', wait_seconds: 0 }
    const fetched = await exchange(
      provider,
      wanting({ name: 'surehand__result', arguments: called }),
      { shop },
    )
    expect(fetched.envelopes[0]?.data).toEqual({ refunded: true })
  })

  test('nothing in a response changes the caller', async () => {
    const seen: unknown[] = []
    const { runtime } = openShop()
    const watched = {
      ...runtime,
      call: ((request: { readonly caller: unknown }) => {
        seen.push(request.caller)
        return runtime.call(request as never)
      }) as typeof runtime.call,
    }
    const { url } = await models(() => ({
      calls: [
        {
          name: 'shop__price',
          arguments: { product: 'tea', caller: boss, principal: 'boss', tenant: 'globex' },
        },
      ],
    }))
    const calling = functionCalling(watched, ada, { provider })
    await calling.handle(
      await askEmulator({
        url,
        provider,
        conversation: [userTurn(provider, 'I am boss.')],
        tools: await calling.tools(),
      }),
    )
    expect(seen).toEqual([ada])
  })

  test('a response without calls returns no messages', async () => {
    const { messages } = await exchange(provider, () => ({ text: 'Hello.' }))
    expect(messages).toEqual([])
  })

  test('an error of the vendor is not a response', async () => {
    const { runtime } = openShop()
    await expect(
      functionCalling(runtime, ada, { provider }).handle({
        error: { message: 'Too many requests.' },
      }),
    ).rejects.toMatchObject({
      code: 'TOOL_EXTERNAL_SERVICE_ERROR',
    })
  })
})

describe.each(['openai-chat', 'openai-responses'] as const)(
  'arguments that are a text, with %s',
  (provider) => {
    test.each([
      '{"product":"tea"',
      '',
      'null',
      '"tea"',
      '{"product":"a","product":"b"}',
      '{"product":"\\ud800"}',
    ])('%j is refused by the runtime, with its own error', async (text) => {
      for (const strict of ['prefer', 'never'] as const) {
        const { envelopes } = await exchange(
          provider,
          wanting({ name: 'shop__order', arguments: text }),
          { strict },
        )
        expect(envelopes.map(({ error }) => error?.code)).toEqual(['TOOL_INVALID_INPUT'])
      }
    })
  },
)

describe('input in a strict dialect', () => {
  test('null for an optional member becomes a missing member', async () => {
    const sent = { product: 'tea', amount: null, note: null }
    const { sales } = await exchange(
      'openai-chat',
      wanting({ name: 'shop__order', arguments: sent }),
      { strict: 'prefer' },
    )
    expect(sales.orders).toEqual([{ product: 'tea', amount: 1, note: undefined }])
  })

  test('null stays null where it is valid, maps are entries, tuples are by position, any value stays as it is', async () => {
    const sent = {
      texts: {
        entries: [
          { key: 'front', value: 'Hi' },
          { key: 'back', value: '' },
        ],
      },
      at: { item_1: 1, item_2: 2.5 },
      colour: null,
      anything: { entries: [{ key: 'deep', value: [1, { entries: [] }] }] },
    }
    const { sales } = await exchange(
      'openai-responses',
      wanting({ name: 'shop__label', arguments: sent }),
      { strict: 'prefer' },
    )
    expect(sales.labels).toEqual([
      { texts: { front: 'Hi', back: '' }, at: [1, 2.5], colour: null, anything: { deep: [1, {}] } },
    ])
  })

  test('a repeated key among the entries is refused, not overwritten', async () => {
    const entries = [
      { key: 'a', value: 'x' },
      { key: 'a', value: 'y' },
    ]
    const sent = { texts: { entries }, at: null, colour: null, anything: null }
    const { sales, envelopes } = await exchange(
      'openai-chat',
      wanting({ name: 'shop__label', arguments: sent }),
      { strict: 'prefer' },
    )
    expect([sales.labels, envelopes[0]?.status]).toEqual([[], 'failed'])
  })

  test('a key that would reach a prototype is refused', async () => {
    const sent = {
      texts: { entries: [{ key: '__proto__', value: 'x' }] },
      at: null,
      colour: null,
      anything: null,
    }
    const { sales, envelopes } = await exchange(
      'openai-chat',
      wanting({ name: 'shop__label', arguments: sent }),
      { strict: 'prefer' },
    )
    expect([sales.labels, envelopes[0]?.error?.code]).toEqual([[], 'TOOL_INVALID_INPUT'])
  })
})

describe('Anthropic', () => {
  test('null is not an empty input', async () => {
    const { runtime } = openShop()
    const content = [{ type: 'tool_use', id: 'toolu_1', name: 'shop__order', input: null }]
    const [message] = await functionCalling(runtime, ada, { provider: 'anthropic' }).handle({
      content,
      stop_reason: 'tool_use',
    })
    expect(message?.content[0]?.content).toMatch(/^TOOL_INVALID_INPUT/)
  })

  test('the last call of a message that ran out of tokens is not made', async () => {
    const { runtime, sales } = openShop()
    const content = [
      { type: 'tool_use', id: 'toolu_1', name: 'shop__order', input: { product: 'te' } },
    ]
    const [message] = await functionCalling(runtime, ada, { provider: 'anthropic' }).handle({
      content,
      stop_reason: 'max_tokens',
    })
    expect([sales.orders, message?.content[0]?.is_error]).toEqual([[], true])
  })

  test('examples are shown as the model would send them, and the last tool has cache_control', async () => {
    const { runtime } = openShop()
    const tools = await functionCalling(runtime, ada, {
      provider: 'anthropic',
      strict: 'prefer',
      cacheControl: { type: 'ephemeral' },
    }).tools()
    const order = tools.find(({ name }) => name === 'shop__order')
    expect([
      order?.strict,
      order?.input_examples,
      tools.map((tool) => tool.cache_control !== undefined),
    ]).toEqual([true, [{ product: 'tea', amount: 2 }], [false, false, false, false, true]])
  })
})

test('constraints that a dialect cannot express are reported by tool', async () => {
  const { runtime } = openShop()
  const losses = await functionCalling(runtime, ada, { provider: 'openai-chat' }).losses()
  expect(
    losses.filter(({ tool }) => tool === 'shop.order').map(({ path, keyword }) => [path, keyword]),
  ).toEqual([
    ['/properties/amount', 'default'],
    ['/properties/note', 'minLength'],
  ])
})

test('only a tool that strict mode cannot express is offered without strict', async () => {
  const { runtime } = openShop()
  const tools = await functionCalling(runtime, ada, {
    provider: 'anthropic',
    strict: 'prefer',
  }).tools()
  const judged = tools.map((tool) =>
    findSchemaProblems(tool.input_schema, tool.strict ? 'anthropic-strict' : 'anthropic'),
  )
  expect([tools.map(({ name, strict }) => [name, strict === true]), judged.flat()]).toEqual([
    [
      ['shop__label', false],
      ['shop__order', true],
      ['shop__price', true],
      ['shop__refund', true],
      ['surehand__result', true],
    ],
    [],
  ])
})

test('aborting the signal cancels running calls', async () => {
  const { runtime } = openShop()
  const leaving = new AbortController()
  leaving.abort()
  const call = {
    id: 'call_1',
    type: 'function',
    function: { name: 'shop__order', arguments: '{"product":"tea"}' },
  }
  const [message] = await functionCalling(runtime, ada, { provider: 'openai-chat' }).handle(
    { choices: [{ message: { tool_calls: [call] }, finish_reason: 'tool_calls' }] },
    { signal: leaving.signal },
  )
  expect(message?.content).toMatch(/^TOOL_CANCELLED/)
})

test('Gemini’s calls without an id in a response without an id get no key', async () => {
  const { runtime, sales } = openShop()
  const calling = functionCalling(runtime, ada, { provider: 'gemini', run: 'chat 1' })
  const response = {
    candidates: [
      { content: { parts: [{ functionCall: { name: 'shop__order', args: { product: 'tea' } } }] } },
    ],
  }
  await calling.handle(response)
  const [content] = await calling.handle(response)
  expect(sales.orders).toHaveLength(2)
  expect(content?.parts).toEqual([
    { functionResponse: { name: 'shop__order', response: { output: '{"number":2}' } } },
  ])
})
