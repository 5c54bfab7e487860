import type { OutputAsset, OutputChunk } from 'rolldown'

/** Modules that are loaded together, with all they import at once. */
export type LoadedTogether = { readonly name: string; readonly start: readonly string[] }

export type Group = {
  readonly name: string
  readonly test: (id: string) => boolean
  readonly includeDependenciesRecursively: false
}

/**
 * Which modules go into one file, from a bundle in which everything that is shared differently lies apart.
 * Whatever an earlier one of the list loads stays out of the later: `--help` must not load what a call does.
 */
export function groupsOf(
  output: readonly (OutputChunk | OutputAsset)[],
  loads: readonly LoadedTogether[],
): Group[] {
  const chunks = new Map(
    output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])),
  )
  // a program in a file with others would run when they are loaded
  const taken = new Set(
    [...chunks.values()].flatMap((chunk) => (chunk.isEntry ? [chunk.facadeModuleId ?? ''] : [])),
  )
  return loads.map(({ name, start }) => {
    const modules = loadedBy(start, chunks).difference(taken)
    for (const id of modules) taken.add(id)
    return { name, test: (id) => modules.has(id), includeDependenciesRecursively: false }
  })
}

/** The modules of a chunk and of all that it imports at once. */
function loadedBy(start: readonly string[], chunks: ReadonlyMap<string, OutputChunk>): Set<string> {
  const found = new Set<OutputChunk>()
  const look = (chunk: OutputChunk | undefined): void => {
    if (chunk === undefined || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) look(chunks.get(name))
  }
  for (const id of start) look([...chunks.values()].find((chunk) => chunk.moduleIds.includes(id)))
  return new Set([...found].flatMap(({ moduleIds }) => moduleIds))
}
