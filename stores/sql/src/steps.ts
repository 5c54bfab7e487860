import { adminVersion, changeItem, getItem, listItems } from './administration.ts'
import { getApproval, listApprovals } from './approvals/approvals.ts'
import { askStep } from './approvals/ask.ts'
import { askAgainStep } from './approvals/ask-again.ts'
import { decideStep, replaceStep } from './approvals/decide.ts'
import { appendMissing, appendRecord, appendRecords } from './audit/append-records.ts'
import { listRecords } from './audit/audit-store.ts'
import { eraseStep } from './audit/erase.ts'
import { readPage, readSummary } from './audit/pages.ts'
import {
  keepHead,
  markAnchored,
  pendingTenants,
  releaseTrees,
  sequenceStep,
} from './audit/sequence.ts'
import { readHead, readLeaves, readSequenced } from './audit/tree-reads.ts'
import { getCached, setCached } from './cache.ts'
import { claimKey, claimRow, claimUnused } from './calls/claim.ts'
import { abandon, finish, finishStep, renew, resolveUnknown, startEffect } from './calls/fenced.ts'
import {
  abandonedCalls,
  evidenceOf,
  findCall,
  getCall,
  isToStop,
  openCalls,
  recentCall,
} from './calls/looks.ts'
import { addEvidence, cancelCall, countTry, postpone, queueCall } from './calls/waiting.ts'
import { enqueueJob } from './jobs.ts'
import { takeStep } from './limits.ts'
import { areNoticesDue, settleNotice, takeNotices } from './notices.ts'
import { pruneStep } from './prune.ts'
import { readJournal, writeJournal } from './runs/journal.ts'
import { parkRun } from './runs/park.ts'
import {
  answerQuestion,
  askQuestion,
  closeQuestions,
  getQuestion,
  listQuestions,
} from './runs/questions.ts'
import { getProgress, setProgress } from './runs/runs.ts'
import { areRunsDue, askToStop, wakeDue } from './runs/waking.ts'
import type { Step } from './step.ts'
import { deleteValue, getValue, listValues, replaceValue, setValue } from './values.ts'

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
  [findCall, getCall, recentCall, abandonedCalls, evidenceOf, openCalls, isToStop],
  [queueCall, postpone, countTry, cancelCall, addEvidence],
  [readJournal, writeJournal, parkRun, areRunsDue, wakeDue, askToStop, setProgress, getProgress],
  [askQuestion, answerQuestion, closeQuestions, getQuestion, listQuestions],
  [askStep, askAgainStep, decideStep, replaceStep, getApproval, listApprovals],
  [
    enqueueJob,
    takeStep,
    getCached,
    setCached,
    getValue,
    setValue,
    replaceValue,
    deleteValue,
    listValues,
  ],
  [appendRecord, appendRecords, appendMissing, listRecords, readPage, readSummary],
  [
    pendingTenants,
    sequenceStep,
    keepHead,
    markAnchored,
    releaseTrees,
    eraseStep,
    readSequenced,
    readHead,
    readLeaves,
  ],
  [areNoticesDue, takeNotices, settleNotice],
  [adminVersion, getItem, listItems, changeItem, pruneStep],
].flat() as readonly Step<never, unknown>[]

/** Every step by its name; SQLite's writer thread looks them up here. */
export const STEPS: ReadonlyMap<string, Step<never, unknown>> = new Map(
  ALL.map((step) => [step.name, step]),
)
