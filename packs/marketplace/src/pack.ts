import { definePack, type Tool } from '@surehand/core'
import { listAttention } from './attention/list-attention.ts'
import { listAudit } from './audit/list-audit.ts'
import { getCurrentCall } from './calls/get-current-call.ts'
import { offerCall } from './calls/offer-call.ts'
import { OPERATOR_ROUTES } from './calls/operator-routes.ts'
import { placeCall } from './calls/place-call.ts'
import { startCall } from './calls/start-call.ts'
import { chooseProviders, MARKETPLACE_NEEDS } from './choose-providers.ts'
import { listConsents } from './commands/list-consents.ts'
import { listRequests } from './commands/list-requests.ts'
import { listVendors } from './commands/list-vendors.ts'
import { marketCommand } from './commands/market-command.ts'
import { requestTimeline } from './commands/request-timeline.ts'
import { requestCallConsent } from './consent/request-call-consent.ts'
import { mapsPlacesItems } from './discovery/maps-places-items.ts'
import { socialProfileItems } from './discovery/social-profile-items.ts'
import { webSearchItems } from './discovery/web-search-items.ts'
import { eraseClient } from './erasure/erase-client.ts'
import { deliverMessage } from './messages/deliver-message.ts'
import { sendClientMessage } from './messages/send-client-message.ts'
import { sendVendorMessage } from './messages/send-vendor-message.ts'
import { WEBHOOK_ROUTES } from './messages/webhook-routes.ts'
import { getOcrResult } from './ocr/get-ocr-result.ts'
import { handleEventTool, runDueWorkTool } from './orchestrator/handle-event-tool.ts'
import { getRequestSnapshot } from './request/get-request-snapshot.ts'
import { TABLES } from './tables.ts'
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

/** The tools of discovery without those that are transactions. */
export const discoveryTools: readonly Tool[] = [webSearchItems, mapsPlacesItems, socialProfileItems]

/** Every tool of the pack. */
export const marketplaceTools: readonly Tool[] = [
  ...marketplaceTransactionTools,
  ...readingAndSending,
  ...operating,
  ...views,
  ...discoveryTools,
]

/** From a client's WhatsApp message to a shortlist of vendors and a call, as tools of Surehand. */
export const marketplacePack = definePack({
  name: 'marketplace',
  tools: marketplaceTools,
  grants: {
    user: ['marketplace.read', 'marketplace.write', 'marketplace.call'],
    admin: ['marketplace.operate'],
  },
  data: {
    migrations: TABLES,
    transactions: new URL('./transaction-tools.ts', import.meta.url).href,
  },
  needs: MARKETPLACE_NEEDS,
  providers: chooseProviders,
  routes: [...WEBHOOK_ROUTES, ...OPERATOR_ROUTES],
  schedules: [{ name: 'due-work', every: '10s', tool: 'marketplace.run_due_work' }],
  commands: [marketCommand],
  views: [
    {
      name: 'requests',
      title: 'Requests',
      summary: 'What clients asked for, and everything that happened to a request.',
      tools: ['marketplace.list_requests', 'marketplace.request_timeline'],
      fields: { request: 'Request' },
      load: () => import('./views/requests.ts'),
    },
  ],
  // Loaded where it is started: the emulator is no part of a market in production.
  demo: async (given) => (await import('./demo/start-demo.ts')).startMarketDemo(given),
})
