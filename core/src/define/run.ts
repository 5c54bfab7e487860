import type { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { AnsweredBy } from '../call/question.ts'
import type { Progress } from '../call/request.ts'
import type { Duration } from './duration.ts'
import type { Schema } from './schema.ts'
import type { Tool } from './tool.ts'

/** How a step is taken back when a later one fails, or the run is cancelled. */
export type Undo = { readonly tool: string; readonly input: unknown }

/** Ties an undo to its tool's input. */
export function undoWith<I>(tool: Tool<I>, input: Keyless<I>): Undo {
  return { tool: tool.id, input }
}

export type StepOptions<O> = {
  /** What takes it back, made from its answer and kept with it. */
  readonly undo?: (answer: O) => Undo
  /** `refuse`: a fallback's answer is told as an error, so that "could not look" is not taken for "nothing there". */
  readonly degraded?: 'take' | 'refuse'
}

export type AskOptions<A> = {
  /** Its place in the run; two questions of one run have two. */
  readonly id?: string
  readonly from?: AnsweredBy
  /** What is shown with it and may be edited: an answer that says nothing else is this. */
  readonly shows?: A
  readonly timeout?: Duration
  /** Taken when nobody answers in time; without it the run fails then. */
  readonly otherwise?: A
}

export type BranchOptions = { /** How many at once. */ readonly atMost?: number }

/**
 * What `execute` of an interactive or composite tool is given. Whatever it does outside itself it does in steps, and every answer is
 * written down: after a crash, or when a person has answered, the function runs again from its start and is told the same again.
 */
export type Run<I> = {
  readonly input: I
  readonly caller: Caller
  readonly callId: string
  readonly signal: AbortSignal
  /** Calls another tool, through the same door. The id is its place in the run. */
  readonly step: StepFunction
  /** Asks, and waits however long it takes, over restarts. */
  readonly ask: AskFunction
  /** Several at once, each in a place of its own. */
  readonly all: <T extends Branches<I>>(
    branches: T,
    options?: BranchOptions,
  ) => Promise<{ [K in keyof T]: Awaited<ReturnType<T[K]>> }>
  /** The same for each item, in the place that `id` names. */
  readonly each: <T, R>(items: readonly T[], form: EachForm<T, R, I>) => Promise<readonly R[]>
  /** The time, as it was when this was first asked. */
  readonly now: () => number
  readonly newId: (prefix: string) => string
  readonly report: (progress: Progress) => void
}

type KeyField = 'idempotencyKey' | 'idempotency_key'

/** A step's key is its place: nobody writes one. */
export type Keyless<I> = I extends unknown
  ? KeyField & keyof I extends never
    ? I
    : Omit<I, KeyField>
  : never

export type StepFunction = {
  <SI, SO>(
    id: string,
    tool: Tool<SI, SO>,
    input: Keyless<SI>,
    options?: StepOptions<SO>,
  ): Promise<SO>
  (id: string, tool: string, input: unknown, options?: StepOptions<unknown>): Promise<unknown>
}

export type AskFunction = {
  <S extends z.ZodType>(
    schema: S,
    question: string,
    options?: AskOptions<z.input<S>>,
  ): Promise<z.output<S>>
  /** With a schema that somebody else wrote. */
  (schema: Schema, question: string, options?: AskOptions<unknown>): Promise<unknown>
}

export type Branches<I> = Readonly<Record<string, (run: Run<I>) => Promise<unknown>>>

export type EachForm<T, R, I> = BranchOptions & {
  readonly id: (item: T, index: number) => string
  readonly work: (item: T, run: Run<I>) => Promise<R>
}
