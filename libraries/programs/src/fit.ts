import { isRecord, type JsonSchema } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import {
  assertions,
  atomsOf,
  Budget,
  declaredOf,
  fieldAt,
  formatList,
  formatValue,
  itemAt,
  leastOf,
  member,
  mostOf,
  requiredOf,
  SchemaDocument,
  type Source,
  TooComplex,
  type View,
  viewOf,
} from '@surehand/schema-diff'
import type { Findings } from './findings.ts'
import { isFilled } from './follow.ts'
import { referenceText, textTemplate } from './reference.ts'
import { kindWords, type Relate } from './relation.ts'
import { renderText } from './render.ts'
import { type Resolved, resolve, type Scope } from './scope.ts'
import { allOf, documentOf, NOTHING, type StaticType } from './static-type.ts'
import { isLiteral, referencesIn, typeOfTemplate } from './template-type.ts'

/** What a template is held against, and in whose words. */
export type Target = { readonly type: StaticType; readonly takes: string }

export type FitParts = {
  readonly findings: Findings
  readonly relate: Relate
  readonly schemas: ForeignSchemas
}

type Place = { readonly field: string; readonly scope: Scope; readonly target: Target }

/**
 * Holds a template against the schema of what it is for. References in it have been found to lead
 * somewhere.
 */
export function fit(template: unknown, place: Place, parts: FitParts): void {
  const reference = referenceText(template)
  const text = textTemplate(template)
  if (reference !== undefined) fitReference(reference, place, parts)
  else if (isLiteral(template)) fitLiteral(template, place, parts)
  else if (text !== undefined && referencesIn(template, '').length === 0)
    fitLiteral(renderText(text, new Map()), place, parts)
  else if (text !== undefined) fitWhole(template, place, parts)
  else if (Array.isArray(template)) fitList(template, place, parts)
  else fitFields(template as JsonSchema, place, parts)
}

function fitReference(
  text: string,
  { field, scope, target }: Place,
  { findings, relate }: FitParts,
): void {
  const resolved = resolve(text, scope)
  if (typeof resolved === 'string') return
  const relation = relate(resolved.type, target.type)
  if (relation === 'never')
    findings.refuse(
      field,
      `refers to "${text}", which is ${kindWords(resolved.type)} that ${target.takes} never takes here: it takes ${formatType(target.type)}`,
      { $ref: text },
    )
  else if (relation === 'open') findings.warn(field, mayNotFit(text, resolved, target))
  else if (resolved.mayMiss && relate(NOTHING, target.type) !== 'fits')
    findings.warn(
      field,
      `refers to "${text}", which may be missing and is null then, which ${target.takes} may refuse: guard it with { "$ref": "${text}", "exists": true }`,
    )
  else if (!resolved.isCertain)
    findings.warn(
      field,
      `refers to "${text}", whose tool does not hold its answers against its schema: ${target.takes} may refuse it`,
    )
}

function mayNotFit(text: string, { type }: Resolved, target: Target): string {
  return `refers to "${text}" (${kindWords(type)}), of which not every value may be one that ${target.takes} takes here: ${formatType(target.type)}`
}

const NARROWING = [
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
]

function formatType(type: StaticType): string {
  const source = isRecord(type.source) ? type.source : {}
  const values = member(source, 'enum')
  if (Array.isArray(values)) return formatList(values.map(formatValue), 'or')
  const more = NARROWING.filter((keyword) => Object.hasOwn(source, keyword)).map(
    (keyword) => `${keyword} ${formatValue(source[keyword])}`,
  )
  return more.length === 0 ? kindWords(type) : `${kindWords(type)} with ${formatList(more, 'and')}`
}

function fitLiteral(value: unknown, place: Place, parts: FitParts): void {
  const { field, target } = place
  const unknown = unknownFields(value, place, parts)
  const parsed = parse(value, target.type, parts)
  if (parsed === 'unreadable') {
    if (unknown === 0) fitWhole(value, place, parts)
    return
  }
  for (const problem of parsed)
    parts.findings.refuse(
      joinPath(field, problem.field),
      `${problem.error} (${target.takes} asks for it)`,
      problem.provided_value,
    )
}

type Trouble = { readonly field: string; readonly error: string; readonly provided_value: unknown }

// a schema that the compiler refuses is compared only
function parse(
  value: unknown,
  type: StaticType,
  { schemas }: FitParts,
): readonly Trouble[] | 'unreadable' {
  const document = documentOf(type)
  if (document === true) return []
  try {
    const parsed = schemas.compile(document === false ? { not: {} } : document).parse(value)
    return parsed.ok ? [] : parsed.problems
  } catch {
    return 'unreadable'
  }
}

// parsing strips what it does not know: in a program it is a mistake. Answers how many there were.
function unknownFields(value: unknown, place: Place, parts: FitParts): number {
  const { field, target } = place
  if (typeof value !== 'object' || value === null) return 0
  const view = plainView(target.type)
  if (view === undefined) return 0
  if (Array.isArray(value)) {
    const inItem = (index: number): Place => ({
      ...place,
      field: `${field}[${index}]`,
      target: inner(target, itemAt(view, index)),
    })
    return sum(value.map((item, index) => unknownFields(item, inItem(index), parts)))
  }
  return sum(
    Object.entries(value).map(([name, value]) => {
      const sources = fieldSources(view, name)
      const at = `${field}.${name}`
      if (sources !== undefined)
        return unknownFields(value, { ...place, field: at, target: inner(target, sources) }, parts)
      parts.findings.refuse(at, unknownField(view, target), value)
      return 1
    }),
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((left, right) => left + right, 0)
}

// refers to something inside, and what is asked for is more than a list of fields: looked at as a
// whole
function fitWhole(
  template: unknown,
  { field, scope, target }: Place,
  { findings, relate }: FitParts,
): void {
  const type = typeOfTemplate(template, scope)
  switch (relate(type, target.type)) {
    case 'never':
      findings.refuse(
        field,
        `is ${kindWords(type)} that ${target.takes} never takes here: it takes ${formatType(target.type)}`,
        template,
      )
      return
    case 'open':
      findings.warn(
        field,
        `may not always be what ${target.takes} takes here: ${formatType(target.type)}`,
      )
      return
    case 'fits':
  }
}

function fitList(items: readonly unknown[], place: Place, parts: FitParts): void {
  const { field, target } = place
  const view = plainView(target.type)
  if (view === undefined || !atomsOf(view).has('array')) {
    fitWhole(items, place, parts)
    return
  }
  const [least, most] = [
    leastOf(view, 'minItems') ?? 0,
    mostOf(view, 'maxItems') ?? Number.POSITIVE_INFINITY,
  ]
  if (items.length < least || items.length > most)
    parts.findings.refuse(
      field,
      `has ${items.length} items, where ${target.takes} takes ${least} to ${most}`,
    )
  items.forEach((item, index) => {
    fit(
      item,
      { ...place, field: `${field}[${index}]`, target: inner(target, itemAt(view, index)) },
      parts,
    )
  })
}

function fitFields(fields: JsonSchema, place: Place, parts: FitParts): void {
  const { field, target } = place
  const view = plainView(target.type)
  if (view === undefined || !atomsOf(view).has('object')) {
    fitWhole(fields, place, parts)
    return
  }
  for (const name of requiredOf(view))
    if (!Object.hasOwn(fields, name) && !isFilled(view, name))
      parts.findings.refuse(
        `${field}.${name}`,
        `is missing: ${target.takes} requires it; add it, as a value or as { "$ref": … }`,
      )
  for (const [name, value] of Object.entries(fields)) {
    const sources = fieldSources(view, name)
    if (sources === undefined)
      parts.findings.refuse(`${field}.${name}`, unknownField(view, target), value)
    else fit(value, { ...place, field: `${field}.${name}`, target: inner(target, sources) }, parts)
  }
}

function unknownField(view: View, { takes }: Target): string {
  const names = [...declaredOf(view)]
  return `is not a field that ${takes} takes: ${names.length === 0 ? 'it takes none' : `it takes ${formatList(names, 'and')}`}`
}

/** What has to hold of a field; undefined where there is no such field. */
function fieldSources(view: View, name: string): readonly Source[] | undefined {
  const sources = fieldAt(view, { name, matched: new Set() }, 'refuses')
  if (declaredOf(view).has(name)) return sources ?? []
  if (sources !== undefined) return sources.includes(false) ? undefined : sources
  return view.parts.some((part) => Object.hasOwn(part, 'properties')) ? undefined : []
}

function inner({ type, takes }: Target, sources: readonly Source[]): Target {
  return { type: allOf(sources, type.documents), takes }
}

const PLAIN = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  '$ref',
  'allOf',
])

// a target that asks for no more than fields and items, each by itself
function plainView(type: StaticType): View | undefined {
  try {
    const document = new SchemaDocument(documentOf(type), new Budget())
    const view = viewOf(document, [document.root])
    const isPlain =
      view.unreadable.length === 0 &&
      !view.isNever &&
      view.parts.every((part) => assertions(part).every((one) => PLAIN.has(one)))
    return isPlain ? view : undefined
  } catch (error) {
    if (error instanceof TooComplex) return undefined
    throw error
  }
}

function joinPath(field: string, rest: string): string {
  if (rest === '') return field
  return rest.startsWith('[') ? `${field}${rest}` : `${field}.${rest}`
}
