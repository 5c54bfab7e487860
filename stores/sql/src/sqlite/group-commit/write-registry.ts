import type { Transaction } from '@surehand/core'
import { ToolError } from '@surehand/core/worker-entry'
import { adminVersion, changeItem, getItem, listItems, pageOfItems } from '../../administration.ts'
import { getApproval, listApprovals, markApprovals } from '../../approvals/approvals.ts'
import { askStep } from '../../approvals/ask.ts'
import { askAgainStep } from '../../approvals/ask-again.ts'
import { decideStep, delegateStep, replaceStep } from '../../approvals/decide.ts'
import { appendPlaced } from '../../audit/append-placed.ts'
import { appendMissing, appendRecord, appendRecords } from '../../audit/append-records.ts'
import { eraseStep } from '../../audit/erase.ts'
import { listRecords } from '../../audit/list-records.ts'
import { readPage, readSummary } from '../../audit/pages.ts'
import { startSeals } from '../../audit/seal-check.ts'
import {
  keepHead,
  markAnchored,
  pendingTenants,
  releaseTrees,
  sequenceStep,
} from '../../audit/sequence.ts'
import { readHead, readLeaves, readSequenced } from '../../audit/tree-reads.ts'
import { getCached, setCached } from '../../cache.ts'
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
import {
  abandonedCalls,
  evidenceOf,
  findCall,
  getCall,
  isToStop,
  openCalls,
  readClock,
  recentCall,
} from '../../calls/looks.ts'
import { appendTraces } from '../../calls/traces.ts'
import { takeSample } from '../../health.ts'
import { enqueueJob, unheardApprovals } from '../../jobs.ts'
import { takeStep } from '../../limits.ts'
import { dueEndpoints, listDeliveries, settleNotice, takeNotices } from '../../notices.ts'
import { pruneStep } from '../../prune.ts'
import { readJournal, writeJournal } from '../../runs/journal.ts'
import { parkRun } from '../../runs/park.ts'
import {
  answerQuestion,
  askQuestion,
  closeQuestions,
  getQuestion,
  listQuestions,
  markQuestions,
} from '../../runs/questions.ts'
import { getProgress, setProgress } from '../../runs/runs.ts'
import { areRunsDue, askToStop, wakeDue } from '../../runs/waking.ts'
import type { Step } from '../../step.ts'
import { deleteValue, getValue, listValues, replaceValue, setValue } from '../../values.ts'
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
  [findCall, getCall, recentCall, abandonedCalls, evidenceOf, openCalls, isToStop, readClock],
  [queueCall, postpone, countTry, cancelCall, addEvidence],
  [readJournal, writeJournal, parkRun, areRunsDue, wakeDue, askToStop, setProgress, getProgress],
  [askQuestion, answerQuestion, closeQuestions, getQuestion, listQuestions, markQuestions],
  [askStep, askAgainStep, decideStep, delegateStep, replaceStep],
  [getApproval, listApprovals, markApprovals],
  [
    enqueueJob,
    unheardApprovals,
    takeStep,
    getCached,
    setCached,
    getValue,
    setValue,
    replaceValue,
    deleteValue,
    listValues,
  ],
  [
    appendRecord,
    appendRecords,
    appendPlaced,
    appendMissing,
    listRecords,
    readPage,
    readSummary,
    startSeals,
  ],
  [
    pendingTenants,
    sequenceStep,
    keepHead,
    markAnchored,
    releaseTrees,
    eraseStep,
    eraseRequests,
    readSequenced,
    readHead,
    readLeaves,
  ],
  [dueEndpoints, takeNotices, settleNotice, listDeliveries, appendTraces, takeSample],
  [adminVersion, getItem, listItems, pageOfItems, changeItem, pruneStep],
].flat() as readonly Step<never, unknown>[]

/** Every step by its name; SQLite's writer thread looks them up here. */
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
