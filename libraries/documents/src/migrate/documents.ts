/**
 * Document 004, "Version Migration Strategy" and "Backward Compatibility Layer", in its own
 * spelling.
 */
export type MigrationStrategy = {
  migration_version: '1.0_to_2.0'
  field_mappings: FieldMapping[]
  transformation_rules: TransformationRule[]
  deprecation_timeline: DeprecationPhase[]
  compatibility_mode: CompatibilitySettings
}

export type FieldMapping = {
  /** A dot path; with `create_habit:` before it, of that v1 function alone. */
  v1_field: string
  v2_field: string
  transformation?: string
  required_in_v2: boolean
}

export type TransformationRule = {
  applies_to: string[]
  rule_type: 'rename' | 'restructure' | 'validate' | 'enrich'
  rule_definition: unknown
}

export type DeprecationPhase = {
  phase_name: string
  start_date: string
  end_date: string
  actions: DeprecationAction[]
}

export type DeprecationAction = {
  action_type: 'warn' | 'redirect' | 'disable' | 'remove'
  target: string
  message: string
  alternative: string
}

export type CompatibilitySettings = {
  enable_v1_mode: boolean
  v1_warning_level: 'none' | 'log' | 'user_facing'
  v1_redirect_mode: 'transparent' | 'explicit'
  v1_support_end_date: string
}

/** The document names these four and leaves them open. */
export type V1ToolRequest = { tool: string; args: Record<string, unknown> }
export type V2ToolRequest = { tool: string; input: Record<string, unknown> }
export type V1ToolResponse = { success: boolean; message: string; data: unknown }
export type MigrationWarning = {
  tool_id: string
  level: CompatibilitySettings['v1_warning_level']
  phase: 'none' | DeprecationAction['action_type']
  message: string
  alternative: string
  support_end_date: string
}

/**
 * As much of a v2 answer as the adapter reads: the envelope is one, and so is the document's own
 * `ToolResponse`.
 */
export type ToolResponse = {
  readonly status: 'success' | 'failed' | 'error'
  readonly command: string
  readonly data: unknown
  readonly error?: { readonly code: string; readonly message: string; readonly details?: unknown }
  readonly metadata: {
    readonly call_id?: string
    readonly warnings?: readonly string[]
    readonly pending?: object
    readonly job?: object
    readonly tool_info: { readonly name: string }
  }
}

export interface V1ToolCallAdapter {
  adaptV1Call(v1Request: V1ToolRequest): V2ToolRequest
  adaptV2Response(v2Response: ToolResponse): V1ToolResponse
  generateMigrationWarning(toolId: string): MigrationWarning
}
