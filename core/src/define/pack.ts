import type { Grant } from '../call/caller.ts'
import type { Tool } from './tool.ts'

/** A named list of tools, with the capabilities each role is given by it. */
export type Pack = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants: ReadonlyMap<string, readonly (string | Grant)[]>
}

export type PackForm = {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly grants?: Readonly<Record<string, readonly (string | Grant)[]>>
}

/** Defines a pack: the list, and nothing but the list. */
export function definePack(form: PackForm): Pack {
  const seen = new Set<string>()
  for (const tool of form.tools) {
    const name = `${tool.id}@${tool.version}`
    if (seen.has(name)) throw new TypeError(`Pack "${form.name}" lists the tool "${name}" twice.`)
    seen.add(name)
  }
  return Object.freeze({ name: form.name, tools: Object.freeze([...form.tools]), grants: new Map(Object.entries(form.grants ?? {})) })
}
