import {
  tool as bareTool,
  type DynamicStructuredTool,
  type StructuredToolInterface,
} from '@langchain/core/tools'
import {
  Command,
  type Interrupt,
  interrupt,
  isGraphInterrupt,
  MemorySaver,
} from '@langchain/langgraph'
import {
  type AgentMiddleware,
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  ToolMessage,
  toolRetryMiddleware,
} from 'langchain'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { agent, HOST, openShop, TRUSTING } from './fixtures/shop.ts'
import { yes } from './fixtures/talk.ts'
import { tools } from './tool.ts'

const CHARGE = { name: 'shop__charge', args: { card: '4111', cents: 300 }, id: 'call_1' }
const cardCompany = async () => {
  throw new Error('The connection was lost after the money was taken.')
}

type Charging = { readonly charges: string[]; readonly given: readonly StructuredToolInterface[] }

/** The same charge as a tool in the style of LangChain's documentation. */
function bareCharge(afterCharge: () => Promise<void> = cardCompany): Charging {
  const charges: string[] = []
  const charge = bareTool(
    async ({ card, cents }) => {
      charges.push(`charged ${cents} to ${card}`)
      await afterCharge()
      return 'a receipt'
    },
    {
      name: 'shop__charge',
      description: 'Charges a card.',
      schema: z.object({ card: z.string(), cents: z.int() }),
    },
  )
  return { charges, given: [charge] }
}

async function ourCharge(afterCharge: () => Promise<void> = cardCompany): Promise<Charging> {
  const { runtime, done } = openShop({ afterCharge })
  return { charges: done, given: await tools(runtime, agent) }
}

/** Retries everything that is not a success, thrown or returned. */
const stubborn = createMiddleware({
  name: 'stubborn',
  async wrapToolCall(request, handler) {
    for (let attempt = 1; ; attempt++) {
      const answer = await Promise.resolve(handler(request)).catch((thrown: unknown) => {
        if (attempt === 3) throw thrown
      })
      if (attempt === 3 || (ToolMessage.isInstance(answer) && answer.status !== 'error'))
        return answer as ToolMessage
    }
  },
})

async function charge(
  given: Charging['given'],
  middleware: AgentMiddleware,
  configurable: Record<string, string> = { thread_id: 'thread 1' },
) {
  const model = fakeModel().respondWithTools([CHARGE]).respond(new AIMessage('Done.'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] })
  const answer = createAgent({ model, tools: [...given], middleware: [middleware] }).invoke(
    { messages: 'Pay.' },
    { configurable },
  )
  let isOver = false
  const end = answer
    .catch(() => undefined)
    .finally(() => {
      isOver = true
    })
  // The middleware waits a second or more between its attempts.
  while (!isOver) await vi.advanceTimersByTimeAsync(1_000)
  await end
  vi.useRealTimers()
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a card is charged, and the answer is lost', () => {
  test('LangChain’s retry middleware with its defaults charges a plain tool three times', async () => {
    const { charges, given } = bareCharge()
    await charge(given, toolRetryMiddleware())
    expect(charges).toHaveLength(3)
  })

  test('a Surehand tool charges once', async () => {
    const { charges, given } = await ourCharge()
    await charge(given, toolRetryMiddleware())
    expect(charges).toHaveLength(1)
  })

  test.each([
    [
      'retries every error',
      toolRetryMiddleware({ maxRetries: 4, retryOn: () => true, onFailure: 'error' }),
    ],
    ['retries whatever is no success', stubborn],
  ])('also if the middleware %s', async (_, middleware) => {
    const bare = bareCharge()
    await charge(bare.given, middleware)
    expect(bare.charges.length).toBeGreaterThan(2)
    const ours = await ourCharge()
    await charge(ours.given, middleware)
    expect(ours.charges).toHaveLength(1)
  })

  test('without a thread there is no key, and a repeated irreversible action is held back', async () => {
    const { charges, given } = await ourCharge()
    await charge(given, stubborn, {})
    expect(charges).toHaveLength(1)
  })
})

describe('a caller aborts while the card is being charged, and calls again', () => {
  async function leaveAndComeAgain(
    make: (afterCharge: () => Promise<void>) => Charging | Promise<Charging>,
  ) {
    const taken = latch()
    const answered = latch()
    const { charges, given } = await make(async () => {
      taken.open()
      await answered.opened
    })
    const [charging] = given.filter(
      ({ name }) => name === 'shop__charge',
    ) as DynamicStructuredTool[]
    const leaving = new AbortController()
    const config = { configurable: { thread_id: 'thread 1' } }
    const call = { ...CHARGE, type: 'tool_call' } as const
    const first: Promise<unknown> = Promise.resolve(
      charging?.invoke(call, { ...config, signal: leaving.signal }),
    )
    await taken.opened
    leaving.abort()
    answered.open()
    const said = await first.then(
      (answer) => (ToolMessage.isInstance(answer) ? answer.status : 'no answer'),
      () => 'cancelled',
    )
    await charging?.invoke(call, config)
    return { charges: charges.length, said }
  }

  test('a plain tool is reported as cancelled although it was done, and is done again', async () => {
    expect(await leaveAndComeAgain(bareCharge)).toEqual({ charges: 2, said: 'cancelled' })
  })

  test('a Surehand tool reports its state, and charges once', async () => {
    expect(await leaveAndComeAgain(ourCharge)).toEqual({ charges: 1, said: 'success' })
  })
})

describe('a person is asked through the graph', () => {
  const TWO = ['piano', 'flute'].map((product, index) => ({
    name: 'shop__orderDear',
    args: { product },
    id: `call_${index + 1}`,
  }))

  function bareOrder(): Charging {
    const charges: string[] = []
    const order = bareTool(
      async ({ product }) => {
        const { decisions } = interrupt<unknown, typeof yes>({
          actionRequests: [{ name: 'shop__orderDear', args: { product } }],
        })
        if (decisions[0]?.type === 'approve') charges.push(`1 ${product}`)
        return 'ordered'
      },
      {
        name: 'shop__orderDear',
        description: 'Orders.',
        schema: z.object({ product: z.string() }),
      },
    )
    return { charges, given: [order] }
  }

  async function ourOrder(): Promise<Charging> {
    const { runtime, done } = openShop({ policy: TRUSTING })
    return { charges: done, given: await tools(runtime, agent, { host: HOST }) }
  }

  function ordering(
    given: Charging['given'],
    calls: typeof TWO,
    middleware: AgentMiddleware[] = [],
  ) {
    const model = fakeModel().respondWithTools(calls)
    for (let turn = 0; turn < 4; turn++) model.respond(new AIMessage('Done.'))
    const built = createAgent({
      model,
      tools: [...given],
      checkpointer: new MemorySaver(),
      middleware,
    })
    return { built, config: { configurable: { thread_id: 'thread 1' } } }
  }

  test.each([
    ['a bare tool orders both', bareOrder, ['1 flute', '1 piano']],
    ['ours orders neither, and asks again', ourOrder, []],
  ] as const)('one yes to two open questions: %s', async (_, make, expected) => {
    const { charges, given } = await make()
    const { built, config } = ordering(given, TWO)
    await built.invoke({ messages: 'Order.' }, config)
    await built.invoke(new Command({ resume: yes }), config)
    expect(charges.toSorted()).toEqual(expected)
  })

  test.each([
    ['a bare tool orders twice', bareOrder, 2],
    ['ours orders once', ourOrder, 1],
  ] as const)('a checkpoint is resumed a second time: %s', async (_, make, times) => {
    const { charges, given } = await make()
    const { built, config } = ordering(given, TWO.slice(0, 1))
    await built.invoke({ messages: 'Order.' }, config)
    const asked = (await built.graph.getState(config)).config
    await built.invoke(new Command({ resume: yes }), config)
    await built.graph.invoke(new Command({ resume: yes }), asked)
    expect(charges).toHaveLength(times)
  })

  // By default the middleware catches the graph's own interrupts, so that no interrupt passes.
  test.each([
    ['a plain tool', bareOrder],
    ['a Surehand tool', ourOrder],
  ] as const)(
    'the retry middleware swallows the interrupt of %s: no person is asked through the graph, and nothing is done',
    async (_, make) => {
      const { charges, given } = await make()
      const { built, config } = ordering(given, TWO.slice(0, 1), [
        toolRetryMiddleware({ initialDelayMs: 0 }),
      ])
      const state: { readonly __interrupt__?: readonly Interrupt[] } = await built.invoke(
        { messages: 'Order.' },
        config,
      )
      expect(state.__interrupt__).toBeUndefined()
      expect(charges).toEqual([])
    },
  )

  test('configured to let interrupts through, it lets Surehand’s interrupts through', async () => {
    const { charges, given } = await ourOrder()
    const letsThrough = toolRetryMiddleware({
      retryOn: (error) => !isGraphInterrupt(error),
      onFailure: 'error',
    })
    const { built, config } = ordering(given, TWO.slice(0, 1), [letsThrough])
    await built.invoke({ messages: 'Order.' }, config)
    await built.invoke(new Command({ resume: yes }), config)
    expect(charges).toEqual(['1 piano'])
  })
})

function latch(): { readonly open: () => void; readonly opened: Promise<void> } {
  const { resolve, promise } = Promise.withResolvers<void>()
  return { open: resolve, opened: promise }
}
