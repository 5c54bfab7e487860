import { type ForeignSchemas, type ForeignSource, foreignPort, hashJson, type Port, ToolError } from '@surehand/core'
import { noCache, type PreparedCache } from './prepared-cache.ts'
import type { Named, OpenedSource, SourceKind } from './source-kind.ts'

export type WorkshopOptions = {
  readonly kinds: readonly SourceKind[]
  readonly schemas: ForeignSchemas
  readonly cache?: PreparedCache
}

/** Which source it is, and where it comes from. */
export type SourceOf = Named & { readonly kind: string; readonly from: unknown }

/** Where documents become tools. */
export type Workshop = {
  readonly kindOf: (kind: string) => SourceKind
  readonly portOf: (tenant: string, name: string) => Port<ForeignSource>
  /** From the disk where it was prepared before. */
  readonly open: (document: string, source: SourceOf) => OpenedSource
}

// how long a provider that deduplicates by our key is taken to remember it
const KEYS_VALID_FOR = '1d'

export function createWorkshop({ kinds, schemas, cache = noCache }: WorkshopOptions): Workshop {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))
  const ports = new Map<string, Port<ForeignSource>>()

  function kindOf(kind: string): SourceKind {
    const found = byName.get(kind)
    if (found !== undefined) return found
    throw new ToolError('TOOL_CONFIGURATION_ERROR', `Nobody here reads sources of the kind "${kind}".`)
  }

  function portOf(tenant: string, name: string): Port<ForeignSource> {
    const portName = portNameOf(tenant, name)
    const port = ports.get(portName) ?? foreignPort(portName, { keysValidFor: KEYS_VALID_FOR })
    ports.set(portName, port)
    return port
  }

  function prepare(document: string, source: SourceOf): Uint8Array {
    const kind = kindOf(source.kind)
    const key = hashJson([source.kind, kind.generator, hashJson(document), source.name, source.settings])
    const known = cache.get(key)
    if (known !== undefined) return known
    const { prepared } = kind.prepare(document, source)
    cache.put(key, prepared)
    return prepared
  }

  return {
    kindOf,
    portOf,
    open: (document, source) =>
      kindOf(source.kind).open(prepare(document, source), { ...source, port: portOf(source.tenant, source.name), schemas }),
  }
}

export function portNameOf(tenant: string, name: string): string {
  return JSON.stringify([tenant, name])
}

export function readPortName(portName: string): { readonly tenant: string; readonly name: string } | undefined {
  if (!portName.startsWith('[')) return undefined
  const [tenant = '', name = ''] = JSON.parse(portName) as readonly string[]
  return { tenant, name }
}
