import { fakeClock } from '@surehand/conformance'
import { createRuntime, definePack, type Execution, memoryStores, toEnvelope } from '@surehand/core'
import {
  implementations,
  type ToolDefinition,
  toDefinition,
  toolFromDefinition,
} from '@surehand/documents'
import { foreignSchemas } from '@surehand/json-schema'
import { expect, test } from 'vitest'
import { ANN, openPersonalWorld } from '../../testing/personal-world.ts'
import type { PersonalData } from '../personal-data.ts'
import document from './fixtures/project-status.document.json' with { type: 'json' }
import { projectStatus } from './project-status.ts'

// The PROJECT_STATUS_TOOL of document 004, word for word.
const written = document as unknown as ToolDefinition
const DATES = {
  createdAt: Date.parse('2025-01-15T00:00:00Z'),
  updatedAt: Date.parse('2025-01-15T00:00:00Z'),
}

test('project.status publishes the whole definition of the document except the location of its code', () => {
  const { implementation: _, created_at, updated_at, ...promised } = written
  const published = toDefinition(projectStatus, DATES)
  expect(published).toMatchObject(promised)
  expect([Date.parse(published.created_at), Date.parse(published.updated_at)]).toEqual([
    Date.parse(created_at),
    Date.parse(updated_at),
  ])
  expect(published.implementation).toMatchObject({
    type: 'function_call',
    version_compatibility: ['2.0.0'],
  })
})

test('the definition of the document loads and runs over the same data, with its answers and errors', async () => {
  const world = await openPersonalWorld()
  try {
    await world.data('project.create', {
      name: 'PersonalManager',
      phase: 'beta',
      priority: 'high',
      progress: 40,
      target_completion: '2026-04-30',
    })
    const data: PersonalData = { query: ({ sql, values }) => world.query(sql, ...values) }
    const { work } = projectStatus
    if (work.kind !== 'execute') throw new Error('project.status reads')
    const functions = {
      'pm.tools.project_tools.get_project_status': (
        _input: unknown,
        execution: Execution<unknown, never>,
      ) => work.execute(Object.assign(Object.create(execution), { ports: { data } })),
    }
    const tool = toolFromDefinition(written, {
      schemas: foreignSchemas(),
      implementations: implementations({ functions }),
    })
    const clock = fakeClock(world.clock.now())
    const runtime = createRuntime({
      packs: [definePack({ name: 'document', tools: [tool] })],
      stores: memoryStores({ clock }),
      clock,
    })
    const call = async (input: unknown) =>
      toEnvelope(
        await runtime.call({ tool: 'project.status', input, caller: ANN, surface: 'test' }),
      )
    expect(await call({ project_name: 'PersonalManager' })).toMatchObject({
      status: 'success',
      command: 'project.status',
      data: (await world.call('project.status', { project_name: 'PersonalManager' })).data,
      metadata: {
        tool_info: {
          name: 'Get Project Status',
          category: 'project_management',
          permissions_used: ['project.read'],
        },
      },
    })
    expect(await call({ project_name: 'Greenhouse' })).toMatchObject({
      status: 'failed',
      error: {
        code: 'TOOL_RESOURCE_NOT_FOUND',
        details: { searched_name: 'Greenhouse', available_projects: ['PersonalManager'] },
      },
    })
    await runtime.stop()
  } finally {
    await world.close()
  }
})
