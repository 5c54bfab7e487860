// Document 003 names it among the validators.
export { toJsonSchema } from '@surehand/core/internal'
export { compareDefinitions } from './definitions/compare-definitions.ts'
export {
  type Discovery,
  discoverTools,
  isForRole,
  registryDocument,
} from './definitions/discovery.ts'
export { type DefinitionParts, toolFromDefinition } from './definitions/from-definition.ts'
export {
  type Implementation,
  type Implementations,
  implementations,
} from './definitions/implementations.ts'
export {
  manageTools,
  type PersistChange,
  type ToolManagement,
} from './definitions/manage-tools.ts'
export { type RegistryChange, restoreTool } from './definitions/registry-change.ts'
export {
  type ToolDescriptor,
  toDefinition,
  toolDescriptors,
} from './definitions/to-definition.ts'
export type {
  DeprecationResult,
  RegistrationResult,
  SearchOptions,
  ToolDefinition,
  ToolImplementation,
  ToolRegistryDocument,
  UpdateResult,
  UserContext,
} from './definitions/tool-definition.ts'
export { defineMigration, type Migration } from './migrate/define-migration.ts'
export type {
  DeprecationAction,
  DeprecationPhase,
  FieldMapping,
  MigrationStrategy,
  MigrationWarning,
  TransformationRule,
  V1ToolResponse,
  V2ToolRequest,
} from './migrate/documents.ts'
export { phaseAt } from './migrate/phases.ts'
export {
  codeOf,
  createV1Adapter,
  fromV1Function,
  toV1Function,
  type V1Adapter,
} from './migrate/v1-adapter.ts'
export { PartySize, ResourceId, SlotId } from './shapes/booking.ts'
export {
  CartId,
  CheckoutToken,
  CouponCode,
  CurrencyCode,
  Money,
  ProductId,
  Quantity,
  VariantId,
} from './shapes/commerce.ts'
export { Email, Locale, Phone } from './shapes/contact.ts'
export { Filter, PageCursor, Query, Sort } from './shapes/search.ts'
export { Iso8601Duration, IsoInterval, Rfc3339DateTime } from './shapes/time.ts'
export { AriaRole, CssSelector, Path, Url } from './shapes/web.ts'
