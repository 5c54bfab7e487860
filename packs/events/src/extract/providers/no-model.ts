import type { EventModelPort } from '../event-model-port.ts'

/** No model is configured: events are read by rules. */
export function noModel(): EventModelPort {
  return { read: async () => null }
}
