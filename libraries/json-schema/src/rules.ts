import { itemRules, unevaluatedItems } from './array-rules.ts'
import { inPlaceRules } from './in-place-rules.ts'
import type { Rule, SchemaNode } from './node.ts'
import { memberRules, unevaluatedMembers } from './object-rules.ts'
import { valueRules } from './value-rules.ts'

/**
 * The rules of a subschema in evaluation order: cheap ones first, those that need the results of
 * others last.
 */
export function createRules(node: SchemaNode): readonly Rule[] {
  if (node.source === true) return []
  if (node.source === false)
    return [(evaluation) => evaluation.fault('value', () => 'is not allowed here')]
  return [
    ...valueRules(node),
    ...inPlaceRules(node),
    ...memberRules(node),
    ...itemRules(node),
    ...unevaluatedMembers(node),
    ...unevaluatedItems(node),
  ]
}
