import type { Tool } from '@surehand/core'
import { askPerson, resolveAttention } from './attention/attention-tools.ts'
import { prepareCall } from './calls/prepare-call.ts'
import { settleCall } from './calls/settle-call.ts'
import { importVendors } from './commands/import-vendors.ts'
import { decideConsent } from './consent/decide-consent.ts'
import { prepareConsent } from './consent/prepare-consent.ts'
import { discoveryTransactionTools } from './discovery/transaction-tools.ts'
import { eraseClientRows } from './erasure/erase-client-rows.ts'
import { prepareMessage } from './messages/prepare-message.ts'
import { prepareQueuedMessage } from './messages/prepare-queued-message.ts'
import { settleMessage } from './messages/settle-message.ts'
import { storeInbound } from './messages/store-inbound.ts'
import { storeMessageState } from './messages/store-message-state.ts'
import { createOcrJob } from './ocr/create-ocr-job.ts'
import { updateOcrJob } from './ocr/update-ocr-job.ts'
import { markFallbackSent } from './orchestrator/mark-fallback-sent.ts'
import { setConversationMode } from './orchestrator/set-conversation-mode.ts'
import { endOutreach } from './outreach/end-outreach.ts'
import { planOutreach } from './outreach/plan-outreach.ts'
import { recordVendorReply } from './outreach/record-vendor-reply.ts'
import { updateModelReading } from './replies/model/update-model-reading.ts'
import { describeRequest } from './request/describe-request.ts'
import { finishShortlist } from './request/finish-shortlist.ts'
import { moveRequest } from './request/move-request.ts'
import { openRequest } from './request/open-request.ts'
import { updateRequestState } from './request/update-request-state.ts'

// The tools whose effect is a transaction. SQLite's writer thread loads this module and nothing else
// of the pack, so a tool without a transaction belongs in pack.ts: it would delay every start.

/** Tools of the document. */
export const documentTransactionTools: readonly Tool[] = [
  recordVendorReply,
  createOcrJob,
  updateRequestState,
]

/** Parts of other tools, and what operators do. */
export const internalTransactionTools: readonly Tool[] = [
  prepareMessage,
  prepareQueuedMessage,
  settleMessage,
  storeInbound,
  storeMessageState,
  openRequest,
  describeRequest,
  moveRequest,
  finishShortlist,
  planOutreach,
  endOutreach,
  prepareConsent,
  decideConsent,
  prepareCall,
  settleCall,
  updateOcrJob,
  setConversationMode,
  markFallbackSent,
  askPerson,
  resolveAttention,
  importVendors,
  eraseClientRows,
  updateModelReading,
]

export const marketplaceTransactionTools: readonly Tool[] = [
  ...documentTransactionTools,
  ...internalTransactionTools,
  ...discoveryTransactionTools,
]
