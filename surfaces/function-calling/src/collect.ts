import type { ProviderName } from './providers/wire.ts'
import { wireOf } from './providers/wires.ts'

/**
 * Assembles a streamed response for `handle` from its events (parsed JSON, in order). Throws if the
 * stream ends before the response does, so that an incomplete response is never acted on.
 */
export async function collect(
  provider: ProviderName,
  events: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<unknown> {
  const collector = wireOf(provider).collect()
  for await (const event of events) collector.add(event)
  return collector.response()
}

const LINE = /\r\n|\n|\r/

/**
 * Yields the JSON of each event in a body of server-sent events, however the network splits it.
 * OpenAI's final `[DONE]` is skipped.
 */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const bytes of body) {
    const text = rest + decoder.decode(bytes, { stream: true })
    // A carriage return at the end may be the first half of a CRLF.
    const held = text.endsWith('\r') ? 1 : 0
    const lines = text.slice(0, text.length - held).split(LINE)
    rest = (lines.pop() ?? '') + text.slice(text.length - held)
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
      else if (line === '' && data.length > 0) {
        const whole = data.join('\n')
        data = []
        if (whole !== '[DONE]') yield JSON.parse(whole)
      }
    }
  }
}
