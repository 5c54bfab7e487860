import { Buffer } from 'node:buffer'
import type { FactChange } from '../call/approval.ts'
import { canonicalJson, isRecord, sha256 } from '../call/canonical.ts'
import { ToolError } from '../call/tool-error.ts'
import { visibleJson } from '../define/visible.ts'

/** What an approver is shown beside the input, as it was read from the ports. */
export type Facts = {
  readonly value: unknown
  /** The same with invisible characters spelled out. */
  readonly visible: unknown
  readonly hash: string
}

/** Ends every error about facts, which otherwise reads like a failure of the effect. */
export const NOTHING_DONE = 'Nothing has been done.'

// A person must be able to read it all before deciding, and it is stored with every request.
const MOST_FACTS_BYTES = 64 * 1024

/** Makes the facts that a tool has read comparable and safe to show. */
export function toFacts(toolId: string, read: unknown): Facts {
  const text = writeFacts(toolId, read ?? null)
  const bytes = Buffer.byteLength(text)
  if (bytes > MOST_FACTS_BYTES)
    throw configurationError(
      `The facts for the approval of ${toolId} are ${bytes} bytes long, and at most ${MOST_FACTS_BYTES} can be shown.`,
    )
  // In the tool's own order, which is the order to read it in.
  const value: unknown = JSON.parse(JSON.stringify(read ?? null))
  return { value, visible: visibleJson(value), hash: sha256(text) }
}

function writeFacts(toolId: string, read: unknown): string {
  try {
    return canonicalJson(read)
  } catch (cause) {
    throw configurationError(`The facts for the approval of ${toolId} are not JSON.`, cause)
  }
}

function configurationError(problem: string, cause?: unknown): ToolError {
  return new ToolError('TOOL_CONFIGURATION_ERROR', `${problem} ${NOTHING_DONE}`, {
    effect: 'none',
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Every value that differs, with its path; items of a list are compared by their position. */
export function listChanges(before: unknown, after: unknown, path = ''): readonly FactChange[] {
  if (Array.isArray(before) && Array.isArray(after))
    return Array.from({ length: Math.max(before.length, after.length) }, (_, index) =>
      listChanges(before[index], after[index], `${path}[${index}]`),
    ).flat()
  if (isRecord(before) && isRecord(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      listChanges(
        ownMember(before, name),
        ownMember(after, name),
        path === '' ? name : `${path}.${name}`,
      ),
    )
  return isSame(before, after)
    ? []
    : [
        {
          path,
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        },
      ]
}

// A name such as `constructor` must not find what every object inherits.
function ownMember(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function isSame(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return before === after
  return canonicalJson(before) === canonicalJson(after)
}
