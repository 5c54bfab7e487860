import type { CallToolResult, Tool as McpTool } from '@modelcontextprotocol/server'
import { wireName } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import type { ToolsCallResult } from './call-tool.ts'
import { describe } from './describe.ts'
import type { Surface } from './options.ts'
import { invalid, type ToolsCall } from './request.ts'

const SEARCH = wireName('tools.search')
const DESCRIBE = wireName('tools.describe')
const CALL = wireName('tools.call')
const MOST_FOUND = 20

type Run = (call: ToolsCall, surface: Surface) => Promise<ToolsCallResult>

/** Three tools that never change, so that a thousand don't fill a context. */
export const COMPACT_TOOLS: readonly McpTool[] = [
  {
    name: SEARCH,
    title: 'Search tools',
    description: 'Finds tools by what they do. Use it first; it answers names and one line each.',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What is to be done, in a few words.' } },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: DESCRIBE,
    title: 'Describe a tool',
    description:
      'Answers what a tool does and the schema of its input. Use it before you call a tool you have not called yet.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: `A name that ${SEARCH} answered.` } },
      required: ['name'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: CALL,
    title: 'Call a tool',
    description:
      'Calls a tool by its name. The answer, and whatever it asks or refuses, is the tool’s own.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: `A name that ${SEARCH} answered.` },
        arguments: { type: 'object', description: `Its input, as ${DESCRIBE} says.` },
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
      return found(call, surface)
    case DESCRIBE:
      return described(call, surface)
    default: {
      const { arguments: input = {} } = call.input
      if (!isRecord(input)) throw invalid('`arguments` must be an object.')
      return run({ ...call, name: nameIn(call), input, sent: input }, surface)
    }
  }
}

async function found(call: ToolsCall, { runtime }: Surface): Promise<CallToolResult> {
  const { query } = call.input
  if (typeof query !== 'string') throw invalid('`query` must be text.')
  await runtime.ready(call.caller.tenant)
  const hits = runtime.searchTools(call.caller, query).slice(0, MOST_FOUND)
  return json({
    tools: hits.map(({ tool }) => ({ name: wireName(tool.id), description: tool.description })),
  })
}

async function described(call: ToolsCall, { catalogue }: Surface): Promise<CallToolResult> {
  const name = nameIn(call)
  const tool = await catalogue.findVisible(call.caller, name)
  if (tool === undefined) throw invalid(`There is no tool called "${name}".`)
  return json({ ...describe(tool) })
}

function nameIn({ input }: ToolsCall): string {
  if (typeof input.name !== 'string') throw invalid('`name` must be the name of a tool.')
  return input.name
}

function json(value: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}
