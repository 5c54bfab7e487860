import { isRecord } from '@surehand/core/internal'
import { isVisible } from '../document/clip-text.ts'
import { LeftOut } from '../document/left-out.ts'
import { LIMITS } from '../document/limits.ts'
import { type Fields, own, ownList, ownRecord, ownText } from '../document/record.ts'
import { followReference } from '../document/references.ts'
import { type Assembled, assemble } from '../schema/assemble.ts'
import { type Library, readUnit } from '../schema/library.ts'
import type { Listed } from './list-operations.ts'
import type { ParameterForm, ParameterPlan, ParameterStyle } from './operation.ts'
import { type CredentialSlot, isCredential, isSignaturePart } from './security.ts'

/**
 * The parameters of an operation, before their schemas are read. Those that a model must not fill
 * are listed as dropped.
 */
export type Parameters = {
  readonly kept: readonly Parameter[]
  readonly dropped: readonly { readonly name: string; readonly reason: string }[]
  readonly idempotencyHeader: string | undefined
  /** Credentials among the dropped ones. */
  readonly slots: readonly CredentialSlot[]
}

export type Parameter = {
  readonly name: string
  readonly in: ParameterPlan['in']
  readonly form: Fields
}

export type ParameterRules = {
  readonly library: Library
  readonly keys: ReadonlyMap<string, string>
}

/** Facts about the operation that decide which parameters are dropped. */
export type ParameterUse = { readonly isWrite: boolean }

/** How an argument is sent, and its schema. */
export type PlannedParameter = {
  readonly plan: Omit<ParameterPlan, 'argument'>
  readonly part: Assembled
}

// Headers that authenticate, describe the body or control the connection are never arguments.
const RESERVED_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'keep-alive',
  'origin',
  'proxy-authorization',
  'proxy-connection',
  'referer',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
])
/** Why the report says that a parameter or form field was dropped. */
export const CARRIES_CREDENTIAL = 'it carries a credential'
const IDEMPOTENCY_HEADER = /^(?:x-)?idempotency-key$/i
// The schema of one parameter may not be larger.
const PARAMETER_BYTES = 4 * 1024
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Reads the parameters of an operation and of its path; the operation's own take precedence. */
export function readParameters(
  { operation, item }: Pick<Listed, 'operation' | 'item'>,
  rules: ParameterRules,
  use: ParameterUse,
): Parameters {
  const byPlace = new Map<string, Parameter>()
  for (const list of [ownList(item, 'parameters'), ownList(operation, 'parameters')])
    for (const one of list) {
      const parameter = readParameter(followReference(rules.library, one, 'a parameter'))
      byPlace.set(`${parameter.in} ${parameter.name}`, parameter)
    }
  if (byPlace.size > LIMITS.parameters)
    throw new LeftOut(`it has more than ${LIMITS.parameters} parameters`)
  const kept: Parameter[] = []
  const dropped: Parameters['dropped'][number][] = []
  const slots: CredentialSlot[] = []
  let idempotencyHeader: string | undefined
  for (const [name, one] of byPlace) {
    const isKey =
      use.isWrite &&
      idempotencyHeader === undefined &&
      one.in === 'header' &&
      IDEMPOTENCY_HEADER.test(one.name)
    if (isKey) idempotencyHeader = one.name
    const slot = isKey ? undefined : readSlot(one, rules)
    const reason = isKey
      ? 'it is filled with the idempotency key of the call'
      : slot === undefined
        ? dropReason(one)
        : CARRIES_CREDENTIAL
    if (slot !== undefined) slots.push(slot)
    if (reason === undefined) kept.push(checkSendable(one))
    else dropped.push({ name, reason })
  }
  return { kept, dropped, idempotencyHeader, slots }
}

function readParameter(form: Fields): Parameter {
  const name = ownText(form, 'name')
  const place = ownText(form, 'in')
  if (name === undefined || name === '') throw new LeftOut('a parameter has no name')
  if (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie')
    throw new LeftOut(
      `the parameter "${name.slice(0, 60)}" has the unknown location ${JSON.stringify(place)}`,
    )
  return { name, in: place, form }
}

function readSlot(
  { name, in: place, form }: Parameter,
  { keys }: ParameterRules,
): CredentialSlot | undefined {
  const isReserved = isReservedHeader(name, place) && name.toLowerCase() !== 'authorization'
  if (place === 'path' || isReserved) return undefined
  const scheme = keys.get(`${place} ${name.toLowerCase()}`)
  const isSlot = scheme !== undefined || isCredential(name, ownText(form, 'description') ?? '')
  return isSlot && isVisible(name)
    ? { scheme: scheme ?? name, name, in: place, isRequired: own(form, 'required') === true }
    : undefined
}

function isReservedHeader(name: string, place: string): boolean {
  const folded = name.toLowerCase()
  return (
    place === 'header' &&
    (RESERVED_HEADERS.has(folded) || folded.startsWith('proxy-') || folded.startsWith('sec-'))
  )
}

function dropReason({ name, in: place, form }: Parameter): string | undefined {
  if (place === 'path') return undefined
  if (isReservedHeader(name, place)) return 'a header that is not the model’s to set'
  if (isSignaturePart(name)) return 'it is part of a signature'
  const isOptional = own(form, 'required') !== true
  if (isOptional && !isVisible(name)) return 'its name has invisible characters'
  if (isOptional && place === 'header' && !TOKEN.test(name)) return 'its name cannot be a header'
  return undefined
}

// Checked before schemas are read: an operation with a parameter that cannot be encoded is left out
// early.
function checkSendable(parameter: Parameter): Parameter {
  const { name, in: place, form } = parameter
  if (!isVisible(name) || (place === 'header' && !TOKEN.test(name)))
    throw new LeftOut(`it requires a ${place} parameter called "${name.slice(0, 60)}"`)
  if (readContent(form) === undefined) readStyle(parameter)
  return parameter
}

/** Reads the schema of a parameter. */
export function planParameter(parameter: Parameter, library: Library): PlannedParameter {
  const { name, in: place, form } = parameter
  const content = readContent(form)
  const schema = content === undefined ? own(form, 'schema') : own(content[1], 'schema')
  const plan: PlannedParameter['plan'] = {
    name,
    in: place,
    isRequired: place === 'path' || own(form, 'required') === true,
    form:
      content === undefined ? parameterForm(parameter) : { kind: 'content', mediaType: content[0] },
    scalar: readScalarKind(schema),
  }
  const described = withDescription(withExample(schema, form), ownText(form, 'description'))
  const unit = readUnit(library, 'input', (reader) => reader.read(described, name))
  return {
    plan,
    part: assemble(unit, { library, direction: 'input', byteBudget: PARAMETER_BYTES }),
  }
}

function readContent(form: Fields): readonly [string, unknown] | undefined {
  const content = ownRecord(form, 'content')
  return content === undefined
    ? undefined
    : Object.entries(content).toSorted(([left], [right]) => (left < right ? -1 : 1))[0]
}

const STYLES: Readonly<
  Record<ParameterPlan['in'], readonly [ParameterStyle, ...ParameterStyle[]]>
> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
}

function readStyle({ name, in: place, form }: Parameter): ParameterStyle {
  const [usual] = STYLES[place]
  const written = own(form, 'style') ?? usual
  if (written === usual) return usual
  const style = STYLES[place].find((one) => one === written)
  if (style === undefined)
    throw new LeftOut(
      `the ${place} parameter "${name.slice(0, 60)}" has the unsupported style ${JSON.stringify(written)?.slice(0, 40)}`,
    )
  return style
}

function parameterForm(parameter: Parameter): ParameterForm {
  const { form } = parameter
  const style = readStyle(parameter)
  const explode = own(form, 'explode')
  return {
    kind: 'style',
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form',
    allowReserved: own(form, 'allowReserved') === true,
  }
}

function readScalarKind(schema: unknown): ParameterPlan['scalar'] {
  switch (own(schema, 'type')) {
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'flag'
    case 'array':
    case 'object':
      return null
    default:
      return 'text'
  }
}

/**
 * Replaces a schema's description: the description of a parameter or body is more specific than
 * that of its type.
 */
export function withDescription(schema: unknown, description: string | undefined): unknown {
  if (description === undefined || description === '') return schema ?? {}
  return typeof schema === 'object' && schema !== null
    ? { ...schema, description }
    : { description }
}

// An example of the parameter is an example of its value.
function withExample(schema: unknown, form: Fields): unknown {
  const example =
    own(form, 'example') ?? own(Object.values(ownRecord(form, 'examples') ?? {})[0], 'value')
  if (
    example === undefined ||
    !isRecord(schema) ||
    Object.hasOwn(schema, 'example') ||
    Object.hasOwn(schema, '$ref')
  )
    return schema
  return { ...schema, example }
}
