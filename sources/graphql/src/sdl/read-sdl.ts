import type {
  ConstDirectiveNode,
  DefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  NamedTypeNode,
  TypeNode,
} from 'graphql/language'
import { BOUNDS, createTally, refuseDocument } from '../schema/bounds.ts'
import { buildModel } from '../schema/build-model.ts'
import type {
  Field,
  InputValue,
  Roots,
  SchemaModel,
  TypeDefinition,
  TypeReference,
} from '../schema/schema-model.ts'
import { graphqlLanguage } from './graphql-language.ts'
import { toLiteral } from './read-literal.ts'

type Count = (count: number) => void
type Nodes<T> = readonly T[] | undefined

/**
 * Reads type definitions in GraphQL's schema definition language, with extensions merged into their
 * types.
 */
export function readSdl(text: string): SchemaModel {
  if (text.length > BOUNDS.documentCharacters)
    throw refuseDocument(`it is longer than ${BOUNDS.documentCharacters} characters`)
  const { definitions } = parseSdl(text)
  const count = createTally(BOUNDS.members, 'fields, arguments and values')
  const parts = definitions.flatMap((node) => toType(node, count) ?? [])
  const groups = Map.groupBy(parts, ({ name }) => name)
  if (groups.size > BOUNDS.types) throw refuseDocument(`it has more than ${BOUNDS.types} types`)
  refuseDuplicates(definitions)
  const types = [...groups.values()].flatMap(mergeTypes)
  return buildModel(types, findRoots(definitions, types))
}

function parseSdl(text: string): DocumentNode {
  try {
    return graphqlLanguage().parse(text, {
      noLocation: true,
      maxLexicalTokens: BOUNDS.tokens,
      maxComments: BOUNDS.comments,
    })
  } catch (thrown) {
    // The parser recurses: thousands of brackets in a row exhaust its stack.
    if (thrown instanceof RangeError) throw refuseDocument('it is nested too deeply')
    throw refuseDocument(describeSyntaxError(thrown))
  }
}

// Clipped: the message repeats the unexpected token, and a token can be as long as the document.
function describeSyntaxError(thrown: unknown): string {
  const { message, locations } = thrown as {
    readonly message: string
    readonly locations?: readonly { readonly line: number }[]
  }
  const [line] = locations ?? []
  const reason = message
    .slice(0, 200)
    .replace(/^Syntax Error: /, '')
    .replace(/\.$/, '')
  return line === undefined ? reason : `line ${line.line}: ${reason}`
}

function toType(node: DefinitionNode, count: Count): TypeDefinition | undefined {
  switch (node.kind) {
    case 'ScalarTypeDefinition':
    case 'ScalarTypeExtension':
      return {
        kind: 'scalar',
        name: node.name.value,
        specifiedBy: readDirective(node.directives, 'specifiedBy', { argument: 'url', usual: '' }),
      }
    case 'ObjectTypeDefinition':
    case 'ObjectTypeExtension':
    case 'InterfaceTypeDefinition':
    case 'InterfaceTypeExtension':
      return {
        kind: node.kind.startsWith('Object') ? 'object' : 'interface',
        name: node.name.value,
        interfaces: toNames(node.interfaces, count),
        fields: toFields(node.fields, count),
      }
    case 'UnionTypeDefinition':
    case 'UnionTypeExtension':
      return { kind: 'union', name: node.name.value, members: toNames(node.types, count) }
    case 'EnumTypeDefinition':
    case 'EnumTypeExtension':
      return { kind: 'enum', name: node.name.value, values: toNames(node.values, count) }
    case 'InputObjectTypeDefinition':
    case 'InputObjectTypeExtension':
      return {
        kind: 'input',
        name: node.name.value,
        isOneOf: node.directives?.some(({ name }) => name.value === 'oneOf') ?? false,
        inputs: toInputs(node.fields, count),
      }
    case 'OperationDefinition':
    case 'FragmentDefinition':
      throw refuseDocument('it contains an operation or a fragment, not only type definitions')
    // Only the server gives meaning to directives; the roots are read by findRoots.
    default:
      return undefined
  }
}

function toFields(nodes: Nodes<FieldDefinitionNode>, count: Count): readonly Field[] {
  count(nodes?.length ?? 0)
  return (nodes ?? []).map((node) => ({
    name: node.name.value,
    description: node.description?.value,
    inputs: toInputs(node.arguments, count),
    type: toReference(node.type),
    deprecated: readDeprecation(node.directives),
  }))
}

function toInputs(nodes: Nodes<InputValueDefinitionNode>, count: Count): readonly InputValue[] {
  count(nodes?.length ?? 0)
  return (nodes ?? []).map((node) => ({
    name: node.name.value,
    description: node.description?.value,
    type: toReference(node.type),
    defaultValue: node.defaultValue === undefined ? undefined : toLiteral(node.defaultValue),
    deprecated: readDeprecation(node.directives),
  }))
}

function toNames(nodes: Nodes<Pick<NamedTypeNode, 'name'>>, count: Count): readonly string[] {
  count(nodes?.length ?? 0)
  return (nodes ?? []).map(({ name }) => name.value)
}

function toReference(node: TypeNode, depth = 0): TypeReference {
  if (depth > BOUNDS.wrappers)
    throw refuseDocument(`a type is wrapped in more than ${BOUNDS.wrappers} lists and "!"`)
  if (node.kind === 'NamedType') return { kind: 'named', name: node.name.value }
  const of = toReference(node.type, depth + 1)
  return { kind: node.kind === 'ListType' ? 'list' : 'nonNull', of }
}

function readDeprecation(directives: Nodes<ConstDirectiveNode>): string | undefined {
  return readDirective(directives, 'deprecated', {
    argument: 'reason',
    usual: 'No longer supported',
  })
}

/** The text that a directive carries, or the usual text if it carries none. */
function readDirective(
  directives: Nodes<ConstDirectiveNode>,
  wanted: string,
  { argument, usual }: { readonly argument: string; readonly usual: string },
): string | undefined {
  const directive = directives?.find(({ name }) => name.value === wanted)
  if (directive === undefined) return undefined
  const value = directive.arguments?.find(({ name }) => name.value === argument)?.value
  return value?.kind === 'StringValue' ? value.value : usual
}

// An extension of a type that is not defined here defines it: parts of larger schemas are written
// so.
function refuseDuplicates(definitions: readonly DefinitionNode[]): void {
  const defined = new Set<string>()
  for (const node of definitions) {
    if (!node.kind.endsWith('TypeDefinition') || !('name' in node)) continue
    const name = node.name?.value ?? ''
    if (defined.has(name)) throw refuseDocument(`the type "${name}" is defined twice`)
    defined.add(name)
  }
}

// All parts at once: merging them one by one copies the members of a type that is extended
// thousands of times as often.
function mergeTypes(parts: readonly TypeDefinition[]): readonly TypeDefinition[] {
  const [first] = parts
  if (first === undefined) return []
  if (parts.some(({ kind }) => kind !== first.kind))
    throw refuseDocument(`"${first.name}" is extended as another kind of type`)
  const collect = <T>(read: (part: TypeDefinition) => T | readonly T[]): T[] => parts.flatMap(read)
  switch (first.kind) {
    case 'scalar':
      return [
        {
          ...first,
          specifiedBy: collect((part) =>
            'specifiedBy' in part ? (part.specifiedBy ?? []) : [],
          )[0],
        },
      ]
    case 'enum':
      return [{ ...first, values: collect((part) => ('values' in part ? part.values : [])) }]
    case 'union':
      return [{ ...first, members: collect((part) => ('members' in part ? part.members : [])) }]
    case 'input':
      return [
        {
          ...first,
          inputs: collect((part) => ('inputs' in part ? part.inputs : [])),
          isOneOf: parts.some((part) => part.kind === 'input' && part.isOneOf),
        },
      ]
    case 'object':
    case 'interface':
      return [
        {
          ...first,
          fields: collect((part) => ('fields' in part ? part.fields : [])),
          interfaces: collect((part) => ('interfaces' in part ? part.interfaces : [])),
        },
      ]
  }
}

/**
 * The root types that `schema` names; without a `schema` definition they have their usual names.
 */
function findRoots(
  definitions: readonly DefinitionNode[],
  types: readonly TypeDefinition[],
): Roots {
  const hasSchema = definitions.some(({ kind }) => kind === 'SchemaDefinition')
  const named = new Map(
    definitions.flatMap((node) =>
      node.kind === 'SchemaDefinition' || node.kind === 'SchemaExtension'
        ? (node.operationTypes ?? []).map(
            ({ operation, type }) => [operation as string, type.name.value] as const,
          )
        : [],
    ),
  )
  const findRoot = (operation: string, usual: string): string | undefined => {
    const name = named.get(operation)
    if (name !== undefined || hasSchema) return name
    return types.some((type) => type.name === usual && type.kind === 'object') ? usual : undefined
  }
  return {
    query: findRoot('query', 'Query'),
    mutation: findRoot('mutation', 'Mutation'),
    subscription: findRoot('subscription', 'Subscription'),
  }
}
