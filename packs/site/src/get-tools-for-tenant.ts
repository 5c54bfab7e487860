import type { Runtime } from '@surehand/core'
import { type ToolDescriptor, toolDescriptors } from '@surehand/documents'

/**
 * The document's registry over a runtime: the one list of a tenant's tools, with its policy applied
 * and JSON Schema 2020-12. The list is the same object until tools or policy change.
 *
 * @example
 * const tools = getToolsForTenant(runtime)('acme')
 */
export function getToolsForTenant(
  runtime: Pick<Runtime, 'call' | 'registry'>,
): (tenantId: string) => readonly ToolDescriptor[] {
  return toolDescriptors(runtime)
}
