import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'

/** The whole body as text; undefined when it is larger than allowed. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > maxBytes) {
        // what still comes is read and dropped, so that the refusal arrives
        request.removeAllListeners('data')
        request.resume()
        resolve(undefined)
        return
      }
      chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer).toString() : Buffer.concat(chunks).toString()))
    request.on('error', reject)
  })
}
