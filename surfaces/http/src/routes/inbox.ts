import { approvalView, questionView } from '@surehand/core/host'
import { InboxItemSchema } from '@surehand/edge/api'
import { readWaiting } from '../page/inbox.ts'
import { PageQuery, pageReturned, pageView, readPage } from '../paging.ts'
import { parseQuery } from '../parse-request.ts'
import type { Route } from '../route.ts'
import { approvalReturned } from './approvals.ts'

/** Approval requests and questions in one list. */
export const inboxRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/v1/inbox',
    command: 'inbox.list',
    summary:
      'Lists the approval requests and questions that wait for you, what expires first at the top.',
    query: PageQuery,
    returns: pageReturned({
      schema: () => InboxItemSchema,
      example: { kind: 'approval', approval: approvalReturned.example, may_decide: true },
    }),
    async handle(context, caller, { runtime, approvalUrl, questionUrl }) {
      const wanted = readPage('inbox.list', parseQuery(context, PageQuery))
      return pageView('inbox.list', await readWaiting(caller, wanted, runtime), (item) =>
        item.kind === 'approval'
          ? {
              kind: item.kind,
              approval: approvalView(item.approval, approvalUrl),
              may_decide: runtime.approvals.mayDecide(caller, item.approval),
            }
          : { kind: item.kind, question: questionView(item.question, questionUrl) },
      )
    },
  },
]
