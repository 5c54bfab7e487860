import { describe, expect, test, vi } from 'vitest'
import { HOSTILE_COUNTS } from './fixtures/hostile-counts.ts'
import { inNamespace } from './fixtures/namespace.ts'

type Watched<Result> = {
  readonly result: Result
  readonly opened: number
  readonly datagrams: number
  readonly taken: readonly string[]
  readonly dialled: readonly string[]
}
type Refused = {
  readonly leaks: readonly string[]
  readonly kinds: Readonly<Record<string, number>>
}
type Followed = {
  readonly faults: readonly string[]
  readonly kinds: Readonly<Record<string, number>>
  readonly expected: readonly string[]
}
type Report = {
  readonly proxies: readonly string[]
  readonly control: Watched<readonly string[]>
  readonly curated: Watched<Refused>
  readonly curatedWithOthersOpened: Watched<Refused>
  readonly generated: Watched<Refused>
  readonly metadata: Watched<readonly string[]>
  readonly rebinds: Watched<Followed>
  readonly redirects: Watched<Followed>
  readonly legitimate: Watched<{
    readonly hosts: number
    readonly refused: readonly string[]
    readonly addresses: readonly string[]
  }>
}

const { urls, rebinds, chains, hosts } = HOSTILE_COUNTS
const PROXY = 'http://127.0.0.1:3128'
const NOTHING = { opened: 0, datagrams: 0, taken: [], dialled: [] }

const sum = (kinds: Readonly<Record<string, number>>) =>
  Object.values(kinds).reduce((total, count) => total + count, 0)
const addresses = (taken: readonly string[]) =>
  [...new Set(taken.map((one) => one.split(' ')[0]))].toSorted()
const ports = (taken: readonly string[]) =>
  [...new Set(taken.map((one) => one.split(' ')[1]))].toSorted()

// A busy machine takes minutes.
vi.setConfig({ testTimeout: 600_000 })

async function run(): Promise<Report> {
  const names = [
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'npm_config_proxy',
  ]
  const proxies = Object.fromEntries(names.map((name) => [name, PROXY]))
  const env = { ...process.env, ...proxies, NODE_USE_ENV_PROXY: '1' }
  // The report was printed by the script of this test.
  return (await inNamespace(new URL('./fixtures/hostile-main.ts', import.meta.url), env)) as Report
}

// Not in a hook: tests whose hook fails count as skipped, and these must never be skipped.
const running = run()
running.catch(() => undefined)

test('the trap counts connections to any address', async () => {
  const report = await running
  const { result, taken, opened } = report.control
  expect(taken).toEqual(result.map((host) => `${host} 80`))
  expect(opened).toBe(result.length)
})

describe('no connection is made, and every request is refused:', () => {
  test('the curated URLs', async () => {
    const report = await running
    expect(report.curated).toMatchObject({ ...NOTHING, result: { leaks: [] } })
    expect(sum(report.curated.result.kinds)).toBeGreaterThanOrEqual(300)
  })

  test('the curated URLs, while other services of this machine are allowed', async () => {
    const report = await running
    expect(report.curatedWithOthersOpened).toMatchObject({ ...NOTHING, result: { leaks: [] } })
  })

  test(`${urls} generated URLs`, async () => {
    const report = await running
    expect(report.generated).toMatchObject({ ...NOTHING, result: { leaks: [] } })
    expect(sum(report.generated.result.kinds)).toBe(urls)
    expect(Object.keys(report.generated.result.kinds).toSorted()).toEqual(
      [
        'IPv4 address',
        'IPv6 address',
        'local name',
        'name that leads there',
        'port',
        'scheme',
        'user name',
      ].toSorted(),
    )
  })

  test('metadata services that an allow-list names', async () => {
    const report = await running
    expect(report.metadata).toMatchObject({ ...NOTHING, result: [] })
  })
})

test(`of ${rebinds} names that change their addresses, none connects to an unchecked address`, async () => {
  const report = await running
  const { result, opened, datagrams, taken, dialled } = report.rebinds
  expect(result.faults).toEqual([])
  expect([sum(result.kinds), Object.keys(result.kinds).length, datagrams]).toEqual([rebinds, 3, 0])
  expect(dialled).toEqual(result.expected)
  expect([opened, taken.length]).toEqual([result.expected.length, result.expected.length])
  expect(ports(taken)).toEqual(['80'])
})

test(`of ${chains} redirect chains, none gets further than allowed and none leaks credentials`, async () => {
  const report = await running
  const { result, opened, datagrams, taken, dialled } = report.redirects
  expect(result.faults).toEqual([])
  expect([sum(result.kinds), Object.keys(result.kinds).length, datagrams]).toEqual([chains, 9, 0])
  expect(addresses(taken)).toEqual(result.expected.toSorted())
  expect([opened, taken.length]).toEqual([dialled.length, dialled.length])
  expect(ports(taken)).toEqual(['443', '80'])
})

test(`${hosts} legitimate hosts are reached at their own address, ignoring proxy variables`, async () => {
  const report = await running
  const { result, opened, datagrams, taken, dialled } = report.legitimate
  expect(report.proxies.length).toBeGreaterThanOrEqual(8)
  expect([result.hosts, result.refused, datagrams]).toEqual([hosts, [], 0])
  expect([opened, taken.length, dialled.length]).toEqual([hosts, hosts, hosts])
  expect(addresses(taken)).toEqual(result.addresses.toSorted())
  expect(ports(taken)).toEqual(['443', '80'])
})
