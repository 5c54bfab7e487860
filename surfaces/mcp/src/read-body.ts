import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Clock, Maybe } from '@surehand/core/ports'
import type { Refusal } from './guard-request.ts'

export type BodyLimits = {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly clock: Clock
}

/** The whole body, bounded in bytes while it comes in, and in time: one that drips would hold its place here for minutes. */
export function readBody(request: IncomingMessage, limits: BodyLimits): Maybe<Buffer | Refusal> {
  const { readableLength } = request
  // a small body came with its headers and lies there whole: no event has to be waited for
  if (
    readableLength > 0 &&
    readableLength <= limits.maxBytes &&
    Number(request.headers['content-length']) === readableLength
  )
    return request.read() as Buffer
  return collected(request, limits)
}

function collected(
  request: IncomingMessage,
  { maxBytes, timeoutMs, clock }: BodyLimits,
): Promise<Buffer | Refusal> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size =
      Number(request.headers['content-length'] ?? 0) > maxBytes ? Number.POSITIVE_INFINITY : 0
    const stopWaiting = clock.after(timeoutMs, () => {
      // whoever was refused for its size has had time to read that
      if (size > maxBytes) request.destroy()
      resolve({ status: 408, message: `The body did not arrive within ${timeoutMs} ms.` })
    })
    const refuseSize = () =>
      resolve({ status: 413, message: `The body is larger than ${maxBytes} bytes.` })
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      // what still comes is read and dropped, so that the refusal arrives
      if (size > maxBytes) refuseSize()
      else chunks.push(chunk)
    })
    request.on('end', () => {
      stopWaiting()
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    })
    request.on('error', reject)
    request.on('close', stopWaiting)
    if (size > maxBytes) refuseSize()
  })
}
