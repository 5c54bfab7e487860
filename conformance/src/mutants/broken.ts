import type { Caller, Port, Recovery, Stores, Tool } from '@surehand/core'
import type { NormalContract } from '@surehand/core/internal'
import type { Clock } from '@surehand/core/ports'
import type { Mutant, ProviderMethod } from '../mutant.ts'
import type { Surface, SurfaceRequest } from '../surface.ts'

/** A store some of whose methods do something else. */
export function brokenStore<K extends keyof Stores>(
  name: K,
  breaks: string,
  change: (store: Stores[K], clock: Clock) => Partial<Stores[K]>,
): Mutant {
  return {
    breaks,
    stores: (stores, clock) => ({
      ...stores,
      [name]: { ...stores[name], ...change(stores[name], clock) },
    }),
  }
}

/** A surface some of whose ways do something else. */
export function brokenSurface(
  breaks: string,
  change: (surface: Surface) => Partial<Surface>,
): Mutant {
  return { breaks, surface: (surface) => ({ ...surface, ...change(surface) }) }
}

/** A surface that carries something else than it was given. */
export function brokenRequest(
  breaks: string,
  change: (request: SurfaceRequest) => SurfaceRequest,
): Mutant {
  return brokenSurface(breaks, (surface) => ({ call: (request) => surface.call(change(request)) }))
}

/** A surface that is wrong about who stands before it. */
export function brokenCaller(breaks: string, change: (caller: Caller) => Caller): Mutant {
  return brokenSurface(breaks, (surface) => ({
    call: (request) => surface.call({ ...request, caller: change(request.caller) }),
    answer: (caller, callId) => surface.answer(change(caller), callId),
    cancel: (caller, callId) => surface.cancel(change(caller), callId),
    decide: (decider, approvalId, form) => surface.decide(change(decider), approvalId, form),
    edit: (editor, approvalId, input) => surface.edit(change(editor), approvalId, input),
    settleUnknown: (decider, callId, evidence) =>
      surface.settleUnknown(change(decider), callId, evidence),
  }))
}

/** A tool that is not what its author should have written. */
export function brokenTool(
  id: string,
  breaks: string,
  change: (tool: Tool) => Partial<Tool>,
): Mutant {
  return {
    breaks,
    tools: (tools) => tools.map((tool) => (tool.id === id ? { ...tool, ...change(tool) } : tool)),
  }
}

/** A tool whose contract promises something else. */
export function brokenContract(
  id: string,
  breaks: string,
  change: (contract: NormalContract) => Partial<NormalContract>,
): Mutant {
  return brokenTool(id, breaks, (tool) => ({
    contract: { ...tool.contract, ...change(tool.contract) },
  }))
}

/** A port that declares another class for its `make`, for every tool that uses it. */
export function brokenPort(name: string, breaks: string, recovery: Recovery | 'read'): Mutant {
  return {
    breaks,
    tools(tools) {
      const right = tools
        .flatMap((tool) => [...tool.ports.values()])
        .find((port) => port.name === name) as Port
      const wrong: Port = {
        ...right,
        methods: new Map([...right.methods, ['make', recovery]]),
        hasEffects: recovery !== 'read',
      }
      const swap = ([alias, port]: readonly [string, Port]) =>
        [alias, port.name === name ? wrong : port] as const
      return tools.map((tool) => {
        const ports = new Map([...tool.ports].map(swap))
        return {
          ...tool,
          ports,
          hasEffectPorts: [...ports.values()].some((port) => port.hasEffects),
        }
      })
    },
  }
}

/** A provider's adapter that does something else; the method is `port.method`. */
export function brokenProvider(
  method: string,
  breaks: string,
  change: (right: ProviderMethod) => ProviderMethod,
): Mutant {
  const [port = '', name = ''] = method.split('.')
  return {
    breaks,
    providers: (providers) => {
      const right = providers[port]?.[name]
      return right === undefined
        ? providers
        : { ...providers, [port]: { ...providers[port], [name]: change(right) } }
    },
  }
}

/** The request without some of what it carried. */
export function without<K extends keyof SurfaceRequest>(
  request: SurfaceRequest,
  ...fields: readonly K[]
): SurfaceRequest {
  return Object.fromEntries(
    Object.entries(request).filter(([name]) => !fields.includes(name as K)),
  ) as SurfaceRequest
}
