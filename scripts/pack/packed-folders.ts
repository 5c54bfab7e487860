import { join } from 'node:path'

/** The folder that packing makes anew. */
export const OUT = join(import.meta.dirname, '../../.packed')

/** Where everything is after packing. */
export const PACKED = { packages: join(OUT, 'packages'), tarballs: join(OUT, 'tarballs') }
