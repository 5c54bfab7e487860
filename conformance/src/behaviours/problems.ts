import { expect } from 'vitest'
import type { Behaviour } from '../behaviour.ts'
import { codeOrStatus, detailsOf } from '../judge.ts'
import { brokenRequest, brokenSurface } from '../mutants/broken.ts'

const good = { name: 'lamp', count: 3 }

type Case = {
  readonly input: object
  readonly code: string
  readonly fields: readonly string[]
  readonly expects?: RegExp
}

const CASES: Readonly<Record<string, Case>> = {
  'a missing field': {
    input: { count: 3 },
    code: 'TOOL_MISSING_REQUIRED_FIELD',
    fields: ['name'],
    expects: /string/,
  },
  'a field of null': {
    input: { ...good, name: null },
    code: 'TOOL_INVALID_FIELD_TYPE',
    fields: ['name'],
    expects: /string/,
  },
  'a text for a number': {
    input: { ...good, count: '3' },
    code: 'TOOL_INVALID_FIELD_TYPE',
    fields: ['count'],
    expects: /number|int/,
  },
  'a number for a text': {
    input: { ...good, name: 3 },
    code: 'TOOL_INVALID_FIELD_TYPE',
    fields: ['name'],
    expects: /string/,
  },
  'a fraction for a whole number': {
    input: { ...good, count: 1.5 },
    code: 'TOOL_INVALID_FIELD_TYPE',
    fields: ['count'],
    expects: /int/,
  },
  'a text for a truth value': {
    input: { ...good, flag: 'true' },
    code: 'TOOL_INVALID_FIELD_TYPE',
    fields: ['flag'],
    expects: /boolean/,
  },
  'too small a number': {
    input: { ...good, count: 0 },
    code: 'TOOL_INVALID_FIELD_VALUE',
    fields: ['count'],
    expects: /1/,
  },
  'too large a number': {
    input: { ...good, count: 10 },
    code: 'TOOL_INVALID_FIELD_VALUE',
    fields: ['count'],
    expects: /9/,
  },
  'too short a text': {
    input: { ...good, name: 'x' },
    code: 'TOOL_INVALID_FIELD_VALUE',
    fields: ['name'],
    expects: /3/,
  },
  'too long a text': {
    input: { ...good, name: 'x'.repeat(21) },
    code: 'TOOL_INVALID_FIELD_VALUE',
    fields: ['name'],
    expects: /20/,
  },
  'a word that is not on the list': {
    input: { ...good, colour: 'green' },
    code: 'TOOL_INVALID_FIELD_VALUE',
    fields: ['colour'],
    expects: /red.*blue/,
  },
  'a text in another form': {
    input: { ...good, where: { city: 'Bonn', zip: '53' } },
    code: 'TOOL_INVALID_FIELD_VALUE',
    fields: ['where.zip'],
    expects: /\S/,
  },
  'a missing field inside': {
    input: { ...good, where: { city: 'Bonn' } },
    code: 'TOOL_MISSING_REQUIRED_FIELD',
    fields: ['where.zip'],
    expects: /string/,
  },
  'a wrong item of a list': {
    input: { ...good, tags: ['a', 7] },
    code: 'TOOL_INVALID_FIELD_TYPE',
    fields: ['tags[1]'],
    expects: /string/,
  },
  'too long a list': {
    input: { ...good, tags: ['a', 'b', 'c', 'd'] },
    code: 'TOOL_INVALID_FIELD_VALUE',
    fields: ['tags'],
    expects: /3/,
  },
  'an object for a list': {
    input: { ...good, tags: {} },
    code: 'TOOL_INVALID_FIELD_TYPE',
    fields: ['tags'],
    expects: /array/,
  },
  'several problems': {
    input: { name: 7, count: 'x' },
    code: 'TOOL_INVALID_INPUT',
    fields: ['name', 'count'],
  },
}

type Problem = { readonly field: string; readonly error: string; readonly provided_value: unknown }

/** What a caller learns about a refused input. */
export const problems: readonly Behaviour[] = [
  {
    id: 'problems.each-kind',
    sentence: 'every kind of bad input gets its code, its field, what was expected and what to do',
    rules: '§1',
    needs: [],
    mutant: brokenSurface('a surface that keeps the details to itself', (surface) => ({
      async call(request) {
        const answer = await surface.call(request)
        return answer.error === undefined
          ? answer
          : { ...answer, error: { code: answer.error.code, message: 'The input is wrong.' } }
      },
    })),
    async run(world) {
      for (const [name, { input, code, fields, expects = /./ }] of Object.entries(CASES)) {
        const answer = await world.call({ tool: 'input.kinds', input })
        expect([codeOrStatus(answer), answer.status, answer.data], name).toEqual([
          code,
          'failed',
          null,
        ])
        const found = detailsOf(answer).validation_errors as readonly Problem[] | undefined
        expect(
          found?.map(({ field }) => field),
          name,
        ).toEqual(fields)
        expect(found?.[0]?.error, name).toMatch(expects)
        for (const field of fields)
          expect(answer.error?.recovery_suggestions?.join(' '), name).toContain(field)
        for (const field of fields) expect(answer.error?.message, name).toContain(field)
      }
    },
  },
  {
    id: 'problems.provided-value',
    sentence: 'a caller is shown the value that was wrong',
    rules: '§1',
    needs: [],
    mutant: brokenRequest('a surface that quotes every value', (request) => ({
      ...request,
      input: Object.fromEntries(
        Object.entries(request.input as object).map(([name, value]) => [
          name,
          typeof value === 'number' ? `${value}` : value,
        ]),
      ),
    })),
    async run(world) {
      const answer = await world.call({
        tool: 'input.kinds',
        input: { ...good, count: 10, where: undefined },
      })
      expect(detailsOf(answer).validation_errors).toEqual([
        expect.objectContaining({ field: 'count', provided_value: 10 }),
      ])
    },
  },
  {
    id: 'problems.no-coercion',
    sentence: 'types are never converted, and defaults are filled in',
    rules: '§1',
    needs: [],
    mutant: brokenRequest('a surface that converts what looks like a number', (request) => ({
      ...request,
      input: Object.fromEntries(
        Object.entries(request.input as object).map(([name, value]) => [
          name,
          value === '3' ? 3 : value,
        ]),
      ),
    })),
    async run(world) {
      expect(
        codeOrStatus(await world.call({ tool: 'input.kinds', input: { ...good, count: '3' } })),
      ).toBe('TOOL_INVALID_FIELD_TYPE')
      await world.call({ tool: 'input.kinds', input: good })
      expect(world.emulator.effects.map(({ args }) => args.colour)).toEqual(['red'])
    },
  },
]
