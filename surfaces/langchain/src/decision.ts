import { wireName } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import { isForAnother } from './is-for-another.ts'

/** What a person decided about one call, in the shape of LangChain's human-in-the-loop middleware. */
export type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'reject'; readonly message: string | undefined }
  | { readonly type: 'edit'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: 'unclear'; readonly problem: string }

/** The question that was put: its id, and the tool it was put for. */
export type Put = { readonly id: string; readonly toolId: string }

/** Reads what a graph was resumed with. Whatever is not plainly a decision about this one question decides nothing. */
export function readDecision(said: unknown, put: Put): Decision {
  const decisions = isRecord(said) ? said.decisions : undefined
  const [decision, ...more] = Array.isArray(decisions) ? (decisions as readonly unknown[]) : []
  if (!isRecord(decision) || more.length > 0)
    return unclear('One decision is wanted: { decisions: [{ type }] }.')
  if (isForAnother(decision, put.id))
    return unclear('The decision was about another question than this one.')
  switch (decision.type) {
    case 'approve':
      return { type: 'approve' }
    case 'reject':
      return {
        type: 'reject',
        message: typeof decision.message === 'string' ? decision.message : undefined,
      }
    case 'edit':
      return readEdit(decision.editedAction, wireName(put.toolId))
    default:
      return unclear('A decision is of type approve, edit or reject.')
  }
}

function readEdit(action: unknown, name: string): Decision {
  if (!isRecord(action) || !isRecord(action.args))
    return unclear('An edit brings { editedAction: { name, args } }.')
  // another tool is another wish: nobody asked this caller's model for it
  return action.name === name
    ? { type: 'edit', args: action.args }
    : unclear(`An edit changes the input of ${name}, not the tool.`)
}

function unclear(problem: string): Decision {
  return { type: 'unclear', problem: `Nothing was decided. ${problem}` }
}
