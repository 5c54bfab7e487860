import { type Tool, ToolError } from '@surehand/core'
import { modelInput, modelInputSchema, wireName } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { dynamicTool, type ToolSet } from 'ai'
import { shownSchema } from './describe.ts'
import { executionOf, type Meant, type ProgressOption } from './execution.ts'
import { modelOutput } from './model-output.ts'
import type { Surface } from './options.ts'
import { foundTools, SEARCH } from './search-tool.ts'

const DESCRIBE = wireName('tools.describe')
export const CALL = wireName('tools.call')
const MOST_FOUND = 20

/** Three tools that never change, so that a thousand don't fill a context. What is called through them keeps its own contract. */
export async function compactTools(surface: Surface, options: ProgressOption): Promise<ToolSet> {
  const visible = await surface.runtime.visibleTools(surface.caller)
  return {
    [SEARCH]: dynamicTool({
      title: 'Search tools',
      description: 'Finds tools by what they do. Use it first; it answers names and one line each.',
      inputSchema: textFields({ query: 'What is to be done, in a few words.' }),
      execute: async (input) => ({
        tools: (await foundTools(textIn(input, 'query'), surface)).slice(0, MOST_FOUND),
      }),
    }),
    [DESCRIBE]: dynamicTool({
      title: 'Describe a tool',
      description:
        'Answers what a tool does and the schema of its input. Use it before you call a tool you have not called yet.',
      inputSchema: textFields({ name: `A name that ${SEARCH} answered.` }),
      execute: async (input) => describeCall(textIn(input, 'name'), visible),
    }),
    [CALL]: dynamicTool({
      title: 'Call a tool',
      description:
        'Calls a tool by its name. The answer, and whatever it asks or refuses, is the tool’s own.',
      inputSchema: shownSchema<unknown>({
        type: 'object',
        properties: {
          name: { type: 'string', description: `A name that ${SEARCH} answered.` },
          arguments: { type: 'object', description: `Its input, as ${DESCRIBE} says.` },
        },
        required: ['name'],
      }),
      toModelOutput: ({ output }) => modelOutput(output),
      execute: executionOf((input) => meantCall(input, surface), surface, options),
    }),
  }
}

/** What a call of `tools__call` means. */
export function meantCall(input: unknown, { runtime, caller }: Surface): Meant {
  const name = textIn(input, 'name')
  // of all there is, not of what is visible: the runtime says whose it is, and the host's `request` must hear whatever it may run
  const tool = findTool(name, runtime.tools(caller.tenant))
  // the registry would run the version; models are told names without one, and a host would hear of another tool than the one that runs
  if (tool === undefined && name.includes('@')) throw notCalled(name)
  return { name, tool, input: (input as { readonly arguments?: unknown }).arguments ?? {} }
}

/** By every name the registry knows it by, but for versions. */
export function findTool(name: string, list: readonly Tool[]): Tool | undefined {
  return list.find(
    ({ id, aliases }) => id === name || wireName(id) === name || aliases.includes(name),
  )
}

function notCalled(name: string): ToolError {
  return new ToolError(
    'TOOL_NOT_FOUND',
    `There is no tool called "${name}". Find one with ${SEARCH}.`,
  )
}

function describeCall(name: string, visible: readonly Tool[]): unknown {
  const tool = findTool(name, visible)
  if (tool === undefined) throw notCalled(name)
  return {
    name: wireName(tool.id),
    title: tool.title,
    description: tool.description,
    inputSchema: modelInputSchema(tool),
    examples: tool.examples.map(({ input }) => modelInput(tool, input)),
  }
}

function textFields(fields: Readonly<Record<string, string>>) {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
  )
  return shownSchema<unknown>({
    type: 'object',
    properties,
    required: Object.keys(fields),
  } as JsonSchema)
}

function textIn(input: unknown, field: string): string {
  const value =
    typeof input === 'object' && input !== null
      ? (input as Readonly<Record<string, unknown>>)[field]
      : undefined
  if (typeof value === 'string') return value
  throw new ToolError('TOOL_INVALID_INPUT', `\`${field}\` must be text.`)
}
