import { isRecord } from '@surehand/core/internal'

export type Trimmed = { readonly data: unknown; readonly note: string }

/** A large answer with the end of its longest list left out, and a note that says so; undefined where it has no list to shorten. */
export function trimmed(data: unknown, bytes: number, maxBytes: number): Trimmed | undefined {
  if (Array.isArray(data)) return ofList(data, maxBytes)
  if (!isRecord(data)) return undefined
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] =>
    Array.isArray(entry[1]),
  )
  const sized = lists
    .map(([name, list]) => ({ name, list, size: JSON.stringify(list).length }))
    .toSorted((left, right) => right.size - left.size)
  const [longest] = sized
  if (longest === undefined || bytes - longest.size > maxBytes) return undefined
  const shorter = ofList(longest.list, maxBytes - (bytes - longest.size))
  return {
    data: { ...data, [longest.name]: shorter.data },
    note: `${longest.name}: ${shorter.note}`,
  }
}

function ofList(list: readonly unknown[], maxBytes: number): Trimmed {
  let bytes = 2
  let kept = 0
  for (const item of list) {
    bytes += JSON.stringify(item).length + 1
    if (bytes > maxBytes) break
    kept++
  }
  return {
    data: list.slice(0, kept),
    note: `the first ${kept} of ${list.length} items; ask for fewer at once to see the others`,
  }
}
