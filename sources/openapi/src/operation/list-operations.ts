import { isRecord } from '@surehand/core/internal'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import { type Fields, ownRecord, ownText } from '../document/record.ts'
import { followReference, resolveReference } from '../document/references.ts'

/** An operation as it is in the document. */
export type Listed = {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly operation: Fields
  readonly item: Fields
}
export type Omitted = { readonly key: string; readonly reason: string }

// In the order in which the operations of a path are listed.
const METHODS = new Set([
  'get',
  'head',
  'post',
  'put',
  'patch',
  'delete',
  'options',
  'trace',
  'query',
])
// These methods inspect a connection or a resource; they are not useful as tools.
const NOT_TOOLS = new Set(['options', 'trace', 'query'])

/**
 * Lists every operation in a fixed order. Those that can never be tools are returned with their
 * reason.
 */
export function listOperations(root: Fields): {
  readonly operations: readonly Listed[]
  readonly omitted: readonly Omitted[]
} {
  const operations: Listed[] = []
  const omitted: Omitted[] = [...listWebhooks(root)]
  const paths = ownRecord(root, 'paths') ?? {}
  for (const path of Object.keys(paths).toSorted()) {
    const item = readPathItem(root, paths[path])
    if (item instanceof LeftOut) {
      omitted.push({ key: path, reason: item.message })
      continue
    }
    for (const method of listMethods(item)) {
      const operation = item[method]
      const key = `${method.toUpperCase()} ${path}`
      const reason = reasonToOmit(method, path, operation)
      if (reason !== undefined) omitted.push({ key, reason })
      else
        operations.push({
          key,
          method: method.toUpperCase(),
          path,
          operation: operation as Fields,
          item,
        })
    }
  }
  return { operations, omitted }
}

function listMethods(item: Fields): readonly string[] {
  const found = Object.keys(item).filter((name) => METHODS.has(name) && item[name] !== undefined)
  return found.length < 2 ? found : [...METHODS].filter((method) => found.includes(method))
}

function readPathItem(root: Fields, item: unknown): Fields | LeftOut {
  try {
    return followReference(
      { target: (reference) => resolveReference(root, reference) },
      item,
      'the path',
    )
  } catch (error) {
    if (error instanceof LeftOut) return error
    throw error
  }
}

function reasonToOmit(method: string, path: string, operation: unknown): string | undefined {
  if (!isRecord(operation)) return 'it is not an object'
  if (NOT_TOOLS.has(method)) return `${method.toUpperCase()} is no action for a tool`
  if (!path.startsWith('/')) return 'its path does not begin with "/"'
  if (path.length > LIMITS.pathLength)
    return `its path is longer than ${LIMITS.pathLength} characters`
  if (/\/\.\.?(?:\/|$)/.test(path)) return 'its path has a segment "." or ".."'
  return /[\\\s]/.test(path) ? 'its path holds "\\" or a space' : undefined
}

// Webhooks are called by the API, not by us.
function listWebhooks(root: Fields): readonly Omitted[] {
  const hooks = Object.keys(ownRecord(root, 'webhooks') ?? {}).toSorted()
  return hooks.map((name) => ({
    key: `webhook ${name.slice(0, 100)}`,
    reason: 'a webhook is called by the API, not by a tool',
  }))
}

/** Callbacks of an operation, for the report. */
export function callbackNames(operation: Fields): readonly string[] {
  return Object.keys(ownRecord(operation, 'callbacks') ?? {}).toSorted()
}

export function operationIdOf(operation: Fields): string | undefined {
  return ownText(operation, 'operationId')
}
