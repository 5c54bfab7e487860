import { checkTemplate } from './check-template.ts'
import type { FitParts } from './fit.ts'
import type { Comparison, Condition } from './program-form.ts'
import { kindWords } from './relation.ts'
import { filledIn, resolve, type Scope } from './scope.ts'
import { eitherOf, NOTHING, NUMBER, type StaticType } from './static-type.ts'
import { typeOfTemplate } from './template-type.ts'

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
