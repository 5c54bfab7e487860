import { styleText } from 'node:util'
import { type Outcome, toEnvelope } from '@surehand/core'

/** What the tour prints: headings, sentences, calls and tables. */
export type Screen = {
  readonly heading: (text: string) => void
  readonly say: (text: string) => void
  readonly call: (what: string, outcome: Outcome) => void
  readonly table: (rows: readonly (readonly string[])[]) => void
}

export function createScreen(write: (line: string) => void): Screen {
  let scene = 0
  return {
    heading(text) {
      write('')
      write(styleText('bold', `${++scene}. ${text}`))
    },
    say: (text) => write(`   ${text}`),
    call(what, outcome) {
      write(`   ${styleText('cyan', what)}`)
      write(`   ${statusSymbol(outcome)} ${summarize(outcome)}`)
    },
    table(rows) {
      const widths = (rows[0] ?? []).map((_, column) =>
        Math.max(...rows.map((row) => row[column]?.length ?? 0)),
      )
      rows.forEach((row, index) => {
        const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')
        write(`   ${index === 0 ? styleText('dim', line) : line}`)
      })
    },
  }
}

function statusSymbol(outcome: Outcome): string {
  switch (outcome.status) {
    case 'done':
      return styleText('green', outcome.degraded ? '~' : '✓')
    case 'accepted':
    case 'pending':
    case 'asking':
      return styleText('yellow', '…')
    case 'failed':
      return styleText('red', '✗')
  }
}

function summarize(outcome: Outcome): string {
  const { metadata, data, error } = toEnvelope(outcome)
  if (error !== undefined)
    return `${error.code}: ${error.message}${suggestion(error.recovery_suggestions)}`
  return `${JSON.stringify(data)}  ${styleText('dim', `${metadata.source ?? ''}${metadata.warnings === undefined ? '' : `; ${metadata.warnings.join(' ')}`}`)}`
}

function suggestion(suggestions: readonly string[] | undefined): string {
  return suggestions?.[0] === undefined ? '' : `\n     ${styleText('dim', `→ ${suggestions[0]}`)}`
}
