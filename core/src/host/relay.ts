import type { ApprovalsApi } from '../approvals/approvals-api.ts'
import type { Caller } from '../call/caller.ts'
import { toToolError } from '../call/tool-error.ts'
import type { QuestionsApi } from '../runs/questions-api.ts'

/** What was put to a person by a host, and as what it was shown. */
export type ShownRequest = { readonly id: string; readonly digest: string }

/** Whose person said so, and who passes it on. */
export type RelayedBy = { readonly caller: Caller; readonly host: string; readonly reason?: string }

/**
 * Hands a verdict that a host relays to the desk, which alone knows whether it counts. False where it does not:
 * the question stays as it is, and the answer by the call's id says how it stands.
 */
export async function relayVerdict(
  desk: ApprovalsApi,
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
    await desk.decide(caller, shown.id, form)
    return true
  } catch (thrown) {
    if (!isNotForHost(toToolError(thrown).code)) throw thrown
    return false
  }
}

/** Hands on an answer to a run's question likewise. Answers what is wrong with it, where the person can mend it. */
export async function relayAnswer(
  desk: QuestionsApi,
  answer: unknown,
  shown: ShownRequest,
  { caller, host }: RelayedBy,
): Promise<string | undefined> {
  try {
    await desk.answer(caller, shown.id, {
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
