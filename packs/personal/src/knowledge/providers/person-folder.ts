import { sha256 } from '@surehand/core/internal'
import type { Person } from '../../person.ts'

const PLAIN = /^[a-z0-9][a-z0-9_-]{0,62}$/
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** The names of a person's own folder: two people never have one, whatever they are called and however a disk compares names. */
export function personFolder({ tenant, owner }: Person): readonly [string, string] {
  return [folderName(tenant), folderName(owner)]
}

// a plain name has no "~": what had to be changed can not become somebody's plain name
function folderName(name: string): string {
  if (PLAIN.test(name) && !RESERVED.test(name)) return name
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${readable}~${sha256(name).slice(0, 16)}`
}
