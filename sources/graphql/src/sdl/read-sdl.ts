import { BOUNDS, createTally, refusedDocument } from '../schema/bounds.ts'
import { buildModel } from '../schema/build-model.ts'
import type { Roots, SchemaModel, TypeDefinition } from '../schema/schema-model.ts'
import { createCursor } from './cursor.ts'
import {
  descriptionAt,
  directivesAt,
  directiveText,
  fieldsAt,
  inputsAt,
  listAt,
  namesAt,
  type Reading,
  valuesAt,
} from './members.ts'
import { mergeTypes } from './merge-types.ts'

/** One definition of a text; `extends` adds to another of the same name. */
type Part = { readonly type: TypeDefinition; readonly extends: boolean }
type Found = {
  readonly parts: readonly Part[]
  readonly roots: ReadonlyMap<string, string>
  readonly hasSchema: boolean
}

/** Type definitions in GraphQL's schema language, extensions merged, as a model. */
export function readSdl(text: string): SchemaModel {
  if (text.length > BOUNDS.documentCharacters)
    throw refusedDocument(`it is longer than ${BOUNDS.documentCharacters} characters`)
  const found = definitionsIn({
    cursor: createCursor(text),
    count: createTally(BOUNDS.members, 'fields, arguments and values'),
  })
  const groups = Map.groupBy(found.parts, ({ type }) => type.name)
  if (groups.size > BOUNDS.types) throw refusedDocument(`it has more than ${BOUNDS.types} types`)
  const types = [...groups].map(([name, parts]) => {
    if (parts.filter((part) => !part.extends).length > 1)
      throw refusedDocument(`the type "${name}" is defined twice`)
    return mergeTypes(parts.map(({ type }) => type))
  })
  return buildModel(types, rootsOf(found))
}

function definitionsIn(reading: Reading): Found {
  const { cursor } = reading
  const parts: Part[] = []
  const roots = new Map<string, string>()
  let hasSchema = false
  while (cursor.peek().kind !== 'end') {
    descriptionAt(reading)
    const isExtension = cursor.skip('extend')
    if (cursor.skip('schema')) {
      hasSchema ||= !isExtension
      for (const [operation, name] of schemaAt(reading)) roots.set(operation, name)
    } else if (cursor.skip('directive')) passDirective(reading)
    else parts.push({ type: typeAt(reading), extends: isExtension })
  }
  return { parts, roots, hasSchema }
}

function schemaAt(reading: Reading): readonly (readonly [string, string])[] {
  directivesAt(reading)
  return listAt(reading, ['{', '}'], () => {
    const operation = reading.cursor.name()
    reading.cursor.expect(':')
    return [operation, reading.cursor.name()] as const
  })
}

// what directives mean is the server's: their definitions are passed over
function passDirective(reading: Reading): void {
  const { cursor } = reading
  cursor.expect('@')
  cursor.name()
  inputsAt(reading, ['(', ')'])
  cursor.skip('repeatable')
  if (namesAt(reading, 'on', '|').length === 0) throw cursor.refuse('"on"')
}

function typeAt(reading: Reading): TypeDefinition {
  const { cursor } = reading
  const keyword = cursor.peek().kind === 'name' ? cursor.peek().text : ''
  switch (keyword) {
    case 'scalar': {
      const name = nameAfter(cursor)
      const specifiedBy = directiveText(directivesAt(reading).get('specifiedBy'), 'url', '')
      return { kind: 'scalar', name, specifiedBy }
    }
    case 'type':
    case 'interface': {
      const name = nameAfter(cursor)
      const interfaces = namesAt(reading, 'implements', '&')
      directivesAt(reading)
      return {
        kind: keyword === 'type' ? 'object' : 'interface',
        name,
        interfaces,
        fields: fieldsAt(reading),
      }
    }
    case 'union': {
      const name = nameAfter(cursor)
      directivesAt(reading)
      return { kind: 'union', name, members: namesAt(reading, '=', '|') }
    }
    case 'enum': {
      const name = nameAfter(cursor)
      directivesAt(reading)
      return { kind: 'enum', name, values: valuesAt(reading) }
    }
    case 'input': {
      const name = nameAfter(cursor)
      const isOneOf = directivesAt(reading).has('oneOf')
      return { kind: 'input', name, isOneOf, inputs: inputsAt(reading, ['{', '}']) }
    }
    default:
      throw cursor.refuse('a type definition')
  }
}

function nameAfter(cursor: Reading['cursor']): string {
  cursor.take()
  return cursor.name()
}

// without a `schema` the usual names are the roots
function rootsOf({ parts, roots, hasSchema }: Found): Roots {
  const rootOf = (operation: string, usual: string): string | undefined => {
    const named = roots.get(operation)
    if (named !== undefined || hasSchema) return named
    return parts.some(({ type }) => type.name === usual && type.kind === 'object')
      ? usual
      : undefined
  }
  return {
    query: rootOf('query', 'Query'),
    mutation: rootOf('mutation', 'Mutation'),
    subscription: rootOf('subscription', 'Subscription'),
  }
}
