import { expect, test } from 'vitest'
import { z } from 'zod'
import { isToolError } from '../call/tool-error.ts'
import { defineTool } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { permissionScheme } from '../permissions/permission-scheme.ts'
import { authorize } from './authorize.ts'
import type { PipelineContext } from './context.ts'

const context = { scheme: permissionScheme([]) } as unknown as PipelineContext

function calling(
  permissionCheck: 'required' | 'advisory' | 'disabled',
  roles: readonly string[],
): Call {
  const tool = defineTool({
    id: 'system.stop',
    title: 'Stop',
    category: 'system_admin',
    description: 'Stops.',
    input: z.object({}),
    output: z.null(),
    contract: { effect: 'read', permissionCheck, permissions: { roles: ['admin'] } },
    execute: async () => null,
  })
  const caller = { tenant: 't', principal: 'ann', actor: 'user', roles, capabilities: [] } as const
  return { tool, caller, startedAt: 0, input: {} } as unknown as Call
}

test('a caller with the rights passes', () => {
  expect(authorize(calling('required', ['admin']), context)).toBeUndefined()
})

test('a caller without the rights is refused, with what is missing and what to do', () => {
  try {
    authorize(calling('required', ['user']), context)
    expect.unreachable()
  } catch (thrown) {
    expect(isToolError(thrown) && [thrown.code, thrown.details, thrown.suggestions]).toEqual([
      'TOOL_ROLE_NOT_AUTHORIZED',
      { required_roles: ['admin'], roles: ['user'] },
      ['Ask an administrator for one of the roles admin.'],
    ])
  }
})

test('a tool whose permission check is advisory or disabled refuses no caller', () => {
  expect(authorize(calling('advisory', ['user']), context)).toBeUndefined()
  expect(authorize(calling('disabled', ['user']), context)).toBeUndefined()
})
