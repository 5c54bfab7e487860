import { setImmediate } from 'node:timers/promises'
import type { TextIndex } from '@surehand/core/ports'
import type { Embeddings } from './local-embeddings.ts'

/** How much the meaning counts beside the words, which count 1 for the best tool. */
const MEANING = 0.4
/** So many tools are found by their meaning alone. */
const FOUND_BY_MEANING = 20
/** Words alone rank the tools of a small registry, and the model takes 100 MB of memory. */
const FEWEST_TOOLS = 200
const REMEMBERED_QUERIES = 200
const MAX_QUERY_CHARACTERS = 1_000
/** A search waits no longer for meanings. What is computed later serves the next one. */
const WAIT_MS = 1_500
/** Indexing and comparing let the event loop go on after so long. */
const SLICE_MS = 8
/** Texts that are computed together: a query waits at most for one such batch, some 0.2 s. */
const BATCH = 8
const BATCH_MS = 60_000

export type MeaningOptions = {
  /** Ranks by meaning as well, in searches that `prepare` preceded. */
  readonly embeddings?: Embeddings
  /** How long a search waits for meanings, in milliseconds. */
  readonly waitMs?: number
}
export type Found = { readonly id: string; readonly score: number }

type Briefs = MeaningOptions & {
  readonly embeddings: Embeddings
  /** Indexes what was added for at most so long, and returns whether everything is indexed. */
  readonly update: (mostMs: number) => boolean
  readonly briefs: () => Iterable<readonly [id: string, brief: string]>
}

/**
 * An index that ranks by words and, for queries that were prepared, by meaning. The vectors of all
 * tools are computed in the background from the first `prepare` on; until they are there, a query is
 * compared with those that are.
 */
export function rankByMeaning(
  words: TextIndex,
  { embeddings, waitMs = WAIT_MS, update, briefs }: Briefs,
): TextIndex {
  const vectors = createVectors(embeddings)
  /** By query: how near in meaning the tools are. */
  const meanings = new Map<string, ReadonlyMap<string, number>>()
  let fills = 0
  const onFilled = (): void => {
    fills++
    meanings.clear()
  }

  async function compare(query: string): Promise<void> {
    while (!update(SLICE_MS)) await setImmediate()
    const tools = [...briefs()]
    if (tools.length < FEWEST_TOOLS) return
    const text = query.slice(0, MAX_QUERY_CHARACTERS)
    const asked = await embeddings.embed({ texts: [text] }, AbortSignal.timeout(waitMs))
    // Not awaited, and after the query, which would have to wait for a batch of tools.
    void vectors.fill(new Set(tools.map(([, brief]) => brief)), onFilled)
    const [vector] = asked?.vectors ?? []
    if (vector === undefined) return
    let near: ReadonlyMap<string, number>
    let before: number
    // What was compared before the last vectors came would lack tools for as long as it is kept.
    do {
      before = fills
      near = await compareAll(vector, tools, vectors)
    } while (before !== fills)
    for (const oldest of [...meanings.keys()].slice(0, meanings.size + 1 - REMEMBERED_QUERIES))
      meanings.delete(oldest)
    meanings.set(query, near)
  }

  return {
    put(text) {
      meanings.clear()
      words.put(text)
    },
    remove(id) {
      meanings.clear()
      words.remove(id)
    },
    search(query, boosts) {
      const found = words.search(query, boosts)
      const meaning = meanings.get(query)
      return meaning === undefined ? found : fuse(found, meaning)
    },
    async prepare(query) {
      // Where meanings fail or take too long, words alone rank the search.
      if (!meanings.has(query)) await compare(query).catch(() => undefined)
    },
  }
}

async function compareAll(
  query: readonly number[],
  tools: readonly (readonly [id: string, brief: string])[],
  vectors: Vectors,
): Promise<ReadonlyMap<string, number>> {
  const near = new Map<string, number>()
  let start = performance.now()
  for (const [id, brief] of tools) {
    const nearness = vectors.compare(query, brief)
    if (nearness !== undefined) near.set(id, nearness)
    if (performance.now() - start < SLICE_MS) continue
    await setImmediate()
    start = performance.now()
  }
  return near
}

// Scores stay on the scale of words, which others compare them with.
function fuse(found: readonly Found[], meaning: ReadonlyMap<string, number>): readonly Found[] {
  const scale = MEANING * (found[0]?.score ?? 1)
  const known = new Set(found.map(({ id }) => id))
  const others = [...meaning]
    .filter(([id]) => !known.has(id))
    .sort(([, left], [, right]) => right - left)
    .slice(0, FOUND_BY_MEANING)
    .map(([id]) => ({ id, score: 0 }))
  return [...found, ...others]
    .map(({ id, score }) => ({ id, score: score + scale * Math.max(0, meaning.get(id) ?? 0) }))
    .sort((left, right) => right.score - left.score || (left.id < right.id ? -1 : 1))
}

type Vectors = ReturnType<typeof createVectors>
type Stored = { readonly numbers: Int8Array; readonly length: number }

/** Vectors by the text they are of, so that equal tools share one: half a kilobyte each. */
function createVectors(embeddings: Embeddings) {
  const vectors = new Map<string, Stored>()
  let filling: Promise<void> | undefined

  async function compute(texts: ReadonlySet<string>, onMore: () => void): Promise<void> {
    for (const text of vectors.keys()) if (!texts.has(text)) vectors.delete(text)
    const missing = [...texts].filter((text) => !vectors.has(text))
    for (let at = 0; at < missing.length; at += BATCH) {
      const batch = missing.slice(at, at + BATCH)
      const answer = await embeddings.embed(
        { texts: batch, isBackground: true },
        AbortSignal.timeout(BATCH_MS),
      )
      if (answer === null) return
      for (const [index, text] of batch.entries())
        vectors.set(text, toStored(answer.vectors[index] ?? []))
    }
    if (missing.length > 0) onMore()
  }

  return {
    /** Computes what is missing, once at a time. A failure leaves the rest for the next time. */
    fill(texts: ReadonlySet<string>, onMore: () => void): Promise<void> {
      filling ??= compute(texts, onMore)
        .catch(() => undefined)
        .finally(() => {
          filling = undefined
        })
      return filling
    },
    /** The cosine of a query and a text; undefined where that is not computed yet. */
    compare(query: readonly number[], text: string): number | undefined {
      const stored = vectors.get(text)
      return stored === undefined ? undefined : cosine(query, stored)
    },
  }
}

function toStored(vector: readonly number[]): Stored {
  const largest = Math.max(...vector.map(Math.abs), Number.MIN_VALUE)
  const numbers = Int8Array.from(vector, (value) => Math.round((value / largest) * 127))
  return { numbers, length: Math.hypot(...numbers) }
}

function cosine(query: readonly number[], { numbers, length }: Stored): number {
  let product = 0
  for (let at = 0; at < numbers.length; at++) product += (query[at] ?? 0) * (numbers[at] ?? 0)
  const whole = length * Math.hypot(...query)
  return whole === 0 ? 0 : product / whole
}
