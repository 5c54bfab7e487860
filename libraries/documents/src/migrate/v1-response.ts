import type { ToolError } from '@surehand/core'
import type { ToolResponse, V1ToolResponse } from './documents.ts'
import { childOf } from './dot-path.ts'

type Telling = { readonly inV1: (data: unknown) => unknown; readonly warnings: readonly string[] }

/** A v2 answer as v1 gave it: whether it worked, a sentence for a person, and the data. */
export function toV1Response(response: ToolResponse, telling: Telling): V1ToolResponse {
  const warnings = [...(response.metadata.warnings ?? []), ...telling.warnings]
  if (response.status === 'success') {
    return {
      success: true,
      message: sentences(successOf(response), warnings),
      data: dataOf(response, telling),
    }
  }
  const message = response.error?.message ?? `${response.metadata.tool_info.name} did not work`
  return {
    success: false,
    message: sentences(message, warnings),
    data: dataOf(response, telling) ?? response.error?.details ?? null,
  }
}

/** The answer to a v1 call that never became a v2 call. */
export function refusedV1(error: ToolError): V1ToolResponse {
  return { success: false, message: error.message, data: error.details ?? null }
}

function successOf({ data, metadata }: ToolResponse): string {
  if (metadata.job !== undefined) return `${metadata.tool_info.name} has begun and is not done yet`
  const own = childOf(data, 'message')
  return typeof own === 'string' && own.trim() !== '' ? own : `${metadata.tool_info.name}: done`
}

function dataOf({ data, metadata }: ToolResponse, { inV1 }: Telling): unknown {
  const { call_id, job, pending } = metadata
  // v1 knew no waiting: where to ask later is all there is to give
  if (job !== undefined) return { call_id, job }
  return pending === undefined ? inV1(data) : { call_id, pending }
}

function sentences(first: string, warnings: readonly string[]): string {
  return [first, ...warnings.map((warning) => `Warning: ${warning}`)]
    .map((text) => (/[.!?]$/.test(text) ? text : `${text}.`))
    .join(' ')
}
