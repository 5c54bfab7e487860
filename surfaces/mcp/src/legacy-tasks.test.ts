import type { Runtime } from '@surehand/core'
import { afterEach, expect, test } from 'vitest'
import { ann, openShop, type Shop } from './fixtures/shop.ts'
import { callAsTask } from './legacy-tasks.ts'
import { createSurface } from './options.ts'
import { readToolsCall } from './request.ts'

let shop: Shop
afterEach(() => shop.runtime.stop())

function call(
  name: string,
  input: object,
  change: Partial<Pick<Runtime, 'answer' | 'progress'>> = {},
): ReturnType<typeof callAsTask> {
  const surface = createSurface({ ...shop.runtime, ...change })
  const given = readToolsCall(
    { name, arguments: input },
    {
      caller: ann,
      capabilities: {},
      isLegacy: true,
      logLevel: undefined,
      signal: new AbortController().signal,
      notify: () => undefined,
    },
  )
  return callAsTask(given, surface)
}

const isLost = async (): Promise<never> => {
  throw new Error('The database cannot be reached.')
}
const isMissing = async (): Promise<undefined> => undefined

test('a write that was done is a task, though its answer cannot be read at this moment', async () => {
  shop = openShop()
  for (const name of ['shop__order', 'shop__orderLater'])
    expect(
      await call(name, { product: 'tea' }, { answer: isLost, progress: isLost }),
    ).toMatchObject({ task: { taskId: expect.stringMatching(/^call_/), status: 'working' } })
  expect(shop.orders).toEqual(['tea'])
})

test('a write that was done is never told as an invalid request, though its answer is gone', async () => {
  shop = openShop()
  expect(await call('shop__order', { product: 'tea' }, { answer: isMissing })).toMatchObject({
    content: [{ type: 'text', text: expect.stringContaining('order 1') }],
  })
  expect(shop.orders).toEqual(['tea'])
})

test('a request that was refused before it began is an invalid one', async () => {
  shop = openShop()
  for (const answer of [isMissing, isLost])
    await expect(call('shop__order', { product: 7 }, { answer })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('product'),
    })
  expect(shop.orders).toEqual([])
})
