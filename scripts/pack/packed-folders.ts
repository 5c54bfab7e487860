import { join } from 'node:path'

/** Where everything is after packing into a folder, which is made anew. */
export function packedFolders(out: string) {
  return { packages: join(out, 'packages'), tarballs: join(out, 'tarballs') }
}

/** The folder that `npm run pack` makes. */
export const OUT = join(import.meta.dirname, '../../.packed')
export const PACKED = packedFolders(OUT)
