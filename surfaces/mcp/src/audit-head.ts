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
const face = {
  title: 'Audit head',
  description: 'The latest signed head of this house’s audit, to keep outside of it.',
  mimeType,
}

/** The latest signed head of the caller's house: whoever keeps one can tell later whether a record under it was changed. */
export function registerAuditHead(server: McpServer, audit: AuditHeads, callerOf: CallerOf): void {
  // a template without a variable, since only templates are listed caller by caller
  const head = new ResourceTemplate(URI, {
    list: (context) => ({
      resources: mayReadAudit(callerOf(context)) ? [{ uri: URI, name: 'audit-head', ...face }] : [],
    }),
  })
  server.registerResource('audit-head', head, face, async ({ href: uri }, _, context) => {
    const caller = callerOf(context)
    if (!mayReadAudit(caller)) throw new ResourceNotFoundError(uri)
    const latest = (await audit.head(caller.tenant)) ?? null
    return { contents: [{ uri, mimeType, text: JSON.stringify({ head: latest }) }] }
  })
}

/** The audit is for administrators in person, as it is over HTTP. */
function mayReadAudit({ actor, roles }: Caller): boolean {
  return actor !== 'ai_agent' && roles.includes('admin')
}
