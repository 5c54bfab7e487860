import type { Operation, OperationPlan } from './operation.ts'

/** An operation whose plan is made when somebody first looks at it: a document has thousands, and a few are called. */
export function withPlan(head: Omit<Operation, 'plan'>, make: () => OperationPlan): Operation {
  let plan: OperationPlan | undefined
  return {
    toolId: head.toolId,
    key: head.key,
    operationId: head.operationId,
    title: head.title,
    description: head.description,
    isDeprecated: head.isDeprecated,
    contract: head.contract,
    get plan() {
      plan ??= make()
      return plan
    },
  }
}
