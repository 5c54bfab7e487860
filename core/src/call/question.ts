/** Who may answer: a person with their own credential, the model that called, or either. */
export type AnsweredBy = 'person' | 'model' | 'anyone'

export type QuestionState = 'open' | 'answered' | 'expired' | 'closed'

/** A question that a run asks. */
export type Question = {
  readonly id: string
  readonly tenant: string
  readonly principal: string
  readonly callId: string
  readonly toolId: string
  readonly path: string
  readonly asks: string
  readonly from: AnsweredBy
  /** JSON Schema of the answer. */
  readonly schema: string
  /** The proposed answer as JSON; empty when there is none. */
  readonly draft: string
  /** Everything the answering person or model is shown, as JSON. */
  readonly shown: string
  /** SHA-256 of what is shown; an answer must carry it. */
  readonly digest: string
  readonly isSecret: boolean
  readonly state: QuestionState
  readonly answer: GivenAnswer | undefined
  readonly createdAt: number
  readonly expiresAt: number
}

export type GivenAnswer = {
  readonly json: string
  readonly by: string
  /**
   * `own`: with the answerer's own credential. `attested`: a host reports that its user answered.
   * `model`: the model that called.
   */
  readonly credential: 'own' | 'attested' | 'model'
  readonly host: string | undefined
  readonly at: number
}
