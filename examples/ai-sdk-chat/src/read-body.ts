import type { IncomingMessage } from 'node:http'

const MAX_BYTES = 1024 * 1024

/** Reads a JSON body; undefined if it is not JSON or too large. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as unknown)
  } catch {
    return undefined
  }
}

export async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_BYTES) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
