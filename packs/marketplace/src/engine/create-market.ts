import { isToolError } from '@surehand/core'
import type { Market } from '../market-port.ts'
import { handleEvent } from '../orchestrator/handle-event.ts'
import { runDueWork } from '../orchestrator/run-due-work.ts'
import { asRefusal, dispatchMessage } from './dispatch-message.ts'
import { eraseClient } from './erase-client.ts'
import { type MarketContext, openWork } from './market-context.ts'
import { requestConsent } from './request-consent.ts'
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
