import type { IndexedTool, PlacedWords } from './analyze-tool.ts'

/**
 * The tools that hold a word, three numbers each: slot (ascending), worth of the place, share of the
 * name.
 */
export type Postings = readonly number[]
export const POSTING = 3

/** Rare words say more than common ones; below 1 the difference is softened. */
const RARITY = 0.8
/** How much a tool that has a word elsewhere than in its name makes the word common. */
const BESIDE = 0.5
/** Slots of replaced tools are cleared away when there are more of them, and than of others. */
const MOST_EMPTY = 1_000

export type ToolPostings = ReturnType<typeof createToolPostings>

/** Tools by the words they hold. A tool has a slot, so that scores can be summed up in arrays. */
export function createToolPostings() {
  let slots: (IndexedTool | undefined)[] = []
  const slotOf = new Map<string, number>()
  const postings = new Map<string, number[]>()
  const namespaces = countNamespaces()
  // Both are computed when first needed after a change.
  const rarities = new Map<string, number>()
  let nameWeights: Float64Array | undefined

  function add(tool: IndexedTool, words: PlacedWords): void {
    const slot = slots.push(tool) - 1
    slotOf.set(tool.id, slot)
    namespaces.count(tool, 1)
    for (const [word, place] of words) {
      const known = postings.get(word)
      const share = tool.named.get(word) ?? 0
      if (known === undefined) postings.set(word, [slot, place, share])
      else known.push(slot, place, share)
    }
  }

  function remove(id: string): void {
    const slot = slotOf.get(id)
    const tool = slot === undefined ? undefined : slots[slot]
    if (slot === undefined || tool === undefined) return
    slots[slot] = undefined
    slotOf.delete(id)
    namespaces.count(tool, -1)
    rarities.clear()
    nameWeights = undefined
    const empty = slots.length - slotOf.size
    if (empty > MOST_EMPTY && empty > slotOf.size) clearAway()
  }

  function clearAway(): void {
    const moved = new Map<number, number>()
    for (const [slot, tool] of slots.entries()) if (tool !== undefined) moved.set(slot, moved.size)
    slots = slots.filter((tool) => tool !== undefined)
    for (const [id, slot] of slotOf) slotOf.set(id, moved.get(slot) ?? 0)
    for (const [word, list] of postings) {
      const kept = moveSlots(list, moved)
      if (kept.length > 0) postings.set(word, kept)
      else postings.delete(word)
    }
  }

  function rarityOf(word: string): number {
    const known = rarities.get(word)
    if (known !== undefined) return known
    const held = countHolders(postings.get(word) ?? [], slots)
    const rarity = Math.log(1 + slotOf.size / (1 + held)) ** RARITY
    rarities.set(word, rarity)
    return rarity
  }

  return {
    put(tool: IndexedTool, words: PlacedWords) {
      remove(tool.id)
      rarities.clear()
      nameWeights = undefined
      add(tool, words)
    },
    remove,
    slots: (): readonly (IndexedTool | undefined)[] => slots,
    words: postings as Pick<ReadonlyMap<string, Postings>, 'get' | 'has' | 'keys'>,
    rarityOf,
    sizeOf: namespaces.sizeOf,
    phrasedOf: namespaces.phrasedOf,
    /** By slot: how much the words of a tool's name weigh together. */
    nameWeights(): Float64Array {
      nameWeights ??= Float64Array.from(slots, (tool) => weighName(tool, rarityOf))
      return nameWeights
    },
    /** The text of each tool whose meaning is compared. */
    *briefs(): Generator<readonly [id: string, brief: string]> {
      for (const [id, slot] of slotOf) yield [id, slots[slot]?.brief ?? id]
    },
  }
}

function countNamespaces() {
  const sizes = new Map<string, number>()
  const phrased = new Map<string, number>()
  return {
    count({ namespace, phrases }: IndexedTool, more: 1 | -1): void {
      sizes.set(namespace, (sizes.get(namespace) ?? 0) + more)
      if (phrases.length > 0) phrased.set(namespace, (phrased.get(namespace) ?? 0) + more)
    },
    /** How many tools a namespace has. */
    sizeOf: (namespace: string) => sizes.get(namespace) ?? 0,
    /** How many of them have phrases. */
    phrasedOf: (namespace: string) => phrased.get(namespace) ?? 0,
  }
}

function weighName(tool: IndexedTool | undefined, rarityOf: (word: string) => number): number {
  let weight = 0
  for (const [word, share] of tool?.named ?? []) weight += rarityOf(word) * share
  return weight
}

function countHolders(list: Postings, slots: readonly (IndexedTool | undefined)[]): number {
  let held = 0
  for (let at = 0; at < list.length; at += POSTING)
    if (slots[list[at] ?? 0] !== undefined)
      held += Math.max(BESIDE * (list[at + 1] ?? 0), list[at + 2] ?? 0)
  return held
}

function moveSlots(list: Postings, moved: ReadonlyMap<number, number>): number[] {
  const kept: number[] = []
  for (let at = 0; at < list.length; at += POSTING) {
    const slot = moved.get(list[at] ?? 0)
    if (slot !== undefined) kept.push(slot, list[at + 1] ?? 0, list[at + 2] ?? 0)
  }
  return kept
}

/** The worth of the place where a tool has the word of a list; 0 where it has it not. */
export function findPlace(list: Postings, slot: number): number {
  let low = 0
  let high = list.length / POSTING - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = list[middle * POSTING] ?? 0
    if (found === slot) return list[middle * POSTING + 1] ?? 0
    if (found < slot) low = middle + 1
    else high = middle - 1
  }
  return 0
}
