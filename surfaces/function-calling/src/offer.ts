import type { Tool } from '@surehand/core'
import { modelInput, modelInputSchema, wireName } from '@surehand/core/host'
import type { OfferedTool } from './providers/wire.ts'
import type { Loss } from './schema/compile-context.ts'
import { type CompiledSchema, compileSchema } from './schema/compile-schema.ts'
import { ANTHROPIC_STRICT_BUDGET, type DialectName } from './schema/dialect.ts'
import { measureSchema } from './schema/limits.ts'

/**
 * A tool as it is offered to the model, with the compiled schema that translates the model's input
 * back.
 */
export type Offer = {
  readonly tool: Tool
  readonly name: string
  readonly compiled: CompiledSchema
}

/** A constraint of a tool that the vendor's dialect cannot express. */
export type ToolLoss = Loss & { readonly tool: string }

export type Dialects = { readonly wanted: DialectName; readonly plain: DialectName }

const compiledSchemas = new WeakMap<Tool, Map<DialectName, CompiledSchema>>()

function compileFor(tool: Tool, dialect: DialectName): CompiledSchema {
  const known = compiledSchemas.get(tool) ?? new Map<DialectName, CompiledSchema>()
  compiledSchemas.set(tool, known)
  const compiled = known.get(dialect) ?? compileSchema(modelInputSchema(tool), dialect)
  known.set(dialect, compiled)
  return compiled
}

// The runtime returns the same list while nothing has changed, so that the offers are built once
// and not for every response.
const offersByTools = new WeakMap<readonly Tool[], Map<DialectName, readonly Offer[]>>()

/**
 * Compiles the tools in order, each in the wanted dialect, within the vendor's limits for all tools
 * of a request.
 */
export function compileOffers(tools: readonly Tool[], dialects: Dialects): readonly Offer[] {
  const known = offersByTools.get(tools) ?? new Map<DialectName, readonly Offer[]>()
  offersByTools.set(tools, known)
  const offers = known.get(dialects.wanted) ?? buildOffers(tools, dialects)
  known.set(dialects.wanted, offers)
  return offers
}

function buildOffers(tools: readonly Tool[], { wanted, plain }: Dialects): readonly Offer[] {
  const used = { tools: 0, optional: 0, unions: 0 }
  return tools.map((tool) => {
    const compiled = compileFor(tool, wanted)
    const offer = { tool, name: wireName(tool.id) }
    if (compiled.dialect !== 'anthropic-strict') return { ...offer, compiled }
    const { optional, unions } = measureSchema(compiled.schema)
    const after = {
      tools: used.tools + 1,
      optional: used.optional + optional,
      unions: used.unions + unions,
    }
    if (exceedsBudget(after)) return { ...offer, compiled: withoutStrict(tool, plain) }
    Object.assign(used, after)
    return { ...offer, compiled }
  })
}

function exceedsBudget({ tools, optional, unions }: typeof ANTHROPIC_STRICT_BUDGET): boolean {
  const budget = ANTHROPIC_STRICT_BUDGET
  return tools > budget.tools || optional > budget.optional || unions > budget.unions
}

function withoutStrict(tool: Tool, plain: DialectName): CompiledSchema {
  const why = 'Offered without strict: the tools before it have used up the limit of one request.'
  const compiled = compileFor(tool, plain)
  return { ...compiled, losses: [...compiled.losses, { path: '', keyword: 'strict', why }] }
}

/** The fields of an offer that a provider formats. */
export function toOfferedTool({ tool, name, compiled }: Offer): OfferedTool {
  return {
    name,
    description: tool.description,
    schema: compiled.schema,
    isStrict: compiled.dialect === 'openai-strict' || compiled.dialect === 'anthropic-strict',
    examples: tool.examples.map(({ input }) => compiled.express(modelInput(tool, input))),
  }
}

export function lossesOf(offers: readonly Offer[]): readonly ToolLoss[] {
  return offers.flatMap(({ tool, compiled }) =>
    compiled.losses.map((loss) => ({ tool: tool.id, ...loss })),
  )
}
