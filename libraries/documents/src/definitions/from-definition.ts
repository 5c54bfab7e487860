import { type Duration, type Limit, type Tool, ToolError } from '@surehand/core'
import { fieldName, keyFieldAmong, normalContract, type Schema } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import { z } from 'zod'
import { Rfc3339DateTime } from '../shapes/time.ts'
import type { Implementations } from './implementations.ts'
import { rememberSource } from './to-definition.ts'
import type { ToolDefinition, ValidationRules } from './tool-definition.ts'

export type DefinitionParts = {
  readonly schemas: ForeignSchemas
  readonly implementations: Implementations
}

/**
 * Makes a tool from its definition, bound to its implementation. All errors of the definition are
 * reported at once.
 */
export function toolFromDefinition(written: unknown, parts: DefinitionParts): Tool {
  const definition = readDefinition(written)
  const { input, output } = definition.function_signature
  const properties = Object.keys(
    (input.schema as { readonly properties?: object }).properties ?? {},
  )
  const keyField = keyFieldAmong(properties)
  const schemas = {
    input: parts.schemas.compile(input.schema, {
      omitFromHash: new Set(keyField === undefined ? [] : [keyField]),
    }),
    output: parts.schemas.compile(output.success_schema),
  }
  refuseContradictions(definition, schemas)
  const execute = parts.implementations(definition.implementation)
  const tool: Tool = {
    id: definition.id,
    title: definition.name,
    category: definition.category,
    description: definition.description,
    detailedDescription: definition.detailed_description,
    author: definition.author,
    version: definition.version,
    aliases: [],
    command: undefined,
    requestId: undefined,
    bytesFields: new Set<string>(),
    kind: 'sync',
    isDeferred: false,
    contract: contractOf(definition),
    input: as(definition.validation.input_validation, schemas.input),
    output: schemas.output,
    ports: new Map(),
    hasEffectPorts: false,
    examples: input.examples.map(({ name, description, input: example }) => ({
      name,
      description,
      input: example,
    })),
    outputExamples: [],
    errors: new Map(
      Object.entries(output.error_schemas).map(([code, schema]) => [
        code,
        parts.schemas.compile(schema),
      ]),
    ),
    sideEffects: definition.function_signature.side_effects ?? [],
    fromCaller: new Map(),
    keyField,
    check: undefined,
    work: { kind: 'execute', execute: (execution) => execute(execution.input, execution) },
  }
  Object.freeze(tool)
  rememberSource(tool, definition)
  return tool
}

function readDefinition(written: unknown): ToolDefinition {
  const parsed = ToolDefinitionSchema.safeParse(written)
  if (!parsed.success) {
    throw invalid(
      parsed.error.issues.map((issue) => ({ field: fieldName(issue.path), error: issue.message })),
    )
  }
  // the definition itself is stored, not a copy without its unknown keys: publishing it must lose
  // nothing
  return written as ToolDefinition
}

function contractOf(definition: ToolDefinition): Tool['contract'] {
  const effects = definition.function_signature.side_effects ?? []
  // every side effect that is not a read may change something
  const isWrite = effects.some((effect) => effect.type !== 'read')
  const { permissions, validation } = definition
  const common = {
    permissions: {
      roles: permissions.required_roles,
      capabilities: permissions.required_capabilities,
      resources: permissions.resource_access.map(
        ({ resource_type, access_mode, scope_filter }) => ({
          type: resource_type,
          mode: access_mode,
          ...(scope_filter === undefined ? {} : { scope: scope_filter }),
        }),
      ),
    },
    permissionCheck: validation.permission_check,
    outputValidation: validation.output_validation,
    securityLevel: definition.security_level,
    limits: limitsOf(validation),
  }
  if (!isWrite) return normalContract({ ...common, effect: 'read' })
  const reversible = effects.every((effect) => effect.type === 'read' || effect.reversible)
  return normalContract({
    ...common,
    effect: `writes.${definition.id.split('.')[0] ?? 'other'}`,
    reversible,
    idempotency: 'caller',
  })
}

function limitsOf({ rate_limiting: rates = {} }: ValidationRules): readonly Limit<never>[] {
  const windows: readonly (readonly [number | undefined, Duration])[] = [
    [rates.max_calls_per_minute, '1m'],
    [rates.max_calls_per_hour, '1h'],
    [rates.max_calls_per_day, '1d'],
  ]
  return windows.flatMap(([calls, per]) => (calls === undefined ? [] : [{ calls, per }]))
}

// lenient accepts values of the right types, disabled accepts any object
function as(level: ValidationRules['input_validation'], schema: Schema): Schema {
  if (level === 'strict') return schema
  return {
    ...schema,
    parse(value) {
      const parsed = schema.parse(value)
      const isTolerable =
        parsed.ok ||
        level === 'disabled' ||
        parsed.problems.every((problem) => problem.kind === 'value' || problem.kind === 'unknown')
      return parsed.ok || !isTolerable ? parsed : { ok: true, value }
    },
  }
}

// a definition that contradicts itself is refused here, before it fails its callers one by one
function refuseContradictions(
  definition: ToolDefinition,
  schemas: { readonly input: Schema; readonly output: Schema },
): void {
  const { input, output } = definition.function_signature
  const required = (input.schema as { readonly required?: readonly string[] }).required ?? []
  const problems: { readonly field: string; readonly error: string }[] = []
  if ([...required].sort().join() !== [...input.required_fields].sort().join()) {
    problems.push({
      field: 'function_signature.input.required_fields',
      error: `says ${input.required_fields.join(', ') || 'none'}, the schema ${required.join(', ') || 'none'}`,
    })
  }
  input.examples.forEach((example, index) => {
    const parsed = schemas.input.parse(example.input)
    if (!parsed.ok && example.expected_output_type === 'success')
      problems.push({
        field: `function_signature.input.examples[${index}]`,
        error: `is not a valid input: ${parsed.problems.map(({ field, error }) => `${field} ${error}`).join('; ')}`,
      })
  })
  ;(output.examples ?? []).forEach((example, index) => {
    const { status, data } = example.response as {
      readonly status?: string
      readonly data?: unknown
    }
    if (status === 'success' && !schemas.output.parse(data).ok)
      problems.push({
        field: `function_signature.output.examples[${index}]`,
        error: 'is not a valid output',
      })
  })
  if (problems.length > 0) throw invalid(problems)
}

function invalid(
  problems: readonly { readonly field: string; readonly error: string }[],
): ToolError {
  return new ToolError(
    'TOOL_INVALID_INPUT',
    `The definition is not valid: ${problems.map(({ field, error }) => `${field}: ${error}`).join('; ')}.`,
    {
      details: {
        validation_errors: problems.map((problem) => ({ ...problem, provided_value: null })),
      },
    },
  )
}

const Semver = z.string().regex(/^\d+\.\d+\.\d+$/, 'expected major.minor.patch')
const JsonSchemaObject = z.record(z.string(), z.unknown())
const Level = z.enum(['strict', 'lenient', 'disabled'])

const Capability = z.object({
  name: z.string().min(1),
  scope: z.string().optional(),
  conditions: z
    .array(
      z.object({
        type: z.enum(['time_restriction', 'rate_limit', 'user_consent', 'admin_approval']),
        parameters: z.record(z.string(), z.unknown()),
      }),
    )
    .optional(),
})

const Permissions = z.object({
  required_roles: z.array(z.enum(['user', 'power_user', 'admin', 'developer', 'ai_agent'])),
  required_capabilities: z.array(Capability),
  resource_access: z.array(
    z.object({
      resource_type: z.enum([
        'habit_data',
        'task_data',
        'project_data',
        'user_preferences',
        'system_config',
        'external_api',
        'filesystem',
      ]),
      access_mode: z.enum(['read', 'write', 'delete', 'create', 'update']),
      scope_filter: z.string().optional(),
    }),
  ),
})

const Signature = z.object({
  input: z.object({
    schema: JsonSchemaObject,
    examples: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        input: z.unknown(),
        expected_output_type: z.enum(['success', 'error']),
      }),
    ),
    required_fields: z.array(z.string()),
  }),
  output: z.object({
    success_schema: JsonSchemaObject,
    error_schemas: z.record(z.string(), JsonSchemaObject),
    examples: z
      .array(z.object({ name: z.string(), scenario: z.string(), response: z.unknown() }))
      .optional(),
  }),
  side_effects: z
    .array(
      z.object({
        type: z.enum(['read', 'write', 'delete', 'network', 'filesystem']),
        description: z.string(),
        reversible: z.boolean(),
      }),
    )
    .optional(),
})

/**
 * Document 004's ToolDefinition as it comes from outside: the shape is checked here, what the parts
 * mean in from-definition.ts.
 */
const ToolDefinitionSchema = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_-]*(\.[A-Za-z_][A-Za-z0-9_-]*)*$/, 'expected namespace.action'),
  name: z.string().min(1),
  category: z.enum([
    'habit_management',
    'project_management',
    'task_management',
    'time_management',
    'knowledge_management',
    'system_admin',
    'ai_explanation',
    'data_analysis',
    'integration',
    'custom',
  ]),
  version: Semver,
  description: z.string().min(1),
  detailed_description: z.string().optional(),
  function_signature: Signature,
  permissions: Permissions,
  security_level: z.enum(['public', 'internal', 'confidential', 'restricted']),
  implementation: z.object({
    type: z.enum(['function_call', 'class_method', 'script_execution', 'external_api']),
    module: z.string().min(1),
    function: z.string().min(1),
    class_name: z.string().optional(),
    version_compatibility: z.array(Semver),
  }),
  validation: z.object({
    input_validation: Level,
    output_validation: Level,
    permission_check: z.enum(['required', 'advisory', 'disabled']),
    rate_limiting: z
      .object({
        max_calls_per_minute: z.number().int().positive().optional(),
        max_calls_per_hour: z.number().int().positive().optional(),
        max_calls_per_day: z.number().int().positive().optional(),
      })
      .optional(),
  }),
  author: z.string().optional(),
  created_at: Rfc3339DateTime,
  updated_at: Rfc3339DateTime,
  deprecated_at: Rfc3339DateTime.optional(),
  replacement_tool: z.string().optional(),
})
