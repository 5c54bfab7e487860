import { definitionHash, foreignPort } from '@surehand/core/host'
import { foreignSchemas } from '@surehand/json-schema'
import { buildSchema, getVariableValues, Kind, parse, printSchema } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { checkSchema } from './fixtures/check-schemas.ts'
import { introspectionOf } from './fixtures/introspection.ts'
import { githubIntrospection, githubSdl } from './fixtures/published-schemas.ts'
import { catalogueTokens, graphqlTools } from './graphql-tools.ts'
import { documentOf } from './operation/document.ts'
import { type GraphqlImport, readGraphql } from './read-graphql.ts'
import { readIntrospection } from './schema/read-introspection.ts'
import { readSdl } from './sdl/read-sdl.ts'

const OPTIONS = {
  name: 'github',
  endpoint: 'https://api.github.com/graphql',
  allow: [
    'mutation.*',
    'query.repository.issues',
    'query.repository.pullRequest',
    'query.user.repositories',
    'query.repository.object',
  ],
}
const schema = buildSchema(githubSdl(), { assumeValid: true })
let github: GraphqlImport

beforeAll(() => {
  github = readGraphql(githubSdl(), OPTIONS)
})

describe("GitHub's schema", () => {
  test('every query and every mutation is a tool or has a reason', () => {
    const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.keys(type?.getFields() ?? {}),
    )
    const { operations, tools, leftOut, flaws, unmatched } = github.report
    expect({ operations, imported: tools + leftOut.length, flaws, unmatched }).toEqual({
      operations: fields.length + 4,
      imported: fields.length + 4,
      flaws: [],
      unmatched: [],
    })
    expect(leftOut).toEqual([])
  })

  test('our reader of schemas reads it as graphql-js does', () => {
    expect(readSdl(printSchema(schema))).toEqual(readIntrospection(introspectionOf(schema)))
  })

  test('without an allow-list no mutation is a tool, and each says why', () => {
    const { operations, report } = readGraphql(githubSdl(), { ...OPTIONS, allow: [] })
    expect(operations.every(({ kind }) => kind === 'query')).toBe(true)
    expect(new Set(report.leftOut.map(({ reason }) => reason))).toEqual(
      new Set(['mutations become tools only when they are on the allow-list']),
    )
    expect(report.leftOut).toHaveLength(
      Object.keys(schema.getMutationType()?.getFields() ?? {}).length,
    )
  })

  test('every input schema compiles, and its example fits it and is taken by a server', () => {
    const schemas = foreignSchemas()
    for (const operation of github.operations) {
      const parsed = schemas.compile(operation.input).parse(operation.example)
      expect(parsed, operation.id).toMatchObject({ ok: true })
      const [definition] = parse(documentOf(operation)).definitions
      if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('no operation')
      const { errors } = getVariableValues(
        schema,
        definition.variableDefinitions ?? [],
        operation.example as Record<string, unknown>,
      )
      expect(errors, operation.id).toBeUndefined()
    }
  })

  test('an introspection of it gives the same tools', () => {
    const imported = readGraphql(JSON.stringify(introspectionOf(schema)), OPTIONS)
    expect(imported).toEqual(github)
    const tools = (operations: GraphqlImport['operations']) =>
      graphqlTools(operations, {
        port: foreignPort('github', { keysValidFor: '1h' }),
        schemas: foreignSchemas(),
      }).map(definitionHash)
    expect(tools(imported.operations)).toEqual(tools(github.operations))
  })

  test('its published introspection, of another day, is read without a flaw', () => {
    const { report } = readGraphql(githubIntrospection(), { ...OPTIONS, allow: ['mutation.*'] })
    expect({ leftOut: report.leftOut, flaws: report.flaws, tools: report.tools }).toEqual({
      leftOut: [],
      flaws: [],
      tools: report.operations,
    })
  })

  test('no schema is too large for a model, and no document too large for a server', () => {
    expect(
      Math.max(...github.operations.map(({ input }) => JSON.stringify(input).length)),
    ).toBeLessThanOrEqual(32 * 1024)
    expect(
      Math.max(...github.operations.map((operation) => documentOf(operation).length)),
    ).toBeLessThanOrEqual(8 * 1024)
    expect(catalogueTokens(github.operations)).toBeGreaterThan(0)
  })

  test('fields that hold secrets are not selected', () => {
    const asked = github.operations.map((operation) => documentOf(operation)).join(' ')
    expect(asked).not.toMatch(/tempCloneToken/)
  })

  test('every mutation answers with the objects that it changed, and every document is valid', () => {
    const { withoutObject, invalid, mutations } = checkSchema({ ...OPTIONS, document: githubSdl() })
    expect({ withoutObject, invalid }).toEqual({ withoutObject: [], invalid: [] })
    expect(mutations).toBeGreaterThan(200)
  })

  test('a path is a tool with the arguments of all its fields', () => {
    const issues = github.operations.find(({ id }) => id === 'github.repository_issues')
    expect(Object.keys(issues?.input.properties ?? {})).toEqual(
      expect.arrayContaining([
        'owner',
        'name',
        'first',
        'after',
        'states',
        'filterBy',
        'orderBy',
        'select',
      ]),
    )
  })
})
