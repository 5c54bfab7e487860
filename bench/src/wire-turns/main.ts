import { join } from 'node:path'
import { chooseContenders, readOptions } from '../harness/options.ts'
import { count } from '../harness/report.ts'
import { runSuite } from '../harness/run-suite.ts'
import { median, percentile } from '../harness/statistics.ts'
import { httpContenders } from '../wire/contenders.ts'
import { type LoadResult, type OpenedServer, openServer, WARM_UP } from '../wire/measure-http.ts'

// Servers that stay open and are measured by turns, in short windows: on a machine whose host changes
// its speed by the minute, only figures of neighbouring windows can be compared. A ratio is the median
// of the ratios to the first server's window in the same turn.
const options = readOptions({ rounds: 7, texts: ['seconds'] })
const windowMs = Number(options.texts.seconds ?? '1') * 1_000
if (!(windowMs > 0)) throw new Error('--seconds takes a number above 0.')
const contenders = chooseContenders(httpContenders, options.only ?? ['fastify', 'serve-http'])
// In the order of `--only`: the first one is what the others are compared with.
const order = options.only ?? []
const measured = contenders.toSorted(
  (one, other) => order.indexOf(one.id) - order.indexOf(other.id),
)
const CONNECTIONS = [1, 64] as const
const SETTLE_MS = 200

type Windows = ReadonlyMap<string, readonly LoadResult[]>

console.log(`wire-turns: ${count(measured.length, 'server')}, ${count(options.rounds, 'turn')}`)
await runSuite('wire-turns', options, async ({ folder, startNoiseWatch }) => {
  const servers: { readonly id: string; readonly server: OpenedServer }[] = []
  try {
    for (const contender of measured) {
      const databaseFile = join(folder, `${contender.id}.db`)
      const server = await openServer(contender, { databaseFile })
      servers.push({ id: contender.id, server })
      for (const connections of [16, 64, 1])
        await server.load(connections, 2_000, { atLeast: WARM_UP })
    }
    startNoiseWatch()
    const sections = []
    for (const connections of CONNECTIONS)
      sections.push(section(connections, await takeTurns(servers, connections)))
    return { sections, hasFailed: false }
  } finally {
    await Promise.all(servers.map(({ server }) => server.close()))
  }
})

async function takeTurns(
  servers: readonly { readonly id: string; readonly server: OpenedServer }[],
  connections: number,
): Promise<Windows> {
  const windows = new Map<string, LoadResult[]>(servers.map(({ id }) => [id, []]))
  for (let turn = 0; turn < options.rounds; turn++)
    // There and back, so that none always follows the same one.
    for (const { id, server } of turn % 2 === 0 ? servers : servers.toReversed()) {
      await server.load(connections, SETTLE_MS)
      windows.get(id)?.push(await server.timeLoad(connections, windowMs))
    }
  return windows
}

function section(connections: number, windows: Windows) {
  const [first = []] = windows.values()
  const rows = [...windows].map(([id, results]) => {
    const ratios = (of: (result: LoadResult) => number): readonly number[] =>
      results.map((result, turn) => of(result) / of(first[turn] ?? result))
    return [
      id,
      Math.round(median(results.map(({ rate }) => rate))).toLocaleString('en'),
      range(ratios(({ rate }) => rate)),
      median(results.map(({ cpuUs }) => cpuUs)).toFixed(1),
      range(ratios(({ cpuUs }) => cpuUs)),
      median(results.map(({ p50Ms }) => p50Ms)).toFixed(2),
      median(results.map(({ p99Ms }) => p99Ms)).toFixed(2),
      range(ratios(({ p99Ms }) => p99Ms)),
    ]
  })
  return {
    title: `${count(connections, 'connection')}`,
    table: {
      head: ['server', 'per second', '× first', 'CPU µs', '× first', 'p50 ms', 'p99 ms', '× first'],
      rows,
      right: [1, 2, 3, 4, 5, 6, 7],
    },
    notes: [
      `${count(options.rounds, 'window')} of ${windowMs} ms each, by turns; the median, and of the ratios also the middle half. CPU is that of the server, all threads.`,
    ],
  }
}

function range(values: readonly number[]): string {
  const at = (share: number): string => percentile(values, share).toFixed(2)
  return `${median(values).toFixed(2)} (${at(0.25)}–${at(0.75)})`
}
