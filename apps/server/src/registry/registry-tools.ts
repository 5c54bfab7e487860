import { definePack, defineTool, ToolError, type ToolErrorCode } from '@surehand/core'
import { ERRORS } from '@surehand/core/host'
import { recoveryInfo } from '@surehand/core/internal'
import type { ToolDefinition, UserContext } from '@surehand/documents'
import { z } from 'zod'
import { proposeProgram } from './propose-program.ts'
import { registryPort } from './registry-port.ts'

const Role = z.enum(['user', 'power_user', 'admin', 'developer', 'ai_agent'])
const Condition = z.object({ type: z.string(), parameters: z.record(z.string(), z.unknown()) })
const PEOPLE = {
  permissions: { roles: ['user'] },
  // Models find tools and read errors by other means; these are for people and their programs.
  audience: 'steps',
} as const
const MANAGERS = {
  permissions: { roles: ['admin', 'developer'], capabilities: ['tools.manage'] },
  audience: 'steps',
} as const

const checkPermissions = defineTool({
  id: 'registry.check_permissions',
  title: 'Check permissions for a tool',
  category: 'system_admin',
  description:
    'Says whether somebody with these roles and capabilities may use a tool, what is missing, and what would grant it. Without roles and capabilities it answers for the caller.',
  input: z.object({
    tool_id: z.string().min(1).max(200),
    roles: z.array(Role).max(10).optional(),
    capabilities: z.array(z.string().min(1).max(200)).max(200).optional(),
    session_info: z
      .object({
        session_id: z.string().max(200).optional(),
        principal: z.string().max(200).optional(),
        actor: z.enum(['user', 'ai_agent', 'system']).optional(),
        time_zone: z.string().max(100).optional(),
      })
      .optional()
      .describe('Without it, somebody who is signed in is assumed'),
  }),
  output: z.object({
    allowed: z.boolean(),
    tool_id: z.string(),
    missing: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        needed: z.string(),
        explanation: z.string(),
        granted_by: z.string(),
      }),
    ),
    conditions: z.array(Condition),
  }),
  contract: { effect: 'read', ...PEOPLE },
  ports: { registry: registryPort },
  examples: [
    {
      name: 'a power user',
      input: { tool_id: 'registry.document', roles: ['power_user'], capabilities: [] },
    },
  ],
  execute: async ({ input, caller, ports }) => {
    const { tool_id: toolId, roles, capabilities, session_info } = input
    const isOwn = roles === undefined && capabilities === undefined && session_info === undefined
    const context = {
      roles: roles ?? [],
      capabilities: capabilities ?? [],
      ...(session_info === undefined ? {} : { session_info }),
    } as UserContext
    return ports.registry.check({ by: caller, toolId, context: isOwn ? undefined : context })
  },
})

const document = defineTool({
  id: 'registry.document',
  title: 'Get the registry document',
  category: 'system_admin',
  description:
    'Every tool that all tenants share, with the categories and the permission scheme, as one document.',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    last_updated: z.string(),
    tools: z.record(z.string(), z.unknown()),
    categories: z.record(z.string(), z.unknown()),
    permissions: z.record(z.string(), z.unknown()),
  }),
  contract: { effect: 'read', ...MANAGERS, securityLevel: 'internal' },
  ports: { registry: registryPort },
  examples: [{ name: 'all of it', input: {} }],
  // Types are erased here: the document is an interface without an index signature.
  execute: async ({ caller, ports }) => (await ports.registry.document({ by: caller })) as never,
})

const CODES = Object.keys(ERRORS) as readonly ToolErrorCode[]

const errorRecovery = defineTool({
  id: 'registry.error_recovery',
  title: 'Get error recovery information',
  category: 'system_admin',
  description:
    'For an error code, or for all of them: whether it is recoverable, what a program may do by itself, and what a person should do.',
  input: z.object({ error_code: z.string().max(100).optional() }),
  output: z.object({
    errors: z.array(
      z.object({
        error_code: z.string(),
        is_recoverable: z.boolean(),
        recovery_strategies: z.array(
          z.object({
            strategy_id: z.string(),
            description: z.string(),
            automatic: z.boolean(),
            side_effects: z.array(z.string()),
          }),
        ),
        user_actions: z.array(
          z.object({
            action_type: z.string(),
            description: z.string(),
            command_example: z.string().optional(),
          }),
        ),
      }),
    ),
  }),
  contract: { effect: 'read', ...PEOPLE },
  examples: [{ name: 'one code', input: { error_code: 'TOOL_RATE_LIMIT_EXCEEDED' } }],
  execute: async ({ input: { error_code: code } }) => {
    const wanted = CODES.filter((one) => code === undefined || one === code)
    if (wanted.length === 0)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `There is no error code "${code}". Call without a code to list them all.`,
      )
    // Types are erased here: the table is read-only, the output is not.
    return { errors: wanted.map((one) => recoveryInfo(new ToolError(one, one))) } as never
  },
})

const Result = {
  success: z.boolean(),
  tool_id: z.string(),
  version: z.string(),
  definition_hash: z.string(),
  errors: z.array(z.string()),
  warnings: z.array(z.string()),
}
const Definition = z
  .record(z.string(), z.unknown())
  .describe('A ToolDefinition, or the fields of it that change')

const CHANGE = {
  effect: 'writes.registry',
  reversible: true,
  idempotency: 'caller',
  onRefusal: 'release',
  ...MANAGERS,
} as const

const register = defineTool({
  id: 'registry.register_tool',
  title: 'Register a tool',
  category: 'system_admin',
  description:
    'Registers a tool from its definition, for all tenants. The definition names its implementation, which the configuration of the server binds. It is validated, stored and recorded in the audit.',
  input: z.object({ definition: Definition }),
  output: z.object(Result),
  contract: CHANGE,
  ports: { registry: registryPort },
  examples: [],
  execute: ({ input, caller, ports }) =>
    ports.registry.register({
      by: caller,
      definition: input.definition as ToolDefinition,
    }),
})

const update = defineTool({
  id: 'registry.update_tool',
  title: 'Update a tool',
  category: 'system_admin',
  description:
    'Adds a new version of a tool with changed fields. The version must match the change; old versions stay callable by id@version. Of tools that are defined in code only the texts can be changed.',
  input: z.object({ tool_id: z.string().min(1).max(200), updates: Definition }),
  output: z.object({
    ...Result,
    previous_version: z.string(),
    change: z.enum(['major', 'minor', 'patch', 'none']),
    differences: z.array(z.string()),
  }),
  contract: CHANGE,
  ports: { registry: registryPort },
  examples: [],
  execute: ({ input, caller, ports }) =>
    ports.registry.update({
      by: caller,
      toolId: input.tool_id,
      updates: input.updates as Partial<ToolDefinition>,
    }),
})

const Moment = z.iso.datetime({ offset: true })

const deprecate = defineTool({
  id: 'registry.deprecate_tool',
  title: 'Deprecate a tool',
  category: 'system_admin',
  description:
    'Marks a tool as deprecated, with its replacement. Its calls are answered with a warning; from redirect_from on the replacement runs in its place, and from disable_from on they are refused.',
  input: z.object({
    tool_id: z.string().min(1).max(200),
    replacement: z.string().min(1).max(200).optional(),
    redirect_from: Moment.optional(),
    disable_from: Moment.optional(),
  }),
  output: z.object({
    success: z.boolean(),
    tool_id: z.string(),
    deprecated_at: z.string(),
    replacement_tool: z.string().optional(),
    errors: z.array(z.string()),
  }),
  contract: CHANGE,
  ports: { registry: registryPort },
  examples: [],
  execute: ({ input, caller, ports }) =>
    ports.registry.deprecate({
      by: caller,
      toolId: input.tool_id,
      replacement: input.replacement,
      redirectFrom: momentOf(input.redirect_from),
      disableFrom: momentOf(input.disable_from),
    }),
})

function momentOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Date.parse(text)
}

/** The administration of the registry, on every surface that calls tools. */
export const registryPack = definePack({
  name: 'registry',
  tools: [checkPermissions, document, errorRecovery, register, update, deprecate, proposeProgram],
  grants: { admin: ['tools.manage'] },
  publication: { created: '2026-11-16', updated: '2026-11-16' },
})
