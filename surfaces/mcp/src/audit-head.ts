import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import type { AuditHeads } from './options.ts'
import type { CallerOf } from './resources.ts'

const URI = 'surehand://audit/head'
const mimeType = 'application/json'
const description = {
  title: 'Audit head',
  description:
    'The latest signed head of the tenant’s audit log, to be stored outside of the server.',
  mimeType,
}

/**
 * The latest signed head of the tenant's audit: with a stored head, changes to older records can be
 * detected later.
 */
export function registerAuditHead(server: McpServer, audit: AuditHeads, callerOf: CallerOf): void {
  // A template without a variable, because only templates are listed by caller.
  const head = new ResourceTemplate(URI, {
    list: (context) => ({
      resources: mayReadAudit(callerOf(context))
        ? [{ uri: URI, name: 'audit-head', ...description }]
        : [],
    }),
  })
  server.registerResource('audit-head', head, description, async ({ href: uri }, _, context) => {
    const caller = callerOf(context)
    if (!mayReadAudit(caller)) throw new ResourceNotFoundError(uri)
    const latest = (await audit.head(caller.tenant)) ?? null
    return { contents: [{ uri, mimeType, text: JSON.stringify({ head: latest }) }] }
  })
}

/** The audit is for administrators and not for AI agents, as over HTTP. */
function mayReadAudit({ actor, roles }: Caller): boolean {
  return actor !== 'ai_agent' && roles.includes('admin')
}
