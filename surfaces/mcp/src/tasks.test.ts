import type { ClientOptions } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { TASKS_EXTENSION } from './capabilities.ts'
import { rawClient } from './fixtures/raw-client.ts'
import { type Era, type Served, serve } from './fixtures/serve.ts'
import { ann, foreigner, HOST, openShop, type Shop } from './fixtures/shop.ts'

const capabilities = { elicitation: {}, extensions: { [TASKS_EXTENSION]: {} } }
const later = { name: 'shop__orderLater', arguments: { product: 'a boat' } }

let shop: Shop
let served: Served | undefined
afterEach(async () => {
  await served?.close()
  await shop.runtime.stop()
})

async function open(): Promise<Served> {
  shop = openShop()
  shop.policies.set('acme', { version: 1, trustedHosts: [HOST] })
  served = await serve(shop.runtime, { ann, foreigner }, { hostOf: () => HOST })
  return served
}

test('a job is a task, and its result is the tool’s', async () => {
  const { send } = rawClient(await open(), 'ann', capabilities)
  const { result: task } = await send('tools/call', later)
  expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: expect.any(Number) })
  expect((await send('tasks/get', { taskId: task?.taskId })).result).toMatchObject({
    status: 'working',
  })
  shop.runtime.start()
  await expect
    .poll(async () => (await send('tasks/get', { taskId: task?.taskId })).result)
    .toMatchObject({
      status: 'completed',
      createdAt: task?.createdAt,
      result: { structuredContent: { order: 'order 1' } },
    })
})

test('a job that says no has completed with an error', async () => {
  const { send } = rawClient(await open(), 'ann', capabilities)
  shop.runtime.start()
  const { result: task } = await send('tools/call', { ...later, arguments: { product: 'nothing' } })
  await expect
    .poll(async () => (await send('tasks/get', { taskId: task?.taskId })).result)
    .toMatchObject({ status: 'completed', result: { isError: true } })
})

test('a task that waits is cancelled, and then nothing happens', async () => {
  const { send } = rawClient(await open(), 'ann', capabilities)
  const { result: task } = await send('tools/call', later)
  expect((await send('tasks/cancel', { taskId: task?.taskId })).result).toMatchObject({
    resultType: 'complete',
  })
  shop.runtime.start()
  expect((await send('tasks/get', { taskId: task?.taskId })).result).toMatchObject({
    status: 'cancelled',
  })
  expect((await send('tasks/cancel', { taskId: task?.taskId })).result).toMatchObject({
    resultType: 'complete',
  })
  expect(shop.orders).toEqual([])
})

test('a running task is asked to stop, and ends as cancelled where its effect has not started', async () => {
  const { send } = rawClient(await open(), 'ann', capabilities)
  shop.runtime.start()
  const { result: task } = await send('tools/call', { name: 'shop__waitLater' })
  await expect.poll(() => shop.begun).toEqual(['shop.waitLater'])
  await send('tasks/cancel', { taskId: task?.taskId })
  await expect
    .poll(async () => (await send('tasks/get', { taskId: task?.taskId })).result)
    .toMatchObject({ status: 'cancelled' })
})

test('another tenant’s task looks like a missing one', async () => {
  const opened = await open()
  const { result: task } = await rawClient(opened, 'ann', capabilities).send('tools/call', later)
  const { send } = rawClient(opened, 'foreigner', capabilities)
  const foreign = await send('tasks/get', { taskId: task?.taskId })
  const missing = await send('tasks/get', { taskId: 'call_0.0' })
  expect(foreign.error).toEqual(missing.error)
  expect(foreign.error?.code).toBe(-32602)
  expect((await send('tasks/cancel', { taskId: task?.taskId })).error?.code).toBe(-32602)
})

test('tasks are nothing to a client that did not declare them', async () => {
  const { send } = rawClient(await open(), 'ann', {})
  const { error } = await send('tasks/get', { taskId: 'call_0.0' })
  expect(error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
  })
})

test.each<Era>(['2026', '2025'])(
  'a client of %s without tasks is kept waiting for the answer',
  async (era) => {
    const opened = await open()
    shop.runtime.start()
    const client = await opened.connect(era, 'ann', {} as ClientOptions)
    const answer = await client.callTool(later)
    expect(answer.structuredContent).toEqual({ order: 'order 1' })
  },
)
