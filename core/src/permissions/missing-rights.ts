import type { ToolErrorCode } from '../call/errors.ts'
import type { Asked } from './attributes.ts'
import { mayUse } from './may-use.ts'
import { obstaclesOf } from './obstacles.ts'
import type { PermissionScheme } from './permissions.ts'

export type MissingRights = {
  readonly code: ToolErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly suggestions: readonly string[]
}

/** What stands between this caller and this tool at this moment, or nothing. */
export function missingRights(asked: Asked, scheme: PermissionScheme): MissingRights | undefined {
  return mayUse(asked, scheme) ? undefined : refusal(asked, scheme)
}

// the first obstacle gives the code; others of that code are told with it, so that one round of asking is enough
function refusal(asked: Asked, scheme: PermissionScheme): MissingRights {
  const obstacles = obstaclesOf(asked, scheme)
  const [first] = obstacles
  if (first === undefined) return unexplained(asked)
  const alike = obstacles.filter(({ code }) => code === first.code)
  const names = [...new Set(alike.map(({ missing }) => missing.name))]
  return {
    code: first.code,
    message: alike.map(({ missing }) => missing.explanation).join(' '),
    details:
      first.code === 'TOOL_CAPABILITY_MISSING'
        ? { missing_capabilities: names, ...first.details }
        : first.details,
    suggestions: [...new Set(alike.map(({ missing }) => missing.granted_by))],
  }
}

// should the short and the long answer ever differ, the no stands
function unexplained({ tool, caller }: Asked): MissingRights {
  return {
    code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    message: `${tool.id} may not be used by ${caller.principal}.`,
    details: { tool: tool.id },
    suggestions: ['Ask an administrator.'],
  }
}
