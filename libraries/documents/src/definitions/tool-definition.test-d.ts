import type { Envelope, ToolErrorCode } from '@surehand/core'
import type { ErrorRow, RecoveryStrategy, UserAction } from '@surehand/core/host'
import type * as Core from '@surehand/core/internal'
import type { ErrorRecoveryInfo } from '@surehand/core/internal'
import type { Discovery } from './discovery.ts'
import type * as Ours from './tool-definition.ts'
import type { Category } from './tool-definition.ts'

// Document 004's interfaces as it prints them; its enums by their values, since what travels is
// JSON.
declare enum ToolCategoryEnum {
  HABIT_MANAGEMENT = 'habit_management',
  PROJECT_MANAGEMENT = 'project_management',
  TASK_MANAGEMENT = 'task_management',
  TIME_MANAGEMENT = 'time_management',
  KNOWLEDGE_MANAGEMENT = 'knowledge_management',
  SYSTEM_ADMINISTRATION = 'system_admin',
  AI_EXPLANATION = 'ai_explanation',
  DATA_ANALYSIS = 'data_analysis',
  INTEGRATION = 'integration',
  CUSTOM = 'custom',
}
declare enum SecurityLevelEnum {
  PUBLIC = 'public',
  INTERNAL = 'internal',
  CONFIDENTIAL = 'confidential',
  RESTRICTED = 'restricted',
}
declare enum RoleEnum {
  USER = 'user',
  POWER_USER = 'power_user',
  ADMIN = 'admin',
  DEVELOPER = 'developer',
  AI_AGENT = 'ai_agent',
}
declare enum ResourceTypeEnum {
  HABIT_DATA = 'habit_data',
  TASK_DATA = 'task_data',
  PROJECT_DATA = 'project_data',
  USER_PREFERENCES = 'user_preferences',
  SYSTEM_CONFIG = 'system_config',
  EXTERNAL_API = 'external_api',
  FILESYSTEM = 'filesystem',
}
declare enum AccessModeEnum {
  READ = 'read',
  WRITE = 'write',
  DELETE = 'delete',
  CREATE = 'create',
  UPDATE = 'update',
}
type ToolCategory = `${ToolCategoryEnum}`
type SecurityLevel = `${SecurityLevelEnum}`
type Role = `${RoleEnum}`
type ResourceType = `${ResourceTypeEnum}`
type AccessMode = `${AccessModeEnum}`
type JSONSchema = { [keyword: string]: unknown }

interface ToolDefinition {
  id: string
  name: string
  category: ToolCategory
  version: string
  description: string
  detailed_description?: string
  function_signature: FunctionSignature
  permissions: ToolPermissions
  security_level: SecurityLevel
  implementation: Ours.ToolImplementation
  validation: Ours.ValidationRules
  author?: string
  created_at: string
  updated_at: string
  deprecated_at?: string
  replacement_tool?: string
}
interface FunctionSignature {
  input: { schema: JSONSchema; examples: InputExample[]; required_fields: string[] }
  // the interface asks for output examples, the document's own second example has none: they are
  // optional in both
  output: {
    success_schema: JSONSchema
    error_schemas: Record<string, JSONSchema>
    examples?: OutputExample[]
  }
  side_effects?: SideEffect[]
}
interface InputExample {
  name: string
  description: string
  input: unknown
  expected_output_type: 'success' | 'error'
}
interface OutputExample {
  name: string
  scenario: string
  response: unknown
}
interface SideEffect {
  type: 'read' | 'write' | 'delete' | 'network' | 'filesystem'
  description: string
  reversible: boolean
}
interface ToolPermissions {
  required_roles: Role[]
  required_capabilities: Capability[]
  resource_access: ResourceAccess[]
}
interface Capability {
  name: string
  scope?: string
  conditions?: CapabilityCondition[]
}
interface CapabilityCondition {
  type: 'time_restriction' | 'rate_limit' | 'user_consent' | 'admin_approval'
  parameters: Record<string, unknown>
}
interface ResourceAccess {
  resource_type: ResourceType
  access_mode: AccessMode
  scope_filter?: string
}
interface ToolCategoryInfo {
  category: ToolCategory
  name: string
  description: string
  tool_count: number
  common_permissions: Capability[]
}
interface PermissionSchemeDefinition {
  version: string
  roles: Record<Role, Ours.RoleDefinition>
  capabilities: Record<string, Ours.CapabilityDefinition>
  default_grants: Record<Role, string[]>
}
interface ToolRegistry {
  version: string
  last_updated: string
  tools: Record<string, ToolDefinition>
  categories: Record<ToolCategory, ToolCategoryInfo>
  permissions: PermissionSchemeDefinition
}
interface SearchOptions {
  category_filter?: ToolCategory[]
  permission_filter?: string[]
  security_level?: SecurityLevel
  include_deprecated?: boolean
}
interface UserContext {
  roles: Role[]
  capabilities: string[]
  session_info?: Ours.SessionInfo
}
interface ToolResponse<T = unknown> {
  status: 'success' | 'failed' | 'error'
  command: string
  data: T | null
  error?: {
    code: string
    message: string
    details?: unknown
    recovery_suggestions?: readonly string[]
  }
  metadata: {
    version: string
    execution_time: number
    tool_info: { name: string; category: string; permissions_used: readonly string[] }
    input_validation: { schema_version: string; validation_time: number }
  }
}
interface TheirRecoveryInfo {
  error_code: ToolErrorCode
  is_recoverable: boolean
  recovery_strategies: readonly {
    strategy_id: string
    description: string
    automatic: boolean
    side_effects: readonly string[]
  }[]
  user_actions: readonly {
    action_type: 'retry' | 'modify_input' | 'check_permissions' | 'contact_admin'
    description: string
    command_example?: string
  }[]
}
interface ToolDiscoveryAPI {
  listTools(category?: ToolCategory, role?: Role): ToolDefinition[]
  getTool(toolId: string): ToolDefinition | null
  searchTools(query: string, options?: SearchOptions): Ours.ToolSearchResult[]
  getAvailableTools(userRoles: Role[], capabilities: string[]): ToolDefinition[]
  checkPermissions(toolId: string, userContext: UserContext): Core.PermissionCheckResult
}

/** Compiles only if a value of theirs is a value of ours, and back. */
type Same<Theirs, Own> = [Theirs] extends [Own] ? ([Own] extends [Theirs] ? true : false) : false
type Fits<Own, Theirs> = [Own] extends [Theirs] ? true : false

export const sameBothWays: readonly true[] = [
  true satisfies Same<ToolCategory, Category>,
  true satisfies Same<SecurityLevel, Core.SecurityLevel>,
  true satisfies Same<Role, Core.Role>,
  true satisfies Same<ResourceType, Ours.ResourceType>,
  true satisfies Same<AccessMode, Ours.AccessMode>,
  true satisfies Same<ToolDefinition, Ours.ToolDefinition>,
  true satisfies Same<FunctionSignature, Ours.FunctionSignature>,
  true satisfies Same<InputExample, Ours.InputExample>,
  true satisfies Same<OutputExample, Ours.OutputExample>,
  true satisfies Same<SideEffect, Ours.SideEffect>,
  true satisfies Same<ToolPermissions, Ours.ToolPermissions>,
  true satisfies Same<Capability, Ours.Capability>,
  true satisfies Same<CapabilityCondition, Core.CapabilityCondition>,
  true satisfies Same<ResourceAccess, Ours.ResourceAccess>,
  true satisfies Same<ToolCategoryInfo, Ours.ToolCategoryInfo>,
  true satisfies Same<PermissionSchemeDefinition, Ours.PermissionSchemeDefinition>,
  true satisfies Same<ToolRegistry, Ours.ToolRegistryDocument>,
  true satisfies Same<SearchOptions, Ours.SearchOptions>,
  true satisfies Same<UserContext, Ours.UserContext>,
  true satisfies Same<TheirRecoveryInfo, ErrorRecoveryInfo>,
  true satisfies Same<TheirRecoveryInfo['recovery_strategies'][number], RecoveryStrategy>,
  true satisfies Same<TheirRecoveryInfo['user_actions'][number], UserAction>,
]

/** Ours says more than theirs asks for: a call id, a source, what is pending. */
export const ofTheirs: readonly true[] = [
  true satisfies Fits<Envelope, ToolResponse>,
  true satisfies Fits<Discovery, ToolDiscoveryAPI>,
  true satisfies Fits<ErrorRow['strategies'], readonly RecoveryStrategy[]>,
]

// @ts-expect-error a category of our own is none of theirs
export const notTheirs: ToolCategory = 'sports' satisfies Category
// @ts-expect-error the document knows three statuses
export const noFourth: Envelope['status'] = 'pending'
