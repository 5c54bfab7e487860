import type { IndexedTool } from './analyze-tool.ts'

/** The tools that hold a word, three numbers each: slot, worth of the place, share of the name. */
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
  const sizes = new Map<string, number>()
  // Both are computed when first needed after a change.
  const rarities = new Map<string, number>()
  let nameWeights: Float64Array | undefined

  function add(tool: IndexedTool): void {
    const slot = slots.push(tool) - 1
    slotOf.set(tool.id, slot)
    sizes.set(tool.namespace, (sizes.get(tool.namespace) ?? 0) + 1)
    for (const [word, place] of tool.words) {
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
    sizes.set(tool.namespace, (sizes.get(tool.namespace) ?? 1) - 1)
    rarities.clear()
    nameWeights = undefined
    const empty = slots.length - slotOf.size
    if (empty > MOST_EMPTY && empty > slotOf.size) clearAway()
  }

  function clearAway(): void {
    const kept = slots.filter((tool) => tool !== undefined)
    slots = []
    slotOf.clear()
    postings.clear()
    sizes.clear()
    for (const tool of kept) add(tool)
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
    put(tool: IndexedTool) {
      remove(tool.id)
      rarities.clear()
      nameWeights = undefined
      add(tool)
    },
    remove,
    slots: (): readonly (IndexedTool | undefined)[] => slots,
    words: postings as Pick<ReadonlyMap<string, Postings>, 'get' | 'has' | 'keys'>,
    rarityOf,
    /** How many tools a namespace has. */
    sizeOf: (namespace: string) => sizes.get(namespace) ?? 0,
    /** By slot: how much the words of a tool's name weigh together. */
    nameWeights(): Float64Array {
      nameWeights ??= Float64Array.from(slots, (tool) => {
        let whole = 0
        for (const [word, share] of tool?.named ?? []) whole += rarityOf(word) * share
        return whole
      })
      return nameWeights
    },
    /** The text of each tool whose meaning is compared. */
    *briefs(): Generator<readonly [id: string, brief: string]> {
      for (const [id, slot] of slotOf) yield [id, slots[slot]?.brief ?? id]
    },
  }
}

function countHolders(list: Postings, slots: readonly (IndexedTool | undefined)[]): number {
  let held = 0
  for (let at = 0; at < list.length; at += POSTING)
    if (slots[list[at] ?? 0] !== undefined)
      held += Math.max(BESIDE * (list[at + 1] ?? 0), list[at + 2] ?? 0)
  return held
}
