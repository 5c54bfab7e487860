import { definePort, sameKey } from '@surehand/core'
import { z } from 'zod'
import type { TravelContext } from '../travel-context.ts'

export const MEMORY_CATEGORIES = [
  'user_preference',
  'trip_history',
  'search_pattern',
  'conversation_context',
  'other',
] as const
export type MemoryCategory = (typeof MEMORY_CATEGORIES)[number]

/** A memory of a person, as it is stored. */
export const Memory = z.object({
  id: z.string(),
  content: z.string(),
  category: z.enum(MEMORY_CATEGORIES),
  createdAt: z.iso.datetime(),
})
export type Memory = z.output<typeof Memory>

/** The meaning of a text as a vector, with the model that computed it. */
export type Embedding = { readonly model: string; readonly vector: readonly number[] }

export type StoredMemory = Memory & { readonly embedding: Embedding | null }

export type NewMemory = TravelContext &
  StoredMemory & {
    /** The conversation it comes from. */
    readonly sessionId: string
    readonly idempotencyKey: string
  }

/** Stores memories. A provider returns only those of the person that is asked for. */
export type MemoriesPort = {
  /** With a key or an id that was stored before, nothing is added. */
  readonly add: (memory: NewMemory, signal: AbortSignal) => Promise<Memory>
  /** The newest memories of a person, newest first. */
  readonly list: (
    query: TravelContext & { readonly limit: number },
    signal: AbortSignal,
  ) => Promise<readonly StoredMemory[]>
  /** Deletes a memory for good; false where this person has none with the id. */
  readonly forget: (
    request: TravelContext & { readonly id: string; readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<{ readonly forgotten: boolean }>
  /** Deletes all memories of a person for good, and returns how many there were. */
  readonly forgetAll: (
    request: TravelContext & { readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<number>
}

export const memoriesPort = definePort<MemoriesPort>('travelMemories', {
  add: sameKey({ validFor: '30d' }),
  list: 'read',
  forget: sameKey({ validFor: '30d' }),
  forgetAll: sameKey({ validFor: '30d' }),
})

/** Computes the meaning of texts; null where no model is available. */
export type EmbeddingsPort = {
  readonly embed: (
    request: TravelContext & { readonly texts: readonly string[] },
    signal: AbortSignal,
  ) => Promise<{ readonly model: string; readonly vectors: readonly (readonly number[])[] } | null>
}

export const embeddingsPort = definePort<EmbeddingsPort>('travelEmbeddings', { embed: 'read' })
