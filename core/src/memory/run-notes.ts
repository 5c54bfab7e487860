import type { Question } from '../call/question.ts'
import type { JournalEntry } from '../ports/runs.ts'

/** What runs were told, what they ask, how far they are and when they look again; by call, and questions by their id. */
export type RunNotes = {
  readonly journals: Map<string, Map<string, JournalEntry>>
  readonly questions: Map<string, Question>
  readonly progress: Map<string, { readonly number: number; readonly json: string }>
  readonly wakeAt: Map<string, { readonly tenant: string; readonly at: number }>
  readonly forget: (callId: string) => void
}

export function createRunNotes(): RunNotes {
  const notes = {
    journals: new Map(),
    questions: new Map(),
    progress: new Map(),
    wakeAt: new Map(),
  } as Omit<RunNotes, 'forget'>
  return {
    ...notes,
    forget(callId) {
      for (const { what, child } of notes.journals.get(callId)?.values() ?? [])
        if (what === 'ask') notes.questions.delete(child)
      for (const kept of [notes.journals, notes.progress, notes.wakeAt]) kept.delete(callId)
    },
  }
}
