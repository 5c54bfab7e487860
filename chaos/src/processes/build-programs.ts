import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const SOURCES = {
  node: fileURLToPath(new URL('../node/main.ts', import.meta.url)),
  vendor: fileURLToPath(new URL('../emulators/main.ts', import.meta.url)),
  transactions: fileURLToPath(new URL('../pack/transactions.ts', import.meta.url)),
  'writer-thread': fileURLToPath(
    new URL('./sqlite/group-commit/writer-thread.ts', import.meta.resolve('@surehand/sql')),
  ),
}
// Modules that are started or imported by their URL.
const ADDRESS = /(URL|resolve)\('\.\/(writer-thread|transactions)\.ts'/g
// An import of one of Node's own modules reads everything that it exports, which loads parts that a
// node does not use, such as fetch.
const BUILT_IN = /^import (?:([\w$]+),? )?(?:\{([^}]*)\} )?from "(node:[^"]+)";$/gm

/** The bundled programs of a node and of the vendor. */
export type Programs = { readonly node: string; readonly vendor: string }

/**
 * Where programs in this folder store their compiled code. A process writes it when it ends in order.
 */
export function compileCache(program: string): string {
  return join(dirname(program), 'compiled')
}

/**
 * Bundles the programs. A run starts hundreds of nodes, and resolving two hundred source files would
 * take most of each start.
 */
export async function buildPrograms(folder: string): Promise<Programs> {
  const bundle = await rolldown({
    input: SOURCES,
    platform: 'node',
    external: ['pg-native'],
    plugins: [
      { name: 'addresses', transform: (code) => code.replaceAll(ADDRESS, "$1('./$2.mjs'") },
      { name: 'built-ins', renderChunk: (code) => code.replaceAll(BUILT_IN, getBuiltIn) },
    ],
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  return { node: join(folder, 'node.mjs'), vendor: join(folder, 'vendor.mjs') }
}

function getBuiltIn(
  _: string,
  whole: string | undefined,
  named: string | undefined,
  module: string,
): string {
  const names = [whole, named === undefined ? undefined : `{${named.replaceAll(' as ', ': ')}}`]
  return names
    .filter((name) => name !== undefined)
    .map((name) => `const ${name} = process.getBuiltinModule("${module}");`)
    .join(' ')
}
