import { parentPort, workerData } from 'node:worker_threads'
import { toToolError } from '@surehand/core/internal'
import type { WorkerMessage, WorkerRequest } from './prepare-document.ts'
import { prepareGraphql } from './prepare-graphql.ts'
import { prepareOpenApi } from './prepare-openapi.ts'

// Parses one document in a worker: a large one blocks the thread for seconds.
function prepare(request: WorkerRequest): WorkerMessage {
  try {
    return {
      kind: 'prepared',
      ...(request.kind === 'openapi'
        ? prepareOpenApi(request.wanted)
        : prepareGraphql(request.wanted)),
    }
  } catch (thrown) {
    const { code, message } = toToolError(thrown)
    return { kind: 'refused', code, message }
  }
}

parentPort?.postMessage(prepare(workerData as WorkerRequest))
