import { Buffer, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Caller, Tool } from '@surehand/core'
import { modelInputSchema } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { Surface } from './options.ts'

/** A field that travels in a header too, so that what stands before us can route by it. */
type Declared = {
  readonly path: readonly string[]
  readonly header: string
  readonly isNumber: boolean
}

/** Whose message it is, and what came with it. */
type Came = { readonly headers: IncomingMessage['headers']; readonly caller: Caller }

const EXTENSION = 'x-mcp-header'
const NONE: readonly Declared[] = []
const declared = new WeakMap<Tool, readonly Declared[]>()

/** What a tools/call says in its `Mcp-Param-…` headers that its body does not: a gateway would let pass what it believes is another call. */
export function findHeaderMismatch(
  message: unknown,
  { headers, caller }: Came,
  { mode, catalogue }: Surface,
): string | undefined {
  // in compact mode no client was shown a schema, so none could know which headers to send
  if (
    mode === 'compact' ||
    !isRecord(message) ||
    message.method !== 'tools/call' ||
    !isRecord(message.params)
  )
    return undefined
  const { name, arguments: input } = message.params
  const tool = typeof name === 'string' ? catalogue.find(name, caller.tenant) : undefined
  if (tool === undefined) return undefined
  for (const field of declaredBy(tool)) {
    const mismatch = mismatchOf(field, valueAt(input, field.path), headers[field.header])
    if (mismatch !== undefined) return mismatch
  }
  return undefined
}

function mismatchOf(
  { path, header, isNumber }: Declared,
  value: unknown,
  sent: string | readonly string[] | undefined,
): string | undefined {
  // what is no scalar fits no header, and the tool's own schema refuses it
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    return undefined
  const field = path.join('.')
  if (typeof sent !== 'string')
    return `The body has "${field}", and the header ${header} is missing.`
  const decoded = decode(sent)
  if (decoded === undefined) return `The header ${header} is not the Base64 of a text.`
  const isSame =
    isNumber && DECIMAL.test(decoded) ? Number(decoded) === value : decoded === String(value)
  return isSame
    ? undefined
    : `The header ${header} says something else than "${field}" in the body.`
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

function declaredBy(tool: Tool): readonly Declared[] {
  const known = declared.get(tool)
  if (known !== undefined) return known
  const found = fieldsIn(modelInputSchema(tool), [])
  const fresh = found.length === 0 ? NONE : found
  declared.set(tool, fresh)
  return fresh
}

/** Only along `properties`: anywhere else the annotation means nothing, and clients leave such a tool out. */
function fieldsIn(schema: unknown, path: readonly string[]): readonly Declared[] {
  if (!isRecord(schema)) return NONE
  const { [EXTENSION]: name, type, properties } = schema
  const own =
    typeof name === 'string' && path.length > 0
      ? [{ path, header: `mcp-param-${name.toLowerCase()}`, isNumber: isNumeric(type) }]
      : []
  if (!isRecord(properties)) return own
  return [
    ...own,
    ...Object.entries(properties).flatMap(([key, inner]) => fieldsIn(inner, [...path, key])),
  ]
}

function isNumeric(type: unknown): boolean {
  return type === 'integer' || type === 'number'
}
