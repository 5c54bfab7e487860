import { ToolError } from '../call/tool-error.ts'
import type { Port } from '../define/port.ts'
import type { Tool } from '../define/tool.ts'
import type { Clock } from '../ports/clock.ts'
import type { TenantTools } from '../ports/tenant-tools.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'

export type Method = (args: unknown, signal: AbortSignal) => Promise<unknown>
type Provider = Readonly<Record<string, Method>>

/**
 * The provider of each port, behind circuit breakers: one for each tenant and each host that the
 * provider reaches, so that the failures of one tenant's vendor stop no other tenant.
 */
export type Providers = {
  /**
   * The providers of the tool's ports, with their read methods only. Effects are made by `perform`,
   * which guards them.
   */
  readonly of: (tool: Tool, tenant: string) => Readonly<Record<string, Provider>>
  readonly method: (portName: string, method: string, tenant: string) => Method
  /** An attempt timed out: counts as a failure of the providers it was waiting for. */
  readonly timedOut: (tool: Tool, tenant: string, error: ToolError) => void
  readonly retryBudget: (tool: Tool, tenant: string) => RetryBudget
}

/** A port's provider as one tenant uses it. */
type Bound = {
  readonly provider: Provider
  readonly timedOut: (error: ToolError) => void
  readonly budget: RetryBudget
}

type BindTenant = (tenant: string) => Bound

/**
 * Binds ports to providers at start. The error for a missing one names the tools that need it and
 * what to do.
 */
export function bindProviders(
  tools: readonly Tool[],
  given: Readonly<Record<string, object>>,
  { clock, tenantTools }: { readonly clock: Clock; readonly tenantTools?: TenantTools | undefined },
): Providers {
  const ports = new Map<string, BindTenant>()
  for (const [name, port] of collectPorts(tools))
    ports.set(name, bind(port, given[name], tools, clock))
  const perTool = new WeakMap<Tool, Map<string, Readonly<Record<string, Provider>>>>()
  const ownBudgets = new Map<string, RetryBudget>()

  // The provider of a tenant's tool is bound when it is first called.
  function bindTenantProvider(name: string): BindTenant | undefined {
    const found = tenantTools?.provider(name)
    if (found === undefined) return undefined
    const made = bind(found.port, found.provider, [], clock)
    ports.set(name, made)
    return made
  }

  function boundOf(name: string, tenant: string): Bound {
    const found = ports.get(name) ?? bindTenantProvider(name)
    if (found === undefined)
      throw new ToolError('TOOL_CONFIGURATION_ERROR', `No provider is bound to the port "${name}".`)
    return found(tenant)
  }

  return {
    of(tool, tenant) {
      const known = perTool.get(tool)
      const found = known?.get(tenant)
      if (found !== undefined) return found
      const made = Object.fromEntries(
        [...tool.ports].map(([alias, port]) => [
          alias,
          keepReads(port, boundOf(port.name, tenant).provider),
        ]),
      )
      if (known === undefined) perTool.set(tool, new Map([[tenant, made]]))
      else remember(known, tenant, made)
      return made
    },
    method(portName, method, tenant) {
      const found = boundOf(portName, tenant).provider[method]
      if (found === undefined)
        throw new ToolError(
          'TOOL_CONFIGURATION_ERROR',
          `The provider of "${portName}" has no method "${method}".`,
        )
      return found
    },
    timedOut(tool, tenant, error) {
      for (const port of tool.ports.values()) boundOf(port.name, tenant).timedOut(error)
    },
    retryBudget(tool, tenant) {
      const first = tool.ports.values().next().value
      if (first !== undefined) return boundOf(first.name, tenant).budget
      const own = ownBudgets.get(tool.id)
      if (own !== undefined) return own
      const made = createRetryBudget()
      ownBudgets.set(tool.id, made)
      return made
    },
  }
}

const MAX_TENANTS = 1_000

/** Keeps what was made for a tenant; beyond the limit the oldest is made anew when it is needed. */
function remember<T>(kept: Map<string, T>, name: string, made: T): void {
  const [oldest] = kept.keys()
  if (kept.size >= MAX_TENANTS && oldest !== undefined) kept.delete(oldest)
  kept.set(name, made)
}

// An effect made by a gate or a read would be retried, repeated and never recorded.
function keepReads(port: Port, provider: Provider): Provider {
  if (!port.hasEffects) return provider
  const reads: Record<string, Method> = { ...provider }
  for (const [method, recovery] of port.methods) {
    if (recovery === 'read') continue
    reads[method] = async () => {
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `${port.name}.${method} has an effect, so only the execute of a write may call it.`,
        {
          effect: 'none',
        },
      )
    }
  }
  return Object.freeze(reads)
}

function collectPorts(tools: readonly Tool[]): ReadonlyMap<string, Port> {
  const ports = new Map<string, Port>()
  for (const tool of tools) {
    for (const port of tool.ports.values()) {
      const other = ports.get(port.name)
      if (other !== undefined && other !== port)
        throw new ToolError(
          'TOOL_CONFIGURATION_ERROR',
          `Two different ports are called "${port.name}".`,
        )
      ports.set(port.name, port)
    }
  }
  return ports
}

function bind(
  port: Port,
  given: object | undefined,
  tools: readonly Tool[],
  clock: Clock,
): BindTenant {
  const methods = methodsOf(port, given, tools)
  const tenants = new Map<string, Bound>()
  return (tenant) => {
    const known = tenants.get(tenant)
    if (known !== undefined) return known
    const made = bindTenant(port, methods, clock)
    remember(tenants, tenant, made)
    return made
  }
}

function methodsOf(
  port: Port,
  given: object | undefined,
  tools: readonly Tool[],
): ReadonlyMap<string, Method> {
  const users = tools
    .filter((tool) => [...tool.ports.values()].includes(port))
    .map((tool) => tool.id)
  if (given === undefined)
    throw unboundError(
      port.name,
      `No provider is given for the port "${port.name}", which ${users.join(', ')} ${users.length === 1 ? 'needs' : 'need'}.`,
    )
  return new Map(
    [...port.methods.keys()].map((name) => {
      const method = (given as Record<string, unknown>)[name]
      if (typeof method !== 'function')
        throw unboundError(port.name, `The provider of "${port.name}" has no method "${name}".`)
      return [name, (args, signal) => method.call(given, args, signal) as Promise<unknown>]
    }),
  )
}

type Circuit = { readonly breaker: CircuitBreaker; running: number }

const WITHOUT_BREAKER: CircuitBreaker = {
  enter: () => undefined,
  succeeded: () => undefined,
  failed: () => undefined,
}

function bindTenant(port: Port, methods: ReadonlyMap<string, Method>, clock: Clock): Bound {
  const circuits = new Map<string, Circuit>()

  function circuitOf(args: unknown): Circuit {
    const host = port.hostOf?.(args) ?? ''
    const known = circuits.get(host)
    if (known !== undefined) return known
    const name = host === '' ? port.title : `${port.title} (${host})`
    const breaker = port.callsTools ? WITHOUT_BREAKER : createCircuitBreaker(name, clock)
    const made = { breaker, running: 0 }
    remember(circuits, host, made)
    return made
  }

  const provider: Record<string, Method> = {}
  for (const [name, method] of methods)
    provider[name] = async (args, signal) => {
      const circuit = circuitOf(args)
      circuit.breaker.enter()
      circuit.running++
      try {
        const result = await method(args, signal)
        circuit.breaker.succeeded()
        return result
      } catch (thrown) {
        // A timeout is counted by the attempt, also when the provider ignores its signal.
        if (!signal?.aborted) circuit.breaker.failed(thrown)
        throw thrown
      } finally {
        circuit.running--
      }
    }
  return {
    provider: Object.freeze(provider),
    timedOut(error) {
      for (const { breaker, running } of circuits.values()) if (running > 0) breaker.failed(error)
    },
    budget: createRetryBudget(),
  }
}

function unboundError(port: string, message: string): ToolError {
  return new ToolError('TOOL_CONFIGURATION_ERROR', message, {
    details: { port },
    suggestions: [`Pass it to createRuntime: createRuntime({ providers: { '${port}': … } }).`],
  })
}

/**
 * Retries may add a tenth to a provider's load; without a budget they would multiply it when the
 * provider is failing.
 */
export type RetryBudget = {
  readonly countCall: () => void
  /** False: no more retries for now. */
  readonly take: () => boolean
}

// Counted in tenths of a retry, so that ten calls earn exactly one.
const RETRY = 10
const MOST_TENTHS = 100

export function createRetryBudget(): RetryBudget {
  let tenths = MOST_TENTHS
  return {
    countCall() {
      tenths = Math.min(MOST_TENTHS, tenths + 1)
    },
    take() {
      if (tenths < RETRY) return false
      tenths -= RETRY
      return true
    },
  }
}
