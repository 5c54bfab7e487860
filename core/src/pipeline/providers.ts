import { ToolError } from '../call/tool-error.ts'
import type { Port } from '../define/port.ts'
import type { Tool } from '../define/tool.ts'
import type { Clock } from '../ports/clock.ts'
import type { TenantTools } from '../ports/tenant-tools.ts'
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts'

export type Method = (args: unknown, signal: AbortSignal) => Promise<unknown>
type Provider = Readonly<Record<string, Method>>

/** The provider of each port, behind its circuit breaker. */
export type Providers = {
  /**
   * The providers of the tool's ports, with their read methods only. Effects are made by `perform`,
   * which guards them.
   */
  readonly of: (tool: Tool) => Readonly<Record<string, Provider>>
  readonly method: (portName: string, method: string) => Method
  /** An attempt timed out: counts as a failure of the providers it was waiting for. */
  readonly timedOut: (tool: Tool, error: ToolError) => void
  readonly retryBudget: (tool: Tool) => RetryBudget
}

type Bound = {
  readonly provider: Provider
  readonly breaker: CircuitBreaker
  readonly budget: RetryBudget
  readonly running: () => number
}

/**
 * Binds ports to providers at start. The error for a missing one names the tools that need it and
 * what to do.
 */
export function bindProviders(
  tools: readonly Tool[],
  given: Readonly<Record<string, object>>,
  { clock, tenantTools }: { readonly clock: Clock; readonly tenantTools?: TenantTools | undefined },
): Providers {
  const bound = new Map<string, Bound>()
  for (const [name, port] of collectPorts(tools))
    bound.set(name, bind(port, given[name], tools, clock))
  const perTool = new WeakMap<Tool, Readonly<Record<string, Provider>>>()
  const ownBudgets = new Map<string, RetryBudget>()

  // The provider of a tenant's tool is bound when it is first called.
  function bindTenantProvider(name: string): Bound | undefined {
    const found = tenantTools?.provider(name)
    if (found === undefined) return undefined
    const made = bind(found.port, found.provider, [], clock)
    bound.set(name, made)
    return made
  }

  function boundOf(name: string): Bound {
    const found = bound.get(name) ?? bindTenantProvider(name)
    if (found === undefined)
      throw new ToolError('TOOL_CONFIGURATION_ERROR', `No provider is bound to the port "${name}".`)
    return found
  }

  return {
    of(tool) {
      const known = perTool.get(tool)
      if (known !== undefined) return known
      const made = Object.fromEntries(
        [...tool.ports].map(([alias, port]) => [
          alias,
          keepReads(port, boundOf(port.name).provider),
        ]),
      )
      perTool.set(tool, made)
      return made
    },
    method(portName, method) {
      const found = boundOf(portName).provider[method]
      if (found === undefined)
        throw new ToolError(
          'TOOL_CONFIGURATION_ERROR',
          `The provider of "${portName}" has no method "${method}".`,
        )
      return found
    },
    timedOut(tool, error) {
      for (const port of tool.ports.values()) {
        const { breaker, running } = boundOf(port.name)
        if (running() > 0) breaker.failed(error)
      }
    },
    retryBudget(tool) {
      const [first] = tool.ports.values()
      if (first !== undefined) return boundOf(first.name).budget
      const own = ownBudgets.get(tool.id) ?? createRetryBudget()
      ownBudgets.set(tool.id, own)
      return own
    },
  }
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

const WITHOUT_BREAKER: CircuitBreaker = {
  enter: () => undefined,
  succeeded: () => undefined,
  failed: () => undefined,
}

function bind(port: Port, given: object | undefined, tools: readonly Tool[], clock: Clock): Bound {
  const users = tools
    .filter((tool) => [...tool.ports.values()].includes(port))
    .map((tool) => tool.id)
  if (given === undefined)
    throw unboundError(
      port.name,
      `No provider is given for the port "${port.name}", which ${users.join(', ')} ${users.length === 1 ? 'needs' : 'need'}.`,
    )
  const breaker = port.hasCircuitBreaker ? createCircuitBreaker(port.title, clock) : WITHOUT_BREAKER
  let running = 0
  const provider: Record<string, Method> = {}
  for (const name of port.methods.keys()) {
    const method = (given as Record<string, unknown>)[name]
    if (typeof method !== 'function')
      throw unboundError(port.name, `The provider of "${port.name}" has no method "${name}".`)
    provider[name] = async (args, signal) => {
      breaker.enter()
      running++
      try {
        const result = await method.call(given, args, signal)
        breaker.succeeded()
        return result
      } catch (thrown) {
        // A timeout is counted by the attempt, also when the provider ignores its signal.
        if (!signal?.aborted) breaker.failed(thrown)
        throw thrown
      } finally {
        running--
      }
    }
  }
  return {
    provider: Object.freeze(provider),
    breaker,
    budget: createRetryBudget(),
    running: () => running,
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
