import { requesterText } from '@surehand/core/host'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import type { InboxItem } from '../../api/types.ts'
import { Time } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'

export function idOf(item: InboxItem): string {
  return item.kind === 'approval' ? item.approval.id : item.question.id
}

type InboxListProps = {
  readonly items: readonly InboxItem[]
  readonly selected: InboxItem | undefined
  readonly marked: ReadonlySet<string>
  readonly onMark: (id: string) => void
}

/** What waits, as far as it was loaded: what expires first at the top. */
export function InboxList({ items, selected, marked, onMark }: InboxListProps): ReactNode {
  return (
    <ul className="inbox">
      {items.map((item) => (
        <Row
          key={idOf(item)}
          item={item}
          isSelected={item === selected}
          isMarked={marked.has(idOf(item))}
          onMark={onMark}
        />
      ))}
    </ul>
  )
}

type RowProps = {
  readonly item: InboxItem
  readonly isSelected: boolean
  readonly isMarked: boolean
  readonly onMark: (id: string) => void
}

function Row({ item, isSelected, isMarked, onMark }: RowProps): ReactNode {
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isSelected) link.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const id = idOf(item)
  const request = item.kind === 'approval' ? item.approval : item.question
  const { asks, tool, expires_at } = request
  return (
    <li aria-current={isSelected ? 'true' : undefined}>
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
      <Link ref={link} to="/" search={{ item: id }}>
        <strong>
          <UntrustedText form="spelled">{asks.split('\n')[0] ?? ''}</UntrustedText>
        </strong>
        <span className="quiet">
          <span className="tag">{item.kind === 'approval' ? 'Approval' : 'Question'}</span>
          {item.kind === 'approval' && !item.approval.reversible ? (
            <span className="tag bad">cannot be undone</span>
          ) : null}{' '}
          <UntrustedText form="spelled">{requesterText(request)}</UntrustedText>,{' '}
          <code>{tool}</code>, expires <Time at={expires_at} />
        </span>
      </Link>
    </li>
  )
}
