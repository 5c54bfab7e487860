import { jsonText } from '@surehand/schema-diff'
import { checkTemplate } from './check-template.ts'
import type { FitParts } from './fit.ts'
import type { Comparison, Condition } from './program-form.ts'
import { kindWords } from './relation.ts'
import { read, render, type Values } from './render.ts'
import { filledIn, resolve, type Scope } from './scope.ts'
import { eitherOf, NOTHING, NUMBER, type StaticType } from './static-type.ts'
import { typeOfTemplate } from './template-type.ts'

/** Whether a condition holds of what is known. */
export function conditionHolds(condition: Condition | undefined, values: Values): boolean {
  if (condition === undefined) return true
  if ('$ref' in condition) return comparisonHolds(read(condition.$ref, values), condition, values)
  if ('all' in condition) return condition.all.every((one) => conditionHolds(one, values))
  if ('any' in condition) return condition.any.some((one) => conditionHolds(one, values))
  return !conditionHolds(condition.not, values)
}

function comparisonHolds(value: unknown, comparison: Comparison, values: Values): boolean {
  if ('exists' in comparison) return (value !== null) === comparison.exists
  if ('equals' in comparison) return isSame(value, render(comparison.equals, values))
  if ('not' in comparison) return !isSame(value, render(comparison.not, values))
  if ('in' in comparison) {
    const list = render(comparison.in, values)
    return Array.isArray(list) && list.some((one) => isSame(value, one))
  }
  if ('lessThan' in comparison) return isLess(value, render(comparison.lessThan, values))
  return isLess(render(comparison.moreThan, values), value)
}

function isSame(left: unknown, right: unknown): boolean {
  return jsonText(left) === jsonText(right)
}

// what is not there is neither less nor more
function isLess(left: unknown, right: unknown): boolean {
  return typeof left === 'number' && typeof right === 'number' && left < right
}

/** The references that are there, and not null, wherever a condition holds. */
export function guardsOf(condition: Condition | undefined): readonly string[] {
  if (condition === undefined) return []
  if ('all' in condition) return condition.all.flatMap(guardsOf)
  if ('any' in condition)
    return condition.any
      .map(guardsOf)
      .reduce((left, right) => left.filter((one) => right.includes(one)))
  if (!('$ref' in condition)) return deniedBy(condition.not)
  return needsValue(condition) ? [condition.$ref] : []
}

function deniedBy(condition: Condition): readonly string[] {
  return '$ref' in condition && 'exists' in condition && !condition.exists ? [condition.$ref] : []
}

function needsValue(comparison: Comparison): boolean {
  if ('exists' in comparison) return comparison.exists
  if ('equals' in comparison) return isLiteralOtherThanNull(comparison.equals)
  return 'lessThan' in comparison || 'moreThan' in comparison
}

function isLiteralOtherThanNull(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

type Spot = { readonly field: string; readonly scope: Scope }

/**
 * Looks whether a condition asks about what can be known here, and whether it could ever be met.
 */
export function checkCondition(
  condition: Condition | undefined,
  spot: Spot,
  parts: FitParts,
): void {
  if (condition === undefined) return
  if ('$ref' in condition) checkComparison(condition, spot, parts)
  else if ('all' in condition)
    checkList(condition.all, { ...spot, field: `${spot.field}.all` }, parts)
  else if ('any' in condition)
    checkList(condition.any, { ...spot, field: `${spot.field}.any` }, parts)
  else checkCondition(condition.not, { ...spot, field: `${spot.field}.not` }, parts)
}

function checkList(conditions: readonly Condition[], spot: Spot, parts: FitParts): void {
  conditions.forEach((one, index) => {
    checkCondition(one, { ...spot, field: `${spot.field}[${index}]` }, parts)
  })
}

function checkComparison(
  comparison: { readonly $ref: string } & Comparison,
  { field, scope }: Spot,
  parts: FitParts,
): void {
  const { findings, relate } = parts
  const { $ref: text } = comparison
  const resolved = resolve(text, scope)
  if (typeof resolved === 'string') findings.refuse(`${field}.$ref`, resolved, text)
  if (typeof resolved === 'string' || 'exists' in comparison) return
  const [[name, operand] = ['', undefined]] = Object.entries(comparison).filter(
    ([key]) => key !== '$ref',
  )
  if (!checkTemplate(operand, { field: `${field}.${name}`, scope }, findings)) return
  const type = typeOfTemplate(operand, scope)
  if (name === 'lessThan' || name === 'moreThan') {
    refuseUncountable(`${field}.$ref`, filledIn(resolved), parts)
    refuseUncountable(`${field}.${name}`, type, parts)
  } else if (name === 'in') {
    if (relate(type, { source: { type: ['array', 'null'] }, documents: {} }) === 'never')
      findings.refuse(`${field}.in`, 'is no list: write the values it may be, in brackets', operand)
  } else if (resolved.isCertain && relate(filledIn(resolved), type) === 'never') {
    findings.warn(
      field,
      `compares "${text}" (${kindWords(resolved.type)}) with what it can never be`,
    )
  }
}

function refuseUncountable(field: string, type: StaticType, { findings, relate }: FitParts): void {
  if (relate(type, eitherOf([NUMBER, NOTHING])) === 'never')
    findings.refuse(field, `is ${kindWords(type)}: only numbers are less or more than others`)
}
