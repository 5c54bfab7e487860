import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ERRORS } from '@surehand/core/host'
import type { AuditRecord } from '@surehand/core/ports'
import { type Line, one, readLine, wordsNamed } from '../arguments.ts'
import type { CommandContext } from '../command.ts'
import { printJson, printLines } from '../print.ts'
import { safeLine } from '../safe-text.ts'
import { formatTable } from '../table.ts'
import { screenWidth } from '../terminal.ts'
import { unknownAction } from '../unknown-action.ts'
import { UsageError } from '../usage-error.ts'
import { valueText } from '../value-text.ts'
import { wholeNumber } from '../whole-number.ts'

const HELP_COMMAND = 'surehand help audit'
const MOST = 1_000

export async function audit(context: CommandContext): Promise<number> {
  const line = readLine(context.line, context.command.flags, HELP_COMMAND)
  const [action = 'list', ...words] = line.words
  switch (action) {
    case 'list':
      wordsNamed(words, [], HELP_COMMAND)
      return list(line, context)
    case 'export': {
      const [file = ''] = wordsNamed(words, ['FILE'], HELP_COMMAND)
      return exportAudit(file, context)
    }
    case 'verify':
      return verify(words, context)
    default:
      throw unknownAction('audit', action, ['list', 'export', 'verify'])
  }
}

function list({ flags }: Line, { terminal, format, withBackend }: CommandContext): Promise<number> {
  const limit = wholeNumber('limit', one(flags, 'limit') ?? '100', {
    most: MOST,
    suggestion: HELP_COMMAND,
  })
  const tool = one(flags, 'tool')
  const callId = one(flags, 'call')
  const principal = one(flags, 'principal')
  const since = parseTime('since', one(flags, 'since')) ?? Number.NEGATIVE_INFINITY
  const until = parseTime('until', one(flags, 'until')) ?? Number.POSITIVE_INFINITY
  const isNarrowed = principal !== undefined || flags.has('since') || flags.has('until')
  return withBackend(async (backend) => {
    const asked = {
      limit: isNarrowed ? MOST : limit,
      ...(tool === undefined ? {} : { tool }),
      ...(callId === undefined ? {} : { callId }),
    }
    const records = await backend.audit(asked)
    const fitting = records.filter(
      (record) =>
        (principal === undefined || record.principal === principal) &&
        record.created_at >= since &&
        record.created_at < until,
    )
    const shown = fitting.slice(-limit)
    // the store finds by tool and call alone: the rest was looked for in its newest records only
    if (isNarrowed && records.length === MOST && oldestOf(records) > since)
      terminal.stderr.write(
        `Only the newest ${MOST} records were looked through; "surehand audit export" has all of them.\n`,
      )
    if (format === 'json') printJson(terminal, shown)
    else printLines(terminal, recordLines(shown, screenWidth(terminal.stdout)))
    return 0
  })
}

function oldestOf(records: readonly AuditRecord[]): number {
  return Math.min(...records.map((record) => record.created_at))
}

function recordLines(records: readonly AuditRecord[], width: number): readonly string[] {
  if (records.length === 0) return ['No records.']
  const rows = records.map((record) => [
    new Date(record.created_at).toISOString(),
    record.principal,
    record.surface,
    record.tool_name,
    record.phase,
    record.code === '' ? record.outcome : record.code,
    record.call_id,
  ])
  return [formatTable(['TIME', 'WHO', 'BY', 'TOOL', 'PHASE', 'OUTCOME', 'CALL'], rows, width)]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const RFC3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:\d{2})$/

function parseTime(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = DAY.test(text) || RFC3339.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new UsageError(
    `--${name} is a day (2026-11-15) or a time with its zone (2026-11-15T08:00:00Z), not "${text}".`,
    HELP_COMMAND,
  )
}

async function exportAudit(
  file: string,
  { terminal, withBackend }: CommandContext,
): Promise<number> {
  return withBackend(async (backend) => {
    const lines = await backend.exportAudit()
    // the audit is not for everybody on this machine
    const target = file === '-' ? terminal.stdout : createWriteStream(file, { mode: 0o600 })
    await pipeline(Readable.from(withLineEnds(lines)), target, { end: file !== '-' })
    if (file !== '-')
      terminal.stderr.write(
        `Written to ${safeLine(file)}. Verify it anywhere: surehand audit verify ${safeLine(file)}\n`,
      )
    return 0
  })
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

async function verify(words: readonly string[], context: CommandContext): Promise<number> {
  const [file] = words.length === 0 ? [] : wordsNamed(words, ['FILE'], HELP_COMMAND)
  const verdict =
    file === undefined
      ? await context.withBackend((backend) => backend.verifyAudit())
      : await verifyFile(file, context)
  if (context.format === 'json') printJson(context.terminal, verdict)
  else printLines(context.terminal, [valueText(verdict, screenWidth(context.terminal.stdout))])
  return isIntact(verdict) ? 0 : ERRORS.TOOL_DATA_CORRUPTION.exit
}

function verifyFile(file: string, { options: { verifyExport } }: CommandContext): Promise<unknown> {
  if (verifyExport === undefined)
    throw new UsageError(
      'This program was built without a way to verify files.',
      'surehand audit verify',
    )
  return verifyExport(file)
}

// anything but a plain "intact" is no good news
function isIntact(verdict: unknown): boolean {
  return (
    typeof verdict === 'object' &&
    verdict !== null &&
    'kind' in verdict &&
    verdict.kind === 'intact'
  )
}
