import { sha256 } from '../call/hash.ts'
import type { Shape } from './shape.ts'

export const HIDDEN = '[hidden]'

/** The value with every `sensitive` field replaced by what people may see of it. */
export function redact(shape: Shape, value: unknown, replace: (secret: unknown) => unknown = hide): unknown {
  if (value === undefined || value === null) return value
  if (shape.sensitive) return replace(value)
  switch (shape.kind) {
    case 'object':
      return isRecord(value) ? redactFields(shape.fields, value, replace) : value
    case 'array':
      return Array.isArray(value) ? value.map((item) => redact(shape.items, item, replace)) : value
    case 'tuple':
      return Array.isArray(value) ? value.map((item, index) => redactItem(shape.items, index, item, replace)) : value
    case 'record':
      return isRecord(value)
        ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, redact(shape.values, member, replace)]))
        : value
    case 'nullable':
      return redact(shape.inner, value, replace)
    case 'lazy':
      return redact(shape.inner(), value, replace)
    case 'union':
      // any option that calls a field secret makes it secret: the value may be of either
      return shape.options.reduce<unknown>((current, option) => redact(option, current, replace), value)
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return value
  }
}

// items past the declared ones follow the last, the rest
function redactItem(items: readonly Shape[], index: number, item: unknown, replace: (secret: unknown) => unknown): unknown {
  const shape = items[Math.min(index, items.length - 1)]
  return shape === undefined ? item : redact(shape, item, replace)
}

function redactFields(
  fields: readonly { readonly name: string; readonly shape: Shape }[],
  value: Record<string, unknown>,
  replace: (secret: unknown) => unknown,
): unknown {
  const shown: Record<string, unknown> = { ...value }
  for (const field of fields) {
    if (shown[field.name] !== undefined) shown[field.name] = redact(field.shape, shown[field.name], replace)
  }
  return shown
}

function hide(): unknown {
  return HIDDEN
}

/** What a decider sees of a secret: enough to recognise it, not to use it. */
export function digestOf(secret: unknown): string {
  const text = typeof secret === 'string' ? secret : JSON.stringify(secret)
  const tail = text.length >= 12 ? `…${text.slice(-4)} ` : ''
  return `${tail}(sha256 ${sha256(text).slice(0, 12)})`
}

/** Does a shape hold any secret at all? */
export function holdsSecret(shape: Shape, seen: Set<Shape> = new Set()): boolean {
  if (shape.sensitive) return true
  if (seen.has(shape)) return false
  seen.add(shape)
  switch (shape.kind) {
    case 'object':
      return shape.fields.some((field) => holdsSecret(field.shape, seen))
    case 'array':
      return holdsSecret(shape.items, seen)
    case 'tuple':
      return shape.items.some((item) => holdsSecret(item, seen))
    case 'record':
      return holdsSecret(shape.values, seen)
    case 'nullable':
      return holdsSecret(shape.inner, seen)
    case 'lazy':
      return holdsSecret(shape.inner(), seen)
    case 'union':
      return shape.options.some((option) => holdsSecret(option, seen))
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return false
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
