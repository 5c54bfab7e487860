import type { EmbeddingsPort } from '../memories-port.ts'

/** Memories are then found by their words alone. */
export function noEmbeddings(): EmbeddingsPort {
  return { embed: async () => null }
}
