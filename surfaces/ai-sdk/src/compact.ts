import { type Tool, ToolError } from '@surehand/core'
import { modelInput, modelInputSchema, wireName } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { dynamicTool, type ToolSet } from 'ai'
import { unvalidatedSchema } from './describe.ts'
import { createExecution, type ProgressOption, type RequestedCall } from './execution.ts'
import { modelOutput } from './model-output.ts'
import type { Surface } from './options.ts'
import { findTools, SEARCH } from './search-tool.ts'

const DESCRIBE = wireName('tools.describe')
export const CALL = wireName('tools.call')
const MAX_RESULTS = 20

/**
 * Three fixed tools that search, describe and call all others, so that many tools do not fill the
 * context. Each called tool keeps its own contract.
 */
export async function compactTools(surface: Surface, options: ProgressOption): Promise<ToolSet> {
  const visible = await surface.runtime.visibleTools(surface.caller)
  return {
    [SEARCH]: dynamicTool({
      title: 'Search tools',
      description:
        'Finds tools by what they do. Use it first; it returns names, each with one line.',
      inputSchema: textFields({ query: 'What you want to do, in a few words.' }),
      execute: async (input) => ({
        tools: (await findTools(readTextField(input, 'query'), surface)).slice(0, MAX_RESULTS),
      }),
    }),
    [DESCRIBE]: dynamicTool({
      title: 'Describe a tool',
      description:
        'Returns what a tool does and the schema of its input. Use it before you call a tool for the first time.',
      inputSchema: textFields({ name: `A name that ${SEARCH} returned.` }),
      execute: async (input) => describeCall(readTextField(input, 'name'), visible),
    }),
    [CALL]: dynamicTool({
      title: 'Call a tool',
      description:
        'Calls a tool by its name. Answers, questions and refusals are those of the called tool.',
      inputSchema: unvalidatedSchema<unknown>({
        type: 'object',
        properties: {
          name: { type: 'string', description: `A name that ${SEARCH} returned.` },
          arguments: { type: 'object', description: `Its input, as described by ${DESCRIBE}.` },
        },
        required: ['name'],
      }),
      toModelOutput: ({ output }) => modelOutput(output),
      execute: createExecution((input) => readCompactCall(input, surface), surface, options),
    }),
  }
}

/** Reads which tool a call of `tools__call` is for, and its input. */
export function readCompactCall(input: unknown, { runtime, caller }: Surface): RequestedCall {
  const name = readTextField(input, 'name')
  // Searched in all tools, not only the visible ones: the runtime authorizes the call, and the
  // host's `request` must see every call that may run.
  const tool = findTool(name, runtime.tools(caller.tenant))
  // The registry would run that version, but the host's `request` would be given the newest tool.
  // Models only learn names without a version.
  if (tool === undefined && name.includes('@')) throw toolNotFound(name)
  return { name, tool, input: (input as { readonly arguments?: unknown }).arguments ?? {} }
}

/** Finds a tool by its id, wire name or alias, without versions. */
export function findTool(name: string, list: readonly Tool[]): Tool | undefined {
  return list.find(
    ({ id, aliases }) => id === name || wireName(id) === name || aliases.includes(name),
  )
}

function toolNotFound(name: string): ToolError {
  return new ToolError(
    'TOOL_NOT_FOUND',
    `There is no tool called "${name}". Find one with ${SEARCH}.`,
  )
}

function describeCall(name: string, visible: readonly Tool[]): unknown {
  const tool = findTool(name, visible)
  if (tool === undefined) throw toolNotFound(name)
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
  return unvalidatedSchema<unknown>({
    type: 'object',
    properties,
    required: Object.keys(fields),
  } as JsonSchema)
}

function readTextField(input: unknown, field: string): string {
  const value =
    typeof input === 'object' && input !== null
      ? (input as Readonly<Record<string, unknown>>)[field]
      : undefined
  if (typeof value === 'string') return value
  throw new ToolError('TOOL_INVALID_INPUT', `\`${field}\` must be a string.`)
}
