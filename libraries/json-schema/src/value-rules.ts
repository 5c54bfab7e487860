import { ucs2length, validate } from '@cfworker/json-schema'
import type { Evaluation } from './evaluation.ts'
import { clip, describeExpected, typeNames, valueList } from './expectation.ts'
import { FORMATS } from './formats.ts'
import type { Rule, SchemaNode } from './node.ts'
import { searchSteps } from './patterns.ts'
import { Values } from './values.ts'

/** Rules about the value itself: type, equality, length, range, pattern and format. */
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
  const say = () => describeExpected(node)
  return [
    (evaluation) => {
      if (
        kinds.has(evaluation.kind) ||
        (takesIntegers && evaluation.kind === 'number' && Number.isInteger(evaluation.value))
      )
        return
      evaluation.fault('type', say)
      evaluation.isOffType = true
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
    (evaluation, run) => {
      if (!values.has(evaluation.value, run))
        evaluation.take([{ kind: 'value', path: evaluation.path, say, allowed }])
    },
  ]
}

type Bound = { readonly isKept: (value: number) => boolean; readonly say: () => string }

function rangeRule(node: SchemaNode): readonly Rule[] {
  const bounds: readonly Bound[] = [
    ...boundRule(node, 'minimum', 'at least', (value, limit) => value >= limit),
    ...boundRule(node, 'maximum', 'at most', (value, limit) => value <= limit),
    ...boundRule(node, 'exclusiveMinimum', 'more than', (value, limit) => value > limit),
    ...boundRule(node, 'exclusiveMaximum', 'less than', (value, limit) => value < limit),
  ]
  if (bounds.length === 0) return []
  return [
    (evaluation) => {
      const { value } = evaluation
      if (typeof value !== 'number') return
      for (const { isKept, say } of bounds) if (!isKept(value)) evaluation.fault('value', say)
    },
  ]
}

function boundRule(
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

// cfworker calculates in decimal digits: with floating-point division 0.3 would not be a multiple
// of 0.1.
function multipleRule(node: SchemaNode): readonly Rule[] {
  const multipleOf = node.keyword('multipleOf')
  if (typeof multipleOf !== 'number') return []
  const say = () => `must be a multiple of ${multipleOf}`
  return [
    (evaluation, run) => {
      if (evaluation.kind !== 'number') return
      run.spend(4)
      if (!validate(evaluation.value, { multipleOf }, '2020-12', {}).valid)
        evaluation.fault('value', say)
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
    rules.push((evaluation, run) => {
      if (typeof evaluation.value !== 'string') return
      run.spend(evaluation.value.length >> 8)
      checkSize(evaluation, ucs2length(evaluation.value), texts)
    })
  if (lists !== undefined)
    rules.push((evaluation) => {
      if (Array.isArray(evaluation.value)) checkSize(evaluation, evaluation.value.length, lists)
    })
  if (objects !== undefined)
    rules.push((evaluation, run) => {
      if (evaluation.kind !== 'object') return
      const members = Object.values(evaluation.value as object)
      run.spend(members.length >> 3)
      checkSize(evaluation, members.filter((member) => member !== undefined).length, objects)
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

function checkSize(evaluation: Evaluation, size: number, { least, most, unit }: Size): void {
  if (size < least)
    evaluation.fault('value', () => `must have at least ${least} ${unit}${least === 1 ? '' : 's'}`)
  else if (size > most)
    evaluation.fault('value', () => `must have at most ${most} ${unit}${most === 1 ? '' : 's'}`)
}

function patternRule(node: SchemaNode): readonly Rule[] {
  const source = node.keyword('pattern')
  // A missing pattern was left out and reported as a loss.
  const pattern = typeof source === 'string' ? node.graph.analysis.patterns.get(source) : undefined
  if (pattern === undefined) return []
  const say = () => `must match the pattern ${clip(String(source), 200)}`
  return [
    (evaluation, run) => {
      const { value, faults } = evaluation
      // A text that already failed a cheaper check is not searched.
      if (typeof value !== 'string' || faults !== undefined) return
      run.spend(searchSteps(pattern, value))
      if (!pattern.test(value)) evaluation.fault('value', say)
    },
  ]
}

function formatRule(node: SchemaNode): readonly Rule[] {
  const name = node.keyword('format')
  const format = typeof name === 'string' ? FORMATS.get(name) : undefined
  if (format === undefined) return []
  const say = () => `must be ${format.what}`
  return [
    (evaluation, run) => {
      const { value, faults } = evaluation
      if (typeof value !== 'string' || faults !== undefined) return
      run.spend(1 + (value.length >> 6))
      if (!format.test(value)) evaluation.fault('value', say)
    },
  ]
}
