import { wireName } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { namesAnotherRequest } from './interrupt-reference.ts'

/**
 * What a person decided about one call, read from the format of LangChain's human-in-the-loop
 * middleware.
 */
export type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'reject'; readonly message: string | undefined }
  | { readonly type: 'edit'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: 'unclear'; readonly problem: string }

/** The request that is decided: its id, and the tool it is for. */
export type DecidedRequest = { readonly id: string; readonly toolId: string }

/**
 * Reads the value that a graph was resumed with. A value that is not exactly one decision about
 * this request decides nothing.
 */
export function readDecision(value: unknown, request: DecidedRequest): Decision {
  const decisions = isRecord(value) ? value.decisions : undefined
  const [decision, ...more] = Array.isArray(decisions) ? (decisions as readonly unknown[]) : []
  if (!isRecord(decision) || more.length > 0)
    return unclear('Resume with exactly one decision: { decisions: [{ type }] }.')
  if (namesAnotherRequest(decision, request.id))
    return unclear('The decision was for another request. Decide this one.')
  switch (decision.type) {
    case 'approve':
      return { type: 'approve' }
    case 'reject':
      return {
        type: 'reject',
        message: typeof decision.message === 'string' ? decision.message : undefined,
      }
    case 'edit':
      return readEdit(decision.editedAction, wireName(request.toolId))
    default:
      return unclear('The type of a decision is approve, edit or reject.')
  }
}

function readEdit(action: unknown, name: string): Decision {
  if (!isRecord(action) || !isRecord(action.args))
    return unclear('An edit needs { editedAction: { name, args } }.')
  // An edit must not switch to another tool, which the model did not call.
  return action.name === name
    ? { type: 'edit', args: action.args }
    : unclear(`An edit can change the input of ${name}, but not the tool.`)
}

function unclear(problem: string): Decision {
  return { type: 'unclear', problem: `Nothing was decided. ${problem}` }
}
