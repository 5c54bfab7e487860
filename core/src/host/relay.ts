import type { ApprovalsApi } from '../approvals/approvals-api.ts'
import type { Caller } from '../call/caller.ts'
import { toToolError } from '../call/tool-error.ts'
import type { QuestionsApi } from '../runs/questions-api.ts'

/** The approval request or question that a host showed to a person. */
export type ShownRequest = { readonly id: string; readonly digest: string }

/** The person who decided, and the host that relays it. */
export type RelayedBy = { readonly caller: Caller; readonly host: string; readonly reason?: string }

/**
 * Passes a decision that a host relays to the approvals API, which checks whether it is accepted.
 * False if it is not: the request stays pending, and the call's answer says so.
 */
export async function relayVerdict(
  approvals: ApprovalsApi,
  verdict: 'approve' | 'deny',
  shown: ShownRequest,
  relaying: RelayedBy,
): Promise<boolean> {
  const { caller, host, reason } = relaying
  const credential = { kind: 'attested', host } as const
  const form = {
    verdict,
    digest: shown.digest,
    credential,
    ...(reason === undefined ? {} : { reason }),
  }
  try {
    await approvals.decide(caller, shown.id, form)
    return true
  } catch (thrown) {
    if (!isNotForHost(toToolError(thrown).code)) throw thrown
    return false
  }
}

/**
 * Passes on an answer to a run's question. Returns what is wrong with it, if the person can correct
 * it.
 */
export async function relayAnswer(
  questions: QuestionsApi,
  answer: unknown,
  shown: ShownRequest,
  { caller, host }: RelayedBy,
): Promise<string | undefined> {
  try {
    await questions.answer(caller, shown.id, {
      answer,
      digest: shown.digest,
      credential: { kind: 'attested', host },
    })
    return undefined
  } catch (thrown) {
    const { code, message, details } = toToolError(thrown)
    if (details?.validation_errors !== undefined) return message
    if (isNotForHost(code) || code === 'TOOL_RESOURCE_NOT_FOUND') return undefined
    throw thrown
  }
}

function isNotForHost(code: string): boolean {
  return code === 'TOOL_INSUFFICIENT_PERMISSIONS' || code === 'TOOL_GATE_CLOSED'
}
