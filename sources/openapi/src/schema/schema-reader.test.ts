import { describe, expect, test } from 'vitest'
import { readOpenApi } from '../read-open-api.ts'

type Fields = Record<string, unknown>

function read(schema: unknown, components: Fields = {}, openapi = '3.0.3') {
  const media = { 'application/json': { schema } }
  const document = {
    openapi,
    paths: {
      '/a': {
        post: {
          operationId: 'a',
          requestBody: { content: media },
          responses: { 200: { content: media } },
        },
      },
    },
    components: { schemas: components },
  }
  const plan = readOpenApi(document, { name: 'a', allow: 'all' }).operations[0]?.plan
  const at = (root: unknown, name: string) => ((root as Fields).properties as Fields)[name]
  return { input: at(plan?.input, 'body'), output: at(plan?.output, 'data'), root: plan?.input }
}

describe('a schema of OpenAPI, as JSON Schema 2020-12', () => {
  test('nullable takes null, also beside enum, allOf and $ref', () => {
    expect(read({ type: 'string', nullable: true }).input).toEqual({ type: ['string', 'null'] })
    expect(read({ type: 'string', enum: ['a'], nullable: true }).input).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    })
    expect(read({ nullable: true, allOf: [{ type: 'string' }] }).input).toEqual({
      anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }],
    })
    expect(
      read({ nullable: true, $ref: '#/components/schemas/A' }, { A: { type: 'integer' } }).input,
    ).toEqual({
      anyOf: [{ type: 'integer' }, { type: 'null' }],
    })
  })

  test('exclusive bounds of 3.0 become those of 2020-12', () => {
    expect(
      read({
        type: 'number',
        minimum: 1,
        exclusiveMinimum: true,
        maximum: 5,
        exclusiveMaximum: false,
      }).input,
    ).toEqual({
      type: 'number',
      exclusiveMinimum: 1,
      maximum: 5,
    })
    expect(read({ type: 'number', exclusiveMinimum: 1 }, {}, '3.1.0').input).toEqual({
      type: 'number',
      exclusiveMinimum: 1,
    })
  })

  test('readOnly fields are not sent, writeOnly fields are not returned, and neither is required there', () => {
    const schema = {
      type: 'object',
      required: ['id', 'secret'],
      properties: {
        id: { type: 'string', readOnly: true },
        secret: { type: 'string', writeOnly: true },
      },
    }
    expect(read(schema).input).toEqual({
      type: 'object',
      required: ['secret'],
      properties: { secret: { type: 'string', writeOnly: true } },
    })
    expect(read(schema).output).toEqual({
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' } },
    })
  })

  test('read only holds across the parts of an allOf and through references', () => {
    const components = {
      Base: { type: 'object', properties: { id: { $ref: '#/components/schemas/Id' } } },
      Id: { type: 'string', readOnly: true },
      Needs: { required: ['id', 'name'] },
    }
    const { input } = read(
      {
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { $ref: '#/components/schemas/Needs' },
          { properties: { name: { type: 'string' } } },
        ],
      },
      components,
    )
    expect(input).toEqual({
      allOf: [
        { type: 'object', properties: {} },
        { required: ['name'] },
        { properties: { name: { type: 'string' } } },
      ],
    })
  })

  test('a discriminator keeps the branches of a union apart', () => {
    const { input } = read(
      {
        oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
        discriminator: { propertyName: 'kind', mapping: { kitty: '#/components/schemas/Cat' } },
      },
      { Cat: { type: 'object' }, Dog: { type: 'object' } },
    )
    expect(input).toEqual({
      oneOf: [
        {
          allOf: [
            { type: 'object' },
            { properties: { kind: { enum: ['kitty'] } }, required: ['kind'] },
          ],
        },
        {
          allOf: [
            { type: 'object' },
            { properties: { kind: { enum: ['Dog'] } }, required: ['kind'] },
          ],
        },
      ],
    })
  })

  test('a cycle stays a reference, other references are inlined', () => {
    const { input, root } = read(
      { $ref: '#/components/schemas/Node' },
      { Node: { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } } },
    )
    expect(input).toEqual({ $ref: '#/$defs/Node' })
    expect(root).toHaveProperty('$defs.Node.properties.next', { $ref: '#/$defs/Node' })
    expect(
      read({ $ref: '#/components/schemas/A' }, { A: { type: 'string' } }).root,
    ).not.toHaveProperty('$defs')
  })

  test('a field may have the name of a keyword', () => {
    const schema = {
      type: 'object',
      properties: {
        enum: { $ref: '#/components/schemas/A' },
        $ref: { type: 'string' },
        required: { $ref: '#/components/schemas/A' },
      },
    }
    expect(read(schema, { A: { type: 'integer' } }).input).toEqual({
      type: 'object',
      properties: {
        enum: { type: 'integer' },
        $ref: { type: 'string' },
        required: { type: 'integer' },
      },
    })
  })
})
