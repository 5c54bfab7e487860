import { itemRules } from './array-rules.ts'
import { inPlaceRules } from './in-place-rules.ts'
import type { Rule, SchemaNode } from './node.ts'
import { memberRules, unevaluatedMembers } from './object-rules.ts'
import { unevaluatedItems } from './unevaluated-items.ts'
import { valueRules } from './value-rules.ts'

/** The rules of a subschema in the order they are asked: what is cheap first, what needs the others' findings last. */
export function rulesOf(node: SchemaNode): readonly Rule[] {
  if (node.source === true) return []
  if (node.source === false) return [(spot) => spot.fault('value', () => 'is not allowed here')]
  return [
    ...valueRules(node),
    ...inPlaceRules(node),
    ...memberRules(node),
    ...itemRules(node),
    ...unevaluatedMembers(node),
    ...unevaluatedItems(node),
  ]
}
