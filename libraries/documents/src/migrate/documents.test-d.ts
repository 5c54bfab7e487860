import type { Envelope } from '@surehand/core'
import type * as ours from './documents.ts'
import type { V1Adapter } from './v1-adapter.ts'

// Document 004, "Version Migration Strategy", word for word

interface MigrationStrategy {
  migration_version: '1.0_to_2.0'
  field_mappings: FieldMapping[]
  transformation_rules: TransformationRule[]
  deprecation_timeline: DeprecationPhase[]
  compatibility_mode: CompatibilitySettings
}

interface FieldMapping {
  v1_field: string
  v2_field: string
  transformation?: string
  required_in_v2: boolean
}

interface TransformationRule {
  applies_to: string[]
  rule_type: 'rename' | 'restructure' | 'validate' | 'enrich'
  // biome-ignore lint/suspicious/noExplicitAny: the document's own word
  rule_definition: any
}

interface DeprecationPhase {
  phase_name: string
  start_date: string
  end_date: string
  actions: DeprecationAction[]
}

interface DeprecationAction {
  action_type: 'warn' | 'redirect' | 'disable' | 'remove'
  target: string
  message: string
  alternative: string
}

interface CompatibilitySettings {
  enable_v1_mode: boolean
  v1_warning_level: 'none' | 'log' | 'user_facing'
  v1_redirect_mode: 'transparent' | 'explicit'
  v1_support_end_date: string
}

interface V1ToolCallAdapter {
  adaptV1Call(v1Request: ours.V1ToolRequest): ours.V2ToolRequest
  adaptV2Response(v2Response: ToolResponse): ours.V1ToolResponse
  generateMigrationWarning(toolId: string): ours.MigrationWarning
}

// "Base Tool Response Format"

declare enum ToolErrorCode {
  INVALID_INPUT = 'TOOL_INVALID_INPUT',
  INTERNAL_ERROR = 'TOOL_INTERNAL_ERROR',
}

declare enum ToolCategory {
  HABIT_MANAGEMENT = 'habit_management',
}

// biome-ignore lint/suspicious/noExplicitAny: the document's own word
interface ToolResponse<T = any> {
  status: 'success' | 'failed' | 'error'
  command: string
  data: T | null
  error?: ToolError
  metadata: ToolMetadata
}

interface ToolError {
  code: ToolErrorCode
  message: string
  // biome-ignore lint/suspicious/noExplicitAny: the document's own word
  details?: any
  recovery_suggestions?: string[]
}

interface ToolMetadata {
  version: string
  execution_time: number
  tool_info: { name: string; category: ToolCategory; permissions_used: string[] }
  input_validation: { schema_version: string; validation_time: number }
}

// there and back

type Same<One extends Other, Other> = [One, Other]
type Both<One extends Other, Other extends Back, Back = One> = Same<One, Other>

export type Strategy = Both<MigrationStrategy, ours.MigrationStrategy>
export type Mapping = Both<FieldMapping, ours.FieldMapping>
export type Rule = Both<TransformationRule, ours.TransformationRule>
export type Phase = Both<DeprecationPhase, ours.DeprecationPhase>
export type Action = Both<DeprecationAction, ours.DeprecationAction>
export type Settings = Both<CompatibilitySettings, ours.CompatibilitySettings>
export type Adapter = Both<V1ToolCallAdapter, ours.V1ToolCallAdapter>
export type Request = Both<{ tool: string; args: Record<string, unknown> }, ours.V1ToolRequest>
export type Input = Both<{ tool: string; input: Record<string, unknown> }, ours.V2ToolRequest>
export type Answer = Both<{ success: boolean; message: string; data: unknown }, ours.V1ToolResponse>

// what the adapter reads is in the document's answer and in ours
export type DocumentsAnswer = Same<ToolResponse, ours.ToolResponse>
export type OurAnswer = Same<Envelope, ours.ToolResponse>
export type OurAdapter = Same<V1Adapter, V1ToolCallAdapter>

// @ts-expect-error a mapping says whether v2 requires the field
export type Forgetful = Both<Omit<FieldMapping, 'required_in_v2'>, ours.FieldMapping>

export type FifthRule = Both<
  // @ts-expect-error there are four types of rule
  Omit<TransformationRule, 'rule_type'> & { rule_type: 'delete' },
  ours.TransformationRule
>

export type FourthLevel = Both<
  // @ts-expect-error and three levels of warning
  Omit<CompatibilitySettings, 'v1_warning_level'> & { v1_warning_level: 'shout' },
  ours.CompatibilitySettings
>

// the compiler does see a difference that goes one way only
// @ts-expect-error ours would ask for a field the document doesn't have
export type There = Both<DeprecationAction, DeprecationAction & { since: string }>
// @ts-expect-error the document would have a field ours doesn't
export type Back = Both<DeprecationAction & { since: string }, DeprecationAction>
