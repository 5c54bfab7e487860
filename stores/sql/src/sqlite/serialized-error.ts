import { isToolError, ToolError } from '@surehand/core/worker-entry'
import { storageError } from '../storage-error.ts'

/** An error as plain data, to be sent from the writer's thread. */
export type SerializedError =
  | {
      readonly kind: 'tool'
      readonly code: ToolError['code']
      readonly message: string
      readonly options: SerializedOptions
      readonly reason?: string
    }
  | { readonly kind: 'storage'; readonly reason: string }
  | { readonly kind: 'other'; readonly name: string; readonly message: string }

type SerializedOptions = Pick<ToolError, 'details' | 'suggestions' | 'effect' | 'data'>

export function serializeError(thrown: unknown): SerializedError {
  if (isToolError(thrown)) {
    const reason = thrown.cause instanceof Error ? { reason: thrown.cause.message } : {}
    return {
      kind: 'tool',
      code: thrown.code,
      message: thrown.message,
      options: toCloneableOptions(thrown),
      ...reason,
    }
  }
  if (!(thrown instanceof Error)) return { kind: 'other', name: 'Error', message: String(thrown) }
  return isDriverError(thrown)
    ? { kind: 'storage', reason: thrown.message }
    : { kind: 'other', name: thrown.name, message: thrown.message }
}

/**
 * An error of a transaction function keeps its kind: a bug reported as a storage error would be
 * retried.
 */
export function deserializeError(error: SerializedError): Error {
  switch (error.kind) {
    case 'tool':
      return new ToolError(
        error.code,
        error.message,
        withoutGaps({ ...error.options, cause: error.reason && new Error(error.reason) }),
      )
    case 'storage':
      return storageError(error.reason)
    case 'other':
      return Object.assign(new Error(error.message), { name: error.name })
  }
}

export function isDriverError(thrown: unknown): thrown is Error & { readonly errcode: number } {
  return thrown instanceof Error && 'errcode' in thrown && typeof thrown.errcode === 'number'
}

function toCloneableOptions({ details, suggestions, effect, data }: ToolError): SerializedOptions {
  const options = { details, suggestions, effect, data }
  try {
    structuredClone(options)
    return options
  } catch {
    // Details that cannot be cloned must not hide the error they belong to.
    return { details: undefined, suggestions, effect, data: null }
  }
}

function withoutGaps(
  options: SerializedOptions & { readonly cause: unknown },
): ConstructorParameters<typeof ToolError>[2] {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
