import { createRuntime, definePack, memoryStores, type Runtime, ToolError } from '@surehand/core'
import type { Callable } from '@surehand/core/host'
import { describe, expect, test } from 'vitest'
import { ada, openShop } from './fixtures/shop.ts'
import { functionCalling } from './function-calling.ts'

function completion(...names: readonly string[]): unknown {
  const calls = names.map((name, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: '{"product":"tea"}' },
  }))
  return { choices: [{ index: 0, message: { tool_calls: calls }, finish_reason: 'tool_calls' }] }
}

/** The runtime, with an answer that is lost after the call was made. */
function losing(runtime: Runtime, lost: string, thrown: unknown): Runtime {
  const call = async (request: { readonly tool: unknown }) => {
    const outcome = await runtime.call(request as never)
    if (request.tool === lost) throw thrown
    return outcome
  }
  // Only the overload that takes a request is used.
  return { ...runtime, call: call as Callable['call'] as typeof runtime.call }
}

describe('a call that throws does not affect the answers of the other calls', () => {
  test.each([
    ['something unexpected', new Error('lost'), /^TOOL_INTERNAL_ERROR: /],
    [
      'a store that is away, whose usual advice is that nothing was lost',
      new ToolError('TOOL_STORAGE_ERROR', 'Away.'),
      /^TOOL_STORAGE_ERROR: /,
    ],
  ])('%s: the model reads that the outcome is unknown', async (_, thrown, code) => {
    const { runtime, sales } = openShop()
    const calling = functionCalling(losing(runtime, 'shop__order', thrown), ada, {
      provider: 'openai-chat',
      run: 'chat',
    })
    const [broken, whole] = await calling.handle(completion('shop__order', 'shop__price'))
    expect(whole?.content).toBe('{"product":"tea","cents":300}')
    expect(sales.orders).toHaveLength(1)
    expect(broken?.content).toMatch(code)
    expect(broken?.content).toContain('It is not known whether this call was done.')
    expect(broken?.content).not.toContain('nothing was lost')
  })

  test('if the host’s `request` throws for a call, that call is not made, and the model reads so', async () => {
    const { runtime, sales } = openShop()
    const request = ({ tool }: { readonly tool: { readonly id: string } }) => {
      if (tool.id === 'shop.order') throw new Error('no such customer')
      return {}
    }
    const calling = functionCalling(runtime, ada, { provider: 'openai-chat', request })
    const [broken, whole] = await calling.handle(completion('shop__order', 'shop__price'))
    expect([whole?.content, sales.orders]).toEqual(['{"product":"tea","cents":300}', []])
    expect(broken?.content).toMatch(
      /^TOOL_INTERNAL_ERROR: This call was not made, and nothing was done\. /,
    )
  })

  test('a listener that throws does not change the model’s answer', async () => {
    const { runtime } = openShop()
    const onEnvelope = () => {
      throw new Error('the log is full')
    }
    const [reported] = await functionCalling(runtime, ada, {
      provider: 'openai-chat',
      onEnvelope,
    }).handle(completion('shop__order'))
    expect(reported?.content).toBe('{"number":1}')
  })
})

describe('the host’s `request` is called for every call that runs', () => {
  test.each(['shop.order', 'shop__order', 'shop.order@1.0.0', 'shop__order@1.0.0', 'shop.order@1'])(
    'called %s',
    async (name) => {
      const { runtime, sales } = openShop()
      const heard: string[] = []
      const request = ({ tool }: { readonly tool: { readonly id: string } }) => {
        heard.push(tool.id)
        return { idempotencyKey: 'the one wish' }
      }
      const calling = functionCalling(runtime, ada, {
        provider: 'openai-chat',
        run: 'chat',
        request,
      })
      await calling.handle(completion('shop__order'))
      const [again] = await calling.handle(completion(name))
      expect([heard, again?.content, sales.orders.length]).toEqual([
        ['shop.order', 'shop.order'],
        '{"number":1}',
        1,
      ])
    },
  )

  test('by an alias, and by an older version', async () => {
    const { runtime } = openShop()
    const price = runtime.tools().find(({ id }) => id === 'shop.price')
    if (price === undefined) throw new TypeError('The shop has no prices.')
    const tools = [price, { ...price, version: '2.0.0', aliases: ['price_of'] }]
    const both = createRuntime({
      packs: [definePack({ name: 'prices', tools })],
      stores: memoryStores(),
      providers: {},
    })
    const heard: string[] = []
    const request = ({ tool }: { readonly tool: { readonly id: string } }) => {
      heard.push(tool.id)
      return {}
    }
    const names = ['price_of', 'price_of@1', 'shop.price@1.0.0', 'shop.price@2']
    const reported = await functionCalling(both, ada, { provider: 'openai-chat', request }).handle(
      completion(...names),
    )
    expect([heard, reported.map(({ content }) => content)]).toEqual([
      names.map(() => 'shop.price'),
      names.map(() => '{"product":"tea","cents":300}'),
    ])
  })

  test('a version that does not exist is not found, and nothing runs', async () => {
    const { runtime, sales } = openShop()
    const [reported] = await functionCalling(runtime, ada, { provider: 'openai-chat' }).handle(
      completion('shop.order@7'),
    )
    expect(sales.orders).toEqual([])
    expect(reported?.content).toMatch(/^TOOL_NOT_FOUND/)
  })

  test('input in a strict dialect is restored under every name', async () => {
    const { runtime, sales } = openShop()
    const given = {
      name: 'shop.order@1.0.0',
      arguments: '{"product":"tea","amount":null,"note":null}',
    }
    const tool_calls = [{ id: 'call_1', type: 'function', function: given }]
    await functionCalling(runtime, ada, { provider: 'openai-chat', strict: 'prefer' }).handle({
      choices: [{ index: 0, message: { tool_calls }, finish_reason: 'tool_calls' }],
    })
    expect(sales.orders).toEqual([{ product: 'tea', amount: 1, note: undefined }])
  })
})
