import { canonicalJson } from '@surehand/core/internal'

/** The JSON Schema type of a value: `integer` for whole numbers, which are numbers as well. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return typeof value
}

export function sameJson(left: unknown, right: unknown): boolean {
  return (
    left === right ||
    (typeof left === 'object' &&
      typeof right === 'object' &&
      canonicalJson(left) === canonicalJson(right))
  )
}

export function isOfType(value: unknown, type: unknown): boolean {
  const kind = kindOf(value)
  const types = Array.isArray(type) ? type : [type]
  return types.includes(kind) || (kind === 'integer' && types.includes('number'))
}
