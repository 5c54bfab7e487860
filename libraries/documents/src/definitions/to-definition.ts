import { type Caller, type Envelope, type Runtime, type Tool, toEnvelope } from '@surehand/core'
import {
  type Deprecation,
  modelInput,
  modelInputSchema,
  PROTOCOL_VERSION,
  type TenantPolicy,
} from '@surehand/core/host'
import {
  isEnabled,
  type JsonSchema,
  KNOWN_CAPABILITIES,
  type NormalContract,
  type Registration,
  type Role,
  tighten,
} from '@surehand/core/internal'
import type { z } from 'zod'
import { isCategory } from './categories.ts'
import type {
  AccessMode,
  Category,
  ResourceAccess,
  ResourceType,
  ToolDefinition,
  ToolPermissions,
  ValidationRules,
} from './tool-definition.ts'

/** The definition that a tool was made from, so that publishing it loses nothing. */
const sources = new WeakMap<Tool, ToolDefinition>()

export function rememberSource(tool: Tool, definition: ToolDefinition): void {
  sources.set(tool, definition)
}

export function isFromDefinition(tool: Tool): boolean {
  return sources.has(tool)
}

/** A tool as document 004 publishes it. */
export function toDefinition(
  tool: Tool,
  dates: Registration,
  deprecation?: Deprecation,
): ToolDefinition {
  const base = sources.get(tool) ?? definitionOf(tool, dates)
  if (deprecation === undefined) return base
  return {
    ...base,
    deprecated_at: new Date(deprecation.since).toISOString(),
    ...(deprecation.replacement === undefined ? {} : { replacement_tool: deprecation.replacement }),
  }
}

// exporting schemas is expensive: a tool's definition is made once, and again only for other dates
const documents = new WeakMap<
  Tool,
  { readonly dates: Registration; readonly definition: ToolDefinition }
>()

function definitionOf(tool: Tool, dates: Registration): ToolDefinition {
  const known = documents.get(tool)
  if (
    known !== undefined &&
    known.dates.createdAt === dates.createdAt &&
    known.dates.updatedAt === dates.updatedAt
  )
    return known.definition
  const definition = createDefinition(tool, dates)
  documents.set(tool, { dates, definition })
  return definition
}

function createDefinition(tool: Tool, dates: Registration): ToolDefinition {
  return {
    id: tool.id,
    name: tool.title,
    category: categoryOf(tool),
    version: tool.version,
    description: tool.description,
    ...(tool.detailedDescription === undefined
      ? {}
      : { detailed_description: tool.detailedDescription }),
    function_signature: {
      input: {
        schema: withTitle(tool.input.toJson('input'), tool),
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
          response: exampleResponse(tool, data),
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
      ...dates.implementation,
      version_compatibility: [tool.version],
    },
    validation: validationOf(tool.contract),
    ...(tool.author === undefined ? {} : { author: tool.author }),
    created_at: new Date(dates.createdAt).toISOString(),
    updated_at: new Date(dates.updatedAt).toISOString(),
  }
}

// An example tells a client which fields an answer has, so its metadata is complete; the times are
// those of no real call.
function exampleResponse(tool: Tool, data: unknown): object {
  return {
    status: 'success',
    command: tool.command ?? tool.id,
    data,
    metadata: {
      version: PROTOCOL_VERSION,
      execution_time: 0,
      tool_info: {
        name: tool.title,
        category: categoryOf(tool),
        permissions_used: [...tool.contract.capabilityNames],
      },
      input_validation: { schema_version: tool.version, validation_time: 0 },
    },
  }
}

/** A tool's category where the document knows it, else `custom`. */
function categoryOf({ category }: Tool): Category {
  return isCategory(category) ? category : 'custom'
}

function permissionsOf(tool: Tool): ToolPermissions {
  const { contract } = tool
  return {
    // erased: a contract may name further roles besides the document's five
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

function withTitle(schema: JsonSchema, tool: Tool): JsonSchema {
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

/** The resources a tool declares, else those that its capabilities imply. */
export function resourceAccessOf(tool: Tool): readonly ResourceAccess[] {
  const { resources, capabilities } = tool.contract
  if (resources.length > 0)
    return resources.map(({ type, mode, scope }) => access(type, mode, scope))
  return capabilities.flatMap(({ name, scope }) => {
    const known = KNOWN_CAPABILITIES.get(name)
    if (known === undefined || known.resource === 'any') return []
    // the table of capabilities uses the document's words
    return [access(known.resource as ResourceType, known.mode as AccessMode, scope ?? known.scope)]
  })
}

function access(type: ResourceType, mode: AccessMode, scope: string | undefined): ResourceAccess {
  return {
    resource_type: type,
    access_mode: mode,
    ...(scope === undefined ? {} : { scope_filter: scope }),
  }
}

/**
 * Document 003's descriptor of a tool, as models and agents get it:
 * without the idempotency key, with title, description and examples.
 */
export type ToolDescriptor = {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  /** For validation on the spot; undefined for tools from documents of others. */
  readonly zod: z.ZodType | undefined
  readonly sideEffects: string
  readonly confirmRequired: boolean
  readonly auth: 'none' | 'session' | 'service'
  readonly latencyBudgetMs: number
  readonly idempotent: boolean
  /** Calls the tool through the runtime, so that its contract is enforced. */
  readonly execute: (args: unknown, context: DescriptorContext) => Promise<Envelope>
}

export type DescriptorContext = {
  readonly caller: Caller
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type CachedList = {
  readonly revision: number
  readonly policy: TenantPolicy | undefined
  readonly tools: readonly ToolDescriptor[]
}

/**
 * Document 003's list of a tenant's tools, with the tenant's policy applied.
 * The same list is returned until the tools or the policy change.
 */
export function toolDescriptors({
  call,
  registry: { of: registryOf, policyOf },
}: Pick<Runtime, 'call' | 'registry'>): (tenant: string) => readonly ToolDescriptor[] {
  const lists = new Map<string, CachedList>()
  const execute: ExecuteTool = async (tool, input, context) =>
    toEnvelope(await call({ ...context, tool, input, surface: 'descriptor' }))
  return (tenant) => {
    const policy = policyOf(tenant)
    const registry = registryOf(tenant)
    const known = lists.get(tenant)
    if (known !== undefined && known.revision === registry.revision() && known.policy === policy)
      return known.tools
    const tools = registry
      .list()
      .filter((tool) => isEnabled(tool, policy))
      .map((tool) => new Descriptor(policy === undefined ? tool : tighten(tool, policy), execute))
    lists.set(tenant, { revision: registry.revision(), policy, tools })
    return tools
  }
}

type ExecuteTool = (tool: Tool, args: unknown, context: DescriptorContext) => Promise<Envelope>

/** Its schema is made when it is first read: listing thousands of tools must stay cheap. */
class Descriptor implements ToolDescriptor {
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
      // Left out for models, and demanded by document 003.
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      ...withTitle(modelInputSchema(this.tool), this.tool),
      examples: this.tool.examples.map((example) => modelInput(this.tool, example.input)),
    }
    return this.made
  }
  get zod(): z.ZodType | undefined {
    return this.tool.input.zod
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
