import {
  CanonicalText,
  canonicalJson,
  canonicalNumber,
  canonicalString,
  loneSurrogate,
} from '../call/canonical.ts'
import { once } from './once.ts'
import type { ObjectShape, Shape } from './shape.ts'

export type Writer = (value: unknown) => CanonicalText

export const NONE_OMITTED: ReadonlySet<string> = new Set()

/**
 * A canonical JSON writer compiled for one shape: keys are sorted once, and what the schema has
 * checked is not checked again. `omit` leaves top-level fields out: the idempotency key is not part
 * of what a call means.
 */
export function compileWriter(shape: Shape, omit: ReadonlySet<string> = NONE_OMITTED): Writer {
  const hasUnknownKeys = shape.kind === 'object' && shape.rest !== undefined
  if (hasUnknownKeys || !canGenerateCode())
    return (value) => new CanonicalText(canonicalJson(omitFields(value, omit)))
  const root =
    shape.kind === 'object'
      ? { ...shape, fields: shape.fields.filter((field) => !omit.has(field.name)) }
      : shape
  return isStatic(root) ? copyingWriter(root) : concatenatingWriter(root)
}

/**
 * May this process compile code from strings? Not under `--disallow-code-generation-from-strings`,
 * nor under a Content Security Policy without `unsafe-eval`. Then the plain writer is used, which
 * writes the same text slower.
 */
export const canGenerateCode = once((): boolean => {
  try {
    new Function('')
    return true
  } catch {
    return false
  }
})

export function omitFields(value: unknown, omit: ReadonlySet<string>): unknown {
  if (omit.size === 0) return value
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).filter(([name]) => !omit.has(name)),
  )
}

/**
 * Is every key of it known? Then putting them in order and handing them to the engine's own writer
 * is the fastest way, and the writer need not run before the text is needed.
 */
function isStatic(shape: Shape): boolean {
  switch (shape.kind) {
    case 'string':
    case 'number':
    case 'boolean':
      return true
    case 'object':
      return (
        shape.rest === undefined &&
        shape.fields.every((field) => !isOrderedByEngine(field.name) && isStatic(field.shape))
      )
    case 'array':
      return isStatic(shape.items)
    case 'nullable':
      return isStatic(shape.inner)
    case 'any':
    case 'tuple':
    case 'record':
    case 'union':
    case 'lazy':
      return false
  }
}

// engines put whole-number keys first whatever the order, and every object has a "toString" and a
// "__proto__" that are no fields
function isOrderedByEngine(name: string): boolean {
  return /^\d+$/.test(name) || name in Object.prototype
}

/** Copies the value with its keys in order; the text is written when it is first needed. */
function copyingWriter(shape: Shape): Writer {
  const source = new CopySource()
  const expression = source.expression(shape, 'value')
  const make = new Function(
    'leaf',
    'grow',
    `${source.functions.join('\n')}\nreturn (value) => ${expression}`,
  ) as (leaf: Leaf, grow: (units: number) => void) => (value: unknown) => unknown
  const size = new CopySize()
  const copy = make(size.leaf, size.grow)
  return (value) => {
    size.start()
    const copied = copy(value)
    return size.isPlain
      ? CanonicalText.ofCopy(copied, size.mostBytes)
      : new CanonicalText(JSON.stringify(copied))
  }
}

type Leaf = (value: unknown) => unknown

// What one UTF-16 unit of a text takes at most: \u001f.
const UNIT_BYTES = 6
// A number and its comma take less than 30 bytes.
const NUMBER_UNITS = 5

/** Checks the leaves of one value after the other, and adds up how long its text can be at most. */
class CopySize {
  /** The leaves are what JSON has; anything else is written at once, while it is what it is. */
  isPlain = true
  private units = 0

  start(): void {
    this.isPlain = true
    this.units = 0
  }

  get mostBytes(): number {
    return this.units * UNIT_BYTES
  }

  readonly grow = (units: number): void => {
    this.units += units
  }

  readonly leaf: Leaf = (value) => {
    if (typeof value === 'string') {
      // The engine would escape a lone surrogate where RFC 8785 refuses it.
      if (!value.isWellFormed()) throw loneSurrogate()
      this.units += value.length + 1
    } else if (typeof value === 'number' || typeof value === 'boolean') this.units += NUMBER_UNITS
    else if (value !== null && value !== undefined) this.isPlain = false
    else this.units += 1
    return value
  }
}

class CopySource {
  readonly functions: string[] = []
  private next = 0

  expression(shape: Shape, value: string): string {
    switch (shape.kind) {
      case 'object':
        return this.objectExpression(shape, value)
      case 'array':
        return this.arrayExpression(shape.items, value)
      case 'nullable':
        return `(${value} === null ? leaf(null) : ${this.expression(shape.inner, value)})`
      default:
        return `leaf(${value})`
    }
  }

  // By a constructor: V8 would take the copies, the first of which all wait in the audit, for
  // objects that live long, and make those of a literal in the old generation from then on.
  private objectExpression(shape: ObjectShape, value: string): string {
    const name = this.name()
    const fields = [...shape.fields].sort(byCodeUnit)
    const parameters = fields.map((_, index) => `value${index}`)
    const lines = fields.map(
      (field, index) => `this[${JSON.stringify(field.name)}] = value${index}`,
    )
    this.functions.push(`function ${name}(${parameters.join(', ')}) { ${lines.join('; ')} }`)
    const members = fields.map((field) => {
      const member = `${value}[${JSON.stringify(field.name)}]`
      const inner = this.expression(field.shape, member)
      return field.optional ? `(${member} === undefined ? undefined : ${inner})` : inner
    })
    const keyBytes = fields.reduce((sum, { name: key }) => sum + 3 * JSON.stringify(key).length, 4)
    const units = Math.ceil((keyBytes + 2 * fields.length) / UNIT_BYTES)
    return `(grow(${units}), new ${name}(${members.join(', ')}))`
  }

  private arrayExpression(items: Shape, value: string): string {
    const name = this.name()
    const item = this.expression(items, 'item')
    const isLeaf = item === 'leaf(item)'
    this.functions.push(
      isLeaf
        ? `function ${name}(items) { grow(1); for (let index = 0; index < items.length; index++) leaf(items[index]); return items.slice() }`
        : `function ${name}(items) { grow(1 + items.length); return items.map((item) => ${item}) }`,
    )
    return `${name}(${value})`
  }

  private name(): string {
    return `Copy${this.next++}`
  }
}

function concatenatingWriter(shape: Shape): Writer {
  const source = new Source()
  const expression = source.expression(shape, 'value')
  const make = new Function(
    'text',
    'number',
    'any',
    `${source.functions.join('\n')}\nreturn (value) => ${expression}`,
  )
  const write = make(canonicalString, canonicalNumber, canonicalJson) as (value: unknown) => string
  return (value) => new CanonicalText(write(value))
}

// source text grows while shapes are read: only here does a class hold that state
class Source {
  readonly functions: string[] = []
  private next = 0

  expression(shape: Shape, value: string): string {
    switch (shape.kind) {
      case 'string':
        return `text(${value})`
      case 'number':
        return `number(${value})`
      case 'boolean':
        return `(${value} ? 'true' : 'false')`
      case 'nullable':
        return `(${value} === null ? 'null' : ${this.expression(shape.inner, value)})`
      case 'object':
        if (shape.rest !== undefined) return `any(${value})`
        return `${this.objectFunction(shape)}(${value})`
      case 'array':
        return `${this.arrayFunction(shape.items)}(${value})`
      case 'any':
      case 'tuple':
      case 'record':
      case 'union':
      case 'lazy':
        return `any(${value})`
    }
  }

  private objectFunction(shape: ObjectShape): string {
    const name = this.name()
    const lines = [...shape.fields].sort(byCodeUnit).map((field) => {
      const member = `value[${JSON.stringify(field.name)}]`
      const label = JSON.stringify(`${canonicalString(field.name)}:`)
      const append = `out += (out.length > 1 ? ',' : '') + ${label} + ${this.expression(field.shape, member)}`
      if (!field.optional) return append
      const isThere =
        field.name in Object.prototype
          ? `Object.hasOwn(value, ${JSON.stringify(field.name)})`
          : `${member} !== undefined`
      return `if (${isThere}) ${append}`
    })
    this.functions.push(
      `function ${name}(value) { let out = '{'; ${lines.join('; ')}; return out + '}' }`,
    )
    return name
  }

  private arrayFunction(items: Shape): string {
    const name = this.name()
    const item = this.expression(items, 'value[index]')
    this.functions.push(
      `function ${name}(value) { let out = '['; for (let index = 0; index < value.length; index++) out += (index === 0 ? '' : ',') + ${item}; return out + ']' }`,
    )
    return name
  }

  private name(): string {
    return `write${this.next++}`
  }
}

function byCodeUnit(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name < right.name ? -1 : 1
}
