import { isToolError } from '@surehand/core'
import type { Operation, OperationPlan } from './operation.ts'

/**
 * The plan of an operation; undefined if its schemas cannot be used. The report and every call give
 * the reason.
 */
export function planOrUndefined(operation: Operation): OperationPlan | undefined {
  try {
    return operation.plan
  } catch (error) {
    if (isToolError(error)) return undefined
    throw error
  }
}
