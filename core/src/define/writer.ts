import { canonicalJson, canonicalNumber, canonicalString } from '../call/canonical.ts'
import type { ObjectShape, Shape } from './shape.ts'

export type Writer = (value: unknown) => string

/**
 * A canonical JSON writer made for one shape: keys sorted once, no type tests for what the schema has already checked.
 * `omit` leaves top-level fields out (the idempotency key is no part of what a call means).
 */
export function compileWriter(shape: Shape, omit: ReadonlySet<string> = new Set()): Writer {
  const source = new Source()
  if (shape.kind === 'object' && shape.open) return (value) => canonicalJson(without(value, omit))
  const root = shape.kind === 'object' ? { ...shape, fields: shape.fields.filter((field) => !omit.has(field.name)) } : shape
  const expression = source.expression(root, 'value')
  const make = new Function('text', 'number', 'any', `${source.functions.join('\n')}\nreturn (value) => ${expression}`)
  return make(canonicalString, canonicalNumber, canonicalJson) as Writer
}

function without(value: unknown, omit: ReadonlySet<string>): unknown {
  return Object.fromEntries(Object.entries(value as Record<string, unknown>).filter(([name]) => !omit.has(name)))
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
        if (shape.open) return `any(${value})`
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
      return field.optional ? `if (${member} !== undefined) ${append}` : append
    })
    this.functions.push(`function ${name}(value) { let out = '{'; ${lines.join('; ')}; return out + '}' }`)
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
