import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/server'
import { toolLine, wireName } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { ToolsCallResult } from './call-tool.ts'
import { describe } from './describe.ts'
import type { Surface } from './options.ts'
import { invalid, type ToolsCall } from './request.ts'

export const SEARCH = wireName('tools.search')
const DESCRIBE = wireName('tools.describe')
const CALL = wireName('tools.call')
const MAX_RESULTS = 10

type Run = (call: ToolsCall, surface: Surface) => Promise<ToolsCallResult>

/**
 * Three stable tools instead of the whole list, so that a thousand tools do not fill a model's
 * context.
 */
export const COMPACT_TOOLS: readonly McpTool[] = [
  {
    name: SEARCH,
    title: 'Search tools',
    description:
      'Finds tools by what they do. Use it first; it returns one line for each, best first: its name, what it does, and what describing it costs.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What you want to do, in a few words.' },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: DESCRIBE,
    title: 'Describe a tool',
    description:
      'Returns the description of a tool and the schema of its input. Use it before you call a tool for the first time.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: `A name that ${SEARCH} returned.` } },
      required: ['name'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    title: 'Call a tool',
    description:
      'Calls a tool by its name. The result, including questions and refusals, is that of the tool.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: `A name that ${SEARCH} returned.` },
        arguments: {
          type: 'object',
          description: `Its input, in the schema that ${DESCRIBE} returned.`,
        },
      },
      required: ['name'],
    },
  },
]

export function isCompactTool(name: string): boolean {
  return COMPACT_TOOLS.some((tool) => tool.name === name)
}

export async function runCompactTool(
  call: ToolsCall,
  surface: Surface,
  run: Run,
): Promise<ToolsCallResult> {
  switch (call.name) {
    case SEARCH:
      return searchTools(call, surface)
    case DESCRIBE:
      return describeTool(call, surface)
    default: {
      const { arguments: input = {} } = call.input
      if (!isRecord(input)) throw invalid('`arguments` must be an object.')
      return run({ ...call, name: readName(call), input, sent: input }, surface)
    }
  }
}

async function searchTools(call: ToolsCall, { runtime }: Surface): Promise<CallToolResult> {
  const { query } = call.input
  if (typeof query !== 'string') throw invalid('`query` must be text.')
  await runtime.ready(call.caller.tenant, query)
  const hits = runtime.searchTools(call.caller, query).slice(0, MAX_RESULTS)
  const lines = hits.map(({ tool }) => toolLine(tool))
  const text =
    lines.length === 0
      ? 'No tool matches these words. Try others, or fewer.'
      : [...lines, `Read the schema of one with ${DESCRIBE}; its cost is in brackets.`].join('\n')
  return { content: [{ type: 'text', text }] }
}

async function describeTool(call: ToolsCall, { catalogue }: Surface): Promise<CallToolResult> {
  const name = readName(call)
  const tool = await catalogue.findVisible(call.caller, name)
  if (tool === undefined) throw invalid(`There is no tool called "${name}".`)
  const { name: called, title, description, inputSchema, annotations } = describe(tool)
  return json({ name: called, title, description, inputSchema, annotations })
}

function readName({ input }: ToolsCall): string {
  if (typeof input.name !== 'string') throw invalid('`name` must be the name of a tool.')
  return input.name
}

function json(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] }
}
