import type { Caller } from '../call/caller.ts'
import type { Envelope } from '../call/envelope.ts'
import type { JsonSchema } from '../define/json-schema.ts'
import type { NormalContract } from '../define/normal.ts'
import type { Tool } from '../define/tool.ts'
import { resourceAccessOf } from '../permissions/resources.ts'
import { modelInput, modelInputSchema } from './describe.ts'
import type { Role, ToolDefinition, ToolPermissions, ValidationRules } from './documents.ts'
import type { Deprecation } from './registry.ts'

/** The document a tool came from, where it came from one: it is given back without loss. */
const sources = new WeakMap<Tool, ToolDefinition>()

export function rememberSource(tool: Tool, definition: ToolDefinition): void {
  sources.set(tool, definition)
}

export function isFromDocument(tool: Tool): boolean {
  return sources.has(tool)
}

/** When a tool was first and last registered. */
export type Dates = { readonly createdAt: number; readonly updatedAt: number }

/** A tool as document 004 publishes it. */
export function toDefinition(tool: Tool, dates: Dates, deprecation?: Deprecation): ToolDefinition {
  const base = sources.get(tool) ?? published(tool, dates)
  if (deprecation === undefined) return base
  return {
    ...base,
    deprecated_at: new Date(deprecation.since).toISOString(),
    ...(deprecation.replacement === undefined ? {} : { replacement_tool: deprecation.replacement }),
  }
}

// exporting schemas is dear: a tool's document is made once, and again only for other dates
const documents = new WeakMap<
  Tool,
  { readonly dates: Dates; readonly definition: ToolDefinition }
>()

function published(tool: Tool, dates: Dates): ToolDefinition {
  const known = documents.get(tool)
  if (
    known !== undefined &&
    known.dates.createdAt === dates.createdAt &&
    known.dates.updatedAt === dates.updatedAt
  )
    return known.definition
  const definition = made(tool, dates)
  documents.set(tool, { dates, definition })
  return definition
}

function made(tool: Tool, dates: Dates): ToolDefinition {
  return {
    id: tool.id,
    name: tool.title,
    category: tool.category,
    version: tool.version,
    description: tool.description,
    ...(tool.detailedDescription === undefined
      ? {}
      : { detailed_description: tool.detailedDescription }),
    function_signature: {
      input: {
        schema: titled(tool.input.toJson('input'), tool),
        examples: tool.examples.map(({ name, description, input }) => ({
          name,
          description: description ?? name,
          input,
          expected_output_type: 'success',
        })),
        required_fields: requiredOf(tool.input.toJson('input')),
      },
      output: {
        success_schema: tool.output.toJson('output'),
        error_schemas: Object.fromEntries(
          [...tool.errors].map(([code, schema]) => [code, schema.toJson('output')]),
        ),
        examples: tool.outputExamples.map(({ name, scenario, data }) => ({
          name,
          scenario,
          response: { status: 'success', command: tool.id, data },
        })),
      },
      side_effects: tool.sideEffects.map((effect) => ({ ...effect })),
    },
    permissions: permissionsOf(tool),
    security_level: tool.contract.securityLevel,
    implementation: {
      type: 'function_call',
      module: tool.id.split('.').slice(0, -1).join('.') || tool.id,
      function: tool.id.split('.').at(-1) ?? tool.id,
      version_compatibility: [tool.version],
    },
    validation: validationOf(tool.contract),
    ...(tool.author === undefined ? {} : { author: tool.author }),
    created_at: new Date(dates.createdAt).toISOString(),
    updated_at: new Date(dates.updatedAt).toISOString(),
  }
}

function permissionsOf(tool: Tool): ToolPermissions {
  const { contract } = tool
  return {
    // erased: a contract may name roles of its own beside the document's five
    required_roles: [...contract.roles] as Role[],
    required_capabilities: contract.capabilities.map(({ name, scope, conditions }) => ({
      name,
      ...(scope === undefined ? {} : { scope }),
      ...(conditions === undefined
        ? {}
        : {
            conditions: conditions.map(({ type, parameters }) => ({
              type,
              parameters: { ...parameters },
            })),
          }),
    })),
    resource_access: resourceAccessOf(tool).map((access) => ({ ...access })),
  }
}

const WINDOWS = {
  max_calls_per_minute: 60_000,
  max_calls_per_hour: 3_600_000,
  max_calls_per_day: 86_400_000,
} as const

function validationOf(contract: NormalContract): ValidationRules {
  const limits = Object.entries(WINDOWS).flatMap(([name, windowMs]) => {
    const limit = contract.limits.find((candidate) => candidate.windowMs === windowMs)
    return limit === undefined ? [] : [[name, limit.calls] as const]
  })
  return {
    input_validation: 'strict',
    output_validation: contract.outputValidation,
    permission_check: contract.permissionCheck,
    ...(limits.length === 0 ? {} : { rate_limiting: Object.fromEntries(limits) }),
  }
}

function titled(schema: JsonSchema, tool: Tool): JsonSchema {
  return {
    ...schema,
    title: schema.title ?? tool.title,
    description: schema.description ?? tool.description,
    examples: tool.examples.map((example) => example.input),
  }
}

function requiredOf(schema: JsonSchema): string[] {
  const { required } = schema as { readonly required?: readonly string[] }
  return [...(required ?? [])]
}

/** Document 003's descriptor, as models and agents get it: without the key, with title, description and examples. */
export type ToolDescriptor = {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly sideEffects: string
  readonly confirmRequired: boolean
  readonly auth: 'none' | 'session' | 'service'
  readonly latencyBudgetMs: number
  readonly idempotent: boolean
  /** Through the runtime, like every call. */
  readonly execute: (args: unknown, context: DescriptorContext) => Promise<Envelope>
}

export type DescriptorContext = {
  readonly caller: Caller
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}
export type ExecuteTool = (
  tool: Tool,
  args: unknown,
  context: DescriptorContext,
) => Promise<Envelope>

/** Schemas are made when they are first looked at: a list of thousands is cheap until somebody reads it. */
export class Descriptor implements ToolDescriptor {
  readonly name: string
  readonly description: string
  readonly execute: ToolDescriptor['execute']
  private readonly tool: Tool
  private made: JsonSchema | undefined

  constructor(tool: Tool, executeTool: ExecuteTool) {
    this.tool = tool
    this.execute = (args, context) => executeTool(tool, args, context)
    this.name = tool.id
    this.description = tool.description
  }

  get schema(): JsonSchema {
    this.made ??= {
      ...titled(modelInputSchema(this.tool), this.tool),
      examples: this.tool.examples.map((example) => modelInput(this.tool, example.input)),
    }
    return this.made
  }
  get sideEffects(): string {
    return this.tool.contract.effect === 'read' ? 'none' : this.tool.contract.effect
  }
  get confirmRequired(): boolean {
    return this.tool.contract.approval !== undefined
  }
  get auth(): 'none' | 'session' | 'service' {
    return this.tool.contract.auth
  }
  get latencyBudgetMs(): number {
    return this.tool.contract.latencyBudgetMs
  }
  get idempotent(): boolean {
    return this.tool.contract.isWrite
  }
}
