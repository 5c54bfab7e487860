import { parentPort, workerData } from 'node:worker_threads'
import { toToolError } from '@surehand/core/internal'
import type { FromPrepareThread } from './prepare-in-time.ts'
import { type OpenApiWanted, prepareOpenApi } from './prepare-openapi.ts'

// Reads one document in a thread of its own: a YAML of megabytes takes seconds without a pause.
function prepared(wanted: OpenApiWanted): FromPrepareThread {
  try {
    return { kind: 'prepared', ...prepareOpenApi(wanted) }
  } catch (thrown) {
    const { code, message } = toToolError(thrown)
    return { kind: 'refused', code, message }
  }
}

parentPort?.postMessage(prepared(workerData as OpenApiWanted))
