import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { inputs } from '../core/inputs.ts'
import { recordLatencies } from '../harness/latencies.ts'
import { READ_TOOL } from '../wire/protocols.ts'
import { ASK_TOOL } from './vendor-pack.ts'

/** What the client is asked to measure. */
export type Measurement = { readonly tool: 'cart' | 'vendor'; readonly timedMs: number }

/**
 * How long the calls of the other tenant took, without the time in which the main thread of the
 * server, or that of the client, was ready to run and another process had its core.
 */
export type Figures = {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly slowestMs: number
  /** With that time. */
  readonly wallP99Ms: number
  readonly calls: number
}

// The tenant that does nothing wrong: a call about a hundred times a second, one after the other.
const PAUSE_MS = 10
const [port = '', token = '', serverPid = ''] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
const CALLS = {
  cart: { path: `/v1/tools/${READ_TOOL}/call`, body: JSON.stringify(inputs[0]) },
  vendor: {
    path: `/v1/tools/${ASK_TOOL}/call`,
    body: JSON.stringify({ host: 'vendor.example', hangs: false }),
  },
}

function callTool(tool: Measurement['tool']): Promise<void> {
  const { path, body } = CALLS[tool]
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sending = request(
      { agent, host: '127.0.0.1', port, path, method: 'POST', headers },
      (response) => {
        response.resume().on('end', () => resolve())
        if (response.statusCode !== 200)
          reject(new Error(`the other tenant was answered ${response.statusCode}`))
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}

/** How long the main thread of a process has waited for a core so far. */
function waitedMs(pid: string | number): number {
  const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'latin1')
  return Number(text.split(' ')[1]) / 1e6
}

/** The longer of the two waits, since they may overlap. */
function startWaitWatch(): () => number {
  const [server, client] = [waitedMs(serverPid), waitedMs(process.pid)]
  return () => Math.max(waitedMs(serverPid) - server, waitedMs(process.pid) - client)
}

async function measure({ tool, timedMs }: Measurement): Promise<Figures> {
  const latencies = recordLatencies()
  const wall = recordLatencies()
  const until = performance.now() + timedMs
  while (performance.now() < until) {
    const waitedSinceMs = startWaitWatch()
    const startedAt = performance.now()
    await callTool(tool)
    const tookMs = performance.now() - startedAt
    wall.record(tookMs)
    latencies.record(Math.max(0, tookMs - waitedSinceMs()))
    await pause(PAUSE_MS)
  }
  return {
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
    slowestMs: latencies.percentileMs(100),
    wallP99Ms: wall.percentileMs(99),
    calls: latencies.count(),
  }
}

process.on('message', (measurement: Measurement) => {
  measure(measurement).then(
    (figures) => process.send?.(figures),
    (thrown: unknown) => process.send?.({ error: String(thrown) }),
  )
})
process.on('disconnect', () => process.exit(0))
