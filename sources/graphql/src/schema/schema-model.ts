import type { Literal } from './literal.ts'

export type TypeReference =
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly of: TypeReference }
  | { readonly kind: 'nonNull'; readonly of: TypeReference }

/** An argument or a field of an input type. */
export type InputValue = {
  readonly name: string
  readonly description: string | undefined
  readonly type: TypeReference
  /** `unreadable`: the server has a default value, but it could not be parsed. */
  readonly defaultValue: Literal | 'unreadable' | undefined
  readonly deprecated: string | undefined
}

export type Field = {
  readonly name: string
  readonly description: string | undefined
  readonly type: TypeReference
  readonly inputs: readonly InputValue[]
  readonly deprecated: string | undefined
}

export type Composite = {
  readonly kind: 'object' | 'interface'
  readonly name: string
  readonly fields: readonly Field[]
  readonly interfaces: readonly string[]
}
export type Union = {
  readonly kind: 'union'
  readonly name: string
  readonly members: readonly string[]
}
export type Enum = {
  readonly kind: 'enum'
  readonly name: string
  readonly values: readonly string[]
}
export type Scalar = {
  readonly kind: 'scalar'
  readonly name: string
  readonly specifiedBy: string | undefined
}
export type InputObject = {
  readonly kind: 'input'
  readonly name: string
  readonly inputs: readonly InputValue[]
  /** Exactly one of its fields is given. */
  readonly isOneOf: boolean
}
export type TypeDefinition = Composite | Union | Enum | Scalar | InputObject

export type Roots = {
  readonly query: string | undefined
  readonly mutation: string | undefined
  readonly subscription: string | undefined
}

/**
 * A schema as both readers return it. Every name in it is safe to write into a document, and every
 * list is sorted.
 */
export type SchemaModel = Roots & {
  readonly types: ReadonlyMap<string, TypeDefinition>
  /** The object types that each interface and union can be. */
  readonly possible: ReadonlyMap<string, readonly string[]>
  /** What was left out because it is not valid GraphQL. */
  readonly flaws: readonly string[]
}

export function nameOf(type: TypeReference): string {
  return type.kind === 'named' ? type.name : nameOf(type.of)
}

export function isList(type: TypeReference): boolean {
  return type.kind === 'list' || (type.kind === 'nonNull' && isList(type.of))
}

/** The type as it is written in a document, such as `[ID!]!`. */
export function typeText(type: TypeReference): string {
  switch (type.kind) {
    case 'named':
      return type.name
    case 'list':
      return `[${typeText(type.of)}]`
    case 'nonNull':
      return `${typeText(type.of)}!`
  }
}

/** Whether a caller must give a value: it may not be null and has no default. */
export function isRequired({ type, defaultValue }: InputValue): boolean {
  return type.kind === 'nonNull' && defaultValue === undefined
}
