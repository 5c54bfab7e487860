export { compareDefinitions, type DefinitionDifference } from './definitions/compare-definitions.ts'
export { type Discovery, discoverTools } from './definitions/discovery.ts'
export { type DefinitionParts, toolFromDefinition } from './definitions/from-definition.ts'
export {
  type Implementation,
  type ImplementationParts,
  type Implementations,
  implementations,
} from './definitions/implementations.ts'
export {
  type DeprecationSchedule,
  manageTools,
  type ToolManagement,
} from './definitions/manage-tools.ts'
export { registryDocument } from './definitions/registry-document.ts'
export { toDefinition } from './definitions/to-definition.ts'
export type {
  Category,
  SearchOptions,
  ToolDefinition,
  ToolImplementation,
} from './definitions/tool-definition.ts'
export {
  type DescriptorContext,
  type ToolDescriptor,
  toolDescriptors,
} from './definitions/tool-descriptors.ts'
export { defineMigration, type Migration } from './migrate/define-migration.ts'
export type {
  CompatibilitySettings,
  DeprecationAction,
  DeprecationPhase,
  FieldMapping,
  MigrationStrategy,
  MigrationWarning,
  TransformationRule,
  V1ToolCallAdapter,
  V1ToolRequest,
  V1ToolResponse,
  V2ToolRequest,
} from './migrate/documents.ts'
export { type PhaseKind, phaseAt } from './migrate/phases.ts'
export { TRANSFORMATIONS } from './migrate/transformation.ts'
export { createV1Adapter, type V1Adapter, type V1AdapterOptions } from './migrate/v1-adapter.ts'
export {
  codeOf,
  fromV1Function,
  toV1Function,
  type V1Answer,
  type V1Function,
} from './migrate/v1-function.ts'
export { AriaRole } from './shapes/aria-role.ts'
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
export { CssSelector } from './shapes/css-selector.ts'
export { IsoInterval } from './shapes/iso-interval.ts'
export { Filter, PageCursor, Query, Sort } from './shapes/search.ts'
export { Iso8601Duration, Rfc3339DateTime } from './shapes/time.ts'
export { Path, Url } from './shapes/web.ts'
