import type {
  GivenAnswer,
  JournalAnswer,
  JournalEntry,
  NewQuestion,
  Question,
} from '@surehand/core/ports'
import { boundTo, type Sealing } from '../sealing.ts'

type Bound = { readonly tenant: string; readonly callId: string }

/** The notes of runs as they are stored: secrets are encrypted and bound to their call. */
export function runSealing({ seal, open, hasKey }: Sealing) {
  const sealer = (call: Bound) => (text: string) => seal(text, boundTo(call))
  const opener = (call: Bound) => (text: string) => open(text, boundTo(call))
  return {
    entry: (entry: JournalEntry, call: Bound): JournalEntry =>
      entry.isSecret ? mapEntry(entry, sealer(call)) : entry,
    openEntry: (entry: JournalEntry, call: Bound): JournalEntry =>
      entry.isSecret ? mapEntry(entry, opener(call)) : entry,
    question: (question: NewQuestion): NewQuestion =>
      question.isSecret ? mapQuestion(question, sealer(question)) : question,
    openQuestion(question: Question): Question {
      if (!question.isSecret) return question
      const { answer, ...shown } = mapQuestion(question, opener(question))
      return { ...shown, answer: answer && { ...answer, json: opener(question)(answer.json) } }
    },
    given: <G extends Omit<GivenAnswer, 'at'>>(given: G, question: Question | undefined): G =>
      question?.isSecret ? { ...given, json: sealer(question)(given.json) } : given,
    // The call's secrecy is not known here, and a progress report may contain the secret input.
    progress: (json: string, call: Bound): string => (hasKey ? sealer(call)(json) : json),
    openProgress: (json: string, call: Bound): string => opener(call)(json),
  }
}

function mapEntry(entry: JournalEntry, map: (text: string) => string): JournalEntry {
  const { answer, undo } = entry
  return {
    ...entry,
    answer: answer && mapAnswer(answer, map),
    undo: undo && { ...undo, json: map(undo.json) },
  }
}

// A code is defined by us; a text from the tool may contain its secret input.
function mapAnswer(answer: JournalAnswer, map: (text: string) => string): JournalAnswer {
  switch (answer.kind) {
    case 'value':
      return { ...answer, json: map(answer.json) }
    case 'error':
      return {
        ...answer,
        message: map(answer.message),
        details: map(answer.details),
        data: map(answer.data),
      }
  }
}

function mapQuestion<Q extends Pick<Question, 'draft' | 'shown'>>(
  question: Q,
  map: (text: string) => string,
): Q {
  return { ...question, draft: map(question.draft), shown: map(question.shown) }
}
