import type { StepNode } from '@surehand/core/host'
import { z } from 'zod'

/** The parts of the envelope that the CLI reads. */
export const EnvelopeForm = z.looseObject({
  status: z.enum(['success', 'failed', 'error']),
  command: z.string(),
  data: z.unknown(),
  error: z
    .looseObject({
      code: z.string(),
      message: z.string(),
      details: z.unknown().optional(),
      recovery_suggestions: z.array(z.string()).optional(),
    })
    .optional(),
  metadata: z.looseObject({
    call_id: z.string(),
    warnings: z.array(z.string()).optional(),
    pending: z
      .looseObject({
        approval_id: z.string(),
        asks: z.string(),
        expires_at: z.string(),
        url: z.string().optional(),
      })
      .optional(),
    asking: z
      .looseObject({
        question_id: z.string(),
        asks: z.string(),
        from: z.string(),
        schema: z.unknown(),
        draft: z.unknown().optional(),
        expires_at: z.string(),
        url: z.string().optional(),
      })
      .optional(),
    job: z.looseObject({ id: z.string() }).optional(),
    tool_info: z.looseObject({ name: z.string(), category: z.string() }),
  }),
})

export const ProgressForm = z.looseObject({
  fraction: z.number().optional(),
  message: z.string().optional(),
})

const Schema = z.record(z.string(), z.unknown())
const Condition = z.looseObject({ type: z.string(), parameters: z.record(z.string(), z.unknown()) })

/** A tool's definition, with its contract under `surehand`. */
export const DefinitionForm = z.looseObject({
  id: z.string(),
  name: z.string(),
  category: z.string(),
  version: z.string(),
  description: z.string(),
  detailed_description: z.string().optional(),
  function_signature: z.looseObject({
    input: z.looseObject({
      schema: Schema,
      examples: z.array(
        z.looseObject({ name: z.string(), description: z.string(), input: z.unknown().optional() }),
      ),
    }),
    side_effects: z
      .array(z.looseObject({ type: z.string(), description: z.string(), reversible: z.boolean() }))
      .optional(),
  }),
  permissions: z.looseObject({
    required_roles: z.array(z.string()),
    required_capabilities: z.array(
      z.looseObject({ name: z.string(), conditions: z.array(Condition).optional() }),
    ),
  }),
  validation: z.looseObject({ rate_limiting: z.record(z.string(), z.number()).optional() }),
  deprecated_at: z.string().optional(),
  replacement_tool: z.string().optional(),
  surehand: z
    .looseObject({
      effect: z.string(),
      reversible: z.boolean(),
      approval: z.string(),
      sensitive: z.array(z.string()),
      from_caller: z.record(z.string(), z.string()),
      wants_key: z.boolean(),
    })
    .optional(),
})

export const ToolsForm = z.looseObject({ tools: z.array(DefinitionForm) })
export const ResultsForm = z.looseObject({
  results: z.array(z.looseObject({ tool: DefinitionForm })),
})

export const ApprovalForm = z.looseObject({
  id: z.string(),
  tenant: z.string(),
  principal: z.string(),
  tool: z.string(),
  tool_version: z.string(),
  definition_hash: z.string(),
  input_hash: z.string(),
  call_id: z.string(),
  kind: z.string(),
  reversible: z.boolean(),
  asks: z.string(),
  shown: z.string(),
  digest: z.string(),
  edited_by: z.string().optional(),
  state: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  decision: z.record(z.string(), z.unknown()).optional(),
  url: z.string().optional(),
})
export const ApprovalsForm = z.looseObject({ approvals: z.array(ApprovalForm) })

/** A question of a run. */
export const QuestionForm = z.looseObject({
  id: z.string(),
  principal: z.string(),
  call_id: z.string(),
  tool: z.string(),
  path: z.string(),
  asks: z.string(),
  from: z.string(),
  schema: z.unknown(),
  draft: z.unknown().optional(),
  shown: z.string(),
  digest: z.string(),
  state: z.string(),
  created_at: z.string(),
  expires_at: z.string(),
  answer: z.record(z.string(), z.unknown()).optional(),
  url: z.string().optional(),
})
export const QuestionsForm = z.looseObject({ questions: z.array(QuestionForm) })

const StepForm: z.ZodType<StepNode> = z.lazy(() =>
  z.looseObject({
    path: z.string(),
    what: z.enum(['step', 'ask']),
    tool: z.string().optional(),
    call_id: z.string().optional(),
    question_id: z.string().optional(),
    state: z.enum(['done', 'failed', 'waiting', 'running', 'unknown', 'called_off']),
    code: z.string().optional(),
    steps: z.array(StepForm),
  }),
) as never

export const TreeForm = z.looseObject({
  call_id: z.string(),
  tool: z.string(),
  state: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  steps: z.array(StepForm),
})

export const JobsForm = z.looseObject({
  calls: z.array(
    z.looseObject({
      call_id: z.string(),
      principal: z.string(),
      tool: z.string(),
      tool_version: z.string(),
      state: z.string(),
      created_at: z.string(),
      updated_at: z.string(),
    }),
  ),
})

export const RecordsForm = z.looseObject({
  records: z.array(
    z.looseObject({
      id: z.string(),
      phase: z.string(),
      call_id: z.string(),
      principal: z.string(),
      surface: z.string(),
      tool_name: z.string(),
      outcome: z.string(),
      code: z.string(),
      created_at: z.number(),
    }),
  ),
})

export const VerdictForm = z.looseObject({ verdict: z.unknown().optional() })
