import { BOUNDS } from '../schema/bounds.ts'
import { type InputValue, isRequired, nameOf, type SchemaModel } from '../schema/schema-model.ts'

/**
 * The input types within some steps of the arguments. What must be given costs no step: a type can't be had without it.
 * Undefined where there are more than any schema could hold.
 */
export function typesWithin(
  inputs: readonly InputValue[],
  steps: number,
  model: SchemaModel,
): ReadonlySet<string> | undefined {
  const distances = new Map<string, number>()
  let layer = inputs
  for (let distance = 0; layer.length > 0 && distance <= steps; distance++) {
    const next: InputValue[] = []
    // one layer at a time, nearest first: a type is looked at once
    const queue = layer.flatMap((input) => inputTypeOf(input, model) ?? [])
    for (let index = 0; index < queue.length; index++) {
      const type = queue[index]
      if (type === undefined || distances.has(type.name)) continue
      if (distances.size === BOUNDS.inputTypes) return undefined
      distances.set(type.name, distance)
      for (const input of type.inputs) {
        const needed = isRequired(input) && !type.isOneOf
        if (needed) queue.push(...[inputTypeOf(input, model) ?? []].flat())
        else next.push(input)
      }
    }
    layer = next
  }
  return new Set(distances.keys())
}

function inputTypeOf(input: InputValue, model: SchemaModel) {
  const type = model.types.get(nameOf(input.type))
  return type?.kind === 'input' ? type : undefined
}
