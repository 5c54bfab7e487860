// For tests alone: schemas changed in ways whose consequences are known.

export type Node = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, Node>>

/** Picks a number from 0 up to, but not including, another. */
export type Pick = (below: number) => number

/** The object as a variant of a union, known by its `kind`. */
export function variant(object: Node, kind: string): Node {
  return {
    ...object,
    properties: { ...(object.properties as Fields), kind: { const: kind } },
    required: [...listed(object.required), 'kind'],
  }
}

function listed(value: unknown): readonly string[] {
  return (value ?? []) as readonly string[]
}

/** A place in a schema: how to put another schema there, and how to put a value of it into a value of the whole. */
export type Place = { readonly node: Node; readonly put: (node: Node) => Node; readonly wrap: (value: unknown) => unknown }

/** Every place of a schema. */
export function places(schema: Node): readonly Place[] {
  return placesAt({ node: schema, put: (changed) => changed, wrap: (value) => value })
}

function placesAt(at: Place): readonly Place[] {
  const { node: whole, put, wrap } = at
  const inner: Place[] = Object.entries((whole.properties ?? {}) as Fields).map(([name, one]) => ({
    node: one,
    put: (changed) => put({ ...whole, properties: { ...(whole.properties as Fields), [name]: changed } }),
    wrap: (value) => wrap({ ...(sample(whole, () => 0) as object), [name]: value }),
  }))
  if (whole.items !== undefined) {
    const size = Math.max(1, Number(whole.minItems ?? 0))
    const wrapped = (value: unknown) => wrap(Array.from({ length: size }, () => value))
    inner.push({ node: whole.items as Node, put: (items) => put({ ...whole, items }), wrap: wrapped })
  }
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = (whole[keyword] ?? []) as readonly Node[]
    const replaced = (index: number) => (changed: Node) => put({ ...whole, [keyword]: branches.with(index, changed) })
    inner.push(...branches.map((one, index) => ({ node: one, put: replaced(index), wrap })))
  }
  return [at, ...inner.flatMap(placesAt)]
}

const SCALARS = [null, true, 0, 2, 5, 9, 1.5, '', 'red', 'grey', 'abcdef', [], {}]

/** A value of a schema; the picker says which. */
export function sample(schema: Node, pick: Pick): unknown {
  const branches = (schema.anyOf ?? schema.oneOf) as readonly Node[] | undefined
  if (branches !== undefined) return sample(branches[pick(branches.length)] as Node, pick)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return listed(schema.enum)[pick(listed(schema.enum).length)]
  const sized = (least: string, most: string) => {
    const from = Number(schema[least] ?? 0)
    return from + pick(Number(schema[most] ?? from + 3) - from + 1)
  }
  switch (schema.type) {
    case 'string':
      return 'x'.repeat(sized('minLength', 'maxLength'))
    case 'number':
      return Math.min(sized('minimum', 'maximum') + pick(2) / 2, Number(schema.maximum ?? Number.POSITIVE_INFINITY))
    case 'integer':
      return sized('minimum', 'maximum')
    case 'boolean':
      return pick(2) === 0
    case 'null':
      return null
    case 'array':
      return Array.from({ length: sized('minItems', 'maxItems') }, () => sample(schema.items as Node, pick))
  }
  const present = Object.entries((schema.properties ?? {}) as Fields).filter(
    ([name]) => listed(schema.required).includes(name) || pick(2) === 1,
  )
  return Object.fromEntries(present.map(([name, one]) => [name, sample(one, pick)]))
}

/** The value with something in it replaced, left out or added. */
export function disturbed(value: unknown, pick: Pick): unknown {
  if (typeof value !== 'object' || value === null || pick(4) === 0) return SCALARS[pick(SCALARS.length)]
  if (Array.isArray(value)) return pick(3) === 0 ? value.slice(1) : value.map((item) => (pick(2) === 0 ? disturbed(item, pick) : item))
  const entries = Object.entries(value).filter(() => pick(6) > 0)
  const changed = entries.map(([name, one]) => [name, pick(2) === 0 ? disturbed(one, pick) : one])
  return Object.fromEntries(pick(3) === 0 ? [...changed, [['a', 'b', 'c', 'd'][pick(4)], SCALARS[pick(SCALARS.length)]]] : changed)
}

type Change = { readonly schema: Node; readonly witness: unknown }

const without = (schema: Node, keyword: string): Node => Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword))
const filled = (schema: Node, length: number) => Array.from({ length }, () => sample(schema.items as Node, () => 0))
const isOpen = (schema: Node) => schema.type === 'object' && schema.additionalProperties === undefined

/** What makes a schema wider, with a value that only the wider one takes. */
export const widenings: Readonly<Record<string, (schema: Node) => Change | undefined>> = {
  'lowers a minimum': (schema) =>
    schema.minimum === undefined
      ? undefined
      : { schema: { ...schema, minimum: Number(schema.minimum) - 1 }, witness: Number(schema.minimum) - 1 },
  'drops a maximum': (schema) =>
    schema.maximum === undefined ? undefined : { schema: without(schema, 'maximum'), witness: Number(schema.maximum) + 1 },
  'drops a minimum length': (schema) =>
    Number(schema.minLength ?? 0) === 0
      ? undefined
      : { schema: without(schema, 'minLength'), witness: 'x'.repeat(Number(schema.minLength) - 1) },
  'raises a maximum length': (schema) => {
    const most = Number(schema.maxLength) + 1
    return schema.maxLength === undefined ? undefined : { schema: { ...schema, maxLength: most }, witness: 'x'.repeat(most) }
  },
  'drops a minimum of items': (schema) =>
    Number(schema.minItems ?? 0) === 0
      ? undefined
      : { schema: without(schema, 'minItems'), witness: filled(schema, Number(schema.minItems) - 1) },
  'raises a maximum of items': (schema) => {
    const most = Number(schema.maxItems) + 1
    return schema.maxItems === undefined ? undefined : { schema: { ...schema, maxItems: most }, witness: filled(schema, most) }
  },
  'takes one more value': (schema) =>
    schema.enum === undefined ? undefined : { schema: { ...schema, enum: ['black', ...listed(schema.enum)] }, witness: 'black' },
  'takes any text': (schema) => (schema.enum === undefined ? undefined : { schema: { type: 'string' }, witness: 'black' }),
  'takes fractions': (schema) =>
    schema.type === 'integer'
      ? { schema: { ...schema, type: 'number' }, witness: Number(schema.minimum ?? Number(schema.maximum ?? 9) - 1) + 0.5 }
      : undefined,
  'takes null beside': (schema) =>
    schema.anyOf !== undefined || schema.const !== undefined ? undefined : { schema: { anyOf: [{ type: 'null' }, schema] }, witness: null },
  'takes null as a type': (schema) =>
    typeof schema.type !== 'string' || schema.enum !== undefined
      ? undefined
      : { schema: { ...schema, type: [schema.type, 'null'] }, witness: null },
  'takes one more variant': (schema) =>
    schema.oneOf === undefined
      ? undefined
      : { schema: { oneOf: [variant({ type: 'object' }, 'v9'), ...(schema.oneOf as readonly Node[])] }, witness: { kind: 'v9' } },
  'requires less': (schema) => {
    const [name, ...rest] = listed(schema.required).filter((one) => one !== 'kind')
    if (name === undefined) return undefined
    const { [name]: _gone, ...witness } = sample(schema, () => 0) as Node
    return { schema: { ...schema, required: [...rest, ...listed(schema.required).filter((one) => one === 'kind')] }, witness }
  },
}

/** What breaks nothing, neither forth nor back. */
export const harmless: Readonly<Record<string, (schema: Node) => Node | undefined>> = {
  'adds an optional field': (schema) =>
    isOpen(schema) ? { ...schema, properties: { ...(schema.properties as Fields), extra: { type: 'string', minLength: 2 } } } : undefined,
  'is put in another order': (schema) => ({
    ...Object.fromEntries(Object.entries(schema).reverse()),
    ...(schema.enum === undefined ? {} : { enum: listed(schema.enum).toReversed() }),
    ...(schema.required === undefined ? {} : { required: listed(schema.required).toReversed() }),
    ...(schema.oneOf === undefined ? {} : { oneOf: (schema.oneOf as readonly Node[]).toReversed() }),
  }),
  'is described': (schema) => ({ ...schema, title: 'A title', description: 'Words.', examples: [1] }),
  'is written as allOf': (schema) => (schema.additionalProperties === undefined ? { allOf: [schema] } : undefined),
}

/** What makes a schema narrower, with a value that only the one before takes; `input` where an output may do the reverse. */
export const breakings: readonly {
  readonly name: string
  readonly direction: 'input' | 'both'
  readonly change: (schema: Node) => Change | undefined
}[] = [
  {
    name: 'asks for a new field',
    direction: 'both',
    change: (schema) =>
      isOpen(schema)
        ? {
            schema: {
              ...schema,
              properties: { ...(schema.properties as Fields), extra: {} },
              required: [...listed(schema.required), 'extra'],
            },
            witness: least(schema),
          }
        : undefined,
  },
  {
    name: 'is of another type',
    direction: 'both',
    change: (schema) => (schema.type === 'string' ? { schema: { type: 'boolean' }, witness: least(schema) } : undefined),
  },
  {
    name: 'must match a pattern',
    direction: 'both',
    change: (schema) =>
      schema.type === 'string' ? { schema: { ...schema, pattern: '^nothing like it$' }, witness: least(schema) } : undefined,
  },
  {
    name: 'refuses unknown keys',
    direction: 'input',
    change: (schema) =>
      isOpen(schema)
        ? { schema: { ...schema, additionalProperties: false }, witness: { ...(least(schema) as Node), unknown: 1 } }
        : undefined,
  },
  {
    name: 'refuses a field it took',
    direction: 'input',
    change: (schema) => {
      const properties = (schema.properties ?? {}) as Fields
      const [name] = Object.keys(properties).filter((one) => one !== 'kind')
      if (schema.additionalProperties !== false || name === undefined) return undefined
      const witness = { ...(least(schema) as Node), [name]: least(properties[name] as Node) }
      const required = listed(schema.required).filter((one) => one !== name)
      return { schema: { ...schema, properties: without(properties, name), required }, witness }
    },
  },
]

function least(schema: Node): unknown {
  return sample(schema, () => 0)
}
