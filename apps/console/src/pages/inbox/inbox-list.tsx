import { requesterText } from '@surehand/core/host'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useRef } from 'react'
import { sessionQuery } from '../../api/queries.ts'
import type { Approval, InboxItem } from '../../api/types.ts'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

export function idOf(item: InboxItem): string {
  return item.kind === 'approval' ? item.approval.id : item.question.id
}

type InboxListProps = {
  readonly items: readonly InboxItem[]
  /** The place of the selected item; -1 where none is selected. */
  readonly selected: number
  readonly marked: ReadonlySet<string>
  readonly onMark: (id: string) => void
  /** Called when the end of the list comes into view. */
  readonly onEnd: (() => void) | undefined
}

const ROW_HEIGHT = 74

/** What waits, what expires first at the top; only the rows in view are in the page. */
export function InboxList(props: InboxListProps): ReactNode {
  const { items, selected, marked, onMark, onEnd } = props
  const me = useQuery(sessionQuery).data?.principal
  const frame = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    getItemKey: (index) => (items[index] === undefined ? index : idOf(items[index])),
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= items.length - 1) onEnd?.()
  }, [last, items.length, onEnd])
  useEffect(() => {
    if (selected >= 0) virtual.scrollToIndex(selected, { align: 'auto' })
  }, [selected, virtual])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls, also by keyboard
    <section className="inbox-frame" ref={frame} tabIndex={0} aria-label="Requests">
      <ul className="inbox" style={{ height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const item = items[index]
          return item === undefined ? null : (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={items.length}
              aria-posinset={index + 1}
              aria-current={index === selected ? 'true' : undefined}
              style={{ transform: `translateY(${start}px)` }}
            >
              <Row item={item} me={me} isMarked={marked.has(idOf(item))} onMark={onMark} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type RowProps = {
  readonly item: InboxItem
  /** Who is signed in. */
  readonly me: string | undefined
  readonly isMarked: boolean
  readonly onMark: (id: string) => void
}

function Row({ item, me, isMarked, onMark }: RowProps): ReactNode {
  const id = idOf(item)
  const request = item.kind === 'approval' ? item.approval : item.question
  const { asks, tool, expires_at } = request
  return (
    <>
      {item.kind === 'approval' && item.may_decide ? (
        <input
          type="checkbox"
          aria-label={`Mark: ${asks.slice(0, 80)}`}
          checked={isMarked}
          onChange={() => onMark(id)}
        />
      ) : (
        <span />
      )}
      <Link to="/" search={{ item: id }}>
        <strong>
          <UntrustedText form="spelled">{asks.split('\n')[0] ?? ''}</UntrustedText>
        </strong>
        <span className="quiet">
          <span className="tag">{item.kind === 'approval' ? 'Approval' : 'Question'}</span>
          {item.kind === 'approval' ? <Tags approval={item.approval} me={me} /> : null}{' '}
          <UntrustedText form="spelled">{requesterText(request)}</UntrustedText>,{' '}
          <code>{tool}</code>, expires <Time at={expires_at} />
        </span>
      </Link>
    </>
  )
}

type TagsProps = { readonly approval: Approval; readonly me: string | undefined }

function Tags({ approval: { reversible, delegation }, me }: TagsProps): ReactNode {
  return (
    <>
      {reversible ? null : <span className="tag bad">cannot be undone</span>}
      {delegation === undefined ? null : (
        <span className={delegation.to === me ? 'tag good' : 'tag'}>
          {delegation.to === me ? (
            'delegated to you'
          ) : (
            <UntrustedText>{`delegated to ${delegation.to}`}</UntrustedText>
          )}
        </span>
      )}
    </>
  )
}
