import type { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { hashJson } from '../call/hash.ts'
import type { Progress } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type {
  AskFunction,
  AskOptions,
  BranchOptions,
  EachForm,
  Run,
  StepFunction,
  StepOptions,
} from '../define/run.ts'
import type { Schema } from '../define/schema.ts'
import type { Tool } from '../define/tool.ts'
import { tellProgress } from '../pipeline/scrub.ts'
import type { JournalEntry } from '../ports/runs.ts'
import { ask } from './ask.ts'
import type { Drive } from './drive.ts'
import { inTurn, type ToldFailure } from './in-turn.ts'
import { wantedOf } from './question.ts'
import { nameOf, takeStep } from './step.ts'
import { type Told, toldAgain, valueAnswer } from './told.ts'

const NAME = /^[^/~]{1,100}$/

/** A run, or one branch of it, as its code sees it. Places in it begin with the branch's own. */
export class Branch implements Run<unknown> {
  readonly input: unknown
  readonly caller: Caller
  readonly callId: string
  private readonly drive: Drive
  private readonly prefix: string
  private readonly isLeft: () => boolean
  private times = 0
  private forks = 0
  private ids = 0

  constructor(drive: Drive, prefix = '', isLeft: () => boolean = () => false) {
    this.drive = drive
    this.prefix = prefix
    this.isLeft = isLeft
    this.input = drive.call.input
    this.caller = drive.call.caller
    this.callId = drive.call.id
  }

  get signal(): AbortSignal {
    return this.drive.signal
  }

  // own fields, so that code may take them out: const { step, ask } = run
  readonly step: StepFunction = heard(
    async (
      id: string,
      tool: Pick<Tool, 'id' | 'version'> | string,
      input: unknown,
      options: StepOptions<never> = {},
    ) => {
      const path = this.place(id)
      const asked = {
        path,
        tool: nameOf(tool),
        input,
        inputHash: hashJson(input ?? {}),
        undo: options.undo,
        degraded: options.degraded ?? 'take',
      }
      return this.operate(() => takeStep(asked, this.drive)) as never
    },
  )

  readonly ask: AskFunction = heard(
    async (schema: z.ZodType | Schema, question: string, options: AskOptions<unknown> = {}) => {
      const wanted = wantedOf(schema, question, options, this.prefix)
      this.place(options.id ?? 'ask')
      return this.operate(() => ask(wanted, this.drive)) as never
    },
  )

  readonly all: Run<unknown>['all'] = async (branches, options: BranchOptions = {}) => {
    const names = Object.keys(branches)
    const answers = await this.branchOut(
      names,
      (name, branch) => (branches[name] as (run: Run<unknown>) => Promise<unknown>)(branch),
      options,
    )
    // erased: one answer for each name
    return Object.fromEntries(names.map((name, index) => [name, answers[index]])) as never
  }

  readonly each = async <T, R>(
    items: readonly T[],
    { id, work, ...options }: EachForm<T, R, unknown>,
  ): Promise<readonly R[]> => {
    const named = new Map(items.map((item, index) => [id(item, index), item]))
    if (named.size < items.length)
      throw new ToolError('TOOL_INTERNAL_ERROR', 'Two items of one loop have the same id.')
    return this.branchOut(
      [...named.keys()],
      (name, branch) => work(named.get(name) as T, branch),
      options,
    )
  }

  readonly now = (): number => {
    const path = `${this.prefix}~now ${++this.times}`
    return this.once(path, 'now', () => this.drive.parts.clock.now()) as number
  }

  readonly newId = (prefix: string): string => {
    const path = `${this.prefix}~id ${++this.ids}`
    return this.once(path, 'id', () =>
      this.drive.parts.entropy.newId(prefix, this.drive.parts.clock.now()),
    ) as string
  }

  readonly report = (progress: Progress): void => {
    if (!this.drive.isOver) tellProgress(progress, this.drive.call)
  }

  private operate<T>(work: () => Promise<Told>): Promise<T> {
    // a branch whose neighbour has failed begins nothing more; what it had begun is still to be found
    return this.isLeft() && this.drive.mode !== 'replay'
      ? new Promise(() => undefined)
      : this.drive.operate<T>(work)
  }

  private branchOut<R>(
    names: readonly string[],
    work: (name: string, branch: Branch) => Promise<R>,
    { atMost = names.length }: BranchOptions,
  ): Promise<readonly R[]> {
    for (const name of names) refuseName(name)
    // what was begun in a branch is found, whichever branch failed before it
    const width = this.drive.mode === 'replay' ? names.length : atMost
    return inTurn(
      names,
      Math.max(1, width),
      this.failureAt(`${this.prefix}~fork ${++this.forks}`),
      (name, isLeft) =>
        work(
          name,
          new Branch(this.drive, `${this.prefix}${name}/`, () => isLeft() || this.isLeft()),
        ),
    )
  }

  private failureAt(path: string): ToldFailure {
    const found = this.drive.journal.at(path)?.answer
    return {
      told: found?.kind === 'value' ? (JSON.parse(found.json) as number) : undefined,
      tell: (index) =>
        this.drive.journal.put({ ...NOTHING, path, what: 'id', answer: valueAnswer(index) }),
    }
  }

  private place(id: string): string {
    refuseName(id)
    const path = `${this.prefix}${id}`
    this.drive.journal.visit(path)
    return path
  }

  private once(path: string, what: 'now' | 'id', make: () => unknown): unknown {
    const found = this.drive.journal.at(path)
    if (found?.answer !== undefined) {
      const told = toldAgain(found.answer)
      if (told.kind === 'value') return told.value
    }
    const value = make()
    this.drive.journal.put({ ...NOTHING, path, what, answer: valueAnswer(value) })
    return value
  }
}

/** Code may await what failed only after something that waits, and so never: that must not end the process. Whoever awaits it hears it. */
function heard<F extends (...args: never[]) => Promise<unknown>>(work: F): F {
  // erased: called as it is called itself
  return ((...args: never[]) => {
    const coming = work(...args)
    coming.catch(() => undefined)
    return coming
  }) as F
}

const NOTHING: Omit<JournalEntry, 'path' | 'what' | 'answer'> = {
  tool: '',
  inputHash: '',
  child: '',
  isWrite: false,
  isSecret: false,
  undo: undefined,
}

function refuseName(name: string): void {
  if (!NAME.test(name))
    throw new ToolError(
      'TOOL_INTERNAL_ERROR',
      `"${name}" can't be the id of a step: 1 to 100 characters without "/" and "~".`,
    )
}
