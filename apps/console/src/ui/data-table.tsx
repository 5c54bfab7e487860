import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react'

export type Column<Row> = {
  readonly name: string
  readonly cell: (row: Row) => ReactNode
  /** Its width as a part of the grid, as in `2fr` or `8rem`. */
  readonly width: string
}

type DataTableProps<Row> = {
  readonly label: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  readonly keyOf: (row: Row) => string
  /** Called when the end of the rows comes into view. */
  readonly onEnd?: (() => void) | undefined
}

const ROW_HEIGHT = 44

/**
 * A table of any number of rows, of which only those in view are in the page. The server sorts and
 * filters. On a phone a row becomes a card, by the style alone.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, rows, columns, keyOf, onEnd } = props
  const frame = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    getItemKey: (index) => keyAt(rows, index, keyOf),
  })
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 1) onEnd?.()
  }, [last, rows.length, onEnd])
  // A variable, so that the style for phones may lay the cells out below each other.
  const grid = { '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the frame scrolls, also by keyboard
    <section className="table-frame" ref={frame} tabIndex={0} aria-label={label}>
      <table className="table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr style={grid}>
            {columns.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ index, key, start }) => {
            const row = rows[index]
            return row === undefined ? null : (
              <tr
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                aria-rowindex={index + 2}
                style={{ ...grid, transform: `translateY(${start}px)` }}
              >
                {columns.map(({ name, cell }) => (
                  <td key={name} data-name={name}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}

function keyAt<Row>(rows: readonly Row[], index: number, keyOf: (row: Row) => string): string {
  const row = rows[index]
  return row === undefined ? String(index) : keyOf(row)
}
