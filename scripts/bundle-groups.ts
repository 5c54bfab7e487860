import type { OutputAsset, OutputChunk } from 'rolldown'

/** Modules that are loaded together, with everything they import statically. */
export type LoadedTogether = { readonly name: string; readonly start: readonly string[] }

export type Group = {
  readonly name: string
  readonly test: (id: string) => boolean
  readonly includeDependenciesRecursively: false
}

/**
 * Decides which modules go into one file, from a bundle that is split as finely as possible. A
 * module belongs to the first entry of the list that loads it: `--help` must not load what a call
 * needs.
 */
export function groupsOf(
  output: readonly (OutputChunk | OutputAsset)[],
  loads: readonly LoadedTogether[],
): Group[] {
  const chunks = new Map(
    output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one] as const] : [])),
  )
  // An entry module in a shared file would run whenever that file is loaded.
  const taken = new Set(
    [...chunks.values()].flatMap((chunk) => (chunk.isEntry ? [chunk.facadeModuleId ?? ''] : [])),
  )
  return loads.map(({ name, start }) => {
    const modules = loadedBy(start, chunks).difference(taken)
    for (const id of modules) taken.add(id)
    return { name, test: (id) => modules.has(id), includeDependenciesRecursively: false }
  })
}

/** The modules of a chunk and of everything that it imports statically. */
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
