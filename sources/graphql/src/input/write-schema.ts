import { visibleText } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { BOUNDS } from '../schema/bounds.ts'
import { isKey } from '../schema/build-model.ts'
import { clipText } from '../schema/foreign-text.ts'
import {
  type Enum,
  type InputObject,
  type InputValue,
  isRequired,
  nameOf,
  type SchemaModel,
  type TypeReference,
} from '../schema/schema-model.ts'
import { isSecretName } from '../schema/secret-name.ts'
import { defaultJson } from './default-json.ts'
import { nullable } from './nullable.ts'
import { scalarSchema } from './scalar-schema.ts'

export type InputSchema =
  | {
      readonly ok: true
      readonly schema: JsonSchema
      readonly bytes: number
      readonly notes: readonly string[]
    }
  | { readonly ok: false; readonly reason: string }

// Tried in this order until the schema fits: descriptions go first, then optional fields far from
// the arguments.
const DETAILS: readonly (Detail & { readonly note?: string })[] = [
  { words: 'all', steps: Number.POSITIVE_INFINITY },
  {
    words: 'arguments',
    steps: Number.POSITIVE_INFINITY,
    note: 'descriptions within it were left out',
  },
  ...[5, 4, 3, 2, 1, 0].map((steps) => ({
    words: 'arguments' as const,
    steps,
    note: `optional fields more than ${steps} levels within it were left out`,
  })),
]

/** The arguments of an operation as a strict JSON Schema within its byte budget. */
export function inputSchema(
  inputs: readonly InputValue[],
  extra: JsonSchema,
  model: SchemaModel,
): InputSchema {
  for (const { note, ...detail } of DETAILS) {
    const included = typesWithin(inputs, detail.steps, model)
    if (included === undefined) continue
    const written = writeSchema(inputs, { ...detail, included, model, extra })
    const bytes = JSON.stringify(written.schema).length
    if (bytes > BOUNDS.schemaBytes || written.subschemas > BOUNDS.subschemas) continue
    const notes =
      note === undefined ? written.notes : [...written.notes, `Its input is large: ${note}.`]
    return { ok: true, schema: written.schema, bytes, notes }
  }
  return {
    ok: false,
    reason: `the schema of its required arguments is larger than ${BOUNDS.schemaBytes} bytes`,
  }
}

/**
 * The input types within a number of steps of the arguments. Required fields cost no step: their
 * type cannot be left out. Undefined if there are more types than a schema may hold.
 */
function typesWithin(
  inputs: readonly InputValue[],
  steps: number,
  model: SchemaModel,
): ReadonlySet<string> | undefined {
  const distances = new Map<string, number>()
  let layer = inputs
  for (let distance = 0; layer.length > 0 && distance <= steps; distance++) {
    const next: InputValue[] = []
    // Breadth first, so that each type is visited once.
    const queue = layer.flatMap((input) => inputTypeOf(input, model) ?? [])
    for (let index = 0; index < queue.length; index++) {
      const type = queue[index]
      if (type === undefined || distances.has(type.name)) continue
      if (distances.size === BOUNDS.inputTypes) return undefined
      distances.set(type.name, distance)
      for (const input of type.inputs) {
        const needed = isRequired(input) && !type.isOneOf
        if (needed) queue.push(...[inputTypeOf(input, model) ?? []].flat())
        else next.push(input)
      }
    }
    layer = next
  }
  return new Set(distances.keys())
}

function inputTypeOf(input: InputValue, model: SchemaModel) {
  const type = model.types.get(nameOf(input.type))
  return type?.kind === 'input' ? type : undefined
}

type Detail = { readonly words: 'all' | 'arguments'; readonly steps: number }
export type Choice = Detail & {
  readonly included: ReadonlySet<string>
  readonly model: SchemaModel
  readonly extra: JsonSchema
}
export type Written = {
  readonly schema: JsonSchema
  readonly subschemas: number
  readonly notes: readonly string[]
}

// Types below this depth are always referenced: the validator accepts 32 levels.
const DEEPEST_INLINE = 4
// Small types are inlined, because some clients cannot follow references.
const SMALL = 600

/**
 * Writes the schema of one operation's arguments. A type that is used once is inlined, the others
 * are in `$defs`.
 */
function writeSchema(inputs: readonly InputValue[], choice: Choice): Written {
  return new SchemaWriter(choice).write(inputs)
}

// Mutable while one schema is written; only the finished schema leaves it.
class SchemaWriter {
  private readonly choice: Choice
  private readonly definitions = new Map<string, JsonSchema>()
  private readonly uses = new Map<string, number>()
  private readonly notes = new Set<string>()
  private subschemas = 1

  constructor(choice: Choice) {
    this.choice = choice
  }

  write(inputs: readonly InputValue[]): Written {
    this.countUses(inputs)
    const root = this.object(inputs, { nesting: 0, isOneOf: false })
    const properties = { ...(root.properties as JsonSchema), ...this.choice.extra }
    const definitions = [...this.definitions].sort(([left], [right]) => (left < right ? -1 : 1))
    const schema = {
      ...root,
      properties,
      ...(definitions.length === 0 ? {} : { $defs: Object.fromEntries(definitions) }),
    }
    return { schema, subschemas: this.subschemas, notes: [...this.notes] }
  }

  private countUses(inputs: readonly InputValue[]): void {
    const { included, model } = this.choice
    const types = [...included]
      .flatMap((name) => model.types.get(name) ?? [])
      .filter((type) => type.kind === 'input')
    for (const input of [...inputs, ...types.flatMap((type) => type.inputs)]) {
      const name = nameOf(input.type)
      this.uses.set(name, (this.uses.get(name) ?? 0) + 1)
    }
  }

  private object(
    inputs: readonly InputValue[],
    place: { readonly nesting: number; readonly isOneOf: boolean },
  ): JsonSchema {
    const kept = inputs.filter((input) => this.isKept(input))
    const required = kept
      .filter((input) => isRequired(input) && !place.isOneOf)
      .map(({ name }) => name)
    return {
      type: 'object',
      properties: Object.fromEntries(
        kept.map((input) => [input.name, this.property(input, place)]),
      ),
      ...(required.length === 0 ? {} : { required }),
      ...(place.isOneOf ? { minProperties: 1, maxProperties: 1 } : {}),
      additionalProperties: false,
    }
  }

  /**
   * Whether an input is offered: optional inputs are not if they are deprecated, unusable, or the
   * client's own correlation id.
   */
  private isKept(input: InputValue): boolean {
    if (isRequired(input)) return true
    if (input.deprecated !== undefined || input.name === 'clientMutationId' || !isKey(input.name))
      return false
    const type = this.choice.model.types.get(nameOf(input.type))
    if (
      type === undefined ||
      type.kind === 'object' ||
      type.kind === 'interface' ||
      type.kind === 'union'
    )
      return false
    return type.kind !== 'input' || this.choice.included.has(type.name)
  }

  private property(
    input: InputValue,
    { nesting, isOneOf }: { readonly nesting: number; readonly isOneOf: boolean },
  ): JsonSchema {
    const { description, defaultValue, type } = input
    const isDescribed =
      description !== undefined &&
      description !== '' &&
      (nesting === 0 || this.choice.words === 'all')
    const fallback =
      typeof defaultValue === 'object'
        ? defaultJson(defaultValue, type, this.choice.model)
        : undefined
    return {
      ...this.schemaOf(
        isOneOf && type.kind !== 'nonNull' ? { kind: 'nonNull', of: type } : type,
        nesting,
      ),
      ...(isDescribed
        ? { description: visibleText(clipText(description, BOUNDS.fieldDescription)) }
        : {}),
      ...(fallback === undefined ? {} : { default: fallback.value }),
      // `writeOnly` values are hidden from people and stored encrypted.
      ...(isSecretName(input.name) ? { writeOnly: true } : {}),
    }
  }

  private schemaOf(type: TypeReference, nesting: number): JsonSchema {
    this.subschemas += 2
    switch (type.kind) {
      case 'nonNull':
        return this.bare(type.of, nesting)
      case 'list':
      case 'named':
        return nullable(this.bare(type, nesting))
    }
  }

  private bare(type: TypeReference, nesting: number): JsonSchema {
    if (type.kind === 'list') return { type: 'array', items: this.schemaOf(type.of, nesting) }
    const definition = this.choice.model.types.get(nameOf(type))
    switch (definition?.kind) {
      case 'enum':
        return this.enumeration(definition)
      case 'input':
        return this.inputObject(definition, nesting)
      case 'scalar':
        return scalarSchema(definition) ?? this.unknownScalar(definition.name)
      default:
        // A required field of a type that the schema does not define: no value is valid.
        return { not: {} }
    }
  }

  private unknownScalar(name: string): JsonSchema {
    this.notes.add(`The scalar ${name} is known only to its server: any JSON is accepted.`)
    return { description: `Any JSON that the server accepts as its scalar ${name}.` }
  }

  private enumeration({ name, values }: Enum): JsonSchema {
    if (values.length > BOUNDS.enumValues) {
      this.notes.add(
        `The enum ${name} has ${values.length} values, which are not listed: any name is accepted.`,
      )
      return {
        type: 'string',
        pattern: '^[_A-Za-z][_0-9A-Za-z]*$',
        description: `A value of the server's enum ${name}.`,
      }
    }
    const schema = { type: 'string', enum: values }
    const uses = this.uses.get(name) ?? 1
    if (uses === 1 || uses * JSON.stringify(values).length <= SMALL) return schema
    this.definitions.set(name, schema)
    return { $ref: `#/$defs/${name}` }
  }

  private inputObject({ name, inputs, isOneOf }: InputObject, nesting: number): JsonSchema {
    const uses = this.uses.get(name) ?? 1
    if ((uses === 1 || this.isSmall(inputs, uses)) && nesting < DEEPEST_INLINE)
      return this.object(inputs, { nesting: nesting + 1, isOneOf })
    if (!this.definitions.has(name)) {
      // Registered before it is written, because it may refer to itself.
      this.definitions.set(name, {})
      this.definitions.set(name, this.object(inputs, { nesting: 1, isOneOf }))
    }
    return { $ref: `#/$defs/${name}` }
  }

  // Estimated from names and descriptions, before anything is written.
  private isSmall(inputs: readonly InputValue[], uses: number): boolean {
    const { model, words } = this.choice
    if (inputs.some((input) => model.types.get(nameOf(input.type))?.kind !== 'scalar')) return false
    return (
      uses *
        inputs.reduce(
          (sum, { name, description }) =>
            sum + name.length + 40 + (words === 'all' ? (description?.length ?? 0) : 0),
          60,
        ) <=
      SMALL
    )
  }
}
