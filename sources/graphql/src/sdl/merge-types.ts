import { refusedDocument } from '../schema/bounds.ts'
import type { TypeDefinition } from '../schema/schema-model.ts'

/** A type with everything its extensions add to it. */
export function mergeTypes(parts: readonly TypeDefinition[]): TypeDefinition {
  const [first, ...others] = parts
  if (first === undefined) throw refusedDocument('a type has no definition')
  return others.reduce(merged, first)
}

function merged(left: TypeDefinition, right: TypeDefinition): TypeDefinition {
  if (left.kind === 'scalar' && right.kind === 'scalar')
    return { ...left, specifiedBy: left.specifiedBy ?? right.specifiedBy }
  if (left.kind === 'enum' && right.kind === 'enum')
    return { ...left, values: [...left.values, ...right.values] }
  if (left.kind === 'union' && right.kind === 'union')
    return { ...left, members: [...left.members, ...right.members] }
  if (left.kind === 'input' && right.kind === 'input')
    return {
      ...left,
      inputs: [...left.inputs, ...right.inputs],
      isOneOf: left.isOneOf || right.isOneOf,
    }
  if ((left.kind === 'object' || left.kind === 'interface') && right.kind === left.kind)
    return {
      ...left,
      fields: [...left.fields, ...right.fields],
      interfaces: [...left.interfaces, ...right.interfaces],
    }
  throw refusedDocument(`"${left.name}" is extended as another kind of type`)
}
