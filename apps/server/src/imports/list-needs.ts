import type { ImportNeed } from '@surehand/imports'
import { type Operation, planOrUndefined, type ServerPlan } from '@surehand/openapi'
import { defaultCredential, describeNeed } from '@surehand/vault'
import type { OpenApiSettings } from './openapi-kind.ts'

/** What is missing before the tools of a document can be called, and how many need it. */
export function listNeeds(
  operations: readonly Operation[],
  settings: OpenApiSettings,
): readonly ImportNeed[] {
  const found = new Map<string, { readonly need: ImportNeed; tools: number }>()
  for (const operation of operations)
    for (const need of needsOf(operation, settings)) {
      const key = JSON.stringify(need)
      const known = found.get(key) ?? { need, tools: 0 }
      known.tools++
      found.set(key, known)
    }
  return [...found.values()]
    .map(({ need, tools }) => ({ ...need, tools }))
    .toSorted((left, right) => right.tools - left.tools)
}

function needsOf(operation: Operation, settings: OpenApiSettings): readonly ImportNeed[] {
  const plan = planOrUndefined(operation)
  if (plan === undefined) return []
  const address = findAddress(plan.server, settings)
  if ('problem' in address) return [{ kind: 'server', tools: 1, ...address }]
  const { security } = plan
  if (security.length === 0 || security.some((needs) => needs.length === 0)) return []
  const alternatives = security.map((needs) => {
    const named = needs.map((need) => ({
      need,
      credential:
        settings.credentials?.[need.scheme] ?? defaultCredential(operation.toolId, need.scheme),
    }))
    return {
      credentials: named.map(({ credential }) => credential),
      commands: named.map(({ need, credential }) => describeNeed(need, credential, address.origin)),
    }
  })
  return [{ kind: 'credential', tools: 1, alternatives }]
}

type Address = { readonly origin: string } | { readonly problem: string; readonly fix: string }

function findAddress({ url, variables, isMain }: ServerPlan, settings: OpenApiSettings): Address {
  if (isMain && settings.server !== undefined) return { origin: new URL(settings.server).origin }
  const missing: string[] = []
  const filled = url.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = settings.variables?.[name] ?? variables[name]?.default ?? ''
    if (value === '') missing.push(name)
    return value
  })
  if (missing.length > 0)
    return {
      problem: `the server ${url} has ${missing.length === 1 ? 'a variable' : 'variables'} without a value: ${missing.join(', ')}`,
      fix: `Import it again with ${missing.map((name) => `--variable ${name}=VALUE`).join(' ')}`,
    }
  if (!URL.canParse(filled))
    return {
      problem:
        url === '' ? 'the document names no server' : `the server ${url} is no whole address`,
      fix: 'Import it again with --origin https://HOST, where the API is',
    }
  return { origin: new URL(filled).origin }
}
