import type { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import type { AnsweredBy } from '../call/question.ts'
import type { Progress } from '../call/request.ts'
import type { Duration } from './duration.ts'
import type { Schema } from './schema.ts'
import type { Tool } from './tool.ts'

/** The call that compensates a step when a later one fails, or when the run is cancelled. */
export type Undo = { readonly tool: string; readonly input: unknown }

/**
 * Names the tool and the input that compensate a step.
 *
 * @example
 * const plan = async ({ step }: Run<unknown>) =>
 *   step('look', weather, { city: 'Lisbon' }, { undo: () => undoWith(weather, { city: 'Lisbon' }) })
 */
export function undoWith<I>(tool: Tool<I>, input: Keyless<I>): Undo {
  return { tool: tool.id, input }
}

export type StepOptions<O> = {
  /** The call that compensates it, derived from its answer and stored with it. */
  readonly undo?: (answer: O) => Undo
  /**
   * `refuse`: a fallback's answer counts as an error, so that "could not look" is not taken for
   * "nothing there".
   */
  readonly degraded?: 'take' | 'refuse'
  /** The longest that the step may take with its retries; after that it fails. */
  readonly within?: Duration
  /** The most retries that it may take. Never more than its contract allows. */
  readonly retries?: number
}

export type AskOptions<A> = {
  /** Its place in the run; two questions of one run need two ids. */
  readonly id?: string
  readonly from?: AnsweredBy
  /** A proposed answer that is shown with the question and may be edited. */
  readonly shows?: A
  readonly timeout?: Duration
  /** The answer when the question expires; without it the run fails then. */
  readonly otherwise?: A
}

export type BranchOptions = { /** How many at once. */ readonly atMost?: number }

/**
 * What `execute` of an interactive or composite tool is given. Everything it does outside itself it
 * does in steps, whose answers are stored: after a crash, or when a question is answered, the
 * function runs again from its start with the same answers.
 *
 * @example
 * const execute = async ({ input, step, ask }: Run<{ city: string }>) => {
 *   const { celsius } = await step('look', weather, { city: input.city })
 *   return celsius < 0 ? ask(z.boolean(), `It is ${celsius} °C. Go anyway?`) : true
 * }
 */
export type Run<I> = {
  readonly input: I
  readonly caller: Caller
  readonly callId: string
  readonly signal: AbortSignal
  /** Calls another tool through the same pipeline. The id is its place in the run. */
  readonly step: StepFunction
  /** Asks a question and waits for its answer, also over restarts. */
  readonly ask: AskFunction
  /** Runs several branches at once, each in its own place. */
  readonly all: <T extends Branches<I>>(
    branches: T,
    options?: BranchOptions,
  ) => Promise<{ [K in keyof T]: Awaited<ReturnType<T[K]>> }>
  /** Runs the same work for each item, in the place that `id` names. */
  readonly each: <T, R>(items: readonly T[], form: EachForm<T, R, I>) => Promise<readonly R[]>
  /** The time, as it was when the run first asked for it. */
  readonly now: () => number
  readonly newId: (prefix: string) => string
  readonly report: (progress: Progress) => void
}

type KeyField = 'idempotencyKey' | 'idempotency_key'

/** An input without its idempotency key: the key of a step is its place in the run. */
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
  /** With a compiled JSON Schema. */
  (schema: Schema, question: string, options?: AskOptions<unknown>): Promise<unknown>
}

export type Branches<I> = Readonly<Record<string, (run: Run<I>) => Promise<unknown>>>

export type EachForm<T, R, I> = BranchOptions & {
  readonly id: (item: T, index: number) => string
  readonly work: (item: T, run: Run<I>) => Promise<R>
}
