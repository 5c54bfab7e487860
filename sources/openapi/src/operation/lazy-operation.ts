import type { Operation, OperationPlan } from './operation.ts'

export type Head = Omit<Operation, 'plan'>
export type Words = Pick<Operation, 'title' | 'description'>

/** An operation whose words and plan are made when somebody first looks at them: a document has thousands, and a few are called. */
export function lazyOperation(
  known: Omit<Head, keyof Words>,
  make: { readonly words: () => Words; readonly plan: () => OperationPlan },
): Operation {
  let words: Words | undefined
  let plan: OperationPlan | undefined
  const wordsNow = (): Words => {
    words ??= make.words()
    return words
  }
  return {
    toolId: known.toolId,
    key: known.key,
    operationId: known.operationId,
    get title() {
      return wordsNow().title
    },
    get description() {
      return wordsNow().description
    },
    isDeprecated: known.isDeprecated,
    contract: known.contract,
    get plan() {
      plan ??= make.plan()
      return plan
    },
  }
}
