import { defineTool, type Permissions } from '@surehand/core'
import { permissionScheme, STANDARD_CAPABILITIES } from '@surehand/core/internal'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { permissionSchemeDocument } from './discovery.ts'
import { resourceAccessOf } from './to-definition.ts'

test('the scheme is published as document 004 has it', () => {
  const document = permissionSchemeDocument(permissionScheme([]))
  expect(document.version).toBe('2.0.0')
  expect(
    Object.values(document.roles).map(({ name, description, inherits }) => [
      name,
      description,
      inherits,
    ]),
  ).toEqual([
    ['user', 'Regular user', []],
    ['power_user', 'Advanced user', ['user']],
    ['admin', 'System administrator', ['power_user']],
    ['developer', 'Tool developer', ['user']],
    ['ai_agent', 'AI agent execution', []],
  ])
  for (const [name, capability] of Object.entries(STANDARD_CAPABILITIES))
    expect(document.capabilities[name]).toEqual({ name, ...capability })
  expect(document.default_grants).toEqual({
    user: [
      'habit.read',
      'habit.write',
      'task.read',
      'task.write',
      'project.read',
      'data.export',
      'data.delete_all',
    ],
    power_user: ['project.write', 'ai.explain', 'habit.delete'],
    admin: ['data.analyze', 'system.config.read', 'system.config.write'],
    developer: ['system.config.read', 'system.config.write'],
    ai_agent: [],
  })
  expect(JSON.parse(JSON.stringify(document))).toEqual(document)
})

test('what packs add is published with it', () => {
  const document = permissionSchemeDocument(
    permissionScheme([
      new Map([['user', ['booking.write', { name: 'booking.read', scope: 'self' }]]]),
    ]),
  )
  expect(document.default_grants.user.slice(-2)).toEqual(['booking.write', 'booking.read'])
  expect(document.capabilities['booking.write']).toEqual({
    name: 'booking.write',
    resource: 'any',
    mode: 'write',
    scope: 'all',
  })
})

function resourcesOf(permissions: Permissions) {
  const described = {
    id: 'a.b',
    title: 'A',
    category: 'custom',
    description: 'A.',
    input: z.object({}),
    output: z.null(),
  } as const
  return resourceAccessOf(
    defineTool({
      ...described,
      contract: { effect: 'read', permissions },
      execute: async () => null,
    }),
  )
}

test('a tool touches what it declares', () => {
  expect(
    resourcesOf({
      capabilities: ['habit.read'],
      resources: [{ type: 'habit_data', mode: 'create', scope: 'current_user' }],
    }),
  ).toEqual([{ resource_type: 'habit_data', access_mode: 'create', scope_filter: 'current_user' }])
})

test('a tool that declares nothing touches what its capabilities say', () => {
  expect(
    resourcesOf({
      capabilities: [
        'habit.read',
        { name: 'project.write', scope: 'owned' },
        'ai.explain',
        'booking.write',
      ],
    }),
  ).toEqual([
    { resource_type: 'habit_data', access_mode: 'read', scope_filter: 'self' },
    { resource_type: 'project_data', access_mode: 'write', scope_filter: 'owned' },
  ])
  expect(resourcesOf({})).toEqual([])
})
