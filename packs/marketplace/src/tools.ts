import type { Tool } from '@surehand/core'
import { listAttention } from './attention/list-attention.ts'
import { listAudit } from './audit/list-audit.ts'
import { getCurrentCall } from './calls/get-current-call.ts'
import { offerCall } from './calls/offer-call.ts'
import { placeCall } from './calls/place-call.ts'
import { startCall } from './calls/start-call.ts'
import { listConsents } from './commands/list-consents.ts'
import { listRequests } from './commands/list-requests.ts'
import { listVendors } from './commands/list-vendors.ts'
import { requestTimeline } from './commands/request-timeline.ts'
import { requestCallConsent } from './consent/request-call-consent.ts'
import { discoveryTools } from './discovery/discovery-tools.ts'
import { eraseClient } from './erasure/erase-client.ts'
import { deliverMessage } from './messages/deliver-message.ts'
import { sendClientMessage } from './messages/send-client-message.ts'
import { sendVendorMessage } from './messages/send-vendor-message.ts'
import { getOcrResult } from './ocr/get-ocr-result.ts'
import { handleEventTool, runDueWorkTool } from './orchestrator/handle-event-tool.ts'
import { getRequestSnapshot } from './request/get-request-snapshot.ts'
import {
  documentTransactionTools,
  internalTransactionTools,
  marketplaceTransactionTools,
} from './transaction-tools.ts'
import { searchVendors } from './vendors/search-vendors.ts'

const readingAndSending: readonly Tool[] = [
  searchVendors,
  getRequestSnapshot,
  sendClientMessage,
  sendVendorMessage,
  getOcrResult,
  requestCallConsent,
  startCall,
]

/** The ten `marketplace` tools of the document, which agents use. */
export const documentTools: readonly Tool[] = [...readingAndSending, ...documentTransactionTools]

/** Parts of other tools, and what operators look at: agents do not see them. */
const operating: readonly Tool[] = [
  deliverMessage,
  placeCall,
  offerCall,
  getCurrentCall,
  handleEventTool,
  runDueWorkTool,
  eraseClient,
  listAudit,
  listAttention,
]
const views: readonly Tool[] = [listRequests, requestTimeline, listVendors, listConsents]
export const internalTools: readonly Tool[] = [...internalTransactionTools, ...operating]

/** Every tool of the pack. */
export const marketplaceTools: readonly Tool[] = [
  ...marketplaceTransactionTools,
  ...readingAndSending,
  ...operating,
  ...views,
  ...discoveryTools,
]
