import { evaluate } from './evaluate.ts'
import type { Rule, SchemaNode } from './node.ts'
import type { Spot } from './spot.ts'
import { Values } from './values.ts'

/** Rules about the items of an array. */
export function itemRules(node: SchemaNode): readonly Rule[] {
  return [...itemsRule(node), ...containsRule(node), ...uniqueRule(node)]
}

function itemsRule(node: SchemaNode): readonly Rule[] {
  const { prefixItems, items } = node.parts
  if (prefixItems.length === 0 && items === undefined) return []
  return [
    (spot, run) => {
      if (!Array.isArray(spot.value)) return
      const { length } = spot.value
      const known = items === undefined ? Math.min(length, prefixItems.length) : length
      for (let index = 0; index < known; index++) {
        const inner = prefixItems[index] ?? items
        if (inner !== undefined && inner.source !== true)
          spot.joinMember(
            index,
            evaluate(inner, spot.value[index], { up: spot.path, step: index }, run),
          )
      }
      spot.itemCount = known
    },
  ]
}

function containsRule(node: SchemaNode): readonly Rule[] {
  const { contains } = node.parts
  if (contains === undefined) return []
  const least = numberOr(node.keyword('minContains'), 1)
  const most = numberOr(node.keyword('maxContains'), Number.POSITIVE_INFINITY)
  return [
    (spot, run) => {
      if (!Array.isArray(spot.value)) return
      const found = new Set<number>()
      for (let index = 0; index < spot.value.length; index++) {
        const judged = evaluate(contains, spot.value[index], { up: spot.path, step: index }, run)
        if (judged.faults === undefined) found.add(index)
      }
      spot.items = found
      checkCount(spot, found.size, least, most)
    },
  ]
}

function checkCount(spot: Spot, count: number, least: number, most: number): void {
  if (count < least)
    spot.fault(
      'value',
      () => `must contain at least ${least} item${least === 1 ? '' : 's'} of the wanted form`,
    )
  else if (count > most)
    spot.fault(
      'value',
      () => `must contain at most ${most} item${most === 1 ? '' : 's'} of the wanted form`,
    )
}

function uniqueRule(node: SchemaNode): readonly Rule[] {
  if (node.keyword('uniqueItems') !== true) return []
  return [
    (spot, run) => {
      if (!Array.isArray(spot.value)) return
      const values = new Values()
      run.spend(spot.value.length)
      const repeated = spot.value.findIndex((item) => !values.add(item, run))
      if (repeated !== -1)
        spot.fault(
          'value',
          () => `must not hold the same item twice: item ${repeated} is a repetition`,
        )
    },
  ]
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}
