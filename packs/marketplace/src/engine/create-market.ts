import { isToolError } from '@surehand/core'
import { eraseClient } from '../erasure/client-erasure.ts'
import type { ConsentOrder, ConsentReceipt, Market } from '../market-port.ts'
import { handleEvent } from '../orchestrator/handle-event.ts'
import { runDueWork } from '../orchestrator/run-due-work.ts'
import { consentButtons, consentQuestion, languageOf } from '../orchestrator/texts.ts'
import { asRefusal, dispatchMessage } from './dispatch-message.ts'
import { type MarketContext, type MarketWork, openWork, runTool } from './market-context.ts'
import { startCall } from './start-call.ts'

/** The marketplace's own provider: it carries out what takes several calls. */
export function createMarket(context: MarketContext): Market {
  return {
    sendMessage: ({ tenant, requestId, vendorId, text, options, by }, signal) =>
      refusing(
        dispatchMessage(openWork(context, tenant, signal), {
          request_id: requestId,
          party: vendorId === undefined ? 'client' : 'vendor',
          ...(vendorId === undefined ? {} : { vendor_id: vendorId }),
          kind: options === undefined ? 'text' : 'interactive',
          text,
          ...(options === undefined ? {} : { options: [...options] }),
          by,
        }),
      ),
    requestConsent: (order, signal) =>
      refusing(requestConsent(openWork(context, order.tenant, signal), order)),
    startCall: (order, signal) =>
      refusing(startCall(openWork(context, order.tenant, signal), order)),
    eraseClient: (order, signal) =>
      refusing(eraseClient(openWork(context, order.tenant, signal), order)),
    handleEvent: ({ tenant, event }, signal) =>
      handleEvent(openWork(context, tenant, signal), event),
    runDueWork: ({ tenant }, signal) => runDueWork(openWork(context, tenant, signal)),
  }
}

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    throw isToolError(thrown) ? asRefusal(thrown) : thrown
  }
}

/** Asks a client whether we may call; a question that is open is not asked again. */
async function requestConsent(
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
