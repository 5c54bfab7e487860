import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { inputs } from '../core/inputs.ts'
import { structuredContent } from '../core/peers/structured-content.ts'
import { addToCart } from '../core/tool.ts'
import { recordLatencies } from '../harness/latencies.ts'
import { TICK_MS } from '../harness/noise.ts'
import { describeError } from '../harness/parent.ts'
import { SERVER_CORE, spawnPinned } from './pinned-process.ts'
import { request, toolsCall } from './protocols.ts'

/** Round trips of one stdio server, one line after another. */
export type StdioFigures = {
  readonly kind: 'stdio'
  readonly p50Us: number
  readonly p99Us: number
  /** CPU time of the server, all threads. */
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

measure().then(finish, (thrown: unknown) => finish({ error: describeError(thrown) }))

function finish(message: StdioFigures | { readonly error: string }): void {
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

function toLine(message: object): string {
  return `${JSON.stringify(message)}\n`
}

async function measure(): Promise<StdioFigures> {
  await send(toLine(request(0, 'server/discover', {})))
  for (const [index, input] of inputs.entries()) {
    const { result } = JSON.parse(await send(toLine(toolsCall(index, input)))) as {
      readonly result: unknown
    }
    if (!isDeepStrictEqual(structuredContent(result), await addToCart(input)))
      throw new Error(`${name} answered ${JSON.stringify(result)}`)
  }
  const lines = inputs.map((input, index) => toLine(toolsCall(index, input)))
  await timeRoundTrips(lines, Number(warmUpMs))
  return timeRoundTrips(lines, Number(timedMs))
}

async function timeRoundTrips(lines: readonly string[], forMs: number): Promise<StdioFigures> {
  const latencies = recordLatencies()
  const cpuBefore = serverCpuMs()
  const startedAt = performance.now()
  for (let turn = 0, now = startedAt; now - startedAt < forMs; turn++) {
    await send(lines[turn % lines.length] as string)
    const answeredAt = performance.now()
    latencies.record(answeredAt - now)
    now = answeredAt
  }
  return {
    kind: 'stdio',
    p50Us: latencies.percentileMs(50) * 1000,
    p99Us: latencies.percentileMs(99) * 1000,
    cpuUs: ((serverCpuMs() - cpuBefore) * 1000) / latencies.count(),
  }
}

// The process name, in parentheses, may contain spaces.
function serverCpuMs(): number {
  const [, rest = ''] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')
  const [user = 0, system = 0] = rest.split(' ').slice(11, 13).map(Number)
  return (user + system) * TICK_MS
}
