/** Whose answer it is: a person's, with their own credential, the model's that called, or whoever is first. */
export type AnsweredBy = 'person' | 'model' | 'anyone'

export type QuestionState = 'open' | 'answered' | 'expired' | 'closed'

/** Something a run wants to know. */
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
  /** What it is filled in with, as JSON; empty where with nothing. */
  readonly draft: string
  /** Everything whoever answers sees, as JSON. */
  readonly shown: string
  /** SHA-256 over what is shown; it travels with the answer. */
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
  /** `own`: with the answerer's own credential. `attested`: a host says that its person said so. `model`: the model that called. */
  readonly credential: 'own' | 'attested' | 'model'
  readonly host: string | undefined
  readonly at: number
}
