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
