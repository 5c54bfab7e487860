import { definePort, defineTool } from '@surehand/core'
import type { PackAuditRecord, PackGiven } from '@surehand/core/host'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, type Reader, readerOf } from '../market-data.ts'
import { requireRequest } from '../request/store-request.ts'

/** Reads the runtime's audit. */
export type MarketAudit = {
  readonly list: (
    query: {
      readonly tenant: string
      readonly requestIds: readonly string[]
      readonly limit: number
    },
    signal: AbortSignal,
  ) => Promise<readonly PackAuditRecord[]>
}

export const auditPort = definePort<MarketAudit>('marketAudit', { list: 'read' })

export function marketAudit({ audit }: Pick<PackGiven, 'audit'>): MarketAudit {
  return { list: (query) => audit(query) }
}

/** The tools of the document. The marketplace's own parts of them are left out. */
const DOCUMENTED = new Set([
  ...[
    'search_vendors',
    'get_request_snapshot',
    'send_client_message',
    'send_vendor_message',
    'record_vendor_reply',
    'create_ocr_job',
    'get_ocr_result',
    'request_call_consent',
    'start_call',
    'update_request_state',
  ].map((name) => `marketplace.${name}`),
  'discovery.web_search_items',
  'discovery.maps_places_items',
  'discovery.social_profile_items',
])

const Actor = z.enum(['moltbot', 'system', 'admin'])

/** The document's audit record. */
const ToolAuditRecord = z.object({
  id: z.string(),
  request_id: z.string(),
  tool_name: z.string(),
  input_hash: z.string().describe('SHA-256 of the JSON input.'),
  output_hash: z.string().describe('SHA-256 of the JSON output; empty where there is none.'),
  success: z.boolean(),
  duration_ms: z.number(),
  error: z.string().optional(),
  created_at: z.string(),
})

/** The document's header of a call. */
const ToolCallMeta = z.object({
  request_id: z.string(),
  idempotency_key: z.string(),
  actor: Actor,
  timestamp: z.string(),
})

export const listAudit = defineTool({
  id: 'marketplace.list_audit',
  title: 'Which tools were called for a request',
  category: 'marketplace',
  description:
    "Every call of the marketplace's tools for a request, oldest first: who called, when, with which key, whether it succeeded, and the hashes of input and output. For operators.",
  version: '1.0.0',
  input: z.object({
    request_id: z.string().min(1).max(100).describe('A request, or the post of a discovery.'),
    limit: z.int().min(1).max(1_000).default(200),
  }),
  output: z.object({
    calls: z.array(z.object({ meta: ToolCallMeta, record: ToolAuditRecord })),
  }),
  contract: { ...OPERATE, effect: 'read', timeout: '10s' },
  ports: { audit: auditPort, data: marketData },
  examples: [{ name: 'a request', input: { request_id: 'req_1' } }],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const requestIds = await listRequestIds(readerOf(ports.data, signal), tenant, input.request_id)
    const records = await ports.audit.list({ tenant, requestIds, limit: input.limit }, signal)
    return {
      calls: records
        .filter(({ phase, tool_name: name }) => phase === 'outcome' && DOCUMENTED.has(name))
        .map((record) => toView(record, input.request_id)),
    }
  },
})

// Calls that name a consent or a job are recorded under its id.
async function listRequestIds(
  read: Reader,
  tenant: string,
  requestId: string,
): Promise<readonly string[]> {
  if (requestId.startsWith('req_')) await requireRequest(read, tenant, requestId)
  const rows = await read(
    `select id from mk_consents where tenant = ? and request_id = ? union all select id from mk_ocr_jobs where tenant = ? and request_id = ?`,
    tenant,
    requestId,
    tenant,
    requestId,
  )
  return [requestId, ...rows.map(({ id }) => String(id))]
}

function toView(record: PackAuditRecord, requestId: string) {
  const at = new Date(record.created_at).toISOString()
  return {
    meta: {
      request_id: requestId,
      idempotency_key: record.idempotency_key,
      actor: toActor(record.actor),
      timestamp: at,
    },
    record: {
      id: record.id,
      request_id: requestId,
      tool_name: record.tool_name,
      input_hash: record.input_hash,
      output_hash: record.output_hash,
      success: record.success,
      duration_ms: record.duration_ms,
      ...(record.success ? {} : { error: record.error === '' ? record.code : record.error }),
      created_at: at,
    },
  }
}

/** The document's names: its agent is "moltbot", and people are "admin". */
function toActor(actor: string): z.output<typeof Actor> {
  if (actor === 'ai_agent') return 'moltbot'
  return actor === 'system' ? 'system' : 'admin'
}
