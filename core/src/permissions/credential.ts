import type { Caller } from '../call/caller.ts'
import type { Tool } from '../define/tool.ts'
import { capabilitiesFor, isDelegated } from './grants.ts'

/** Whether the caller's credential is limited to some capabilities. */
export function isNarrowed({ scopes }: Pick<Caller, 'scopes'>): boolean {
  return scopes !== undefined && !scopes.includes('*')
}

/**
 * Whether the caller administers its tenant: in person, with the role, and with a credential that
 * is not narrowed. Administration has no capability that a scope could name, so a narrowed
 * credential never includes it.
 */
export function isAdministrator(caller: Caller): boolean {
  return caller.actor !== 'ai_agent' && caller.roles.includes('admin') && !isNarrowed(caller)
}

/**
 * Whether the credential, or the delegation to an agent, reaches everything that a tool needs. It
 * says nothing about the rights of the principal. A limited credential does not reach a tool that
 * is unknown here, because what it needs is unknown too.
 */
export function reachesTool(caller: Caller, tool: Tool | undefined): boolean {
  if (tool === undefined) return !isNarrowed(caller) && !isLimitedAgent(caller)
  const { capabilities, resources } = tool.contract
  return (
    capabilities.every(({ name }) => isDelegated(caller, name)) &&
    resources.every((resource) => {
      const openers = capabilitiesFor(resource)
      return openers.length === 0 || openers.some(({ name }) => isDelegated(caller, name))
    })
  )
}

function isLimitedAgent({ actor, delegated }: Caller): boolean {
  return actor === 'ai_agent' && delegated !== undefined
}

/**
 * Whether a person's credential is good for a decision about a tool: it is not narrowed, or its
 * scopes name the capability to decide or every capability of the tool. A tool that needs none is
 * in no scope.
 */
export function mayDecideAbout(
  caller: Caller,
  tool: Tool | undefined,
  decideCapability: string,
): boolean {
  if (!isNarrowed(caller) || isDelegated(caller, decideCapability)) return true
  return (tool?.contract.capabilities.length ?? 0) > 0 && reachesTool(caller, tool)
}
