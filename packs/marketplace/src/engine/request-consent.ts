import type { ConsentOrder, ConsentReceipt } from '../market-port.ts'
import { consentButtons, consentQuestion, languageOf } from '../orchestrator/texts.ts'
import { dispatchMessage } from './dispatch-message.ts'
import { type MarketWork, runTool } from './market-context.ts'

/** Asks a client whether we may call; a question that is open is not asked again. */
export async function requestConsent(
  work: MarketWork,
  { requestId, scope, reason, by }: ConsentOrder,
): Promise<ConsentReceipt> {
  const { consent_id: consentId, is_asked: isAsked } = await runTool<{
    consent_id: string
    is_asked: boolean
  }>(work, {
    tool: 'marketplace.prepare_consent',
    input: { request_id: requestId, scope, reason },
    requestId,
  })
  if (isAsked) return { consent_id: consentId, message_sent: false }
  const language = await readClientLanguage(work, requestId)
  await dispatchMessage(work, {
    request_id: requestId,
    party: 'client',
    kind: 'interactive',
    text: consentQuestion(language, reason),
    options: consentButtons(language),
    about: consentId,
    by,
  })
  await runTool(work, {
    tool: 'marketplace.decide_consent',
    input: { consent_id: consentId, change: 'asked' },
    requestId,
  })
  return { consent_id: consentId, message_sent: true }
}

/** The language that the client of a request writes in. */
export async function readClientLanguage({ read, tenant }: MarketWork, requestId: string) {
  const [row] = await read(
    `select c.language from mk_requests r join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where r.tenant = ? and r.id = ?`,
    tenant,
    requestId,
  )
  return languageOf(row?.language)
}
