import {
  infiniteQueryOptions,
  MutationCache,
  QueryCache,
  QueryClient,
  queryOptions,
} from '@tanstack/react-query'
import { ApiError, getData, getEnvelope, getStream, postData, type Query } from './client.ts'
import type {
  Approval,
  AuditKey,
  AuditRecord,
  CallEnvelope,
  CallTrace,
  InboxItem,
  Page,
  Retention,
  RunTree,
  Session,
} from './types.ts'

/** How often a list that should be current is read again, while its page is visible. */
export const LIVE_MS = 2_000
const PER_PAGE = 100

const SESSION_KEY = ['session']

/** All data of the console; a session that has ended leads to the sign-in form, wherever it shows. */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (error instanceof ApiError && error.status === 401) client.setQueryData(SESSION_KEY, null)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // What the server refused is not asked again; what it could not answer is, once.
        retry: (failures, error) =>
          failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
        staleTime: 1_000,
      },
    },
  })
  return client
}

/** Who is signed in; null for nobody. */
export const sessionQuery = queryOptions({
  queryKey: SESSION_KEY,
  queryFn: async (): Promise<Session | null> => {
    try {
      return await getData<Session>('v1/session')
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return null
      throw error
    }
  },
  staleTime: 60_000,
})

export function pages<T>(key: string, path: string, query: Query = {}) {
  return infiniteQueryOptions({
    queryKey: [key, query],
    queryFn: ({ pageParam }) =>
      getData<Page<T>>(path, { ...query, limit: PER_PAGE, cursor: pageParam || undefined }),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  })
}

export const inboxQuery = pages<InboxItem>('inbox', 'v1/inbox')

/** What decisions are searched by; all of it is compared on the server. */
export type DecisionFilter = {
  readonly text?: string | undefined
  readonly tool?: string | undefined
  readonly principal?: string | undefined
  readonly decided_by?: string | undefined
  readonly actor?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
}

export function decisionsQuery(filter: DecisionFilter) {
  return pages<Approval>('approvals', 'v1/approvals', { state: 'closed', ...filter })
}

export function approvalQuery(id: string) {
  return queryOptions({
    queryKey: ['approval', id],
    queryFn: () => getData<Approval>(`v1/approvals/${encodeURIComponent(id)}`),
  })
}

export type Verdict = 'approve' | 'deny'

export function decide(
  { id, digest }: Pick<Approval, 'id' | 'digest'>,
  verdict: Verdict,
  reason: string,
): Promise<Approval> {
  return postData(`v1/approvals/${encodeURIComponent(id)}/decision`, {
    verdict,
    digest,
    ...(reason === '' ? {} : { reason }),
  })
}

/** Asks another person to decide it. */
export function delegate({ id }: Pick<Approval, 'id'>, to: string): Promise<Approval> {
  return postData(`v1/approvals/${encodeURIComponent(id)}/delegation`, { to })
}

/** What the records of calls are searched by; all of it is compared on the server. */
export type CallFilter = {
  readonly tool?: string | undefined
  readonly principal?: string | undefined
  readonly actor?: string | undefined
  readonly outcome?: string | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly key?: string | undefined
  readonly text?: string | undefined
}

export function callsQuery(filter: CallFilter) {
  return pages<AuditRecord>('calls', 'v1/audit', { phase: 'outcome', ...filter })
}

export function callRecordsQuery(callId: string) {
  return queryOptions({
    queryKey: ['records', callId],
    queryFn: () => getData<Page<AuditRecord>>('v1/audit', { call_id: callId, limit: PER_PAGE }),
  })
}

export function callQuery(callId: string) {
  return queryOptions({
    queryKey: ['call', callId],
    queryFn: () => getEnvelope<CallEnvelope>(`v1/calls/${encodeURIComponent(callId)}`),
  })
}

/** The passes of a call through the pipeline, with their times. */
export function callTraceQuery(callId: string) {
  return queryOptions({
    queryKey: ['trace', callId],
    queryFn: () =>
      getData<{ readonly passes: readonly CallTrace[] }>(
        `v1/calls/${encodeURIComponent(callId)}/trace`,
      ),
  })
}

export function treeQuery(callId: string) {
  return queryOptions({
    queryKey: ['tree', callId],
    queryFn: () => getData<RunTree>(`v1/calls/${encodeURIComponent(callId)}/tree`),
  })
}

export type Finding =
  | { readonly found: 'done'; readonly text: string; readonly output: unknown }
  | { readonly found: 'not_done'; readonly text: string }

/** Settles a call whose outcome is unknown. */
export function settleUnknown(callId: string, finding: Finding): Promise<unknown> {
  return postData(`v1/unknown/${encodeURIComponent(callId)}/resolve`, finding)
}

export const auditKeysQuery = queryOptions({
  queryKey: ['audit-keys'],
  queryFn: () => getData<Page<AuditKey>>('v1/audit/keys'),
})

/** The export of the audit, line by line. */
export async function* readAuditExport(): AsyncGenerator<string> {
  let rest = ''
  // Bytes may end in the middle of a character: the decoder waits for the other half.
  const decoder = new TextDecoder()
  const reader = (await getStream('v1/audit/export')).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  yield rest + decoder.decode()
}

export type StoredVerdict = {
  readonly verdict: {
    readonly kind: 'intact' | 'broken'
    readonly size?: number
    readonly anchoredSize?: number
    readonly flaw?: { readonly position: number; readonly what: string }
  }
}

/** The server's own check, which also knows its seals and what is anchored outside. */
export function verifyStored(): Promise<StoredVerdict> {
  return postData('v1/audit/verify', {})
}

export const retentionQuery = queryOptions({
  queryKey: ['retention'],
  queryFn: () => getData<Retention>('v1/audit/retention'),
})

/** The newest erasures of people; each is a record of the audit. */
export const erasuresQuery = queryOptions({
  queryKey: ['erasures'],
  queryFn: () =>
    getData<Page<AuditRecord>>('v1/audit', {
      tool: 'audit.erase',
      phase: 'change',
      limit: PER_PAGE,
    }),
})
