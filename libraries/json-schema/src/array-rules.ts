import { evaluate } from './evaluate.ts'
import type { Evaluation } from './evaluation.ts'
import type { Rule, SchemaNode } from './node.ts'
import { Values } from './values.ts'

/** Rules about the items of an array. */
export function itemRules(node: SchemaNode): readonly Rule[] {
  return [...itemsRule(node), ...containsRule(node), ...uniqueRule(node)]
}

function itemsRule(node: SchemaNode): readonly Rule[] {
  const { prefixItems, items } = node.parts
  if (prefixItems.length === 0 && items === undefined) return []
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value)) return
      const { length } = evaluation.value
      const known = items === undefined ? Math.min(length, prefixItems.length) : length
      for (let index = 0; index < known; index++) {
        const inner = prefixItems[index] ?? items
        if (inner !== undefined && inner.source !== true)
          evaluation.joinMember(
            index,
            evaluate(inner, evaluation.value[index], { up: evaluation.path, step: index }, run),
          )
      }
      evaluation.itemCount = known
    },
  ]
}

function containsRule(node: SchemaNode): readonly Rule[] {
  const { contains } = node.parts
  if (contains === undefined) return []
  const least = numberOr(node.keyword('minContains'), 1)
  const most = numberOr(node.keyword('maxContains'), Number.POSITIVE_INFINITY)
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value)) return
      const found = new Set<number>()
      for (let index = 0; index < evaluation.value.length; index++) {
        const judged = evaluate(
          contains,
          evaluation.value[index],
          { up: evaluation.path, step: index },
          run,
        )
        if (judged.faults === undefined) found.add(index)
      }
      evaluation.items = found
      checkCount(evaluation, found.size, least, most)
    },
  ]
}

function checkCount(evaluation: Evaluation, count: number, least: number, most: number): void {
  if (count < least)
    evaluation.fault(
      'value',
      () => `must contain at least ${least} item${least === 1 ? '' : 's'} of the wanted form`,
    )
  else if (count > most)
    evaluation.fault(
      'value',
      () => `must contain at most ${most} item${most === 1 ? '' : 's'} of the wanted form`,
    )
}

function uniqueRule(node: SchemaNode): readonly Rule[] {
  if (node.keyword('uniqueItems') !== true) return []
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value)) return
      const values = new Values()
      run.spend(evaluation.value.length)
      const repeated = evaluation.value.findIndex((item) => !values.add(item, run))
      if (repeated !== -1)
        evaluation.fault(
          'value',
          () => `must not hold the same item twice: item ${repeated} is a repetition`,
        )
    },
  ]
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

/** `unevaluatedItems`: applies to items that no other subschema has evaluated. */
export function unevaluatedItems(node: SchemaNode): readonly Rule[] {
  const { unevaluatedItems: others } = node.parts
  if (others === undefined) return []
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value) || evaluation.faults !== undefined) return
      const together = evaluation.together()
      const count = Math.max(...together.map(({ itemCount }) => itemCount))
      for (let index = count; index < evaluation.value.length; index++) {
        run.spend(together.length)
        if (together.some(({ items }) => items?.has(index))) continue
        evaluation.joinMember(
          index,
          evaluate(others, evaluation.value[index], { up: evaluation.path, step: index }, run),
        )
      }
      evaluation.itemCount = evaluation.value.length
    },
  ]
}
