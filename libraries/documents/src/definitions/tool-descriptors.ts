import { type Caller, type Envelope, type Runtime, type Tool, toEnvelope } from '@surehand/core'
import { modelInput, modelInputSchema, type TenantPolicy } from '@surehand/core/host'
import { isEnabled, type JsonSchema, tighten } from '@surehand/core/internal'
import { withTitle } from './to-definition.ts'

/**
 * Document 003's descriptor of a tool, as models and agents get it:
 * without the idempotency key, with title, description and examples.
 */
export type ToolDescriptor = {
  readonly name: string
  readonly description: string
  readonly schema: JsonSchema
  readonly sideEffects: string
  readonly confirmRequired: boolean
  readonly auth: 'none' | 'session' | 'service'
  readonly latencyBudgetMs: number
  readonly idempotent: boolean
  /** Calls the tool through the runtime, so that its contract is enforced. */
  readonly execute: (args: unknown, context: DescriptorContext) => Promise<Envelope>
}

export type DescriptorContext = {
  readonly caller: Caller
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type CachedList = {
  readonly revision: number
  readonly policy: TenantPolicy | undefined
  readonly tools: readonly ToolDescriptor[]
}

/**
 * Document 003's list of a tenant's tools, with the tenant's policy applied.
 * The same list is returned until the tools or the policy change.
 */
export function toolDescriptors({
  call,
  registry: { of: registryOf, policyOf },
}: Pick<Runtime, 'call' | 'registry'>): (tenant: string) => readonly ToolDescriptor[] {
  const lists = new Map<string, CachedList>()
  const execute: ExecuteTool = async (tool, input, context) =>
    toEnvelope(await call({ ...context, tool, input, surface: 'descriptor' }))
  return (tenant) => {
    const policy = policyOf(tenant)
    const registry = registryOf(tenant)
    const known = lists.get(tenant)
    if (known !== undefined && known.revision === registry.revision() && known.policy === policy)
      return known.tools
    const tools = registry
      .list()
      .filter((tool) => isEnabled(tool, policy))
      .map((tool) => new Descriptor(policy === undefined ? tool : tighten(tool, policy), execute))
    lists.set(tenant, { revision: registry.revision(), policy, tools })
    return tools
  }
}

type ExecuteTool = (tool: Tool, args: unknown, context: DescriptorContext) => Promise<Envelope>

/** Its schema is made when it is first read: listing thousands of tools must stay cheap. */
class Descriptor implements ToolDescriptor {
  readonly name: string
  readonly description: string
  readonly execute: ToolDescriptor['execute']
  private readonly tool: Tool
  private made: JsonSchema | undefined

  constructor(tool: Tool, executeTool: ExecuteTool) {
    this.tool = tool
    this.execute = (args, context) => executeTool(tool, args, context)
    this.name = tool.id
    this.description = tool.description
  }

  get schema(): JsonSchema {
    this.made ??= {
      ...withTitle(modelInputSchema(this.tool), this.tool),
      examples: this.tool.examples.map((example) => modelInput(this.tool, example.input)),
    }
    return this.made
  }
  get sideEffects(): string {
    return this.tool.contract.effect === 'read' ? 'none' : this.tool.contract.effect
  }
  get confirmRequired(): boolean {
    return this.tool.contract.approval !== undefined
  }
  get auth(): 'none' | 'session' | 'service' {
    return this.tool.contract.auth
  }
  get latencyBudgetMs(): number {
    return this.tool.contract.latencyBudgetMs
  }
  get idempotent(): boolean {
    return this.tool.contract.isWrite
  }
}
