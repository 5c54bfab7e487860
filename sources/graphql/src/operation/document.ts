import { type Selection, selectionText } from '../answer/selection.ts'
import type { GraphqlOperation, PathStep } from './operation.ts'

/** The document that is sent for an operation; `selection` may ask for a part of its answer. */
export function documentOf(
  operation: GraphqlOperation,
  selection: Selection | undefined = operation.selection,
): string {
  const { kind, variables, path } = operation
  const declared =
    variables.length === 0
      ? ''
      : `(${variables.map(({ name, type }) => `$${name}: ${type}`).join(', ')})`
  const asked = selection === undefined ? '' : ` ${selectionText(selection)}`
  const body = path.reduceRight(
    (inner, step, index) =>
      `${stepText(step)}${index === path.length - 1 ? inner : ` { ${inner} }`}`,
    asked,
  )
  // Some servers refuse anonymous operations, and most log the name.
  return `${kind} ${operationName(operation)}${declared} { ${body} }`
}

export function operationName({ path }: GraphqlOperation): string {
  return path.map(({ field }) => field).join('_')
}

function stepText({ field, inputs }: PathStep): string {
  return inputs.length === 0
    ? field
    : `${field}(${inputs.map(({ name, variable }) => `${name}: $${variable}`).join(', ')})`
}
