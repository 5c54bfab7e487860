import { dispatchMessage } from '../engine/dispatch-message.ts'
import { type MarketWork, runTool } from '../engine/market-context.ts'
import { readClientRequest, writeToClient } from './client-request.ts'
import { phrasesOf } from './texts.ts'

/** Records a client's yes or no to a call, and asks for WhatsApp's own permission where it lacks. */
export async function answerConsent(
  work: MarketWork,
  answer: {
    readonly consentId: string
    readonly requestId: string
    readonly decision: 'granted' | 'denied'
    /** The client's message. */
    readonly messageId: string
  },
): Promise<string> {
  const { state } = await runTool<{ state: string }>(work, {
    tool: 'marketplace.decide_consent',
    input: {
      consent_id: answer.consentId,
      change: answer.decision,
      by_message: answer.messageId,
    },
    requestId: answer.requestId,
  })
  const request = await readClientRequest(work, answer.requestId)
  if (request === undefined || request.mode !== 'auto') return `the consent is ${state}`
  const { consentGranted, consentDenied, callPermission } = phrasesOf(request.language)
  await writeToClient(work, request, state === 'granted' ? consentGranted : consentDenied)
  if (
    state === 'granted' &&
    work.settings().callingEnabled &&
    !(await mayCall(work, request.conversationId))
  )
    await dispatchMessage(work, {
      request_id: request.id,
      party: 'client',
      kind: 'call_permission',
      text: callPermission,
      about: answer.consentId,
      by: 'system',
    })
  return `the consent is ${state}`
}

// If WhatsApp does not say, it is asked when the call is placed.
async function mayCall(work: MarketWork, conversationId: string): Promise<boolean> {
  const [row] = await work.read(
    'select phone from mk_conversations where tenant = ? and id = ?',
    work.tenant,
    conversationId,
  )
  try {
    const { mayCall: allowed } = await work.calling.permission(
      { tenant: work.tenant, to: String(row?.phone) },
      work.signal,
    )
    return allowed
  } catch {
    return true
  }
}
