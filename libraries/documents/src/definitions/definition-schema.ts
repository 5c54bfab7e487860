import { z } from 'zod'
import { Rfc3339DateTime } from '../shapes/time.ts'

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
export const ToolDefinitionSchema = z.object({
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
