import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus } from '../judge.ts'
import { brokenProvider, brokenSurface, brokenTool } from '../mutants/broken.ts'
import { ann } from '../world/people.ts'

const SECRET = 'tok-0123456789-wxyz'

/** What is never revealed, and what is always shown. */
export const secrets: readonly Behaviour[] = [
  {
    id: 'secrets.never-revealed',
    sentence:
      'a secret appears in no error, record or approval request; its digest and last four characters do',
    rules: '§4',
    needs: [],
    mutant: brokenTool('approve.secret', 'a schema that does not mark its secret', (tool) => {
      const { shape } = tool.input
      if (shape.kind !== 'object') return {}
      const fields = shape.fields.map((field) => ({
        ...field,
        shape: { ...field.shape, sensitive: false },
      }))
      return { input: { ...tool.input, shape: { ...shape, fields } } }
    }),
    async run(world) {
      const pending = await world.call({
        tool: 'approve.secret',
        input: { item: 'lamp', token: SECRET },
      })
      const question = await world.surface.question(
        'acme',
        pending.metadata.pending?.approval_id ?? '',
      )
      expect(question.ok && question.value.shown).toMatch(/…wxyz \(sha256 [0-9a-f]{12}\)/)
      const errors = [
        await world.call({ tool: 'approve.secret', input: { item: 7, token: SECRET } }),
        await world.call({
          tool: 'approve.secret',
          input: { item: 'lamp', token: `${SECRET}${SECRET}${SECRET}` },
        }),
        await world.call({ tool: 'approve.secret', input: { item: 'lamp', token: [SECRET] } }),
      ]
      expect(errors.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed'])
      for (const visible of [pending, question, errors, await world.audit()])
        expect(JSON.stringify(visible)).not.toContain(SECRET)
    },
  },
  {
    id: 'secrets.scrubbed-by-value',
    sentence: 'a secret that a provider repeats in its message reaches no caller',
    rules: '§9',
    needs: ['key'],
    mutant: brokenProvider(
      'orders.make',
      'an adapter that reports every answer as a bug',
      (right) => (args, signal) =>
        right(args, signal).catch(() => {
          throw new TypeError(`bad token ${SECRET}`)
        }),
    ),
    async run(world) {
      world.emulator.next('orders.make', { kind: 'status', status: 422, echo: true })
      const trifle = {
        tool: 'approve.secret',
        input: { item: 'trifle', token: SECRET },
        idempotencyKey: 'k1',
      }
      const first = await world.call(trifle)
      const again = await world.call(trifle)
      expect([codeOrStatus(first), codeOrStatus(again)]).toEqual([
        'TOOL_INVALID_FIELD_VALUE',
        'TOOL_INVALID_FIELD_VALUE',
      ])
      for (const visible of [first, again, await world.audit(ann.tenant)])
        expect(JSON.stringify(visible)).not.toContain(SECRET)
    },
  },
  {
    id: 'secrets.of-a-read',
    sentence: 'a secret that a provider repeats appears in no error, warning or record of a read',
    rules: '§9',
    needs: [],
    mutant: brokenProvider(
      'shelf.look',
      'an adapter that reports every answer as its own error',
      () => async (args) => ({
        item: String(args.token),
        serial: 1,
      }),
    ),
    async run(world) {
      world.emulator.always('shelf.look', { kind: 'status', status: 503, echo: true })
      const answers = [
        await world.call({ tool: 'shelf.secret', input: { item: 'nothing', token: SECRET } }),
        await world.call({ tool: 'shelf.secret', input: { item: 'lamp', token: SECRET } }),
      ]
      expect([answers.map(codeOrStatus), answers[1]?.metadata.degraded]).toEqual([
        ['TOOL_EXTERNAL_SERVICE_ERROR', 'success'],
        true,
      ])
      for (const visible of [...answers, await world.audit()])
        expect(JSON.stringify(visible)).not.toContain(SECRET)
    },
  },
  {
    id: 'secrets.of-an-unreadable-input',
    sentence: 'an input that cannot be parsed is not quoted, because it may contain secrets',
    rules: '§9',
    needs: ['json'],
    mutant: brokenSurface('a surface that quotes what it could not read', (surface) => ({
      async call(request) {
        const answer = await surface.call(request)
        return answer.error === undefined
          ? answer
          : { ...answer, error: { ...answer.error, message: `Can't read ${request.json}` } }
      },
    })),
    async run(world) {
      for (const json of [
        SECRET,
        `{"token": ${SECRET}}`,
        `{"token":"${SECRET}"x}`,
        `["${SECRET}"]`,
        JSON.stringify(SECRET),
      ]) {
        const answer = await world.call({ tool: 'approve.secret', json })
        expect(answer.status, json).toBe('failed')
        for (const visible of [answer, await world.audit()])
          expect(JSON.stringify(visible), json).not.toContain(SECRET.slice(0, 8))
      }
    },
  },
  {
    id: 'question.shows-everything',
    sentence: 'an approver sees the whole input, with invisible characters made visible',
    rules: '§4',
    needs: [],
    mutant: brokenTool('approve.confirm', 'a contract that reads back what it likes', (tool) => {
      const { approval } = tool.contract
      return approval === undefined
        ? {}
        : { contract: { ...tool.contract, approval: { ...approval, asks: () => 'Make it?' } } }
    }),
    async run(world) {
      const item = `safe\u202egnp.exe\u200b${'x'.repeat(80)}`
      const pending = await world.call({ tool: 'approve.confirm', input: { item, quantity: 42 } })
      const question = await world.surface.question(
        'acme',
        pending.metadata.pending?.approval_id ?? '',
      )
      const { asks, shown } = question.ok ? question.value : { asks: '', shown: '{}' }
      for (const text of [asks, shown]) {
        expect(text).toContain('safe⟨U+202E⟩gnp.exe⟨U+200B⟩')
        expect(text).toContain('x'.repeat(80))
        expect(text).not.toMatch(/[\u202e\u200b]/)
      }
      expect(JSON.parse(shown)).toMatchObject({
        tool: 'approve.confirm',
        asked_by: 'ann',
        actor: 'user',
        input: { quantity: 42 },
      })
    },
  },
]
