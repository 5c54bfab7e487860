import { appendFileSync, readFileSync } from 'node:fs'
import { ToolError } from '@surehand/core'
import { z } from 'zod'

const Content = z.union([z.object({ text: z.string() }), z.object({ base64: z.string() })])

/** One request and its response or error, without credentials. */
export const Exchange = z.object({
  request: z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: Content.optional(),
  }),
  outcome: z.union([
    z.object({
      status: z.number(),
      url: z.string(),
      headers: z.array(z.tuple([z.string(), z.string()])),
      body: Content,
    }),
    z.object({
      code: z.string(),
      message: z.string(),
      effect: z.enum(['none', 'refused', 'possible']).optional(),
    }),
  ]),
})
export type Exchange = z.infer<typeof Exchange>

/** Encodes bytes for JSON: as text where they are valid UTF-8, otherwise as base64. */
export function encodeContent(bytes: Uint8Array): z.infer<typeof Content> {
  const buffer = Buffer.from(bytes)
  const text = buffer.toString('utf8')
  return Buffer.from(text).equals(buffer) ? { text } : { base64: buffer.toString('base64') }
}

export function decodeContent(content: z.infer<typeof Content>): Uint8Array {
  return 'text' in content ? Buffer.from(content.text) : Buffer.from(content.base64, 'base64')
}

/**
 * Appends exchanges to a file, one line of JSON each. Written at once, so that a test that crashes
 * leaves its recording.
 */
export function recordToFile(path: string): (exchange: Exchange) => void {
  return (exchange) => appendFileSync(path, `${JSON.stringify(exchange)}\n`)
}

export function readExchanges(path: string): readonly Exchange[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    line === '' ? [] : [parseExchange(line, `${path}:${index + 1}`)],
  )
}

function parseExchange(line: string, place: string): Exchange {
  try {
    return Exchange.parse(JSON.parse(line))
  } catch (cause) {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `${place} is not a recorded exchange. Record it again.`,
      { cause },
    )
  }
}
