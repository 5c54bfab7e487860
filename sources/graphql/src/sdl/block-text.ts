/** A block string as it is meant: without the indentation its lines share, and without blank lines around it. */
export function blockText(raw: string): string {
  const lines = raw.split(/\r\n|[\n\r]/)
  const indents = lines.slice(1).flatMap((line) => {
    const indent = indentOf(line)
    return indent === line.length ? [] : [indent]
  })
  const shared = indents.reduce(
    (least, indent) => Math.min(least, indent),
    Number.POSITIVE_INFINITY,
  )
  const cut = lines.map((line, index) =>
    index === 0 || shared === Number.POSITIVE_INFINITY ? line : line.slice(shared),
  )
  const first = cut.findIndex((line) => !isBlank(line))
  if (first < 0) return ''
  return cut.slice(first, cut.findLastIndex((line) => !isBlank(line)) + 1).join('\n')
}

function indentOf(line: string): number {
  let indent = 0
  while (line[indent] === ' ' || line[indent] === '\t') indent++
  return indent
}

function isBlank(line: string): boolean {
  return indentOf(line) === line.length
}
