import { ucs2length, validate } from '@cfworker/json-schema'
import { cut, expectation, typeNames, valueList } from './expectation.ts'
import { FORMATS } from './formats.ts'
import type { Rule, SchemaNode } from './node.ts'
import { searchSteps } from './patterns.ts'
import type { Spot } from './spot.ts'
import { Values } from './values.ts'

/** Rules that look at the value itself: its type, what it equals, how long or large it is. */
export function valueRules(node: SchemaNode): readonly Rule[] {
  return [
    ...typeRule(node),
    ...equalRule(node, 'const'),
    ...equalRule(node, 'enum'),
    ...rangeRule(node),
    ...multipleRule(node),
    ...lengthRule(node),
    ...patternRule(node),
    ...formatRule(node),
  ]
}

function typeRule(node: SchemaNode): readonly Rule[] {
  const types = typeNames(node)
  if (types.length === 0) return []
  const kinds = new Set<string>(types)
  const takesIntegers = kinds.has('integer')
  const say = () => expectation(node)
  return [
    (spot) => {
      if (
        kinds.has(spot.kind) ||
        (takesIntegers && spot.kind === 'number' && Number.isInteger(spot.value))
      )
        return
      spot.fault('type', say)
      spot.isOffType = true
    },
  ]
}

function equalRule(node: SchemaNode, keyword: 'const' | 'enum'): readonly Rule[] {
  const given = node.keyword(keyword)
  const allowed = keyword === 'const' ? [given] : Array.isArray(given) ? given : []
  if (given === undefined) return []
  const values = new Values()
  for (const value of allowed) values.add(value, undefined)
  const say = () => `must be ${valueList(allowed)}`
  return [
    (spot, run) => {
      if (!values.has(spot.value, run))
        spot.take([{ kind: 'value', path: spot.path, say, allowed }])
    },
  ]
}

type Bound = { readonly isKept: (value: number) => boolean; readonly say: () => string }

function rangeRule(node: SchemaNode): readonly Rule[] {
  const bounds: readonly Bound[] = [
    ...bound(node, 'minimum', 'at least', (value, limit) => value >= limit),
    ...bound(node, 'maximum', 'at most', (value, limit) => value <= limit),
    ...bound(node, 'exclusiveMinimum', 'more than', (value, limit) => value > limit),
    ...bound(node, 'exclusiveMaximum', 'less than', (value, limit) => value < limit),
  ]
  if (bounds.length === 0) return []
  return [
    (spot) => {
      const { value } = spot
      if (typeof value !== 'number') return
      for (const { isKept, say } of bounds) if (!isKept(value)) spot.fault('value', say)
    },
  ]
}

function bound(
  node: SchemaNode,
  keyword: string,
  words: string,
  isKept: (value: number, limit: number) => boolean,
): readonly Bound[] {
  const limit = node.keyword(keyword)
  return typeof limit === 'number'
    ? [{ isKept: (value) => isKept(value, limit), say: () => `must be ${words} ${limit}` }]
    : []
}

// cfworker counts in decimal digits: by division 0.3 is no multiple of 0.1
function multipleRule(node: SchemaNode): readonly Rule[] {
  const multipleOf = node.keyword('multipleOf')
  if (typeof multipleOf !== 'number') return []
  const say = () => `must be a multiple of ${multipleOf}`
  return [
    (spot, run) => {
      if (spot.kind !== 'number') return
      run.spend(4)
      if (!validate(spot.value, { multipleOf }, '2020-12', {}).valid) spot.fault('value', say)
    },
  ]
}

type Size = { readonly least: number; readonly most: number; readonly unit: string }

function lengthRule(node: SchemaNode): readonly Rule[] {
  const texts = sizeOf(node, 'Length', 'character')
  const lists = sizeOf(node, 'Items', 'item')
  const objects = sizeOf(node, 'Properties', 'field')
  const rules: Rule[] = []
  if (texts !== undefined)
    rules.push((spot, run) => {
      if (typeof spot.value !== 'string') return
      run.spend(spot.value.length >> 8)
      checkSize(spot, ucs2length(spot.value), texts)
    })
  if (lists !== undefined)
    rules.push((spot) => {
      if (Array.isArray(spot.value)) checkSize(spot, spot.value.length, lists)
    })
  if (objects !== undefined)
    rules.push((spot, run) => {
      if (spot.kind !== 'object') return
      const members = Object.values(spot.value as object)
      run.spend(members.length >> 3)
      checkSize(spot, members.filter((member) => member !== undefined).length, objects)
    })
  return rules
}

function sizeOf(
  node: SchemaNode,
  what: 'Length' | 'Items' | 'Properties',
  unit: string,
): Size | undefined {
  const least = node.keyword(`min${what}`)
  const most = node.keyword(`max${what}`)
  if (typeof least !== 'number' && typeof most !== 'number') return undefined
  return {
    least: typeof least === 'number' ? least : 0,
    most: typeof most === 'number' ? most : Number.POSITIVE_INFINITY,
    unit,
  }
}

function checkSize(spot: Spot, size: number, { least, most, unit }: Size): void {
  if (size < least)
    spot.fault('value', () => `must have at least ${least} ${unit}${least === 1 ? '' : 's'}`)
  else if (size > most)
    spot.fault('value', () => `must have at most ${most} ${unit}${most === 1 ? '' : 's'}`)
}

function patternRule(node: SchemaNode): readonly Rule[] {
  const source = node.keyword('pattern')
  // one that is missing here was left out with a reported loss
  const pattern = typeof source === 'string' ? node.graph.survey.patterns.get(source) : undefined
  if (pattern === undefined) return []
  const say = () => `must match the pattern ${cut(String(source), 200)}`
  return [
    (spot, run) => {
      const { value, faults } = spot
      // a text that is too long already is not worth the search
      if (typeof value !== 'string' || faults !== undefined) return
      run.spend(searchSteps(pattern, value))
      if (!pattern.test(value)) spot.fault('value', say)
    },
  ]
}

function formatRule(node: SchemaNode): readonly Rule[] {
  const name = node.keyword('format')
  const format = typeof name === 'string' ? FORMATS.get(name) : undefined
  if (format === undefined) return []
  const say = () => `must be ${format.what}`
  return [
    (spot, run) => {
      const { value, faults } = spot
      if (typeof value !== 'string' || faults !== undefined) return
      run.spend(1 + (value.length >> 6))
      if (!format.test(value)) spot.fault('value', say)
    },
  ]
}
