import { visibleText } from '@surehand/core/host'
import type { ImportNeed, ImportReport } from '@surehand/imports'

const MOST_REASONS = 12
// More than a model should carry in every conversation.
const MANY_TOKENS = 20_000

export type ReportContext = {
  /** Ids of the credentials that the tenant has. */
  readonly credentials: ReadonlySet<string>
}

/** What an import gave, for a person: taken, left out and why, what is missing, what to do next. */
export function formatReport(report: ImportReport, { credentials }: ReportContext): string {
  const { operations, taken, leftOut, losses, tokens, needs = [] } = report
  const missing = needs.filter((need) => !isMet(need, credentials))
  return [
    `${count(operations, 'operation')}: ${count(taken.length, 'tool')}, ${leftOut.length} left out.`,
    ...reasonLines(leftOut),
    ...(losses.length === 0
      ? []
      : [
          `  ${count(losses.length, 'detail')} of its schemas could not be represented exactly; the HTTP API lists them.`,
        ]),
    ...(missing.length === 0 ? [] : ['Before the tools can be called:']),
    ...missing.flatMap(needLines),
    ...(tokens < MANY_TOKENS
      ? []
      : [
          `All of them are about ${tokens.toLocaleString('en-US')} tokens. Let models search instead of reading the list: surehand mcp --compact, or the setting mcpMode "compact".`,
        ]),
    ...(taken.length === 0
      ? [NOTHING]
      : [`Next: surehand search WORDS, then surehand show ${visibleText(taken[0] ?? '')}.`]),
    '',
  ].join('\n')
}

const NOTHING =
  'No operation became a tool. See the names with --list, then choose with --allow: names, "tag:…", "prefix:…", "method:get", "search:…", "reads" or "all".'

function reasonLines(leftOut: ImportReport['leftOut']): readonly string[] {
  const reasons = [...Map.groupBy(leftOut, ({ reason }) => reason)].sort(
    ([, left], [, right]) => right.length - left.length,
  )
  const shown = reasons.slice(0, MOST_REASONS).map(([reason, group]) => {
    const example = visibleText(group[0]?.operation ?? '')
    return `  ${String(group.length).padStart(6)}  ${visibleText(reason)} (${example}${group.length > 1 ? ', …' : ''})`
  })
  const further = reasons.length - MOST_REASONS
  return further > 0 ? [...shown, `          … and ${count(further, 'further reason')}`] : shown
}

function isMet(need: ImportNeed, credentials: ReadonlySet<string>): boolean {
  return (
    need.kind === 'credential' &&
    need.alternatives.some((one) => one.credentials.every((id) => credentials.has(id)))
  )
}

function needLines(need: ImportNeed): readonly string[] {
  if (need.kind === 'server')
    return [`  ${count(need.tools, 'tool')}: ${visibleText(need.problem)}. ${need.fix}.`]
  const commands = need.alternatives.map((one) => visibleText(one.commands.join(' && ')))
  return [
    `  ${count(need.tools, 'tool')}: a credential${commands.length > 1 ? ', one of these' : ''}. Its secret is read from stdin.`,
    ...commands.slice(0, 3).map((command) => `    ${command}`),
  ]
}

function count(number: number, what: string): string {
  return `${number.toLocaleString('en-US')} ${what}${number === 1 ? '' : 's'}`
}

/** Why an import is refused whose list of operations has names that match nothing. */
export function describeUnmatched(unmatched: readonly string[]): string {
  const names = unmatched.slice(0, 5).map((name) => `"${visibleText(name)}"`)
  const more = unmatched.length > names.length ? ` and ${unmatched.length - names.length} more` : ''
  return `No operation matches ${names.join(', ')}${more}. Nothing was imported; see the names with --list.`
}
