import { isToolError } from '@surehand/core'
import type { Operation, OperationPlan } from './operation.ts'

/** The plan of an operation; undefined where its schemas turned out to be no tool's, as its report and every call of it say. */
export function usablePlan(operation: Operation): OperationPlan | undefined {
  try {
    return operation.plan
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}
