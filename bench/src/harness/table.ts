export type Table = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** The columns that are aligned to the right. */
  readonly right: readonly number[]
}

/** Columns separated by spaces, for a terminal. */
export function textTable({ head, rows, right }: Table): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        right.includes(column)
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  )
}

export function markdownTable({ head, rows, right }: Table): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    line(head),
    `|${head.map((_, column) => (right.includes(column) ? '---:' : '---')).join('|')}|`,
    ...rows.map(line),
  ].join('\n')
}
