import { ERRORS, type ErrorRow } from '@surehand/core/host'
import { lines, type SitePage, table } from './tool-pages.ts'

const GROUPS: Readonly<Record<number, string>> = {
  10: 'The input',
  11: 'Permissions, limits and approvals',
  12: 'The call',
  13: 'Data',
  14: 'Other services',
  15: 'The installation',
}

/** The error table with what to do, as a page. */
export function renderErrors(): SitePage {
  const rows: (readonly [string, ErrorRow])[] = Object.entries(ERRORS)
  const groups = Map.groupBy(rows, ([, { number }]) => Math.floor(number / 100))
  const text = lines(
    '# Error codes',
    'Every failure has one of these codes, on every surface. This page says what each means to a program, to a shell and to a person. `error.message` says what happened and `recovery_info` what to do; the text of an exception is never sent, it is in the log under the call id.',
    'A call may be sent again by a program only where the table says so. A repeated write must carry the same idempotency key: what was done under it is answered again and not done twice.',
    ...[...groups].flatMap(([hundred, members]) => [
      `## ${GROUPS[hundred] ?? 'Others'}`,
      table(
        ['code', 'number', 'HTTP', 'exit code', 'send again'],
        members.map(([code, { number, http, exit, retryable }]) => [
          `[${code}](#${code.toLowerCase()})`,
          String(number),
          String(http),
          String(exit),
          retryable ? 'yes' : 'no',
        ]),
      ),
      ...members.map(([code, row]) => renderCode(code, row)),
    ]),
  )
  return { path: 'errors.md', title: 'Error codes', text }
}

function renderCode(code: string, { strategies, actions, status }: ErrorRow): string {
  const kind =
    status === 'failed' ? 'Understood, and refused.' : 'Something that should have worked did not.'
  return lines(
    `### ${code}`,
    kind,
    [
      ...actions.map(
        ({ description, command_example }) =>
          `- ${description}${command_example === undefined ? '' : ` Command: \`${command_example}\``}`,
      ),
      ...strategies.map(
        ({ description, automatic, side_effects }) =>
          `- A program ${automatic ? 'may do this by itself' : 'does this only if it was told to'}: ${description}${side_effects.length === 0 ? '' : ` This causes ${side_effects.join(', ')}.`}`,
      ),
    ].join('\n'),
  )
}
