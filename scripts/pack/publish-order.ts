import type { Manifest } from './published-manifest.ts'

/**
 * Packages in an order in which each comes after those that it depends on: an installation that
 * happens while they are published, or after publishing has failed midway, misses none.
 */
export function orderByDependencies(
  manifests: readonly Pick<Manifest, 'name' | 'version' | 'dependencies'>[],
): Pick<Manifest, 'name' | 'version'>[] {
  const named = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const ordered: Pick<Manifest, 'name' | 'version'>[] = []
  const visit = (name: string): void => {
    const manifest = named.get(name)
    if (manifest === undefined) return
    // Taken out before its dependencies are visited: a circle ends here.
    named.delete(name)
    for (const dependency of Object.keys(manifest.dependencies ?? {})) visit(dependency)
    ordered.push(manifest)
  }
  for (const { name } of manifests) visit(name)
  return ordered
}
