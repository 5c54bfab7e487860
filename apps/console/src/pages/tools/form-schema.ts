import { type Schema, Validator } from '@cfworker/json-schema'
import {
  type RJSFSchema,
  type RJSFValidationError,
  toErrorSchema,
  type ValidatorType,
} from '@rjsf/utils'
import { visibleText } from '@surehand/core/host'

type Json = Readonly<Record<string, unknown>>

/**
 * A tool's schema as the form takes it. Its words may come from outside, so hidden characters are
 * spelled out. Patterns are left to the server: one that takes for ever would stop the page.
 */
export function toFormSchema(schema: Json, name = ''): RJSFSchema {
  const { pattern: _, patternProperties: __, title, description, enum: values, ...rest } = schema
  const merged = withoutNull(rest)
  const label = typeof title === 'string' ? title : name
  return {
    ...mapParts(merged),
    ...(label === '' ? {} : { title: visibleText(label) }),
    ...(typeof description === 'string' ? { description: visibleText(description) } : {}),
    ...(Array.isArray(values) ? { oneOf: values.map(toChoice) } : {}),
  } as RJSFSchema
}

function toChoice(value: unknown): Json {
  return { const: value, title: visibleText(String(value)) }
}

// `anyOf: [X, null]` would be a choice between two forms; a field that is left empty says the same.
function withoutNull(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const others = anyOf.filter((part: Json) => part.type !== 'null')
  return others.length === 1 && others.length < anyOf.length ? { ...rest, ...others[0] } : schema
}

function mapParts(schema: Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => {
      if (key === 'properties' || key === '$defs') return [key, mapNamed(value as Json, key)]
      if (key === 'items' || key === 'additionalProperties') return [key, mapOne(value)]
      if (Array.isArray(value) && /^(?:anyOf|oneOf|allOf|prefixItems)$/.test(key))
        return [key, value.map((part) => mapOne(part))]
      return [key, value]
    }),
  )
}

function mapNamed(parts: Json, key: string): Json {
  return Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      mapOne(part, key === 'properties' ? name : ''),
    ]),
  )
}

function mapOne(part: unknown, name = ''): unknown {
  return typeof part === 'object' && part !== null ? toFormSchema(part as Json, name) : part
}

function findErrors(schema: RJSFSchema, value: unknown): RJSFValidationError[] {
  const { errors } = new Validator(schema as Schema, '2020-12', false).validate(value ?? {})
  // Every schema around an error reports it too; only the innermost says what to do.
  return errors
    .filter(({ keyword }) => !/^(?:properties|items|\$ref|allOf|anyOf|oneOf)$/.test(keyword))
    .map(({ instanceLocation, error, keyword }) => {
      const property = instanceLocation
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .map((part) => (part === '' ? '' : `.${part}`))
        .join('')
      return { name: keyword, property, message: visibleText(error), stack: visibleText(error) }
    })
}

/** Checks the form without making code from the schema, which the policy of the page forbids. */
export const formValidator: ValidatorType = {
  validateFormData(value, schema, _, transform, uiSchema) {
    const found = findErrors(schema, value)
    const errors = transform?.(found, uiSchema) ?? found
    return { errors, errorSchema: toErrorSchema(errors) }
  },
  isValid(schema, value, root) {
    const whole = { ...schema, $defs: root.$defs } as Schema
    return new Validator(whole, '2020-12', true).validate(value).valid
  },
  rawValidation: (schema, value) => ({ errors: findErrors(schema, value) as never[] }),
}
