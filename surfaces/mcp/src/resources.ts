import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller, Tool } from '@surehand/core'
import { definitionHash, wireName } from '@surehand/core/host'
import { isAdministrator } from '@surehand/core/internal'
import { describe } from './describe.ts'
import type { AuditHeads, Files, Surface } from './options.ts'
import { envelopeOf } from './reply.ts'

export type CallerOf = (context: ServerContext) => Caller

/**
 * Registers the resources: a page for each tool, the answers of calls, and the latest head of the
 * audit where it is configured.
 */
export function registerResources(server: McpServer, surface: Surface, callerOf: CallerOf): void {
  const { catalogue, runtime } = surface
  const tools = new ResourceTemplate('surehand://tools/{name}', {
    list: async (context) => ({
      resources: (await catalogue.visible(callerOf(context))).map(toResource),
    }),
  })
  server.registerResource(
    'tool',
    tools,
    { title: 'Tools', mimeType: 'text/markdown' },
    async (uri, { name }, context) => {
      const tool = await catalogue.findVisible(callerOf(context), String(name))
      if (tool === undefined) throw new ResourceNotFoundError(uri.href)
      return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: renderPage(tool) }] }
    },
  )
  const calls = new ResourceTemplate('surehand://calls/{id}', { list: undefined })
  server.registerResource(
    'call',
    calls,
    { title: 'Answers of calls', mimeType: 'application/json' },
    async (uri, { id }, context) => {
      const outcome = await runtime.answer(callerOf(context), String(id))
      if (outcome === undefined) throw new ResourceNotFoundError(uri.href)
      return {
        contents: [
          {
            uri: uri.href,
            mimeType: 'application/json',
            text: JSON.stringify(envelopeOf(outcome, surface)),
          },
        ],
      }
    },
  )
  if (surface.files !== undefined) registerFiles(server, surface.files, callerOf)
  if (surface.audit !== undefined) registerAuditHead(server, surface.audit, callerOf)
}

/** What was too large for an answer. It is not listed: the answer links to it. */
function registerFiles(server: McpServer, files: Files, callerOf: CallerOf): void {
  server.registerResource(
    'artifact',
    new ResourceTemplate('surehand://artifacts/{id}', { list: undefined }),
    { title: 'Files of answers' },
    async ({ href: uri }, { id }, context) => {
      const found = await files.find(callerOf(context), String(id))
      if (found === undefined) throw new ResourceNotFoundError(uri)
      const { bytes, mediaType: mimeType } = found
      const content = /^text\/|[/+](?:json|xml|yaml)$/.test(mimeType)
        ? { text: Buffer.from(bytes).toString() }
        : { blob: Buffer.from(bytes).toString('base64') }
      return { contents: [{ uri, mimeType, ...content }] }
    },
  )
}

function toResource(tool: Tool): {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
} {
  const name = wireName(tool.id)
  return {
    uri: `surehand://tools/${name}`,
    name,
    title: tool.title,
    description: tool.description,
    mimeType: 'text/markdown',
  }
}

function renderPage(tool: Tool): string {
  const { contract } = tool
  const examples = tool.examples.map(
    ({ name, input }) => `### ${name}\n\n\`\`\`json\n${JSON.stringify(input, null, 2)}\n\`\`\``,
  )
  return [
    `# ${tool.title}`,
    tool.description,
    ...(tool.detailedDescription === undefined ? [] : [tool.detailedDescription]),
    `Name \`${wireName(tool.id)}\`, version ${tool.version}, definition ${definitionHash(tool)}. Effect: ${contract.effect}${contract.reversible ? '' : ', cannot be undone'}.`,
    ...(contract.approval === undefined
      ? []
      : [`Requires approval by a person (${contract.approval.kind}).`]),
    `## Input\n\n\`\`\`json\n${JSON.stringify(describe(tool).inputSchema, null, 2)}\n\`\`\``,
    ...(examples.length === 0 ? [] : ['## Examples', ...examples]),
  ].join('\n\n')
}

const AUDIT_HEAD_URI = 'surehand://audit/head'
const auditHeadDescription = {
  title: 'Audit head',
  description:
    'The latest signed head of the tenant’s audit log, to be stored outside of the server.',
  mimeType: 'application/json',
}

/**
 * The latest signed head of the tenant's audit: with a stored head, changes to older records can be
 * detected later.
 */
function registerAuditHead(server: McpServer, audit: AuditHeads, callerOf: CallerOf): void {
  // A template without a variable, because only templates are listed by caller.
  const head = new ResourceTemplate(AUDIT_HEAD_URI, {
    list: (context) => ({
      resources: mayReadAudit(callerOf(context))
        ? [{ uri: AUDIT_HEAD_URI, name: 'audit-head', ...auditHeadDescription }]
        : [],
    }),
  })
  server.registerResource(
    'audit-head',
    head,
    auditHeadDescription,
    async ({ href: uri }, _, context) => {
      const caller = callerOf(context)
      if (!mayReadAudit(caller)) throw new ResourceNotFoundError(uri)
      const latest = (await audit.head(caller.tenant)) ?? null
      return {
        contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ head: latest }) }],
      }
    },
  )
}

/** The audit is for administrators and not for AI agents, as over HTTP. */
function mayReadAudit(caller: Caller): boolean {
  return isAdministrator(caller)
}
