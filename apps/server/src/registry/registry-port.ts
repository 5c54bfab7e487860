import { type Caller, definePort, unrecoverable } from '@surehand/core'
import type { PermissionCheckResult } from '@surehand/core/internal'
import type {
  DeprecationResult,
  RegistrationResult,
  ToolDefinition,
  ToolRegistryDocument,
  UpdateResult,
  UserContext,
} from '@surehand/documents'

type By = { readonly by: Caller }

/** The registry of the app, as document 004 administers it. */
export type RegistryPort = {
  readonly check: (
    asked: By & { readonly toolId: string; readonly context: UserContext | undefined },
  ) => Promise<PermissionCheckResult>
  readonly document: (asked: By) => Promise<ToolRegistryDocument>
  readonly register: (
    change: By & { readonly definition: ToolDefinition },
  ) => Promise<RegistrationResult>
  readonly update: (
    change: By & { readonly toolId: string; readonly updates: Partial<ToolDefinition> },
  ) => Promise<UpdateResult>
  readonly deprecate: (
    change: By & {
      readonly toolId: string
      readonly replacement: string | undefined
      readonly redirectFrom: number | undefined
      readonly disableFrom: number | undefined
    },
  ) => Promise<DeprecationResult>
}

/** A change that was interrupted is shown to people: a look into the registry settles it. */
export const registryPort = definePort<RegistryPort>('toolRegistry', {
  check: 'read',
  document: 'read',
  register: unrecoverable,
  update: unrecoverable,
  deprecate: unrecoverable,
})
