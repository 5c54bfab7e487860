import { Buffer, isUtf8 } from 'node:buffer'
import type { Caller, Tool } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { type EdgeRequest, readIdempotencyKey } from '@surehand/edge'
import type { Surface } from './options.ts'
import { KEY_META } from './request.ts'

/** An input field that clients repeat in a header, so that gateways can route by it. */
type HeaderField = {
  readonly path: readonly string[]
  readonly header: string
  readonly isNumber: boolean
}

type Received = { readonly request: EdgeRequest; readonly caller: Caller }

const EXTENSION = 'x-mcp-header'
const NONE: readonly HeaderField[] = []
const declaredFields = new WeakMap<Tool, readonly HeaderField[]>()

/**
 * Where the headers of a tools/call contradict its body: the `Mcp-Param-…` headers, by which a
 * gateway may have admitted another call, and `Idempotency-Key`, which must repeat the key in
 * `_meta`. Undefined where they agree.
 */
export function findHeaderMismatch(
  message: unknown,
  { request, caller }: Received,
  { mode, catalogue }: Surface,
): string | undefined {
  if (!isRecord(message) || message.method !== 'tools/call' || !isRecord(message.params))
    return undefined
  const { name, arguments: input, _meta: meta } = message.params
  const key = readIdempotencyKey(request)
  // A header that is silently ignored would let a client believe that its call runs only once.
  if (key !== undefined && (!isRecord(meta) || meta[KEY_META] !== key))
    return `The Idempotency-Key header differs from _meta["${KEY_META}"] in the body. Send the same key in both, or only in _meta.`
  // In compact mode clients see no schema of the tool, so they cannot know which headers to send.
  if (mode === 'compact') return undefined
  const tool = typeof name === 'string' ? catalogue.find(name, caller.tenant) : undefined
  if (tool === undefined) return undefined
  for (const field of findHeaderFields(tool)) {
    const mismatch = findMismatch(field, valueAt(input, field.path), request.header(field.header))
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}

function findMismatch(
  { path, header, isNumber }: HeaderField,
  value: unknown,
  sent: string | undefined,
): string | undefined {
  // Only scalars are repeated in headers; the tool's schema judges everything else.
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return undefined
  const field = path.join('.')
  if (sent === undefined)
    return `The header ${header} is missing. It must repeat "${field}" of the body.`
  const decoded = decode(sent)
  if (decoded === undefined) return `The header ${header} is not valid Base64 of a UTF-8 text.`
  const isSame =
    isNumber && DECIMAL.test(decoded) ? Number(decoded) === value : decoded === String(value)
  return isSame ? undefined : `The header ${header} differs from "${field}" in the body.`
}

const DECIMAL = /^-?\d+(?:\.\d+)?$/
const WRAPPED = /^=\?base64\?(.*)\?=$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

function decode(value: string): string | undefined {
  const [, wrapped] = WRAPPED.exec(value) ?? []
  if (wrapped === undefined) return value
  const bytes = Buffer.from(wrapped, 'base64')
  return BASE64.test(wrapped) && isUtf8(bytes) ? bytes.toString() : undefined
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  let value = input
  for (const step of path)
    value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined
  return value
}

function findHeaderFields(tool: Tool): readonly HeaderField[] {
  const known = declaredFields.get(tool)
  if (known !== undefined) return known
  const found = collectFields(modelInputSchema(tool), [])
  const fresh = found.length === 0 ? NONE : found
  declaredFields.set(tool, fresh)
  return fresh
}

/** Searches along `properties` only: elsewhere the annotation has no meaning in the protocol. */
function collectFields(schema: unknown, path: readonly string[]): readonly HeaderField[] {
  if (!isRecord(schema)) return NONE
  const { [EXTENSION]: name, type, properties } = schema
  const own =
    typeof name === 'string' && path.length > 0
      ? [{ path, header: `mcp-param-${name.toLowerCase()}`, isNumber: isNumeric(type) }]
      : []
  if (!isRecord(properties)) return own
  return [
    ...own,
    ...Object.entries(properties).flatMap(([key, inner]) => collectFields(inner, [...path, key])),
  ]
}

function isNumeric(type: unknown): boolean {
  return type === 'integer' || type === 'number'
}
