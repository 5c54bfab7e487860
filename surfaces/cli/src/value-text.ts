import { safeLine, safeText } from './safe-text.ts'
import { formatTable } from './table.ts'

const INDENT = '  '

/**
 * A tool's answer for a person: lists of flat objects as tables, the rest as indented names and
 * values.
 */
export function valueText(value: unknown, width: number): string {
  return lines(value, width).join('\n')
}

function lines(value: unknown, width: number): readonly string[] {
  if (Array.isArray(value)) return listLines(value, width)
  if (typeof value !== 'object' || value === null) return scalar(value).split('\n')
  // As in JSON, a member without a value is not there.
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  if (members.length === 0) return ['(empty)']
  return members.flatMap(([name, member]) => memberLines(safeLine(name), member, width))
}

function memberLines(name: string, member: unknown, width: number): readonly string[] {
  const inner = lines(member, width - INDENT.length)
  const isShort =
    inner.length === 1 && (typeof member !== 'object' || member === null || isEmpty(member))
  return isShort ? [`${name}: ${inner[0]}`] : [`${name}:`, ...inner.map((line) => INDENT + line)]
}

function listLines(items: readonly unknown[], width: number): readonly string[] {
  if (items.length === 0) return ['(none)']
  const headings = commonHeadings(items)
  if (headings !== undefined) {
    const rows = items.map((item) =>
      headings.map((name) => (item as Readonly<Record<string, unknown>>)[name]),
    )
    return formatTable(headings, rows, width).split('\n')
  }
  return items.flatMap((item) =>
    lines(item, width - INDENT.length).map((line, index) =>
      index === 0 ? `- ${line}` : INDENT + line,
    ),
  )
}

// A table needs flat objects only; each name that occurs becomes a column.
function commonHeadings(items: readonly unknown[]): readonly string[] | undefined {
  const names = new Set<string>()
  for (const item of items) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined
    for (const [name, member] of Object.entries(item)) {
      if (typeof member === 'object' && member !== null) return undefined
      names.add(name)
    }
  }
  return names.size === 0 ? undefined : [...names]
}

function scalar(value: unknown): string {
  return value === '' ? '(empty)' : safeText(value)
}

function isEmpty(value: object): boolean {
  return Object.keys(value).length === 0
}
