import { isRecord, sha256 } from '../call/canonical.ts'
import type { Shape } from './shape.ts'

export const HIDDEN = '[hidden]'

type Replace = (secret: unknown) => unknown

// a replaced secret in the making, so that a second option of a union doesn't replace the
// replacement
class Replaced {
  readonly shown: unknown
  constructor(shown: unknown) {
    this.shown = shown
  }
}

/** The value with every `sensitive` field replaced by what people may see of it. */
export function redact(shape: Shape, value: unknown, replace: Replace = () => HIDDEN): unknown {
  return holdsSecret(shape) ? unwrap(walk(shape, value, replace)) : value
}

function walk(shape: Shape, value: unknown, replace: Replace): unknown {
  if (value === undefined || value === null || value instanceof Replaced) return value
  if (shape.sensitive) return new Replaced(replace(value))
  switch (shape.kind) {
    case 'object':
      return isRecord(value) ? walkFields(shape, value, replace) : misshapen(shape, value, replace)
    case 'array':
      return Array.isArray(value)
        ? value.map((item) => walk(shape.items, item, replace))
        : misshapen(shape, value, replace)
    case 'tuple':
      return Array.isArray(value)
        ? value.map((item, index) => walkItem(shape.items, index, item, replace))
        : misshapen(shape, value, replace)
    case 'record':
      return isRecord(value)
        ? mapValues(value, (member) => walk(shape.values, member, replace))
        : misshapen(shape, value, replace)
    case 'nullable':
      return walk(shape.inner, value, replace)
    case 'lazy':
      return walk(shape.inner(), value, replace)
    case 'union':
      return walkUnion(shape.options, value, replace)
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return value
  }
}

// any option that calls a field secret makes it secret: the value may be of either
function walkUnion(options: readonly Shape[], value: unknown, replace: Replace): unknown {
  const fitting = options.filter((option) => fits(option, value))
  return (fitting.length === 0 ? options : fitting).reduce<unknown>(
    (current, option) => walk(option, current, replace),
    value,
  )
}

function fits(shape: Shape, value: unknown): boolean {
  if (shape.sensitive) return true
  switch (shape.kind) {
    case 'object':
    case 'record':
      return isRecord(value)
    case 'array':
    case 'tuple':
      return Array.isArray(value)
    default:
      return true
  }
}

// a secret sent in the wrong shape is still a secret
function misshapen(shape: Shape, value: unknown, replace: Replace): unknown {
  return holdsSecret(shape) ? new Replaced(replace(value)) : value
}

// items past the declared ones follow the last, the rest
function walkItem(
  items: readonly Shape[],
  index: number,
  item: unknown,
  replace: Replace,
): unknown {
  const shape = items[Math.min(index, items.length - 1)]
  return shape === undefined ? item : walk(shape, item, replace)
}

function walkFields(
  shape: Extract<Shape, { kind: 'object' }>,
  value: Record<string, unknown>,
  replace: Replace,
): unknown {
  const fields = new Map(shape.fields.map((field) => [field.name, field.shape]))
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const known = fields.get(key) ?? shape.rest
      return [key, known === undefined ? member : walk(known, member, replace)]
    }),
  )
}

function unwrap(value: unknown): unknown {
  if (value instanceof Replaced) return value.shown
  if (Array.isArray(value)) return value.map(unwrap)
  return isRecord(value) ? mapValues(value, unwrap) : value
}

function mapValues(
  value: Record<string, unknown>,
  change: (member: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, change(member)]))
}

/** What a decider sees of a secret: enough to recognise it, not to use it. */
export function digestOf(secret: unknown): string {
  const text = typeof secret === 'string' ? secret : JSON.stringify(secret)
  const tail = text.length >= 12 ? `…${text.slice(-4)} ` : ''
  return `${tail}(sha256 ${sha256(text).slice(0, 12)})`
}

/** Every secret text and number in a value, for scrubbing them out of what others say. */
export function secretsIn(shape: Shape, value: unknown): readonly string[] {
  const found: string[] = []
  redact(shape, value, (secret) => {
    collect(secret, found)
    return HIDDEN
  })
  return found
}

function collect(secret: unknown, found: string[]): void {
  if (typeof secret === 'string' || typeof secret === 'number') found.push(String(secret))
  else if (typeof secret === 'object' && secret !== null)
    for (const member of Object.values(secret)) collect(member, found)
}

// a shape that is used in many places has many paths: with every level twice as many
const MOST_NAMED = 1_000

/** The paths of secret fields, as far as they can be named. */
export function secretFields(shape: Shape): readonly string[] {
  const found: string[] = []
  nameSecrets(shape, '', { found, inside: new Set() })
  return found
}

type Naming = { readonly found: string[]; readonly inside: ReadonlySet<Shape> }

function nameSecrets(shape: Shape, path: string, { found, inside }: Naming): void {
  if (found.length >= MOST_NAMED || inside.has(shape) || !holdsSecret(shape)) return
  if (shape.sensitive) {
    found.push(path)
    return
  }
  const naming = { found, inside: new Set([...inside, shape]) }
  for (const [part, at] of partsOf(shape, path)) nameSecrets(part, at, naming)
}

function partsOf(shape: Shape, path: string): readonly (readonly [Shape, string])[] {
  switch (shape.kind) {
    case 'object':
      return shape.fields.map((field) => [
        field.shape,
        path === '' ? field.name : `${path}.${field.name}`,
      ])
    case 'array':
      return [[shape.items, `${path}[]`]]
    case 'record':
      return [[shape.values, `${path}.*`]]
    case 'nullable':
      return [[shape.inner, path]]
    case 'lazy':
      return [[shape.inner(), path]]
    case 'tuple':
      return shape.items.map((item, index) => [item, `${path}[${index}]`])
    case 'union':
      return shape.options.map((option) => [option, path])
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return []
  }
}

// a shape never changes, and is asked about with every call
const secrecy = new WeakMap<Shape, boolean>()

/** Does a shape hold any secret at all? */
export function holdsSecret(shape: Shape): boolean {
  const known = secrecy.get(shape)
  if (known !== undefined) return known
  const found = findsSecret(shape, new Set())
  secrecy.set(shape, found)
  return found
}

function findsSecret(shape: Shape, seen: Set<Shape>): boolean {
  if (shape.sensitive) return true
  if (seen.has(shape)) return false
  seen.add(shape)
  switch (shape.kind) {
    case 'object':
      return (
        shape.fields.some((field) => findsSecret(field.shape, seen)) ||
        (shape.rest !== undefined && findsSecret(shape.rest, seen))
      )
    case 'array':
      return findsSecret(shape.items, seen)
    case 'tuple':
      return shape.items.some((item) => findsSecret(item, seen))
    case 'record':
      return findsSecret(shape.values, seen)
    case 'nullable':
      return findsSecret(shape.inner, seen)
    case 'lazy':
      return findsSecret(shape.inner(), seen)
    case 'union':
      return shape.options.some((option) => findsSecret(option, seen))
    case 'string':
    case 'number':
    case 'boolean':
    case 'any':
      return false
  }
}
