import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const SOURCES = {
  node: fileURLToPath(new URL('../node/main.ts', import.meta.url)),
  transactions: fileURLToPath(new URL('../pack/transactions.ts', import.meta.url)),
  'writer-thread': fileURLToPath(
    new URL('./sqlite/group-commit/writer-thread.ts', import.meta.resolve('@surehand/sql')),
  ),
}
// Modules that are started or imported by their URL.
const ADDRESS = /(URL|resolve)\('\.\/(writer-thread|transactions)\.ts'/g

/**
 * Bundles the node program. A run starts hundreds of nodes, and resolving two hundred source files
 * would take most of each start.
 */
export async function buildNode(folder: string): Promise<string> {
  const bundle = await rolldown({
    input: SOURCES,
    platform: 'node',
    external: ['pg-native'],
    plugins: [
      { name: 'addresses', transform: (code) => code.replaceAll(ADDRESS, "$1('./$2.mjs'") },
    ],
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  return join(folder, 'node.mjs')
}
