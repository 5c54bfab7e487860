import { connect } from 'node:net'
import { createHistogram } from 'node:perf_hooks'

/** So many connections, kept open, each with one request under way. */
export type Load = {
  readonly port: number
  /** Sent in turn. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly forMs: number
  /** Goes on until so many were answered, for code that is compiled after so many; but not for ever. */
  readonly atLeast?: { readonly requests: number; readonly mostMs: number }
  /** Where in a request the digits stand that must be others each time, and the number they begin with. */
  readonly serial?: { readonly digits: string; readonly first: number }
}

export type Loaded = {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMs: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

process.on('message', (load: Load) => {
  drive(load).then(
    (loaded) => process.send?.(loaded),
    (thrown: unknown) =>
      process.send?.({ error: thrown instanceof Error ? thrown.message : String(thrown) }),
  )
})
process.on('disconnect', () => process.exit(0))

async function drive({
  port,
  requests,
  connections,
  forMs,
  atLeast,
  serial,
}: Load): Promise<Loaded> {
  const templates = requests.map((text) => Buffer.from(text))
  const latencies = createHistogram()
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let sent = 0

  function isEnough(spentMs: number): boolean {
    if (spentMs < forMs) return false
    return atLeast === undefined || latencies.count >= atLeast.requests || spentMs > atLeast.mostMs
  }

  function nextRequest(): Buffer {
    const template = templates[sent++ % templates.length] as Buffer
    if (serial === undefined) return template
    const request = Buffer.from(template)
    request.write(
      String(serial.first + sent).padStart(serial.digits.length, '0'),
      template.indexOf(serial.digits),
      'latin1',
    )
    return request
  }

  function connection(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      let received: Buffer | undefined
      const send = (): void => {
        sentAt = performance.now()
        if (isEnough(sentAt - startedAt)) socket.end()
        else socket.write(nextRequest())
      }
      socket.on('connect', send)
      socket.on('data', (chunk: Buffer) => {
        received = received === undefined ? chunk : Buffer.concat([received, chunk])
        if (!isWhole(received)) return
        if (!isOk(received))
          return reject(new Error(`an answer was ${received.toString().slice(0, 600)}`))
        received = undefined
        latencies.record(Math.max(1, Math.round((performance.now() - sentAt) * 1e6)))
        send()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  }

  await Promise.all(Array.from({ length: connections }, connection))
  const { user, system } = process.cpuUsage(cpu)
  const percentileMs = (share: number): number => latencies.percentile(share) / 1e6
  return {
    requests: latencies.count,
    seconds: (performance.now() - startedAt) / 1000,
    p50Ms: percentileMs(50),
    p99Ms: percentileMs(99),
    cpuMs: (user + system) / 1000,
  }
}

function isWhole(answer: Buffer): boolean {
  const headEnd = answer.indexOf(HEAD_END)
  if (headEnd < 0) return false
  const head = answer.toString('latin1', 0, headEnd)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) return answer.length >= headEnd + HEAD_END.length + Number(length)
  return answer.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
}

function isOk(answer: Buffer): boolean {
  return answer.toString('latin1', 9, 12) === '200'
}
