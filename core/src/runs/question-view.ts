import { draftOf } from '../call/envelope.ts'
import type { Question } from '../call/question.ts'

/**
 * A run's question as other programs read it. `shown` is, byte for byte, the text that the digest
 * is made of.
 */
export type QuestionView = {
  readonly id: string
  readonly principal: string
  readonly call_id: string
  readonly tool: string
  readonly path: string
  readonly asks: string
  readonly from: string
  readonly schema: unknown
  readonly draft?: unknown
  readonly shown: string
  readonly digest: string
  readonly state: string
  readonly created_at: string
  readonly expires_at: string
  readonly answer?: Readonly<Record<string, unknown>> | undefined
  readonly url?: string | undefined
}

export function questionView(
  question: Question,
  questionUrl?: (id: string) => string,
): QuestionView {
  const { answer, isSecret } = question
  const draft = draftOf(question)
  return {
    id: question.id,
    principal: question.principal,
    call_id: question.callId,
    tool: question.toolId,
    path: question.path,
    asks: question.asks,
    from: question.from,
    schema: JSON.parse(question.schema) as unknown,
    ...(draft === undefined ? {} : { draft }),
    shown: question.shown,
    digest: question.digest,
    state: question.state,
    created_at: new Date(question.createdAt).toISOString(),
    expires_at: new Date(question.expiresAt).toISOString(),
    ...(answer === undefined
      ? {}
      : {
          answer: {
            // A secret answer is for the run only.
            ...(isSecret ? {} : { value: JSON.parse(answer.json) as unknown }),
            by: answer.by,
            credential: answer.credential,
            ...(answer.host === undefined ? {} : { host: answer.host }),
            at: new Date(answer.at).toISOString(),
          },
        }),
    ...(questionUrl === undefined ? {} : { url: questionUrl(question.id) }),
  }
}
