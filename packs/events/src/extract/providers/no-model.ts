import type { EventModelPort } from '../event-model-port.ts'

/** Nobody set up a model: events are read by rules. */
export function noModel(): EventModelPort {
  return { read: async () => null }
}
