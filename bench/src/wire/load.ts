import { connect } from 'node:net'
import { recordLatencies } from '../harness/latencies.ts'
import { describeError } from '../harness/parent.ts'

/** An order for the load generator: connections that are kept open, each with one request in flight. */
export type Load = {
  readonly port: number
  /** Sent one after the other, from the beginning again after the last. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly forMs: number
  /** Goes on beyond `forMs` until this many requests were answered, because code is compiled by the number of calls; `mostMs` is the limit. */
  readonly atLeast?: { readonly requests: number; readonly mostMs: number }
  /** Digits in the request that are replaced by a new number each time, and the first of these numbers. */
  readonly serial?: { readonly digits: string; readonly first: number }
}

export type LoadFigures = {
  readonly requests: number
  readonly seconds: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly cpuMs: number
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('0\r\n\r\n')

process.on('message', (load: Load) => {
  sendLoad(load).then(
    (figures) => process.send?.(figures),
    (thrown: unknown) => process.send?.({ error: describeError(thrown) }),
  )
})
process.on('disconnect', () => process.exit(0))

async function sendLoad({
  port,
  requests,
  connections,
  forMs,
  atLeast,
  serial,
}: Load): Promise<LoadFigures> {
  const templates = requests.map((text) => Buffer.from(text))
  const latencies = recordLatencies()
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  let sent = 0

  function isEnough(spentMs: number): boolean {
    if (spentMs < forMs) return false
    return (
      atLeast === undefined || latencies.count() >= atLeast.requests || spentMs > atLeast.mostMs
    )
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

  function runConnection(): Promise<void> {
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
          return reject(
            new Error(`the server did not answer 200: ${received.toString().slice(0, 600)}`),
          )
        received = undefined
        latencies.record(performance.now() - sentAt)
        send()
      })
      socket.on('error', reject)
      socket.on('close', () => resolve())
    })
  }

  await Promise.all(Array.from({ length: connections }, runConnection))
  const { user, system } = process.cpuUsage(cpu)
  return {
    requests: latencies.count(),
    seconds: (performance.now() - startedAt) / 1000,
    p50Ms: latencies.percentileMs(50),
    p99Ms: latencies.percentileMs(99),
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
