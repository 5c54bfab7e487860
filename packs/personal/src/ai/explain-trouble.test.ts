import { createRuntime, type Envelope, type Runtime, toEnvelope } from '@surehand/core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ANN, openPersonalWorld, type PersonalWorld } from '../../testing/personal-world.ts'
import { vaultFolder } from '../knowledge/providers/vault-folder.ts'
import { personalPack } from '../pack.ts'
import type { PersonalData } from '../personal-data.ts'

let world: PersonalWorld
beforeAll(async () => {
  world = await openPersonalWorld()
  await world.data('project.create', {
    name: 'Kitchen',
    progress: 10,
    target_completion: '2026-01-20',
  })
  await world.data('task.capture', { text: 'Buy tiles' })
  await world.data('task.clarify', { task: 'Buy tiles', to: 'next_action' })
})
afterAll(() => world.close())

const runtimes: Runtime[] = []
afterEach(async () => {
  for (const runtime of runtimes.splice(0)) await runtime.stop()
})

/** The same runtime over a store that fails or is slow. */
async function callOver(
  query: PersonalData['query'],
  tool: string,
  input: unknown,
): Promise<Envelope> {
  const { calls, approvals, jobs, limits, runs, notices, cache, audit, values, admin } =
    world.stores
  const stores = { calls, approvals, jobs, limits, runs, notices, cache, audit, values, admin }
  const runtime = createRuntime({
    packs: [personalPack],
    stores,
    clock: world.clock,
    providers: {
      personalData: { query },
      personalVault: vaultFolder({ root: undefined, query: () => Promise.resolve([]) }),
    },
  })
  runtimes.push(runtime)
  return toEnvelope(await runtime.call({ tool, input, caller: ANN, surface: 'test' }))
}

const failingFor =
  (pattern: RegExp): PersonalData['query'] =>
  ({ sql, values }) =>
    pattern.test(sql) ? Promise.reject(new Error('the disk is gone')) : world.query(sql, ...values)

const slowFrom =
  (pattern: RegExp, ms: number): PersonalData['query'] =>
  ({ sql, values }) => {
    if (pattern.test(sql)) world.clock.set(world.clock.now() + ms)
    return world.query(sql, ...values)
  }

describe('a store that fails', () => {
  test('for past data leaves a partial explanation of a task, which says so', async () => {
    expect(await callOver(failingFor(/as hits/), 'explain.task', {})).toMatchObject({
      status: 'success',
      data: {
        subject: { name: 'Buy tiles' },
        confidence: { confidence_breakdown: { historical_accuracy: 0.5 } },
        context: {
          is_partial: true,
          missing: ['tasks of the past: could not be read (TOOL_INTERNAL_ERROR)'],
        },
      },
    })
  })

  test('for habits leaves the other kinds to recommend', async () => {
    expect(await callOver(failingFor(/pm_habits/), 'ai.recommend', {})).toMatchObject({
      status: 'success',
      data: {
        recommendations: expect.arrayContaining([expect.objectContaining({ family: 'task' })]),
        context: { is_partial: true },
      },
    })
  })

  test('for the subject itself explains nothing', async () => {
    expect(
      await callOver(failingFor(/pm_projects/), 'explain.project', { project_name: 'Kitchen' }),
    ).toMatchObject({
      status: 'error',
      data: null,
    })
  })
})

describe('a store that is slow', () => {
  test('leaves out optional data, and says that there was no time', async () => {
    expect(
      await callOver(slowFrom(/as done/, 4_000), 'explain.project', { project_name: 'Kitchen' }),
    ).toMatchObject({
      status: 'success',
      data: {
        context: {
          is_partial: true,
          missing: [
            expect.stringContaining('no time left'),
            expect.stringContaining('no time left'),
          ],
        },
      },
    })
  })

  test('for longer than the limit is EXPLAIN_TIMEOUT', async () => {
    expect(
      (await callOver(slowFrom(/name_key/, 7_000), 'explain.project', { project_name: 'Kitchen' }))
        .error,
    ).toMatchObject({
      code: 'TOOL_EXECUTION_TIMEOUT',
      details: { source_code: 'EXPLAIN_TIMEOUT' },
    })
  })
})
