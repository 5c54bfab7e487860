import { z } from 'zod'

export const Time = z.string().meta({ format: 'date-time' })
export const Digest = z.string().regex(/^[0-9a-f]{64}$/)
export const Schema = z.record(z.string(), z.unknown())
export const Count = z.int().min(0)

const Example = z.looseObject({
  name: z.string(),
  description: z.string(),
  input: z.unknown().optional(),
  expected_output_type: z.string().optional(),
})
const Condition = z.looseObject({ type: z.string(), parameters: Schema })
const SideEffect = z.looseObject({
  type: z.string(),
  description: z.string(),
  reversible: z.boolean(),
})

/** A tool's definition, with its contract under `surehand`. */
export const ToolSchema = z
  .looseObject({
    id: z.string(),
    name: z.string(),
    category: z.string(),
    version: z.string(),
    description: z.string(),
    detailed_description: z.string().optional(),
    function_signature: z.looseObject({
      input: z.looseObject({
        schema: Schema,
        examples: z.array(Example),
        required_fields: z.array(z.string()).optional(),
      }),
      output: z
        .looseObject({
          success_schema: Schema,
          error_schemas: z.record(z.string(), Schema),
          examples: z.array(z.unknown()).optional(),
        })
        .optional(),
      side_effects: z.array(SideEffect).optional(),
    }),
    permissions: z.looseObject({
      required_roles: z.array(z.string()),
      required_capabilities: z.array(
        z.looseObject({
          name: z.string(),
          scope: z.string().optional(),
          conditions: z.array(Condition).optional(),
        }),
      ),
      resource_access: z.array(Schema).optional(),
    }),
    security_level: z.string().optional(),
    implementation: Schema.optional(),
    validation: z.looseObject({
      input_validation: z.string().optional(),
      output_validation: z.string().optional(),
      permission_check: z.string().optional(),
      rate_limiting: z.record(z.string(), z.number()).optional(),
    }),
    author: z.string().optional(),
    created_at: Time.optional(),
    updated_at: Time.optional(),
    deprecated_at: Time.optional(),
    replacement_tool: z.string().optional(),
    surehand: z
      .looseObject({
        effect: z.string(),
        reversible: z.boolean(),
        approval: z.string(),
        sensitive: z.array(z.string()).describe('Paths of secret fields.'),
        from_caller: z.record(z.string(), z.string()),
        wants_key: z.boolean().describe('Only an idempotency key prevents a second effect.'),
      })
      .optional(),
  })
  .meta({ id: 'Tool' })

export const SearchResultSchema = z
  .looseObject({
    tool: ToolSchema,
    score: z.number().optional(),
    matched: z.string().optional(),
  })
  .meta({ id: 'SearchResult' })

/** What a tool promises and demands, and how it came to be so. */
export const ToolContractSchema = z
  .looseObject({
    tool: ToolSchema,
    may_use: z.boolean().describe('Whether you may use it yourself.'),
    sentences: z
      .array(z.string())
      .describe("The contract in sentences, tightened by the tenant's policy."),
    input_schema: Schema.describe('The input as a model writes it.'),
    tokens: z.int().describe('What it costs in the context of a model, estimated.'),
    versions: z
      .array(
        z.looseObject({
          version: z.string(),
          definition_hash: Digest,
          level: z.enum(['none', 'patch', 'minor', 'major']),
          differences: z.array(z.string()).describe('From the version before it.'),
          breaking: z.array(z.string()),
        }),
      )
      .describe('The newest first.'),
  })
  .meta({ id: 'ToolContract' })

const Permission = z.looseObject({
  allowed: z.boolean(),
  missing: z.array(z.looseObject({ explanation: z.string(), granted_by: z.string() })),
  conditions: z.array(Condition).describe('What each call must still meet.'),
})

/** Whether a principal may use a tool, and what is missing. */
export const ToolAccessSchema = z
  .looseObject({
    principal: z.string(),
    disabled: z.boolean(),
    person: Permission,
    agent: Permission,
  })
  .meta({ id: 'ToolAccess' })

/** How a tool has done. */
export const ToolFiguresSchema = z
  .looseObject({
    calls: Count,
    failures: Count.describe('Answers with an error code, refusals included.'),
    since: Time.optional().describe('The time of the oldest answer that was looked at.'),
    outcomes: z.record(z.string(), Count),
    codes: z.record(z.string(), Count),
    p50_ms: z.number(),
    p95_ms: z.number(),
    p99_ms: z.number(),
    budget_ms: z.number().describe('How long the contract says that a call may usually take.'),
    over_budget: Count,
  })
  .meta({ id: 'ToolFigures' })
