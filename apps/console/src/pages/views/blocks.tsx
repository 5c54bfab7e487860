import type { ViewBlock, ViewCell } from '@surehand/core/host'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { serverUrl } from '../../mount.ts'
import { DateTime } from '../../ui/time.tsx'
import { UntrustedText } from '../../ui/untrusted-text.tsx'
import { ValueView } from '../../ui/value-view.tsx'
import { PlaceMap } from './place-map.tsx'

type BlockOf<Kind extends ViewBlock['kind']> = ViewBlock & { readonly kind: Kind }

type BlocksProps = { readonly pack: string; readonly blocks: readonly ViewBlock[] }

/** The blocks of a view. All their texts may come from outside. */
export function Blocks({ pack, blocks }: BlocksProps): ReactNode {
  return blocks.map((block, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have an order and no names
    <Block key={place} pack={pack} block={block} />
  ))
}

function Block({ pack, block }: { readonly pack: string; readonly block: ViewBlock }): ReactNode {
  switch (block.kind) {
    case 'text':
      return (
        <p className={`note ${block.tone ?? ''}`}>
          <UntrustedText>{block.text}</UntrustedText>
        </p>
      )
    case 'values':
      return (
        <Titled title={block.title}>
          <ValueView value={block.value} />
        </Titled>
      )
    case 'table':
      return <Table pack={pack} block={block} />
    case 'timeline':
      return <Timeline block={block} />
    case 'map':
      return (
        <Titled title={block.title}>
          {block.places.length === 0 ? (
            <Nothing text={block.empty} />
          ) : (
            <PlaceMap places={block.places} />
          )}
        </Titled>
      )
    case 'image':
      return <Picture block={block} />
  }
}

function Titled(props: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className="block">
      <h2>
        <UntrustedText>{props.title}</UntrustedText>
      </h2>
      {props.children}
    </section>
  )
}

function Nothing({ text }: { readonly text: string }): ReactNode {
  return (
    <p className="quiet">
      <UntrustedText>{text}</UntrustedText>
    </p>
  )
}

type TableProps = { readonly pack: string; readonly block: BlockOf<'table'> }

function Table({ pack, block: { title, columns, rows, empty } }: TableProps): ReactNode {
  const isNamed = columns.some((name) => name !== '')
  return (
    <Titled title={title}>
      {rows.length === 0 ? (
        <Nothing text={empty} />
      ) : (
        <div className="scrolled">
          <table className="plain-table">
            {isNamed ? (
              <thead>
                <tr>
                  {columns.map((name) => (
                    <th key={name} scope="col">
                      <UntrustedText>{name}</UntrustedText>
                    </th>
                  ))}
                </tr>
              </thead>
            ) : null}
            <tbody>
              {rows.map((row, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have an order and no names
                <tr key={place}>
                  {row.map((cell, column) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells have an order and no names
                    <td key={column} data-name={columns[column]}>
                      <Cell pack={pack} cell={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Titled>
  )
}

function Cell({ pack, cell }: { readonly pack: string; readonly cell: ViewCell }): ReactNode {
  if (typeof cell === 'string') return <When at={cell} />
  const text = <UntrustedText>{cell.text}</UntrustedText>
  if (cell.question !== undefined)
    return (
      <a className="button" href={serverUrl(`questions/${encodeURIComponent(cell.question)}`)}>
        {text}
      </a>
    )
  if (cell.view !== undefined)
    return (
      <Link to="/views/$pack/$name" params={{ pack, name: cell.view }} search={{ ...cell.fields }}>
        {text}
      </Link>
    )
  return cell.tone === undefined ? text : <span className={`tag ${cell.tone}`}>{text}</span>
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/** An instant in the reader's own time; other texts as they are. */
function When({ at }: { readonly at: string }): ReactNode {
  return INSTANT.test(at) && !Number.isNaN(Date.parse(at)) ? (
    <DateTime at={at} />
  ) : (
    <UntrustedText>{at}</UntrustedText>
  )
}

function Timeline({ block }: { readonly block: BlockOf<'timeline'> }): ReactNode {
  const { title, entries, empty } = block
  return (
    <Titled title={title}>
      {entries.length === 0 ? (
        <Nothing text={empty} />
      ) : (
        <ol className="timeline">
          {entries.map(({ at, title: what, text, tone, side }, place) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have an order and no names
              key={place}
              className={[side ?? 'middle', tone ?? ''].join(' ')}
            >
              <strong>
                <UntrustedText>{what}</UntrustedText>
              </strong>
              {text === undefined ? null : (
                <p>
                  <UntrustedText>{text}</UntrustedText>
                </p>
              )}
              <span className="quiet">
                <When at={at} />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Titled>
  )
}

// Pictures are read from this server, by the path at which packs keep them; the address of any other
// is shown and not loaded.
function Picture({ block }: { readonly block: BlockOf<'image'> }): ReactNode {
  const { source, description } = block
  const path = PICTURE.exec(source)?.[1]
  if (path === undefined)
    return (
      <p className="note warn">
        <UntrustedText>{`${description}: ${source}`}</UntrustedText>
      </p>
    )
  return <img className="poster" src={serverUrl(path)} alt={description} />
}

const PICTURE = /^https?:\/\/[^/?#]+\/(artifacts\/[A-Za-z0-9._/-]+)$/
