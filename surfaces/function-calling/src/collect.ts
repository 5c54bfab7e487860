import type { ProviderName } from './providers/wire.ts'
import { wireOf } from './providers/wires.ts'

/**
 * A streamed response, put together for `handle`: the events as parsed JSON, in the order they came.
 * Throws when the stream ends before the response does, so that half a response is never acted on.
 */
export async function collect(
  provider: ProviderName,
  events: AsyncIterable<unknown> | Iterable<unknown>,
): Promise<unknown> {
  const collector = wireOf(provider).collect()
  for await (const event of events) collector.add(event)
  return collector.response()
}
