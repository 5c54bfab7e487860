import type { KeyScope } from '../call/call-row.ts'

/** Call ids by scope and key. Maps within maps: no long string is put together and hashed for every look. */
export type KeyIndex = {
  readonly get: (scope: KeyScope) => string | undefined
  readonly set: (scope: KeyScope, callId: string) => void
  readonly delete: (scope: KeyScope) => void
}

type Keys = Map<string, string>
type Tools = Map<string, Keys>
type Principals = Map<string, Tools>

export function createKeyIndex(): KeyIndex {
  const tenants = new Map<string, Principals>()
  return {
    get: ({ tenant, principal, toolId, key }) =>
      tenants.get(tenant)?.get(principal)?.get(toolId)?.get(key),
    set({ tenant, principal, toolId, key }, callId) {
      const principals = inner(tenants, tenant)
      const tools = inner(principals, principal)
      inner<string, string>(tools, toolId).set(key, callId)
    },
    delete({ tenant, principal, toolId, key }) {
      const principals = tenants.get(tenant)
      const tools = principals?.get(principal)
      const keys = tools?.get(toolId)
      keys?.delete(key)
      // people who came once must not leave empty maps for ever
      if (keys?.size === 0) tools?.delete(toolId)
      if (tools?.size === 0) principals?.delete(principal)
      if (principals?.size === 0) tenants.delete(tenant)
    },
  }
}

function inner<K, V>(outer: Map<string, Map<K, V>>, name: string): Map<K, V> {
  const known = outer.get(name)
  if (known !== undefined) return known
  const made = new Map<K, V>()
  outer.set(name, made)
  return made
}
