import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../define/json-schema.ts'
import { changeLevel, schemaDifference } from './schema-difference.ts'
import { isValid } from './schema-oracle.ts'

type Node = Record<string, unknown>
type Fields = Record<string, Node>
type Pick = (below: number) => number

// the schemas: what tools ask for, with names and numbers few enough to meet each other

const bound = fc.nat({ max: 4 })
const range = (least: string, most: string) =>
  fc.tuple(fc.boolean(), fc.boolean(), bound, bound).map(([hasLeast, hasMost, from, more]): Node => ({
    ...(hasLeast ? { [least]: from } : {}),
    ...(hasMost ? { [most]: from + more + 1 } : {}),
  }))
const named = fc.constantFrom('a', 'b', 'c', 'd')
const { node } = fc.letrec<{ node: Node; object: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    range('minLength', 'maxLength').map((sizes) => ({ type: 'string', ...sizes })),
    fc.tuple(fc.constantFrom('integer', 'number'), range('minimum', 'maximum')).map(([type, limits]) => ({ type, ...limits })),
    fc.constant<Node>({ type: 'boolean' }),
    fc.uniqueArray(fc.constantFrom('red', 'green', 'blue', 'grey'), { minLength: 1 }).map((values) => ({ type: 'string', enum: values })),
    tie('object'),
    fc.tuple(tie('node'), range('minItems', 'maxItems')).map(([items, sizes]) => ({ type: 'array', items, ...sizes })),
    fc.tuple(tie('object'), tie('object')).map((variants) => ({ oneOf: variants.map((one, index) => variant(one, `v${index}`)) })),
  ),
  object: fc
    .tuple(fc.dictionary(named, tie('node'), { maxKeys: 3 }), fc.uniqueArray(named, { maxLength: 2 }), fc.boolean())
    .map(([properties, required, isClosed]) => ({
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      ...(isClosed ? { additionalProperties: false } : {}),
    })),
}))

function variant(object: Node, kind: string): Node {
  return { ...object, properties: { ...(object.properties as Fields), kind: { const: kind } }, required: [...listed(object.required), 'kind'] }
}

function listed(value: unknown): readonly string[] {
  return (value ?? []) as readonly string[]
}

// the places of a schema: how to put another schema there, and how to put a value of it into a value of the whole

type Place = { readonly node: Node; readonly put: (node: Node) => Node; readonly wrap: (value: unknown) => unknown }

function places(at: Place): readonly Place[] {
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
  return [at, ...inner.flatMap(places)]
}

const SCALARS = [null, true, 0, 2, 5, 9, 1.5, '', 'red', 'grey', 'abcdef', [], {}]

/** A value of a schema; the picker says which. */
function sample(schema: Node, pick: Pick): unknown {
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
  const present = Object.entries((schema.properties ?? {}) as Fields).filter(([name]) => listed(schema.required).includes(name) || pick(2) === 1)
  return Object.fromEntries(present.map(([name, one]) => [name, sample(one, pick)]))
}

/** The value with something in it replaced, left out or added. */
function disturbed(value: unknown, pick: Pick): unknown {
  if (typeof value !== 'object' || value === null || pick(4) === 0) return SCALARS[pick(SCALARS.length)]
  if (Array.isArray(value)) return pick(3) === 0 ? value.slice(1) : value.map((item) => (pick(2) === 0 ? disturbed(item, pick) : item))
  const entries = Object.entries(value).filter(() => pick(6) > 0)
  const changed = entries.map(([name, one]) => [name, pick(2) === 0 ? disturbed(one, pick) : one])
  return Object.fromEntries(pick(3) === 0 ? [...changed, [['a', 'b', 'c', 'd'][pick(4)], SCALARS[pick(SCALARS.length)]]] : changed)
}

// the mutations: each one makes a schema wider, and knows a value that only the wider one takes

type Widening = { readonly schema: Node; readonly witness: unknown }

const without = (schema: Node, keyword: string): Node => Object.fromEntries(Object.entries(schema).filter(([name]) => name !== keyword))
const filled = (schema: Node, length: number) => Array.from({ length }, () => sample(schema.items as Node, () => 0))
const isOpen = (schema: Node) => schema.type === 'object' && schema.additionalProperties === undefined

const widenings: Readonly<Record<string, (schema: Node) => Widening | undefined>> = {
  'lowers a minimum': (schema) =>
    schema.minimum === undefined ? undefined : { schema: { ...schema, minimum: Number(schema.minimum) - 1 }, witness: Number(schema.minimum) - 1 },
  'drops a maximum': (schema) => (schema.maximum === undefined ? undefined : { schema: without(schema, 'maximum'), witness: Number(schema.maximum) + 1 }),
  'drops a minimum length': (schema) =>
    Number(schema.minLength ?? 0) === 0 ? undefined : { schema: without(schema, 'minLength'), witness: 'x'.repeat(Number(schema.minLength) - 1) },
  'raises a maximum length': (schema) => {
    const most = Number(schema.maxLength) + 1
    return schema.maxLength === undefined ? undefined : { schema: { ...schema, maxLength: most }, witness: 'x'.repeat(most) }
  },
  'drops a minimum of items': (schema) =>
    Number(schema.minItems ?? 0) === 0 ? undefined : { schema: without(schema, 'minItems'), witness: filled(schema, Number(schema.minItems) - 1) },
  'raises a maximum of items': (schema) => {
    const most = Number(schema.maxItems) + 1
    return schema.maxItems === undefined ? undefined : { schema: { ...schema, maxItems: most }, witness: filled(schema, most) }
  },
  'takes one more value': (schema) =>
    schema.enum === undefined ? undefined : { schema: { ...schema, enum: ['black', ...listed(schema.enum)] }, witness: 'black' },
  'takes any text': (schema) => (schema.enum === undefined ? undefined : { schema: { type: 'string' }, witness: 'black' }),
  'takes fractions': (schema) =>
    schema.type === 'integer' ? { schema: { ...schema, type: 'number' }, witness: Number(schema.minimum ?? Number(schema.maximum ?? 9) - 1) + 0.5 } : undefined,
  'takes null beside': (schema) =>
    schema.anyOf !== undefined || schema.const !== undefined ? undefined : { schema: { anyOf: [{ type: 'null' }, schema] }, witness: null },
  'takes null as a type': (schema) =>
    typeof schema.type !== 'string' || schema.enum !== undefined ? undefined : { schema: { ...schema, type: [schema.type, 'null'] }, witness: null },
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

const harmless: Readonly<Record<string, (schema: Node) => Node | undefined>> = {
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

const whole = (schema: Node): Place => ({ node: schema, put: (changed) => changed, wrap: (value) => value })
const input = (before: JsonSchema, after: JsonSchema) => schemaDifference(before, after, 'input')
const output = (before: JsonSchema, after: JsonSchema) => schemaDifference(before, after, 'output')
const breaks = (changes: ReturnType<typeof input>) => changes.filter((change) => change.breaking)

test.each(Object.entries(widenings))('a schema that somewhere %s breaks no input that was valid, and an output that does the reverse breaks nobody', (_name, widen) => {
  let met = 0
  const property = fc.property(node, fc.nat(), (schema, at) => {
    const possible = places(whole(schema)).flatMap((place) => {
      const wider = widen(place.node)
      return wider === undefined ? [] : [{ place, ...wider }]
    })
    fc.pre(possible.length > 0)
    const { place, schema: changed, witness } = possible[at % possible.length] as (typeof possible)[number]
    const wide = place.put(changed)
    const value = place.wrap(witness)
    met++
    expect([isValid(schema, value, 'plain'), isValid(wide, value, 'plain')]).toEqual([false, true])
    expect(breaks(input(schema, wide))).toEqual([])
    expect(breaks(output(wide, schema))).toEqual([])
    expect(changeLevel(input(schema, wide))).toBe('minor')
    expect(breaks(input(wide, schema))).not.toEqual([])
    expect(breaks(output(schema, wide))).not.toEqual([])
  })
  fc.assert(property, { numRuns: 150 })
  expect(met).toBe(150)
})

test.each(Object.entries(harmless))('a schema that somewhere %s breaks neither inputs nor outputs', (_name, change) => {
  const property = fc.property(node, fc.nat(), (schema, at) => {
    const possible = places(whole(schema)).flatMap((place) => change(place.node)?.constructor === Object ? [place.put(change(place.node) as Node)] : [])
    fc.pre(possible.length > 0)
    const after = possible[at % possible.length] as Node
    for (const changes of [input(schema, after), output(schema, after), input(after, schema), output(after, schema)]) expect(breaks(changes)).toEqual([])
  })
  fc.assert(property, { numRuns: 150 })
})

test('a schema that is moved to $defs, wherever it stood, is the same schema', () => {
  const property = fc.property(node, fc.nat(), (schema, at) => {
    const all = places(whole(schema))
    const place = all[at % all.length] as Place
    const moved = { ...place.put({ $ref: '#/$defs/it' }), $defs: { it: place.node } }
    for (const direction of ['input', 'output'] as const) {
      expect(schemaDifference(schema, moved, direction)).toEqual([])
      expect(schemaDifference(moved, schema, direction)).toEqual([])
    }
  })
  fc.assert(property, { numRuns: 300 })
})

const mutations = [...Object.values(widenings).map((widen) => (schema: Node) => widen(schema)?.schema), ...Object.values(harmless)]

function mutated(schema: Node, other: Node, pick: Pick): Node {
  const all = places(whole(schema))
  const place = all[pick(all.length)] as Place
  const donor = places(whole(other))
  if (pick(4) === 0) return place.put((donor[pick(donor.length)] as Place).node)
  if (pick(4) === 0 && place.node.properties !== undefined) return place.put({ ...place.node, properties: {} })
  const possible = mutations.flatMap((mutate) => mutate(place.node) ?? [])
  return place.put(possible[pick(possible.length)] ?? place.node)
}

test('where nothing breaks, no value that is valid on the one side is invalid on the other', () => {
  const seen = { proven: 0, valid: 0 }
  const property = fc.property(node, node, fc.array(fc.nat({ max: 9_999 }), { minLength: 80, maxLength: 80 }), fc.boolean(), (schema, other, chances, isReversed) => {
    let used = 0
    const pick: Pick = (below) => (chances[used++ % chances.length] ?? 0) % below
    const steps = 1 + pick(3)
    let changed = schema
    for (let step = 0; step < steps; step++) changed = mutated(changed, other, pick)
    const [before, after] = isReversed ? [changed, schema] : [schema, changed]
    const samples = [before, after, before, after].flatMap((one) => {
      const value = sampleOrNothing(one, pick)
      return [value, disturbed(value, pick), disturbed(value, pick), disturbed(disturbed(value, pick), pick)]
    })
    const pairs = [
      { changes: input(before, after), narrow: before, wide: after, reading: 'plain' as const },
      { changes: output(before, after), narrow: after, wide: before, reading: 'tolerant' as const },
    ]
    for (const { narrow, wide, reading } of pairs.filter(({ changes }) => breaks(changes).length === 0)) {
      seen.proven++
      // a value without unknown keys: those are stripped before anybody sees them
      const valid = samples.filter((value) => isValid(narrow, value, 'known'))
      seen.valid += valid.length
      expect(valid.filter((value) => !isValid(wide, value, reading))).toEqual([])
    }
  })
  fc.assert(property, { numRuns: 2_500 })
  expect(seen.proven).toBeGreaterThan(1_500)
  expect(seen.valid).toBeGreaterThan(10_000)
})

// a mutation may leave what has no value, such as a minimum above the maximum
function sampleOrNothing(schema: Node, pick: Pick): unknown {
  try {
    return sample(schema, pick)
  } catch {
    return null
  }
}
