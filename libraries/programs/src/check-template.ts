import { isRecord } from '@surehand/core/internal'
import type { Findings } from './findings.ts'
import { hasLooseBrace } from './reference.ts'
import { resolve, type Scope } from './scope.ts'
import { referencesIn } from './template-type.ts'

type Spot = { readonly field: string; readonly scope: Scope }

/**
 * Looks whether a template is one, and whether everything it refers to can be referred to from
 * here. Answers whether it is fine.
 */
export function checkTemplate(
  template: unknown,
  { field, scope }: Spot,
  findings: Findings,
): boolean {
  const flaws = [
    ...formFlaws(template, field, findings),
    ...referencesIn(template, field).flatMap(({ field: at, text }) => {
      const resolved = resolve(text, scope)
      return typeof resolved === 'string' ? [{ field: at, error: resolved, provided: text }] : []
    }),
  ]
  for (const flaw of flaws) findings.refuse(flaw.field, flaw.error, flaw.provided)
  return flaws.length === 0
}

type TemplateFlaw = { readonly field: string; readonly error: string; readonly provided: unknown }

function formFlaws(template: unknown, field: string, findings: Findings): readonly TemplateFlaw[] {
  if (typeof template === 'string' && LOOKS_FILLED.test(template))
    findings.warn(
      field,
      'has a reference in braces, yet is taken as it stands: write { "$text": … } to have it filled in',
    )
  if (Array.isArray(template))
    return template.flatMap((item, index) => formFlaws(item, `${field}[${index}]`, findings))
  if (!isRecord(template)) return []
  const special = Object.keys(template).find((name) => name === '$ref' || name === '$text')
  if (special === undefined)
    return Object.entries(template).flatMap(([name, inner]) =>
      formFlaws(inner, `${field}.${name}`, findings),
    )
  const error = specialFlaw(special, template)
  return error === undefined ? [] : [{ field, error, provided: template }]
}

const LOOKS_FILLED = /\{(?:input|steps|answer)\.[\w.-]+\}/

function specialFlaw(
  name: string,
  template: Readonly<Record<string, unknown>>,
): string | undefined {
  const value = template[name]
  if (Object.keys(template).length > 1) return `has more fields beside "${name}": it stands alone`
  if (typeof value !== 'string')
    return `has a "${name}" that is no text: write { "${name}": "input.x" }`
  if (name === '$text' && hasLooseBrace(value))
    return 'has a brace that belongs to no reference: write {{ or }} for a brace itself'
  return undefined
}
