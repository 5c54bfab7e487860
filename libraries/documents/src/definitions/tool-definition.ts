import type { CapabilityCondition, JsonSchema, Role, SecurityLevel } from '@surehand/core/internal'

/** The categories of document 004. */
export type Category =
  | 'habit_management'
  | 'project_management'
  | 'task_management'
  | 'time_management'
  | 'knowledge_management'
  | 'system_admin'
  | 'ai_explanation'
  | 'data_analysis'
  | 'integration'
  | 'custom'

/** Document 004, "Tool Definition Schema": the published form of a tool, in its own spelling. */
export type ToolDefinition = {
  id: string
  name: string
  category: Category
  version: string
  description: string
  detailed_description?: string
  function_signature: FunctionSignature
  permissions: ToolPermissions
  security_level: SecurityLevel
  implementation: ToolImplementation
  validation: ValidationRules
  author?: string
  created_at: string
  updated_at: string
  deprecated_at?: string
  replacement_tool?: string
}

export type FunctionSignature = {
  input: { schema: JsonSchema; examples: InputExample[]; required_fields: string[] }
  /** The document's second example prints no output examples, so they may be left out. */
  output: {
    success_schema: JsonSchema
    error_schemas: Record<string, JsonSchema>
    examples?: OutputExample[]
  }
  side_effects?: SideEffect[]
}

export type InputExample = {
  name: string
  description: string
  input: unknown
  expected_output_type: 'success' | 'error'
}
export type OutputExample = { name: string; scenario: string; response: unknown }
export type SideEffect = {
  type: 'read' | 'write' | 'delete' | 'network' | 'filesystem'
  description: string
  reversible: boolean
}

export type ToolPermissions = {
  required_roles: Role[]
  required_capabilities: Capability[]
  resource_access: ResourceAccess[]
}
export type Capability = { name: string; scope?: string; conditions?: CapabilityCondition[] }
export type ResourceAccess = {
  resource_type: ResourceType
  access_mode: AccessMode
  scope_filter?: string
}
export type ResourceType =
  | 'habit_data'
  | 'task_data'
  | 'project_data'
  | 'user_preferences'
  | 'system_config'
  | 'external_api'
  | 'filesystem'
export type AccessMode = 'read' | 'write' | 'delete' | 'create' | 'update'

export type ToolImplementation = {
  type: 'function_call' | 'class_method' | 'script_execution' | 'external_api'
  module: string
  function: string
  class_name?: string
  version_compatibility: string[]
}

export type ValidationRules = {
  input_validation: 'strict' | 'lenient' | 'disabled'
  output_validation: 'strict' | 'lenient' | 'disabled'
  permission_check: 'required' | 'advisory' | 'disabled'
  rate_limiting?: {
    max_calls_per_minute?: number
    max_calls_per_hour?: number
    max_calls_per_day?: number
  }
}

export type ToolCategoryInfo = {
  category: Category
  name: string
  description: string
  tool_count: number
  common_permissions: Capability[]
}

export type RoleDefinition = { name: Role; description: string; inherits: Role[] }
export type CapabilityDefinition = {
  name: string
  resource: string
  mode: string
  scope: string
  description?: string
}

export type PermissionSchemeDefinition = {
  version: string
  roles: Record<Role, RoleDefinition>
  capabilities: Record<string, CapabilityDefinition>
  default_grants: Record<Role, string[]>
}

export type ToolRegistryDocument = {
  version: string
  last_updated: string
  tools: Record<string, ToolDefinition>
  categories: Record<Category, ToolCategoryInfo>
  permissions: PermissionSchemeDefinition
}

export type SearchOptions = {
  category_filter?: Category[]
  permission_filter?: string[]
  security_level?: SecurityLevel
  include_deprecated?: boolean
}
export type ToolSearchResult = {
  tool: ToolDefinition
  score: number
  matched: 'id' | 'name' | 'description' | 'category' | 'text'
}

export type SessionInfo = {
  session_id?: string
  tenant?: string
  principal?: string
  actor?: 'user' | 'ai_agent' | 'system'
  time_zone?: string
}
export type UserContext = { roles: Role[]; capabilities: string[]; session_info?: SessionInfo }

export type RegistrationResult = {
  success: boolean
  tool_id: string
  version: string
  definition_hash: string
  errors: string[]
  warnings: string[]
}
export type UpdateResult = RegistrationResult & {
  previous_version: string
  change: 'major' | 'minor' | 'patch' | 'none'
  differences: string[]
}
export type DeprecationResult = {
  success: boolean
  tool_id: string
  deprecated_at: string
  replacement_tool?: string
  errors: string[]
}
