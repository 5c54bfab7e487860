import type { Runtime, Tool } from '@surehand/core'
import { modelInput, modelInputSchema, wireName } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { type ToolDescriptor, toolDescriptors } from '@surehand/documents'

/** A tool in the descriptor shape of the document, without its executor: for pages and WebMCP. */
export type ToolDescription = {
  readonly name: string
  /** Where dots are not allowed. */
  readonly wireName: string
  readonly title: string
  readonly description: string
  readonly schema: JsonSchema
  readonly sideEffects: string
  readonly confirmRequired: boolean
  readonly auth: string
  readonly latencyBudgetMs: number
  readonly idempotent: boolean
}

export function describeTool(tool: Tool): ToolDescription {
  const { id, title, description, contract, examples } = tool
  return {
    name: id,
    wireName: wireName(id),
    title,
    description,
    schema: {
      ...modelInputSchema(tool),
      title,
      description,
      examples: examples.map(({ input }) => modelInput(tool, input)),
    },
    sideEffects: contract.effect === 'read' ? 'none' : contract.effect,
    confirmRequired: contract.approval !== undefined,
    auth: contract.auth,
    latencyBudgetMs: contract.latencyBudgetMs,
    idempotent: contract.isWrite,
  }
}

// Tools for visitors, and what the site itself offers; never the owner's.
export const FOR_VISITORS = /^(?:navigation|search|commerce|booking|forms|page)\.|^site\.[a-z]/

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
