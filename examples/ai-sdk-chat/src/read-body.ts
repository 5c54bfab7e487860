import type { IncomingMessage } from 'node:http'

const MOST_BYTES = 1024 * 1024

/** A JSON body; undefined where it is none, or too large. */
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
    if (bytes > MOST_BYTES) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
