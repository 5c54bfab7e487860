import { parentPort, workerData } from 'node:worker_threads'
import { toToolError } from '@surehand/core/internal'
import type { WorkerMessage } from './prepare-document.ts'
import { type OpenApiRequest, prepareOpenApi } from './prepare-openapi.ts'

// Parses one document in a worker: a large YAML document blocks the thread for seconds.
function prepare(wanted: OpenApiRequest): WorkerMessage {
  try {
    return { kind: 'prepared', ...prepareOpenApi(wanted) }
  } catch (thrown) {
    const { code, message } = toToolError(thrown)
    return { kind: 'refused', code, message }
  }
}

parentPort?.postMessage(prepare(workerData as OpenApiRequest))
