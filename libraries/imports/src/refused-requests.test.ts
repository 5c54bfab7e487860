import { memoryStores, ToolError } from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import { expect, test } from 'vitest'
import { createRefusedRequests } from './refused-requests.ts'

const DAY_MS = 24 * 3_600_000
const shop = { tenant: 'acme', name: 'shop' }

function refusalOf(host: string): ToolError {
  return new ToolError('TOOL_RESOURCE_ACCESS_DENIED', `${host} was not contacted.`, {
    details: { host, reason: 'it is a private address' },
    suggestions: ['Allow it.'],
  })
}

function openRefusals() {
  let now = 1_000 * DAY_MS
  const { values } = memoryStores()
  const refusals = createRefusedRequests(values, { ...systemClock(), now: () => now })
  const hosts = async () =>
    ((await refusals.list('acme')).get('shop') ?? []).map(({ host }) => host)
  return { refusals, hosts, pass: (ms: number) => (now += ms) }
}

test('a refused request is listed with host, reason, suggestion and time, the newest first', async () => {
  const { refusals, hosts, pass } = openRefusals()
  await refusals.note(shop, refusalOf('10.0.0.7:80'))
  pass(1_000)
  await refusals.note(shop, refusalOf('10.0.0.8:80'))
  expect(await hosts()).toEqual(['10.0.0.8:80', '10.0.0.7:80'])
  expect((await refusals.list('acme')).get('shop')?.[1]).toEqual({
    host: '10.0.0.7:80',
    reason: 'it is a private address',
    suggestion: 'Allow it.',
    at: 1_000 * DAY_MS,
  })
  expect((await refusals.list('globex')).size).toBe(0)
})

test('other errors are not noted', async () => {
  const { refusals, hosts } = openRefusals()
  await refusals.note(shop, new ToolError('TOOL_NETWORK_ERROR', 'It could not be reached.'))
  await refusals.note(shop, new Error('A bug.'))
  expect(await hosts()).toEqual([])
})

test('ten are kept, for seven days, until the import is removed', async () => {
  const { refusals, hosts, pass } = openRefusals()
  for (let n = 0; n < 15; n++) {
    pass(1_000)
    await refusals.note(shop, refusalOf(`10.0.0.${n}:80`))
  }
  expect(await hosts()).toHaveLength(10)
  expect((await hosts())[0]).toBe('10.0.0.14:80')
  pass(7 * DAY_MS + 1)
  expect(await hosts()).toEqual([])
  await refusals.note(shop, refusalOf('10.0.0.1:80'))
  expect(await hosts()).toEqual(['10.0.0.1:80'])
  await refusals.clear(shop)
  expect(await hosts()).toEqual([])
})

test('a request that is refused again and again is written once a minute', async () => {
  const { refusals, pass } = openRefusals()
  const timeOf = async () => (await refusals.list('acme')).get('shop')?.[0]?.at
  await refusals.note(shop, refusalOf('10.0.0.7:80'))
  const first = await timeOf()
  pass(59_000)
  await refusals.note(shop, refusalOf('10.0.0.7:80'))
  expect(await timeOf()).toBe(first)
  pass(1_000)
  await refusals.note(shop, refusalOf('10.0.0.7:80'))
  expect(await timeOf()).toBe((first ?? 0) + 60_000)
})
