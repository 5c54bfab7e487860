import type { ConstValueNode } from 'graphql/language'
import { BOUNDS, refuseDocument } from '../schema/bounds.ts'
import type { Literal } from '../schema/literal.ts'
import { graphqlLanguage } from './graphql-language.ts'

/**
 * Reads a default value as introspection writes it; undefined if the text is not one GraphQL value.
 */
export function readLiteral(text: string): Literal | undefined {
  if (text.length > BOUNDS.literalCharacters) return undefined
  try {
    return toLiteral(graphqlLanguage().parseConstValue(text, { noLocation: true }))
  } catch {
    // A syntax error, or a text that is nested deeper than the parser's stack.
    return undefined
  }
}

/** Refuses values that are nested deeper than `BOUNDS.literalDepth`. */
export function toLiteral(node: ConstValueNode, depth = 0): Literal {
  if (depth > BOUNDS.literalDepth)
    throw refuseDocument(`a default value is nested deeper than ${BOUNDS.literalDepth} levels`)
  switch (node.kind) {
    case 'NullValue':
      return { kind: 'null' }
    case 'BooleanValue':
      return { kind: 'boolean', value: node.value }
    case 'IntValue':
    case 'FloatValue':
      return { kind: 'number', text: node.value }
    case 'StringValue':
      return { kind: 'string', value: node.value }
    case 'EnumValue':
      return { kind: 'enum', name: node.value }
    case 'ListValue':
      return { kind: 'list', items: node.values.map((value) => toLiteral(value, depth + 1)) }
    case 'ObjectValue':
      return {
        kind: 'object',
        fields: node.fields.map(({ name, value }) => [name.value, toLiteral(value, depth + 1)]),
      }
  }
}
