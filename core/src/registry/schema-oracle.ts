// For tests alone: a plain validator that shares nothing with the code it judges.

/**
 * How an object with keys it does not declare is read: `plain` by the letter, `known` as if `properties` without
 * `additionalProperties` refused them, `tolerant` as if nothing did.
 */
export type Reading = 'plain' | 'known' | 'tolerant'

type Schema = { readonly [keyword: string]: unknown } | boolean
type Fields = { readonly [name: string]: unknown }

/** Whether a value is valid, keyword by keyword. */
export function isValid(root: unknown, value: unknown, reading: Reading): boolean {
  const check = (schema: unknown, inner: unknown, as: Reading): boolean => fits(schema as Schema, inner, as)

  function fits(schema: Schema, given: unknown, as: Reading): boolean {
    if (typeof schema === 'boolean') return schema
    return Object.entries(schema).every(([keyword, said]) => keeps(keyword, said, schema, given, as))
  }

  function keeps(keyword: string, said: unknown, schema: Fields, given: unknown, as: Reading): boolean {
    const list = said as readonly unknown[]
    switch (keyword) {
      case '$ref':
        return check(at(root, String(said)), given, as)
      case 'type':
        return [said].flat().some((type) => isOfType(given, String(type)))
      case 'const':
        return equal(said, given)
      case 'enum':
        return list.some((one) => equal(one, given))
      case 'allOf':
        return list.every((one) => check(one, given, as))
      case 'anyOf':
        return list.some((one) => check(one, given, as))
      case 'oneOf':
        return exactlyOne(list, given, as) || (as === 'tolerant' && exactlyOne(list, given, 'plain'))
      case 'not':
        return !check(said, given, 'plain')
      case 'if':
        return check(check(said, given, 'plain') ? (schema.then ?? true) : (schema.else ?? true), given, as)
    }
    if (typeof given === 'number') return keepsNumber(keyword, Number(said), given)
    if (typeof given === 'string') return keepsText(keyword, said, given)
    if (Array.isArray(given)) return keepsList(keyword, said, schema, given, as)
    return typeof given !== 'object' || given === null || keepsRecord(keyword, said, schema, given as Fields, as)
  }

  function exactlyOne(list: readonly unknown[], given: unknown, as: Reading): boolean {
    return list.filter((one) => check(one, given, as)).length === 1
  }

  function keepsList(keyword: string, said: unknown, schema: Fields, given: readonly unknown[], as: Reading): boolean {
    const prefix = (schema.prefixItems ?? []) as readonly unknown[]
    switch (keyword) {
      case 'minItems':
        return given.length >= Number(said)
      case 'maxItems':
        return given.length <= Number(said)
      case 'uniqueItems':
        return said === false || given.every((one, index) => !given.slice(0, index).some((other) => equal(one, other)))
      case 'prefixItems':
        return given.slice(0, prefix.length).every((one, index) => check(prefix[index], one, as))
      case 'items':
        return given.slice(prefix.length).every((one) => check(said, one, as))
      case 'contains':
        return given.some((one) => check(said, one, 'plain'))
    }
    return true
  }

  function keepsRecord(keyword: string, said: unknown, schema: Fields, given: Fields, as: Reading): boolean {
    const names = Object.keys(given)
    const properties = (schema.properties ?? {}) as Fields
    const patterns = Object.entries((schema.patternProperties ?? {}) as Fields)
    const others = names.filter((name) => !Object.hasOwn(properties, name) && !patterns.some(([one]) => new RegExp(one, 'u').test(name)))
    switch (keyword) {
      case 'minProperties':
        return names.length >= Number(said)
      case 'maxProperties':
        return names.length <= Number(said)
      case 'required':
        return (said as readonly string[]).every((name) => Object.hasOwn(given, name))
      case 'propertyNames':
        return names.every((name) => check(said, name, as))
      case 'patternProperties':
        return patterns.every(([one, inner]) => names.every((name) => !new RegExp(one, 'u').test(name) || check(inner, given[name], as)))
      case 'additionalProperties':
        return (as === 'tolerant' && said === false) || others.every((name) => check(said, given[name], as))
      case 'properties': {
        const required = (schema.required ?? []) as readonly string[]
        const isClosed = as === 'known' && !Object.hasOwn(schema, 'additionalProperties')
        if (isClosed && others.some((name) => !required.includes(name))) return false
        return names.every((name) => !Object.hasOwn(properties, name) || check(properties[name], given[name], as))
      }
    }
    return true
  }

  return check(root, value, reading)
}

function keepsNumber(keyword: string, said: number, given: number): boolean {
  switch (keyword) {
    case 'minimum':
      return given >= said
    case 'maximum':
      return given <= said
    case 'exclusiveMinimum':
      return given > said
    case 'exclusiveMaximum':
      return given < said
    case 'multipleOf':
      return Number.isInteger(given / said)
  }
  return true
}

function keepsText(keyword: string, said: unknown, given: string): boolean {
  switch (keyword) {
    case 'minLength':
      return [...given].length >= Number(said)
    case 'maxLength':
      return [...given].length <= Number(said)
    case 'pattern':
      return new RegExp(String(said), 'u').test(given)
  }
  return true
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  return typeof value === type && value !== null && !Array.isArray(value)
}

function equal(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return left === right
  const [ones, others] = [Object.keys(left), Object.keys(right)]
  if (Array.isArray(left) !== Array.isArray(right) || ones.length !== others.length) return false
  return ones.every((name) => Object.hasOwn(right, name) && equal((left as Fields)[name], (right as Fields)[name]))
}

function at(root: unknown, reference: string): unknown {
  return reference
    .split('/')
    .slice(1)
    .reduce((current, step) => (current as Fields)[step], root)
}
