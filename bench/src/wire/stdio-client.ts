import { readFileSync } from 'node:fs'
import { createHistogram } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { inputs } from '../core/inputs.ts'
import { structuredContent } from '../core/peers/structured-content.ts'
import { addToCart } from '../core/tool.ts'
import { TICK_MS } from '../harness/cpu-times.ts'
import { SERVER_CORE, spawnPinned } from './pinned.ts'
import { request, toolsCall } from './speech.ts'

/** Round trips of one stdio server, one line after another. */
export type StdioTold = {
  readonly p50Us: number
  readonly p99Us: number /** Of the server, all threads. */
  readonly cpuUs: number
}

const [name, warmUpMs, timedMs] = process.argv.slice(2)
const server = spawnPinned(
  { core: SERVER_CORE, file: fileURLToPath(new URL(`servers/${name}.ts`, import.meta.url)) },
  'pipes',
)
const waiting: ((line: string) => void)[] = []
if (server.stdin === null || server.stdout === null) throw new Error('the server has no pipes')
const { stdin } = server
createInterface({ input: server.stdout }).on('line', (line) => waiting.shift()?.(line))
process.on('disconnect', () => process.exit(0))

measured().then(
  (told) => leave(told),
  (thrown: unknown) =>
    leave({ error: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) }),
)

function leave(message: StdioTold | { readonly error: string }): void {
  stdin.end()
  server.kill()
  process.send?.(message)
}

function send(line: string): Promise<string> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    stdin.write(line)
  })
}

function lineOf(message: object): string {
  return `${JSON.stringify(message)}\n`
}

async function measured(): Promise<StdioTold> {
  await send(lineOf(request(0, 'server/discover', {})))
  for (const [index, input] of inputs.entries()) {
    const { result } = JSON.parse(await send(lineOf(toolsCall(index, input)))) as {
      readonly result: unknown
    }
    if (!isDeepStrictEqual(structuredContent(result), await addToCart(input)))
      throw new Error(`${name} answered ${JSON.stringify(result)}`)
  }
  const lines = inputs.map((input, index) => lineOf(toolsCall(index, input)))
  await roundTrips(lines, Number(warmUpMs))
  return roundTrips(lines, Number(timedMs))
}

async function roundTrips(lines: readonly string[], forMs: number): Promise<StdioTold> {
  const latencies = createHistogram()
  const cpuBefore = serverCpuMs()
  const startedAt = performance.now()
  for (let turn = 0, now = startedAt; now - startedAt < forMs; turn++) {
    await send(lines[turn % lines.length] as string)
    const answeredAt = performance.now()
    latencies.record(Math.max(1, Math.round((answeredAt - now) * 1e6)))
    now = answeredAt
  }
  const cpuUs = ((serverCpuMs() - cpuBefore) * 1000) / latencies.count
  return { p50Us: latencies.percentile(50) / 1000, p99Us: latencies.percentile(99) / 1000, cpuUs }
}

// the name of the process, in brackets, may hold spaces
function serverCpuMs(): number {
  const [, rest = ''] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number)
  return (user + system) * TICK_MS
}
