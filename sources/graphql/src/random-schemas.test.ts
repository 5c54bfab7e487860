import { foreignSchemas } from '@surehand/json-schema'
import fc from 'fast-check'
import {
  buildSchema,
  getVariableValues,
  Kind,
  lexicographicSortSchema,
  parse,
  validate,
  validateSchema,
} from 'graphql'
import { expect, test } from 'vitest'
import { introspectionOf } from './fixtures/introspection.ts'
import { randomSchema } from './fixtures/random-schema.ts'
import { documentOf } from './operation/document.ts'
import { readGraphql } from './read-graphql.ts'

const OPTIONS = { name: 'any', endpoint: 'https://any.example/graphql', allow: ['mutation.*'] }

test('for any schema, every document is valid, every input schema compiles, every example is accepted', () => {
  let tools = 0
  fc.assert(
    fc.property(
      randomSchema,
      fc.integer({ min: 0, max: 5 }),
      fc.integer({ min: 1, max: 300 }),
      (sdl, maxDepth, maxCost) => {
        const schema = buildSchema(sdl)
        expect(validateSchema(schema)).toEqual([])
        const { operations, report } = readGraphql(sdl, { ...OPTIONS, maxDepth, maxCost })
        expect(report.tools + report.leftOut.length).toBe(report.operations)
        tools += report.tools
        for (const operation of operations) {
          // graphql-js takes braces with nothing in them; other servers don't
          expect(documentOf(operation)).not.toMatch(/\{\s*\}/)
          const document = parse(documentOf(operation))
          expect(validate(schema, document)).toEqual([])
          const compiled = foreignSchemas().compile(operation.input)
          const [definition] = document.definitions
          if (operation.example === undefined || definition?.kind !== Kind.OPERATION_DEFINITION)
            continue
          expect(compiled.parse(operation.example)).toMatchObject({ ok: true })
          const given = operation.example as Record<string, unknown>
          expect(
            getVariableValues(schema, definition.variableDefinitions ?? [], given).errors,
          ).toBeUndefined()
        }
      },
    ),
    { numRuns: 300 },
  )
  expect(tools).toBeGreaterThan(300)
})

test('its introspection, and the same types in another order, give the same tools', () => {
  fc.assert(
    fc.property(randomSchema, (sdl) => {
      const schema = buildSchema(sdl)
      const own = readGraphql(sdl, OPTIONS)
      expect(readGraphql(introspectionOf(schema), OPTIONS)).toEqual(own)
      expect(readGraphql(introspectionOf(lexicographicSortSchema(schema)), OPTIONS)).toEqual(own)
    }),
    { numRuns: 100 },
  )
})
