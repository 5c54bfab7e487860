import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useInboxEvents } from '../../api/inbox-events.ts'
import { inboxQuery, type Verdict } from '../../api/queries.ts'
import type { Approval, InboxItem } from '../../api/types.ts'
import { useKeys } from '../../ui/keys.ts'
import { QueryState } from '../../ui/query-state.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ApprovalView } from './approval-view.tsx'
import { DecisionDialog, denyName, type PlannedDecision } from './decision-dialog.tsx'
import { DelegateDialog } from './delegate-dialog.tsx'
import { InboxList, idOf } from './inbox-list.tsx'
import { QuestionView } from './question-view.tsx'

// Where the server cannot say what has changed, for example because too many tabs are open.
const POLL_MS = 10_000

/** What waits for a person: the list, the selected item in full, and the decision on it. */
export function InboxPage(): ReactNode {
  const isLive = useInboxEvents()
  const inbox = useInfiniteQuery({ ...inboxQuery, refetchInterval: isLive ? false : POLL_MS })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = inbox
  // Here, because the list is gone when the last request was decided.
  const [result, setResult] = useState('')
  return (
    <>
      <h1>Inbox</h1>
      <p role="status" className={result === '' ? 'hidden' : 'note good'}>
        <UntrustedText form="spelled">{result}</UntrustedText>
      </p>
      <QueryState
        query={inbox}
        loading="Loading what waits for you"
        empty={({ pages }) =>
          pages[0]?.items.length === 0 && !hasNextPage ? (
            <p>
              Nothing is waiting. New requests appear here by themselves. See the{' '}
              <Link to="/decisions">decisions</Link> made so far.
            </p>
          ) : undefined
        }
      >
        {({ pages }) => (
          <Inbox
            items={withoutRepeats(pages.flatMap(({ items }) => items))}
            onMore={hasNextPage ? () => void fetchNextPage() : undefined}
            isLoading={isFetchingNextPage}
            onDecided={setResult}
          />
        )}
      </QueryState>
    </>
  )
}

/** Pages are read one after the other: what moved in between may be in two of them. */
function withoutRepeats(items: readonly InboxItem[]): readonly InboxItem[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()]
}

type InboxProps = {
  readonly items: readonly InboxItem[]
  /** Loads what waits behind these; undefined where nothing does. */
  readonly onMore: (() => void) | undefined
  readonly isLoading: boolean
  /** Called with a sentence that says what was decided. */
  readonly onDecided: (result: string) => void
}

function Inbox({ items, onMore, isLoading, onDecided }: InboxProps): ReactNode {
  const { item: wanted } = useSearch({ from: '/' })
  const navigate = useNavigate({ from: '/' })
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set())
  const [planned, setPlanned] = useState<PlannedDecision>()
  const [delegated, setDelegated] = useState<Approval>()
  const place = items.findIndex((item) => idOf(item) === wanted)
  const selected = items[place]
  const deniable = items.flatMap((item) => (marked.has(idOf(item)) ? decidable(item) : []))

  const select = (item: InboxItem | undefined): void => {
    if (item !== undefined) void navigate({ search: { item: idOf(item) } })
  }
  const toggle = (id: string): void => {
    const toggled = new Set(marked)
    if (!toggled.delete(id)) toggled.add(id)
    setMarked(toggled)
  }
  const plan = (verdict: Verdict, approvals: readonly Approval[]): void => {
    if (approvals.length > 0) setPlanned({ verdict, approvals })
  }
  useKeys({
    j: () => select(items[Math.min(place + 1, items.length - 1)]),
    k: () => select(items[place === -1 ? items.length - 1 : Math.max(0, place - 1)]),
    x: () => selected !== undefined && toggle(idOf(selected)),
    a: () => plan('approve', decidable(selected)),
    d: () => plan('deny', deniable.length > 0 ? deniable : decidable(selected)),
    g: () => setDelegated(decidable(selected)[0]),
  })
  const finish = (sentence: string): void => {
    setPlanned(undefined)
    setMarked(new Set())
    onDecided(sentence)
    select(items[place + 1] ?? items[place - 1])
  }
  return (
    <>
      <div className={selected === undefined ? 'split' : 'split chosen'}>
        <section aria-label="Waiting">
          <div className="toolbar">
            <p className="quiet">j, k: move · x: mark · a: approve · d: deny · g: delegate</p>
            {deniable.length === 0 ? null : (
              <button type="button" className="deny" onClick={() => plan('deny', deniable)}>
                {denyName(deniable.length)} …
              </button>
            )}
          </div>
          <InboxList
            items={items}
            selected={place}
            marked={marked}
            onMark={toggle}
            onEnd={isLoading ? undefined : onMore}
          />
          <p className="quiet" role="status">
            {onMore === undefined ? `${items.length} waiting` : `${items.length} loaded, more wait`}
          </p>
        </section>
        <section aria-label="Selected" className="detail">
          {selected === undefined ? (
            <p className="state">Select a request to see all of it.</p>
          ) : (
            <Selected item={selected} onDecide={plan} onDelegate={setDelegated} />
          )}
        </section>
      </div>
      {delegated === undefined ? null : (
        <DelegateDialog
          approval={delegated}
          onClose={() => setDelegated(undefined)}
          onDelegated={(sentence) => {
            setDelegated(undefined)
            onDecided(sentence)
          }}
        />
      )}
      {planned === undefined ? null : (
        <DecisionDialog {...planned} onClose={() => setPlanned(undefined)} onDecided={finish} />
      )}
    </>
  )
}

/** The request, where the person may decide it. */
function decidable(item: InboxItem | undefined): readonly Approval[] {
  return item?.kind === 'approval' && item.may_decide ? [item.approval] : []
}

type SelectedProps = {
  readonly item: InboxItem
  readonly onDecide: (verdict: Verdict, approvals: readonly Approval[]) => void
  readonly onDelegate: (approval: Approval) => void
}

function Selected({ item, onDecide, onDelegate }: SelectedProps): ReactNode {
  const id = idOf(item)
  // On a phone the request takes the place of the list, wherever that was scrolled to: what must be
  // read first would be out of view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows the selection
  useEffect(() => {
    if (matchMedia('(max-width: 48rem)').matches) scrollTo(0, 0)
  }, [id])
  return (
    <>
      <Link to="/" className="back">
        ‹ All that waits
      </Link>
      {item.kind === 'question' ? (
        <QuestionView question={item.question} />
      ) : (
        <>
          <ApprovalView approval={item.approval} />
          {item.may_decide ? (
            <div className="buttons sticky">
              <button type="button" onClick={() => onDelegate(item.approval)}>
                Delegate …
              </button>
              <button type="button" onClick={() => onDecide('deny', [item.approval])}>
                Deny …
              </button>
              <button
                type="button"
                className="approve"
                onClick={() => onDecide('approve', [item.approval])}
              >
                Approve once …
              </button>
            </div>
          ) : (
            <p className="note">You may see this request, but another person decides it.</p>
          )}
        </>
      )}
    </>
  )
}
