// For tests alone: a plain validator that shares nothing with the code it judges.

/**
 * How keys that an object does not declare are read: `plain` by the letter, `known` as if `properties` without
 * `additionalProperties` refused them, `tolerant` as if `additionalProperties: false` did not.
 */
export type Reading = 'plain' | 'known' | 'tolerant'

type Fields = { readonly [name: string]: unknown }
type Oracle = { readonly root: unknown; readonly reading: Reading }
type Rule = { readonly keyword: string; readonly said: unknown; readonly schema: Fields }

/** Whether a value is valid, keyword by keyword. */
export function isValid(root: unknown, value: unknown, reading: Reading): boolean {
  return fits(root, value, { root, reading })
}

function fits(schema: unknown, value: unknown, oracle: Oracle): boolean {
  if (typeof schema === 'boolean') return schema
  return Object.entries(schema as Fields).every(([keyword, said]) => keeps({ keyword, said, schema: schema as Fields }, value, oracle))
}

function keeps(rule: Rule, value: unknown, oracle: Oracle): boolean {
  const { keyword, said, schema } = rule
  const list = said as readonly unknown[]
  const plain: Oracle = { ...oracle, reading: 'plain' }
  const counts = (as: Oracle) => list.filter((one) => fits(one, value, as)).length
  switch (keyword) {
    case '$ref':
      return fits(target(oracle.root, String(said)), value, oracle)
    case 'type':
      return [said].flat().some((type) => isOfType(value, String(type)))
    case 'const':
      return equal(said, value)
    case 'enum':
      return list.some((one) => equal(one, value))
    case 'allOf':
      return counts(oracle) === list.length
    case 'anyOf':
      return counts(oracle) > 0
    case 'oneOf':
      return counts(oracle) === 1 || (oracle.reading === 'tolerant' && counts(plain) === 1)
    case 'not':
      return !fits(said, value, plain)
    case 'if':
      return fits((fits(said, value, plain) ? schema.then : schema.else) ?? true, value, oracle)
  }
  if (typeof value === 'number') return keepsNumber(keyword, said as number, value)
  if (typeof value === 'string') return keepsText(keyword, said, value)
  if (Array.isArray(value)) return keepsList(rule, value, oracle)
  return typeof value !== 'object' || value === null || keepsRecord(rule, value as Fields, oracle)
}

function keepsNumber(keyword: string, said: number, value: number): boolean {
  switch (keyword) {
    case 'minimum':
      return value >= said
    case 'maximum':
      return value <= said
    case 'exclusiveMinimum':
      return value > said
    case 'exclusiveMaximum':
      return value < said
    case 'multipleOf':
      return Number.isInteger(value / said)
  }
  return true
}

function keepsText(keyword: string, said: unknown, value: string): boolean {
  switch (keyword) {
    case 'minLength':
      return [...value].length >= (said as number)
    case 'maxLength':
      return [...value].length <= (said as number)
    case 'pattern':
      return new RegExp(String(said), 'u').test(value)
  }
  return true
}

function keepsList({ keyword, said, schema }: Rule, value: readonly unknown[], oracle: Oracle): boolean {
  const prefix = (schema.prefixItems ?? []) as readonly unknown[]
  switch (keyword) {
    case 'minItems':
      return value.length >= (said as number)
    case 'maxItems':
      return value.length <= (said as number)
    case 'uniqueItems':
      return said === false || value.every((one, index) => !value.slice(0, index).some((other) => equal(one, other)))
    case 'prefixItems':
      return value.slice(0, prefix.length).every((one, index) => fits(prefix[index], one, oracle))
    case 'items':
      return value.slice(prefix.length).every((one) => fits(said, one, oracle))
    case 'contains':
      return value.some((one) => fits(said, one, { ...oracle, reading: 'plain' }))
  }
  return true
}

function keepsRecord({ keyword, said, schema }: Rule, value: Fields, oracle: Oracle): boolean {
  const names = Object.keys(value)
  const properties = (schema.properties ?? {}) as Fields
  const patterns = Object.entries((schema.patternProperties ?? {}) as Fields).map(([one, inner]) => ({
    expression: new RegExp(one, 'u'),
    inner,
  }))
  const others = names.filter((name) => !Object.hasOwn(properties, name) && !patterns.some(({ expression }) => expression.test(name)))
  switch (keyword) {
    case 'minProperties':
      return names.length >= (said as number)
    case 'maxProperties':
      return names.length <= (said as number)
    case 'required':
      return (said as readonly string[]).every((name) => Object.hasOwn(value, name))
    case 'propertyNames':
      return names.every((name) => fits(said, name, oracle))
    case 'properties':
      if (others.some((name) => isStripped(name, schema, oracle))) return false
      return names.every((name) => !Object.hasOwn(properties, name) || fits(properties[name], value[name], oracle))
    case 'patternProperties':
      return patterns.every(({ expression, inner }) => names.every((name) => !expression.test(name) || fits(inner, value[name], oracle)))
    case 'additionalProperties':
      return (oracle.reading === 'tolerant' && said === false) || others.every((name) => fits(said, value[name], oracle))
  }
  return true
}

function isStripped(name: string, schema: Fields, { reading }: Oracle): boolean {
  const required = (schema.required ?? []) as readonly string[]
  return reading === 'known' && schema.additionalProperties === undefined && !required.includes(name)
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

function target(root: unknown, reference: string): unknown {
  const steps = reference.split('/').slice(1)
  return steps.reduce((current, step) => (current as Fields)[step], root)
}
