import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { inputs } from '../core/inputs.ts'
import { READ_TOOL } from '../wire/protocols.ts'
import { ASK_TOOL } from './vendor-pack.ts'

/** What the client is asked to measure. */
export type Measurement = { readonly tool: 'cart' | 'vendor'; readonly timedMs: number }

/** What each call of the other tenant took. */
export type Samples = {
  /**
   * CPU time of the server's main thread from sending the request to reading the answer: its own
   * work, and whatever the server did before it got to it. Other processes are not in it.
   */
  readonly cpuMs: readonly number[]
  readonly tookMs: readonly number[]
  /** Calls that are not among them, because the host took a core away from this machine meanwhile. */
  readonly leftOut: number
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

/**
 * The CPU time of the server's main thread so far. Where this process interrupts the server, it is
 * exact; where they run side by side, the kernel counts it at least every 4 ms.
 */
function serverCpuMs(): number {
  const text = readFileSync(`/proc/${serverPid}/task/${serverPid}/schedstat`, 'latin1')
  return Number(text.split(' ')[0]) / 1e6
}

// The time for which the host let another machine run on our cores. The kernel counts it as CPU time
// of the thread that was stopped: a server seems to be busy for half a second and did nothing.
const STEAL = /^cpu {2}(?:\d+ ){7}(\d+)/

function stolenTicks(): number {
  return Number(STEAL.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? 0)
}

async function measure({ tool, timedMs }: Measurement): Promise<Samples> {
  const samples = { cpuMs: [] as number[], tookMs: [] as number[], leftOut: 0 }
  const until = performance.now() + timedMs
  while (performance.now() < until) {
    const stolenBefore = stolenTicks()
    const cpuBefore = serverCpuMs()
    const startedAt = performance.now()
    await callTool(tool)
    const tookMs = performance.now() - startedAt
    const usedMs = serverCpuMs() - cpuBefore
    if (stolenTicks() === stolenBefore) {
      samples.tookMs.push(tookMs)
      samples.cpuMs.push(usedMs)
    } else samples.leftOut++
    await pause(PAUSE_MS)
  }
  return samples
}

process.on('message', (measurement: Measurement) => {
  measure(measurement).then(
    (samples) => process.send?.(samples),
    (thrown: unknown) => process.send?.({ error: String(thrown) }),
  )
})
process.on('disconnect', () => process.exit(0))
