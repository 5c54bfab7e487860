import type { Tool } from '../define/tool.ts'

/** The tools of a runtime, by every name they answer to. */
export type Registry = {
  readonly find: (name: string) => Tool | undefined
  readonly list: () => readonly Tool[]
  /** Ids that look like this one, for whoever mistyped it. */
  readonly similar: (name: string) => readonly string[]
}

/** Dots are not allowed in every dialect: `booking.bookSlot` travels as `booking__bookSlot`. */
export function wireName(id: string): string {
  return id.replaceAll('.', '__')
}

export function createRegistry(tools: Iterable<Tool>): Registry {
  const byName = new Map<string, Tool>()
  const all: Tool[] = []
  for (const tool of tools) {
    for (const name of new Set([tool.id, wireName(tool.id), ...tool.aliases])) {
      const taken = byName.get(name)
      if (taken !== undefined) throw new TypeError(`The name "${name}" of ${tool.id} is taken by ${taken.id}.`)
      byName.set(name, tool)
    }
    all.push(tool)
  }
  all.sort((left, right) => (left.id < right.id ? -1 : 1))
  return {
    find: (name) => byName.get(name),
    list: () => all,
    similar: (name) => similarIds(name, all),
  }
}

function similarIds(name: string, tools: readonly Tool[]): readonly string[] {
  const wanted = letters(name)
  if (wanted === '') return []
  return tools
    .map((tool) => ({
      id: tool.id,
      distance: Math.min(editDistance(wanted, letters(tool.id)), editDistance(wanted, letters(tool.id.split('.').at(-1) ?? ''))),
    }))
    .filter(({ distance }) => distance <= Math.max(2, wanted.length / 4))
    .sort((left, right) => left.distance - right.distance)
    .slice(0, 3)
    .map(({ id }) => id)
}

function letters(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .slice(0, 64)
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++) {
      const change = (row[to - 1] ?? 0) + (left[at - 1] === right[to - 1] ? 0 : 1)
      next.push(Math.min(change, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[right.length] ?? 0
}
