import { join } from 'node:path'
import type { Manifest } from './published-manifest.ts'

/** Where everything is after packing into a folder, which is made anew. */
export function packedFolders(out: string) {
  return { packages: join(out, 'packages'), tarballs: join(out, 'tarballs') }
}

/** The file in which npm packs a package. */
export function tarballOf({ name, version }: Pick<Manifest, 'name' | 'version'>): string {
  return `${name.replace('@', '').replace('/', '-')}-${version}.tgz`
}

/** The folder that `npm run pack` makes. */
export const OUT = join(import.meta.dirname, '../../.packed')
export const PACKED = packedFolders(OUT)
