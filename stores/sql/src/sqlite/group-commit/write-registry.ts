import type { Transaction } from '@surehand/core'
import { ToolError } from '@surehand/core/worker-entry'
import { changeItem } from '../../administration.ts'
import { askStep } from '../../approvals/ask.ts'
import { askAgainStep } from '../../approvals/ask-again.ts'
import { decideStep, delegateStep, replaceStep } from '../../approvals/decide.ts'
import { appendPlaced } from '../../audit/append-placed.ts'
import { appendMissing, appendRecord, appendRecords } from '../../audit/append-records.ts'
import { eraseStep } from '../../audit/erase.ts'
import { startSeals } from '../../audit/seal-check.ts'
import { keepHead, markAnchored, releaseTrees, sequenceStep } from '../../audit/sequence.ts'
import { setCached } from '../../cache.ts'
import { addEvidence, cancelCall, countTry, postpone, queueCall } from '../../calls/calls.ts'
import { claimKey, claimRow, claimUnused } from '../../calls/claim.ts'
import { eraseRequests } from '../../calls/erase-requests.ts'
import {
  abandon,
  finish,
  finishStep,
  renew,
  resolveUnknown,
  startEffect,
} from '../../calls/fenced.ts'
import { appendTraces } from '../../calls/traces.ts'
import { takeSample } from '../../health.ts'
import { enqueueJob } from '../../jobs.ts'
import { takeStep } from '../../limits.ts'
import { settleNotice, takeNotices } from '../../notices.ts'
import { pruneStep } from '../../prune.ts'
import { writeJournal } from '../../runs/journal.ts'
import { parkRun } from '../../runs/park.ts'
import { answerQuestion, askQuestion, closeQuestions } from '../../runs/questions.ts'
import { setProgress } from '../../runs/runs.ts'
import { askToStop, wakeDue } from '../../runs/waking.ts'
import type { Step } from '../../step.ts'
import { deleteValue, replaceValue, setValue } from '../../values.ts'
import { JOB_STEPS } from '../jobs.ts'
import type { WriterData } from './batch.ts'

const ALL = [
  [
    claimUnused,
    claimKey,
    claimRow,
    startEffect,
    finish,
    finishStep,
    resolveUnknown,
    renew,
    abandon,
  ],
  [queueCall, postpone, countTry, cancelCall, addEvidence],
  [writeJournal, parkRun, wakeDue, askToStop, setProgress],
  [askQuestion, answerQuestion, closeQuestions],
  [askStep, askAgainStep, decideStep, delegateStep, replaceStep],
  [enqueueJob, takeStep, setCached, setValue, replaceValue, deleteValue],
  [appendRecord, appendRecords, appendPlaced, appendMissing, startSeals],
  [sequenceStep, keepHead, markAnchored, releaseTrees, eraseStep, eraseRequests],
  [takeNotices, settleNotice, appendTraces, takeSample],
  [changeItem, pruneStep],
].flat() as readonly Step<never, unknown>[]

/** Every step that writes, by its name; SQLite's writer thread looks them up here. */
const STEPS: ReadonlyMap<string, Step<never, unknown>> = new Map(
  ALL.map((step) => [step.name, step]),
)

type AnyStep = Step<unknown, unknown>
type AnyTransaction = Transaction<unknown>

/** Every step and transaction that can be requested by name. */
export type WriteRegistry = {
  readonly steps: ReadonlyMap<string, AnyStep>
  readonly transactions: ReadonlyMap<string, AnyTransaction>
}

/**
 * Loads the modules and collects every export that is a transaction, a tool with a transaction, or
 * (in a step module) a step. An export may also be a list of these.
 */
export async function loadWriteRegistry({
  transactionModules,
  tools,
  stepModules,
}: Pick<WriterData, 'transactionModules' | 'tools' | 'stepModules'>): Promise<WriteRegistry> {
  const transactions = new Map<string, AnyTransaction>()
  for (const exported of [...tools, ...(await importAll(transactionModules))]) {
    const transaction = transactionIn(exported)
    if (transaction === undefined) continue
    const known = transactions.get(transaction.name)
    if (known !== undefined && known.apply !== transaction.apply)
      throw duplicateTransaction(transaction.name)
    transactions.set(transaction.name, transaction)
  }
  const more = (await importAll(stepModules)).filter(isStep)
  // erased: a step is requested by its name, with the arguments that its own type demanded
  const steps = [...STEPS.values(), ...JOB_STEPS, ...more] as readonly Step<
    never,
    unknown
  >[] as readonly unknown[] as readonly AnyStep[]
  return { steps: new Map(steps.map((step) => [step.name, step])), transactions }
}

async function importAll(modules: readonly string[]): Promise<readonly unknown[]> {
  const found: unknown[] = []
  for (const url of new Set(modules)) {
    const module = await import(url).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new ToolError(
        'TOOL_CONFIGURATION_ERROR',
        `The transactions module ${url} cannot be loaded: ${reason}`,
        { cause },
      )
    })
    found.push(...Object.values(module as Record<string, unknown>).flat())
  }
  return found
}

/** The transaction that an export is, or that an exported tool runs. */
function transactionIn(exported: unknown): AnyTransaction | undefined {
  if (isTransaction(exported)) return exported
  const work =
    typeof exported === 'object' && exported !== null && 'work' in exported
      ? exported.work
      : undefined
  return isTransaction(work) ? work : undefined
}

function isTransaction(value: unknown): value is AnyTransaction {
  return isNamed(value) && 'apply' in value && typeof value.apply === 'function'
}

function isStep(value: unknown): value is AnyStep {
  return isNamed(value) && 'run' in value && typeof value.run === 'function'
}

function isNamed(value: unknown): value is { readonly name: string } {
  return (
    typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
  )
}

function duplicateTransaction(name: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Two transactions are called "${name}"; a name is all the writer finds them by.`,
  )
}
