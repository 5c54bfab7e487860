import { piecesOf, referenceText, textTemplate } from './reference.ts'
import { filledIn, resolve, type Scope } from './scope.ts'
import { ANYTHING, constant, recordOf, type StaticType, TEXT, tupleOf } from './static-type.ts'

/** The references in a template, each with the place it stands at. */
export function referencesIn(
  template: unknown,
  field: string,
): readonly { readonly field: string; readonly text: string }[] {
  const reference = referenceText(template)
  if (reference !== undefined) return [{ field, text: reference }]
  const text = textTemplate(template)
  if (text !== undefined)
    return piecesOf(text).flatMap((piece) =>
      'reference' in piece ? [{ field, text: piece.reference }] : [],
    )
  if (Array.isArray(template))
    return template.flatMap((item, index) => referencesIn(item, `${field}[${index}]`))
  if (typeof template !== 'object' || template === null) return []
  return Object.entries(template).flatMap(([name, inner]) =>
    referencesIn(inner, `${field}.${name}`),
  )
}

/** Is there nothing to fill in? */
export function isLiteral(template: unknown): boolean {
  if (referenceText(template) !== undefined || textTemplate(template) !== undefined) return false
  if (Array.isArray(template)) return template.every(isLiteral)
  return (
    typeof template !== 'object' || template === null || Object.values(template).every(isLiteral)
  )
}

/** What is known of a template's value before it is filled in. */
export function typeOfTemplate(template: unknown, scope: Scope): StaticType {
  const reference = referenceText(template)
  if (reference !== undefined) {
    const resolved = resolve(reference, scope)
    return typeof resolved === 'string' || !resolved.isCertain ? ANYTHING : filledIn(resolved)
  }
  if (textTemplate(template) !== undefined) return TEXT
  if (Array.isArray(template)) return tupleOf(template.map((item) => typeOfTemplate(item, scope)))
  if (typeof template !== 'object' || template === null) return constant(template)
  const fields = Object.entries(template)
  return recordOf(
    Object.fromEntries(fields.map(([name, inner]) => [name, typeOfTemplate(inner, scope)])),
  )
}
