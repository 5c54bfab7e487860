import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Contract } from '../define/contract.ts'
import { defineTool } from '../define/tool.ts'
import { permissionScheme } from '../permissions/permission-scheme.ts'
import type { AuditRecord } from '../ports/audit.ts'
import { definitionHash } from './describe.ts'
import { createWhatIf, type ProposedChange } from './what-if.ts'

function noteTool(id: string, contract: Partial<Contract<unknown, null, unknown>> = {}) {
  return defineTool({
    id,
    title: 'A note',
    category: 'custom',
    description: 'A note.',
    input: z.object({ text: z.string() }),
    output: z.null(),
    contract: { effect: 'read', retries: 0, ...contract } as Contract<unknown, null, unknown>,
    examples: [{ name: 'one', input: { text: 'x' } }],
    execute: async () => null,
  })
}

const TOOLS = [
  noteTool('note.read'),
  noteTool('note.sometimes', {
    approval: { kind: 'confirm', asks: () => 'Sure?', when: () => false },
  }),
  noteTool('note.retried', { retries: 2 }),
  noteTool('note.admin', { permissions: { roles: ['admin'] } }),
  noteTool('note.own', {
    permissions: { when: { attribute: 'input.text', op: 'eq', value: 'x' } },
  }),
]

let serial = 0
function recordOf(tool: string, more: Partial<AuditRecord> = {}): AuditRecord {
  const found = TOOLS.find(({ id }) => id === tool)
  return {
    ...{ id: 'aud', phase: 'outcome', call_id: `call_${serial++}`, request_id: '', tenant: 't' },
    ...{ principal: 'ann', actor: 'user', surface: 'http', tool_name: tool, tool_version: '1' },
    definition_hash: found === undefined ? '' : definitionHash(found),
    ...{ input_hash: '', output_hash: '', success: true, outcome: 'done', code: '', error: '' },
    ...{ duration_ms: 10, source: 'executed', created_at: 1_000_000 },
    ...more,
  } as AuditRecord
}

const ann = (roles: readonly string[]) => ({
  ...{ tenant: 't', principal: 'ann', roles, capabilities: [], session: 's' },
})

function judge(change: Partial<ProposedChange>, ...records: readonly AuditRecord[]) {
  const whatIf = createWhatIf(
    { before: undefined, after: undefined, principals: new Map(), ...change },
    { find: (name) => TOOLS.find(({ id }) => id === name), scheme: permissionScheme([]) },
  )
  return records.map((record) => whatIf(record).verdict)
}

describe('a policy that is not in force yet', () => {
  test('refuses what it switches off, and not what was refused anyway', () => {
    const after = { version: 0, disabledTools: ['note.r*'] }
    const refused = recordOf('note.read', { outcome: 'failed', code: 'TOOL_INVALID_INPUT' })
    expect(judge({ after }, recordOf('note.read'), refused, recordOf('note.admin'))).toEqual([
      'refused',
      'unchanged',
      'unchanged',
    ])
  })

  test('allows what is switched off today', () => {
    const before = { version: 1, disabledTools: ['note.read'] }
    const record = recordOf('note.read', { outcome: 'failed', code: 'TOOL_TEMPORARILY_DISABLED' })
    expect(judge({ before }, record)).toEqual(['allowed'])
  })

  test('asks for every input of a tool that asks for some, and once', () => {
    const policy = { version: 0, approvals: [{ tools: 'note.*', kind: 'admin' as const }] }
    const asked = recordOf('note.sometimes', { outcome: 'pending' })
    const records = [recordOf('note.read'), recordOf('note.sometimes'), asked]
    expect(judge({ after: policy }, ...records)).toEqual(['asked', 'asked', 'unchanged'])
    // the other way round the input decides, and it is not kept
    expect(judge({ before: policy }, ...records)).toEqual(['not_asked', 'unknown', 'unknown'])
  })

  test('limits calls in a sliding window, and takes nothing for those from the cache', () => {
    const after = { version: 0, limits: [{ tools: '*', calls: 2, windowMs: 1_000 }] }
    const at = (ms: number, more = {}) => recordOf('note.read', { created_at: 5_000 + ms, ...more })
    expect(
      judge(
        { after },
        at(0),
        at(1, { source: 'cached' }),
        at(500),
        at(900),
        // the first one has left the window; the refused one was never in it
        at(1_001),
        at(1_100),
      ),
    ).toEqual(['unchanged', 'unchanged', 'unchanged', 'limited', 'unchanged', 'limited'])
    // a limit that holds already changes nothing
    expect(judge({ before: after, after }, at(0), at(1), at(2))).toEqual(Array(3).fill('unchanged'))
  })

  test('cannot say which limit a refused call was over', () => {
    const before = { version: 1, limits: [{ tools: '*', calls: 2, windowMs: 1_000 }] }
    const record = recordOf('note.read', { code: 'TOOL_RATE_LIMIT_EXCEEDED' })
    expect(judge({ before }, record)).toEqual(['unknown'])
  })

  test('cuts calls that took longer, and cannot judge several attempts', () => {
    const after = { version: 0, timeouts: [{ tools: '*', maxMs: 50 }] }
    const slow = { duration_ms: 80 }
    const records = [recordOf('note.read'), recordOf('note.read', slow)]
    expect(judge({ after }, ...records, recordOf('note.retried', slow))).toEqual([
      'unchanged',
      'timed_out',
      'unknown',
    ])
  })

  test('cannot be judged for a tool that no longer exists', () => {
    expect(judge({}, recordOf('gone.tool'))).toEqual(['unknown'])
    expect(judge({}, recordOf('never.was', { code: 'TOOL_NOT_FOUND' }))).toEqual(['unchanged'])
  })
})

describe('a principal with other rights', () => {
  const change = (before: readonly string[], after: readonly string[] | undefined) => ({
    principals: new Map([
      ['ann', { before: ann(before), after: after === undefined ? undefined : ann(after) }],
    ]),
  })

  test('is refused what it lacks, and others are not', () => {
    const other = recordOf('note.admin', { principal: 'bob' })
    expect(
      judge(change(['admin'], ['user']), recordOf('note.admin'), recordOf('note.read'), other),
    ).toEqual(['refused', 'unchanged', 'unchanged'])
    expect(judge(change(['admin'], undefined), recordOf('note.read'))).toEqual(['refused'])
  })

  test('that had the right by other means cannot be judged', () => {
    expect(judge(change(['user'], ['user']), recordOf('note.admin'))).toEqual(['unknown'])
  })

  test('that gains the right may still be held back by its token', () => {
    const record = recordOf('note.admin', { code: 'TOOL_ROLE_NOT_AUTHORIZED' })
    expect(judge(change(['user'], ['admin']), record)).toEqual(['unknown'])
    expect(judge(change(['user'], ['user']), record)).toEqual(['unchanged'])
  })

  test('cannot be judged where the input decides, or the tool has changed since', () => {
    const older = recordOf('note.read', { definition_hash: 'f'.repeat(64) })
    expect(judge(change(['user'], ['user']), recordOf('note.own'), older)).toEqual([
      'unknown',
      'unknown',
    ])
  })
})
