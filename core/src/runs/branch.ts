import type { z } from 'zod'
import type { Caller } from '../call/caller.ts'
import { hashJson } from '../call/canonical.ts'
import type { Progress } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import { toMs } from '../define/duration.ts'
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
import { reportProgress } from '../ledger/scrub.ts'
import type { JournalEntry } from '../ports/runs.ts'
import { ask, toQuestionSpec } from './ask.ts'
import type { Drive } from './drive.ts'
import { type OperationResult, replayAnswer, toJournalValue } from './journal.ts'
import { runStep, toolReference } from './step.ts'

const NAME = /^[^/~]{1,100}$/

/**
 * A run, or one branch of it, as its code sees it. The paths of a branch begin with the branch's
 * own path.
 */
export class Branch implements Run<unknown> {
  readonly input: unknown
  readonly caller: Caller
  readonly callId: string
  private readonly drive: Drive
  private readonly prefix: string
  private readonly isStopped: () => boolean
  private times = 0
  private forks = 0
  private ids = 0

  constructor(drive: Drive, prefix = '', isStopped: () => boolean = () => false) {
    this.drive = drive
    this.prefix = prefix
    this.isStopped = isStopped
    this.input = drive.call.input
    this.caller = drive.call.caller
    this.callId = drive.call.id
  }

  get signal(): AbortSignal {
    return this.drive.signal
  }

  // Fields instead of methods, so that code may destructure them: const { step, ask } = run
  readonly step: StepFunction = withHandledRejection(
    async (
      id: string,
      tool: Pick<Tool, 'id' | 'version'> | string,
      input: unknown,
      options: StepOptions<never> = {},
    ) => {
      const path = this.visit(id)
      const request = {
        path,
        tool: toolReference(tool),
        input,
        inputHash: hashJson(input ?? {}),
        undo: options.undo,
        degraded: options.degraded ?? 'take',
        withinMs: options.within === undefined ? undefined : toMs(options.within),
        retries: options.retries,
      }
      return this.operate(() => runStep(request, this.drive)) as never
    },
  )

  readonly ask: AskFunction = withHandledRejection(
    async (schema: z.ZodType | Schema, question: string, options: AskOptions<unknown> = {}) => {
      const spec = toQuestionSpec(schema, question, options, this.prefix)
      this.visit(options.id ?? 'ask')
      return this.operate(() => ask(spec, this.drive)) as never
    },
  )

  readonly all: Run<unknown>['all'] = async (branches, options: BranchOptions = {}) => {
    const names = Object.keys(branches)
    const answers = await this.branchOut(
      names,
      (name, branch) => (branches[name] as (run: Run<unknown>) => Promise<unknown>)(branch),
      options,
    )
    // Types are erased here: there is one answer for each name.
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
    return this.once(path, 'now', () => this.drive.context.clock.now()) as number
  }

  readonly newId = (prefix: string): string => {
    const path = `${this.prefix}~id ${++this.ids}`
    return this.once(path, 'id', () =>
      this.drive.context.entropy.newId(prefix, this.drive.context.clock.now()),
    ) as string
  }

  readonly report = (progress: Progress): void => {
    if (!this.drive.isOver) reportProgress(progress, this.drive.call)
  }

  private operate<T>(work: () => Promise<OperationResult>): Promise<T> {
    // A branch begins nothing more after another branch has failed; a replay still finds what it
    // had begun.
    return this.isStopped() && this.drive.mode !== 'replay'
      ? new Promise(() => undefined)
      : this.drive.operate<T>(work)
  }

  private branchOut<R>(
    names: readonly string[],
    work: (name: string, branch: Branch) => Promise<R>,
    { atMost = names.length }: BranchOptions,
  ): Promise<readonly R[]> {
    for (const name of names) checkName(name)
    // A replay visits every branch, to find what each had begun.
    const width = this.drive.mode === 'replay' ? names.length : atMost
    return runBranches(
      names,
      Math.max(1, width),
      this.recordedFailure(`${this.prefix}~fork ${++this.forks}`),
      (name, isStopped) =>
        work(
          name,
          new Branch(this.drive, `${this.prefix}${name}/`, () => isStopped() || this.isStopped()),
        ),
    )
  }

  private recordedFailure(path: string): RecordedFailure {
    const found = this.drive.journal.at(path)?.answer
    return {
      recorded: found?.kind === 'value' ? (JSON.parse(found.json) as number) : undefined,
      record: (index) =>
        this.drive.journal.put({ ...EMPTY_ENTRY, path, what: 'id', answer: toJournalValue(index) }),
    }
  }

  private visit(id: string): string {
    checkName(id)
    const path = `${this.prefix}${id}`
    this.drive.journal.visit(path)
    return path
  }

  private once(path: string, what: 'now' | 'id', make: () => unknown): unknown {
    const found = this.drive.journal.at(path)
    if (found?.answer !== undefined) {
      const replayed = replayAnswer(found.answer)
      if (replayed.kind === 'value') return replayed.value
    }
    const value = make()
    this.drive.journal.put({ ...EMPTY_ENTRY, path, what, answer: toJournalValue(value) })
    return value
  }
}

/**
 * Code may await a failed operation only after one that waits, and so never. Without a handler,
 * Node would end the process for the unhandled rejection.
 */
function withHandledRejection<F extends (...args: never[]) => Promise<unknown>>(work: F): F {
  // Types are erased here: it takes the same arguments.
  return ((...args: never[]) => {
    const coming = work(...args)
    coming.catch(() => undefined)
    return coming
  }) as F
}

const EMPTY_ENTRY: Omit<JournalEntry, 'path' | 'what' | 'answer'> = {
  tool: '',
  inputHash: '',
  child: '',
  isWrite: false,
  isSecret: false,
  undo: undefined,
}

function checkName(name: string): void {
  if (!NAME.test(name))
    throw new ToolError(
      'TOOL_INTERNAL_ERROR',
      `"${name}" cannot be the id of a step: use 1 to 100 characters without "/" and "~".`,
    )
}

/**
 * Which of several failures the code got: it is recorded, so that a replay gives it the same one.
 */
type RecordedFailure = {
  readonly recorded: number | undefined
  readonly record: (index: number) => void
}

/**
 * Runs several branches at once, at most `atMost`. When one fails the others begin nothing more,
 * and the first failure is thrown.
 */
async function runBranches<R>(
  names: readonly string[],
  atMost: number,
  failure: RecordedFailure,
  work: (name: string, isStopped: () => boolean) => Promise<R>,
): Promise<readonly R[]> {
  const answers = new Array<R>(names.length)
  let next = 0
  return new Promise((resolve, reject) => {
    let running = 0
    let hasFailed = false

    function begin(): void {
      while (running < atMost && next < names.length && !hasFailed) {
        const index = next++
        running++
        work(names[index] as string, () => hasFailed).then(
          (answer) => onDone(index, answer),
          (thrown) => onFailure(index, thrown),
        )
      }
      if (running === 0 && !hasFailed) resolve(answers)
    }

    function onDone(index: number, answer: R): void {
      running--
      answers[index] = answer
      begin()
    }

    function onFailure(index: number, thrown: unknown): void {
      running--
      // The journal names another branch as the first to fail; its failure is thrown when the
      // replay reaches it.
      if (hasFailed || (failure.recorded !== undefined && failure.recorded !== index)) return
      hasFailed = true
      if (failure.recorded === undefined) failure.record(index)
      reject(thrown)
    }

    begin()
  })
}
