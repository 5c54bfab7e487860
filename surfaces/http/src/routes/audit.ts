import { type Caller, ToolError } from '@surehand/core'
import { isAdministrator } from '@surehand/core/internal'
import { z } from 'zod'
import type { HttpAudit, Surface } from '../options.ts'
import { parseQuery } from '../parse-request.ts'
import { SAFE_HEADERS } from '../reply.ts'
import type { Route } from '../route.ts'

const Filter = z.strictObject({
  call_id: z.string().max(100).exactOptional(),
  tool: z.string().max(200).exactOptional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
})

/** The audit of the caller's tenant, for its administrators. */
export const auditRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/audit',
    command: 'audit.list',
    summary: 'Lists the newest records, or those of a call or a tool.',
    async handle(context, caller, surface) {
      const { call_id, tool, limit } = parseQuery(context, Filter)
      const records = await auditFor(caller, surface).list({
        tenant: caller.tenant,
        limit,
        ...(call_id === undefined ? {} : { callId: call_id }),
        ...(tool === undefined ? {} : { toolName: tool }),
      })
      return { records }
    },
  },
  {
    method: 'GET',
    path: '/v1/audit/export',
    command: 'audit.export',
    summary: 'Exports the whole audit as JSON lines, to be verified offline.',
    handle(_, caller, surface) {
      const lines = auditFor(caller, surface).export?.(caller.tenant)
      if (lines === undefined) throw unavailable('exported')
      return new Response(ReadableStream.from(encodeLines(lines)), {
        headers: { ...SAFE_HEADERS, 'content-type': 'application/x-ndjson' },
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/audit/verify',
    command: 'audit.verify',
    summary: 'Checks whether the stored audit was tampered with.',
    async handle(_, caller, surface) {
      const verdict = auditFor(caller, surface).verify?.(caller.tenant)
      if (verdict === undefined) throw unavailable('verified')
      return { verdict: await verdict }
    },
  },
]

async function* encodeLines(lines: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const line of lines) yield encoder.encode(`${line}\n`)
}

function auditFor(caller: Caller, { audit }: Surface): HttpAudit {
  if (!isAdministrator(caller))
    throw new ToolError('TOOL_ROLE_NOT_AUTHORIZED', 'Only administrators may read the audit.')
  if (audit === undefined) throw unavailable('read')
  return audit
}

function unavailable(action: string): ToolError {
  return new ToolError(
    'TOOL_TEMPORARILY_DISABLED',
    `The audit cannot be ${action} on this server: its store does not offer it.`,
  )
}
