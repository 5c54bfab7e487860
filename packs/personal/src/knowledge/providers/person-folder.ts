import { sha256 } from '@surehand/core/internal'
import type { Person } from '../../person.ts'

const PLAIN = /^[a-z0-9][a-z0-9_-]{0,62}$/
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/**
 * The folder names of a person. They are unique, whatever the names contain and however a disk
 * compares names.
 */
export function personFolder({ tenant, owner }: Person): readonly [string, string] {
  return [folderName(tenant), folderName(owner)]
}

// A plain name never contains "~", so a changed name cannot equal the plain name of another person.
function folderName(name: string): string {
  if (PLAIN.test(name) && !RESERVED.test(name)) return name
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${readable}~${sha256(name).slice(0, 16)}`
}
