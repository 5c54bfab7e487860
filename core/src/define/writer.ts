import { canonicalJson, canonicalNumber, canonicalString } from '../call/canonical.ts'
import { once } from './once.ts'
import type { ObjectShape, Shape } from './shape.ts'

export type Writer = (value: unknown) => string

/**
 * A canonical JSON writer compiled for one shape: keys are sorted once, and what the schema has
 * checked is not checked again. `omit` leaves top-level fields out: the idempotency key is not part
 * of what a call means.
 */
export function compileWriter(shape: Shape, omit: ReadonlySet<string> = new Set()): Writer {
  const hasUnknownKeys = shape.kind === 'object' && shape.rest !== undefined
  if (hasUnknownKeys || !canGenerateCode()) return (value) => canonicalJson(without(value, omit))
  const root =
    shape.kind === 'object'
      ? { ...shape, fields: shape.fields.filter((field) => !omit.has(field.name)) }
      : shape
  return isStatic(root) ? sortingWriter(root) : concatenatingWriter(root)
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

function without(value: unknown, omit: ReadonlySet<string>): unknown {
  if (omit.size === 0) return value
  return Object.fromEntries(
    Object.entries(value as Record<string, unknown>).filter(([name]) => !omit.has(name)),
  )
}

/**
 * Is every key of it known? Then putting them in order and handing them to the engine's own writer
 * is the fastest way.
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

function sortingWriter(shape: Shape): Writer {
  const sort = new Function('value', `return ${sortExpression(shape, 'value', 0)}`)
  return (value) => {
    const text = JSON.stringify(sort(value))
    // the engine escapes a lone surrogate where RFC 8785 refuses it; the plain writer distinguishes
    // it from a written-out "\ud"
    return text.includes('\\ud') ? canonicalJson(sort(value)) : text
  }
}

function sortExpression(shape: Shape, value: string, depth: number): string {
  switch (shape.kind) {
    case 'object': {
      const members = [...shape.fields].sort(byCodeUnit).map((field) => {
        const member = `${value}[${JSON.stringify(field.name)}]`
        const inner = sortExpression(field.shape, member, depth)
        return `${JSON.stringify(field.name)}: ${field.optional && inner !== member ? `${member} === undefined ? undefined : ${inner}` : inner}`
      })
      return `({ ${members.join(', ')} })`
    }
    case 'array': {
      const item = `item${depth}`
      const inner = sortExpression(shape.items, item, depth + 1)
      return inner === item ? value : `${value}.map((${item}) => ${inner})`
    }
    case 'nullable': {
      const inner = sortExpression(shape.inner, value, depth)
      return inner === value ? value : `(${value} === null ? null : ${inner})`
    }
    default:
      return value
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
  return make(canonicalString, canonicalNumber, canonicalJson) as Writer
}

// source text grows while shapes are read: the one place where a class holds that state
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
