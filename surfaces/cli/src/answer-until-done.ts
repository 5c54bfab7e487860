import { type Envelope, isToolError } from '@surehand/core'
import { askQuestion } from './ask-question.ts'
import type { Backend } from './backend.ts'
import { printError, toEnvelopeError } from './print.ts'
import { progressOn } from './progress.ts'
import { CANCELLED } from './prompt.ts'
import type { Terminal } from './terminal.ts'

export type AnswerResult = {
  readonly envelope: Envelope
  readonly end: 'answered' | 'left' | 'interrupted'
}

// The user has just answered and waits for the result; Ctrl-C stops waiting.
const PATIENCE_MS = 60 * 60_000

/** Puts the questions of a run to the user, one after the other, until it has no more. */
export async function answerUntilDone(
  first: Envelope,
  terminal: Terminal,
  backend: Backend,
): Promise<AnswerResult> {
  for (let envelope = first; ; ) {
    const { asking } = envelope.metadata
    if (asking === undefined) return { envelope, end: 'answered' }
    const question = await backend.question(asking.question_id)
    const given = await askQuestion(question, terminal)
    if (given === CANCELLED) return { envelope, end: 'left' }
    try {
      await backend.answerQuestion(question.id, { answer: given.answer, digest: question.digest })
    } catch (thrown) {
      if (!isRefusedAnswer(thrown)) throw thrown
      printError(terminal, toEnvelopeError(thrown), {})
      continue
    }
    const next = await awaitNext(envelope.metadata.call_id, terminal, backend)
    if (next.end === 'interrupted') return next
    envelope = next.envelope
  }
}

async function awaitNext(
  callId: string,
  terminal: Terminal,
  backend: Backend,
): Promise<AnswerResult> {
  const left = new AbortController()
  const stopListening = terminal.onInterrupt?.(() => left.abort())
  const view = progressOn(terminal, 'bar')
  try {
    const envelope = await backend.answer(callId, {
      waitMs: PATIENCE_MS,
      until: 'news',
      signal: left.signal,
      onProgress: view.show,
    })
    return { envelope, end: left.signal.aborted ? 'interrupted' : 'answered' }
  } finally {
    view.end()
    stopListening?.()
  }
}

// The answer does not fit the schema: the error is shown and the question asked again.
function isRefusedAnswer(thrown: unknown): boolean {
  return isToolError(thrown) && Array.isArray(thrown.details?.validation_errors)
}
