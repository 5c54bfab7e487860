import { definePort } from '@surehand/core'
import type { Amount, StayChoice } from './stays-port.ts'

/** The total of a stay when this person last searched for it. */
export type SearchNote = { readonly total: Amount; readonly day: string }

/**
 * Remembers for a day what a person saw in a search, so that an approval can say what has changed
 * since. Both methods count as reads: a lost note changes no answer but that sentence.
 */
export type SearchNotesPort = {
  readonly note: (
    seen: { readonly choice: StayChoice; readonly note: SearchNote },
    signal: AbortSignal,
  ) => Promise<void>
  readonly find: (choice: StayChoice, signal: AbortSignal) => Promise<SearchNote | undefined>
}

export const searchNotesPort = definePort<SearchNotesPort>('travelSearchNotes', {
  note: 'read',
  find: 'read',
})
