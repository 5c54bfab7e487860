import type { ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import type { SearchNotesPort } from '../search-notes-port.ts'
import { Amount, type StayChoice } from '../stays-port.ts'

const LIFE_MS = 86_400_000
const Note = z.object({ total: Amount, day: z.string() })

/** Notes in the runtime's key–value store. */
export function storedSearchNotes(values: Pick<ValueStore, 'get' | 'set'>): SearchNotesPort {
  return {
    async note({ choice, note }) {
      await values.set(choice.tenant, keyOf(choice), JSON.stringify(note), LIFE_MS)
    },
    async find(choice) {
      const text = await values.get(choice.tenant, keyOf(choice))
      return text === undefined ? undefined : Note.parse(JSON.parse(text))
    },
  }
}

function keyOf({ userId, listingId, checkin, checkout, guests }: StayChoice): string {
  const parts = [userId, listingId, checkin, checkout, guests]
  return `travel/seen/${parts.map((part) => encodeURIComponent(part)).join('/')}`
}
