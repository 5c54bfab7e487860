import { listApprovalsStatement } from '../src/approvals/approval-row.ts'
import { listQuestionsStatement, type Wanted } from '../src/runs/questions.ts'
import type { Statement } from '../src/step.ts'

const place = { at: 1, id: 'appr_1' }
const questions: Wanted = {
  tenant: 'acme',
  state: 'open',
  callId: null,
  principal: null,
  before: null,
  expiringAfter: null,
  limit: 51,
}

/** Every list that people and programs read in pages, with the index that must serve it. */
export const LISTED_PAGES: Readonly<
  Record<string, { readonly statement: Statement; readonly index: string }>
> = {
  'the history of a tenant': {
    statement: listApprovalsStatement('acme', undefined, { before: 'appr_1', limit: 51 }),
    index: 'approvals_tenant',
  },
  'the requests of one principal': {
    statement: listApprovalsStatement('acme', undefined, { principal: 'ann', limit: 51 }),
    index: 'approvals_principal',
  },
  'what waits for a decision': {
    statement: listApprovalsStatement('acme', 'pending', { expiringAfter: place, limit: 51 }),
    index: 'approvals_waiting',
  },
  'what waits for an answer': {
    statement: listQuestionsStatement({ ...questions, expiringAfter: place }),
    index: 'questions_waiting',
  },
  'the questions of a tenant': {
    statement: listQuestionsStatement({ ...questions, state: null, before: 'ask_1' }),
    index: 'questions_tenant',
  },
}
