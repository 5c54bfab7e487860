import { parentPort, workerData } from 'node:worker_threads'
import { toToolError } from '@surehand/core/internal'
import type { WorkerMessage } from './prepare-in-time.ts'
import { type OpenApiRequest, prepareOpenApi } from './prepare-openapi.ts'

// Reads one document in a thread of its own: a YAML of megabytes takes seconds without a pause.
function prepare(wanted: OpenApiRequest): WorkerMessage {
  try {
    return { kind: 'prepared', ...prepareOpenApi(wanted) }
  } catch (thrown) {
    const { code, message } = toToolError(thrown)
    return { kind: 'refused', code, message }
  }
}

parentPort?.postMessage(prepare(workerData as OpenApiRequest))
