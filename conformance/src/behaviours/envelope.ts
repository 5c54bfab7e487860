import type { Envelope } from '@surehand/core'
import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import type { Mutant } from '../mutant.ts'
import { brokenSurface, brokenTool } from '../mutants/broken.ts'

/** A surface that lays hands on the envelope. */
function reshaping(breaks: string, change: (envelope: Envelope) => Envelope): Mutant {
  return brokenSurface(breaks, (surface) => ({
    call: async (request) => change(await surface.call(request)),
  }))
}

const METADATA = {
  version: '2.0.0',
  execution_time: expect.any(Number),
  call_id: expect.any(String),
  tool_info: { name: expect.any(String), category: 'custom', permissions_used: [] },
  input_validation: { schema_version: '1.0.0', validation_time: expect.any(Number) },
}
const ERROR = { message: expect.any(String), recovery_suggestions: expect.any(Array) }

/** As it is on the wire: what JSON drops is not there. */
function wire(envelope: Envelope): unknown {
  return JSON.parse(JSON.stringify(envelope))
}

/** The one answer of every surface, exactly. */
export const envelope: readonly Behaviour[] = [
  {
    id: 'envelope.success',
    sentence: 'a success is exactly status, command, data and metadata',
    rules: '§12',
    needs: [],
    mutant: reshaping(
      'a surface that says ok beside',
      (answer) => ({ ...answer, ok: true }) as Envelope,
    ),
    async run(world) {
      expect(wire(await world.call({ tool: 'shelf.look', input: { item: 'lamp' } }))).toEqual({
        status: 'success',
        command: 'shelf.look',
        data: { item: 'lamp', serial: 1 },
        metadata: { ...METADATA, outcome: 'done', source: 'executed' },
      })
    },
  },
  {
    id: 'envelope.replayed',
    sentence: 'a replay is the stored data with new metadata that names the first call',
    rules: '§12',
    needs: ['key'],
    mutant: reshaping('a surface that hides a replay', ({ metadata, ...answer }) => ({
      ...answer,
      metadata: { ...metadata, source: 'executed' },
    })),
    async run(world) {
      const order = { tool: 'orders.draft', input: { item: 'lamp' }, idempotencyKey: 'k1' }
      const first = await world.call(order)
      expect(wire(await world.call(order))).toEqual({
        status: 'success',
        command: 'orders.draft',
        data: wire(first.data as Envelope),
        metadata: {
          ...METADATA,
          outcome: 'done',
          source: 'replayed',
          original_call_id: first.metadata.call_id,
        },
      })
    },
  },
  {
    id: 'envelope.failed',
    sentence: 'a refusal is failed, with a code, a sentence, details and what to do',
    rules: '§12',
    needs: [],
    mutant: reshaping('a surface that calls every trouble an error', (answer) => ({
      ...answer,
      status: answer.error ? 'error' : answer.status,
    })),
    async run(world) {
      expect(wire(await world.call({ tool: 'shelf.look', input: {} }))).toEqual({
        status: 'failed',
        command: 'shelf.look',
        data: null,
        error: {
          ...ERROR,
          code: 'TOOL_MISSING_REQUIRED_FIELD',
          details: { validation_errors: [expect.objectContaining({ field: 'item' })] },
        },
        metadata: { ...METADATA, outcome: 'failed' },
      })
    },
  },
  {
    id: 'envelope.error',
    sentence: 'an unexpected failure has the status error, not failed',
    rules: '§12',
    needs: [],
    mutant: reshaping('a surface that calls every trouble a refusal', (answer) => ({
      ...answer,
      status: answer.error ? 'failed' : answer.status,
    })),
    async run(world) {
      world.emulator.next('shelf.look', { kind: 'bug' }, { kind: 'status', status: 503 })
      expect(wire(await world.call({ tool: 'shelf.look', input: { item: 'lamp' } }))).toEqual({
        status: 'error',
        command: 'shelf.look',
        data: null,
        error: { ...ERROR, code: 'TOOL_INTERNAL_ERROR' },
        metadata: { ...METADATA, outcome: 'failed' },
      })
      expect(wire(await world.call({ tool: 'shelf.look', input: { item: 'lamp' } }))).toMatchObject(
        { status: 'error', data: null },
      )
    },
  },
  {
    id: 'envelope.pending',
    sentence: 'a call that needs approval is failed, and says where and until when to approve',
    rules: '§12',
    needs: [],
    mutant: reshaping(
      'a surface that reports a pending call as a success',
      ({ error, ...answer }) =>
        error?.code === 'TOOL_APPROVAL_REQUIRED'
          ? { ...answer, status: 'success' }
          : ({ error, ...answer } as Envelope),
    ),
    async run(world) {
      const answer = wire(
        await world.call({ tool: 'approve.confirm', input: { item: 'lamp' } }),
      ) as Envelope
      const { url, ...pending } = answer.metadata.pending ?? { url: undefined }
      expect(['undefined', 'string']).toContain(typeof url)
      expect({ ...answer, metadata: { ...answer.metadata, pending } }).toEqual({
        status: 'failed',
        command: 'approve.confirm',
        data: null,
        error: { ...ERROR, code: 'TOOL_APPROVAL_REQUIRED' },
        metadata: {
          ...METADATA,
          outcome: 'pending',
          pending: {
            approval_id: expect.any(String),
            asks: 'Make 1 × lamp?',
            expires_at: '2026-01-15T08:15:00.000Z',
          },
        },
      })
    },
  },
  {
    id: 'envelope.accepted',
    sentence: 'an accepted job is a success without data, with its job',
    rules: '§12',
    needs: [],
    mutant: reshaping(
      'a surface that keeps the job to itself',
      ({ metadata: { job, ...metadata }, ...answer }) => ({
        ...answer,
        metadata,
      }),
    ),
    async run(world) {
      expect(wire(await world.call({ tool: 'jobs.export', input: { item: 'lamp' } }))).toEqual({
        status: 'success',
        command: 'jobs.export',
        data: null,
        metadata: { ...METADATA, outcome: 'accepted', job: { id: expect.any(String) } },
      })
    },
  },
  {
    id: 'envelope.data-beside-error',
    sentence:
      'a tool whose documented output says success: false fills data and error, also when replayed',
    rules: '§12',
    needs: ['key'],
    mutant: brokenTool('fax.spoken', 'a tool that throws without its data', (tool) => ({
      check: () => {
        throw new TypeError(tool.id)
      },
    })),
    async run(world) {
      const order = { tool: 'fax.spoken', input: { item: 'nothing' }, idempotencyKey: 'k1' }
      for (const answer of [await world.call(order), await world.call(order)])
        expect([answer.status, answer.data, answer.error?.code]).toEqual([
          'failed',
          { success: false },
          'TOOL_RESOURCE_NOT_FOUND',
        ])
    },
  },
]
