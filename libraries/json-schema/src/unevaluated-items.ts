import { evaluate } from './evaluate.ts'
import type { Rule, SchemaNode } from './node.ts'

/** The last word on items that nobody else knew. */
export function unevaluatedItems(node: SchemaNode): readonly Rule[] {
  const { unevaluatedItems: others } = node.parts
  if (others === undefined) return []
  return [
    (spot, run) => {
      if (!Array.isArray(spot.value) || spot.faults !== undefined) return
      const together = spot.together()
      const count = Math.max(...together.map(({ itemCount }) => itemCount))
      for (let index = count; index < spot.value.length; index++) {
        run.spend(together.length)
        if (together.some(({ items }) => items?.has(index))) continue
        spot.joinMember(
          index,
          evaluate(others, spot.value[index], { up: spot.path, step: index }, run),
        )
      }
      spot.itemCount = spot.value.length
    },
  ]
}
