import type { JsonSchema } from '@surehand/core/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  breakings,
  disturbed,
  harmless,
  type Node,
  type Pick,
  type Place,
  places,
  sample,
  variant,
  widenings,
} from './fixtures/schema-mutations.ts'
import { isValid } from './fixtures/schema-oracle.ts'
import { changeLevel, schemaDifference } from './schema-difference.ts'

// what tools ask for, with names and numbers few enough to meet each other
const bound = fc.nat({ max: 4 })
const range = (least: string, most: string) =>
  fc.tuple(fc.boolean(), fc.boolean(), bound, bound).map(
    ([hasLeast, hasMost, from, more]): Node => ({
      ...(hasLeast ? { [least]: from } : {}),
      ...(hasMost ? { [most]: from + more + 1 } : {}),
    }),
  )
const named = fc.constantFrom('a', 'b', 'c', 'd')
const { node } = fc.letrec<{ node: Node; object: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    range('minLength', 'maxLength').map((sizes) => ({ type: 'string', ...sizes })),
    fc
      .tuple(fc.constantFrom('integer', 'number'), range('minimum', 'maximum'))
      .map(([type, limits]) => ({ type, ...limits })),
    fc.constant<Node>({ type: 'boolean' }),
    fc
      .uniqueArray(fc.constantFrom('red', 'green', 'blue', 'grey'), { minLength: 1 })
      .map((values) => ({ type: 'string', enum: values })),
    tie('object'),
    fc
      .tuple(tie('node'), range('minItems', 'maxItems'))
      .map(([items, sizes]) => ({ type: 'array', items, ...sizes })),
    fc
      .tuple(tie('object'), tie('object'))
      .map((variants) => ({ oneOf: variants.map((one, index) => variant(one, `v${index}`)) })),
  ),
  object: fc
    .tuple(
      fc.dictionary(named, tie('node'), { maxKeys: 3 }),
      fc.uniqueArray(named, { maxLength: 2 }),
      fc.boolean(),
    )
    .map(([properties, required, isClosed]) => ({
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      ...(isClosed ? { additionalProperties: false } : {}),
    })),
}))

const input = (before: JsonSchema, after: JsonSchema) => schemaDifference(before, after, 'input')
const output = (before: JsonSchema, after: JsonSchema) => schemaDifference(before, after, 'output')
const breaks = (changes: ReturnType<typeof input>) => changes.filter((change) => change.breaking)

test.each(Object.entries(widenings))(
  'a schema that somewhere %s breaks no input that was valid, and an output that does the reverse breaks nobody',
  (_name, widen) => {
    let met = 0
    const property = fc.property(node, fc.nat(), (schema, at) => {
      const possible = places(schema).flatMap((place) => {
        const wider = widen(place.node)
        return wider === undefined ? [] : [{ place, ...wider }]
      })
      fc.pre(possible.length > 0)
      const {
        place,
        schema: changed,
        witness,
      } = possible[at % possible.length] as (typeof possible)[number]
      const wide = place.put(changed)
      const value = place.wrap(witness)
      met++
      expect([isValid(schema, value, 'plain'), isValid(wide, value, 'plain')]).toEqual([
        false,
        true,
      ])
      expect(breaks(input(schema, wide))).toEqual([])
      expect(breaks(output(wide, schema))).toEqual([])
      expect(changeLevel(input(schema, wide))).toBe('minor')
      expect(breaks(input(wide, schema))).not.toEqual([])
      expect(breaks(output(schema, wide))).not.toEqual([])
    })
    fc.assert(property, { numRuns: 40 })
    expect(met).toBe(40)
  },
)

test.each(Object.entries(harmless))(
  'a schema that somewhere %s breaks neither inputs nor outputs',
  (_name, change) => {
    const property = fc.property(node, fc.nat(), (schema, at) => {
      const possible = places(schema).flatMap((place) => {
        const changed = change(place.node)
        return changed === undefined ? [] : [place.put(changed)]
      })
      fc.pre(possible.length > 0)
      const after = possible[at % possible.length] as Node
      for (const changes of [
        input(schema, after),
        output(schema, after),
        input(after, schema),
        output(after, schema),
      ])
        expect(breaks(changes)).toEqual([])
    })
    fc.assert(property, { numRuns: 40 })
  },
)

test.each(breakings)(
  'a schema that somewhere $name is said to break inputs',
  ({ change, direction }) => {
    const property = fc.property(node, fc.nat(), (schema, at) => {
      const possible = places(schema).flatMap((place) => {
        const narrower = change(place.node)
        return narrower === undefined ? [] : [{ place, ...narrower }]
      })
      fc.pre(possible.length > 0)
      const {
        place,
        schema: changed,
        witness,
      } = possible[at % possible.length] as (typeof possible)[number]
      const after = place.put(changed)
      const value = place.wrap(witness)
      expect([isValid(schema, value, 'plain'), isValid(after, value, 'plain')]).toEqual([
        true,
        false,
      ])
      expect(breaks(input(schema, after))).not.toEqual([])
      if (direction === 'both') expect(breaks(output(after, schema))).not.toEqual([])
    })
    fc.assert(property, { numRuns: 40 })
  },
)

test('a schema that is moved to $defs, wherever it stood, is the same schema', () => {
  const property = fc.property(node, fc.nat(), (schema, at) => {
    const all = places(schema)
    const place = all[at % all.length] as Place
    const moved = { ...place.put({ $ref: '#/$defs/it' }), $defs: { it: place.node } }
    for (const direction of ['input', 'output'] as const) {
      expect(schemaDifference(schema, moved, direction)).toEqual([])
      expect(schemaDifference(moved, schema, direction)).toEqual([])
    }
  })
  fc.assert(property, { numRuns: 300 })
})

const mutations = [
  ...Object.values(widenings).map((widen) => (schema: Node) => widen(schema)?.schema),
  ...Object.values(harmless),
]

function mutateSchema(schema: Node, other: Node, pick: Pick): Node {
  const all = places(schema)
  const place = all[pick(all.length)] as Place
  const donor = places(other)
  if (pick(4) === 0) return place.put((donor[pick(donor.length)] as Place).node)
  if (pick(4) === 0 && place.node.properties !== undefined)
    return place.put({ ...place.node, properties: {} })
  const possible = mutations.flatMap((mutate) => mutate(place.node) ?? [])
  return place.put((possible[pick(possible.length)] ?? place.node) as Node)
}

// `npm run fuzz` tries more of them.
const RUNS = process.env.SUREHAND_FUZZ === undefined ? 500 : 2_000

test('where nothing breaks, no value that is valid on the one side is invalid on the other', () => {
  const seen = { proven: 0, valid: 0 }
  const property = fc.property(
    node,
    node,
    fc.array(fc.nat({ max: 9_999 }), { minLength: 80, maxLength: 80 }),
    fc.boolean(),
    (schema, other, chances, isReversed) => {
      let used = 0
      const pick: Pick = (below) => (chances[used++ % chances.length] ?? 0) % below
      const steps = 1 + pick(3)
      let changed = schema
      for (let step = 0; step < steps; step++) changed = mutateSchema(changed, other, pick)
      const [before, after] = isReversed ? [changed, schema] : [schema, changed]
      const samples = [before, after, before, after].flatMap((one) => {
        const value = sampleOrNothing(one, pick)
        return [
          value,
          disturbed(value, pick),
          disturbed(value, pick),
          disturbed(disturbed(value, pick), pick),
        ]
      })
      const pairs = [
        { changes: input(before, after), narrow: before, wide: after, reading: 'plain' as const },
        {
          changes: output(before, after),
          narrow: after,
          wide: before,
          reading: 'tolerant' as const,
        },
      ]
      for (const { narrow, wide, reading } of pairs.filter(
        ({ changes }) => breaks(changes).length === 0,
      )) {
        seen.proven++
        // a value without unknown keys: those are stripped before anybody sees them
        const valid = samples.filter((value) => isValid(narrow, value, 'known'))
        seen.valid += valid.length
        expect(valid.filter((value) => !isValid(wide, value, reading))).toEqual([])
      }
    },
  )
  fc.assert(property, { numRuns: RUNS })
  expect(seen.proven).toBeGreaterThan(RUNS * 0.6)
  expect(seen.valid).toBeGreaterThan(RUNS * 4)
})

// a mutation may leave what has no value, such as a minimum above the maximum
function sampleOrNothing(schema: Node, pick: Pick): unknown {
  try {
    return sample(schema, pick)
  } catch {
    return null
  }
}
