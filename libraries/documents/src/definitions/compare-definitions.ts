import { canonicalJson } from '@surehand/core/internal'
import { changeLevel, type SchemaChange, schemaDifference } from '@surehand/schema-diff'
import type { ToolDefinition } from './tool-definition.ts'
import type { Level } from './version-step.ts'

export type DefinitionDifference = {
  readonly level: Level
  readonly differences: readonly string[]
  readonly breaking: readonly string[]
}

/** What changed between two definitions, and how large a step in the version it is. */
export function compareDefinitions(
  before: ToolDefinition,
  after: ToolDefinition,
): DefinitionDifference {
  const changes = [
    ...withPrefix(
      'input',
      schemaDifference(
        before.function_signature.input.schema,
        after.function_signature.input.schema,
        'input',
      ),
    ),
    ...withPrefix(
      'output',
      schemaDifference(
        before.function_signature.output.success_schema,
        after.function_signature.output.success_schema,
        'output',
      ),
    ),
    ...contractChanges(before, after),
  ]
  const words = wordChanges(before, after)
  const level = changeLevel(changes)
  return {
    level: level === 'none' && words.length > 0 ? 'patch' : level,
    differences: [...changes.map(({ what }) => what), ...words],
    breaking: changes.filter((change) => change.breaking).map(({ what }) => what),
  }
}

function withPrefix(side: string, changes: readonly SchemaChange[]): readonly SchemaChange[] {
  return changes.map((change) => ({ ...change, what: `${side}: ${change.what}` }))
}

// who may call it, what it does and where it runs: any change may break a client that relies on it
function contractChanges(before: ToolDefinition, after: ToolDefinition): readonly SchemaChange[] {
  const sides = [
    ['permissions', before.permissions, after.permissions],
    ['security_level', before.security_level, after.security_level],
    [
      'side_effects',
      before.function_signature.side_effects ?? [],
      after.function_signature.side_effects ?? [],
    ],
  ] as const
  const broken = sides
    .filter(([, left, right]) => !same(left, right))
    .map(([path]) => ({ path, what: `${path} changed`, breaking: true }))
  const softer = [
    ['validation', before.validation, after.validation],
    ['implementation', before.implementation, after.implementation],
    [
      'error_schemas',
      before.function_signature.output.error_schemas,
      after.function_signature.output.error_schemas,
    ],
  ] as const
  return [
    ...broken,
    ...softer
      .filter(([, left, right]) => !same(left, right))
      .map(([path]) => ({ path, what: `${path} changed`, breaking: false })),
  ]
}

function wordChanges(before: ToolDefinition, after: ToolDefinition): readonly string[] {
  const fields = [
    'name',
    'category',
    'description',
    'detailed_description',
    'author',
    'replacement_tool',
  ] as const
  const changed = fields
    .filter((field) => before[field] !== after[field])
    .map((field) => `${field} changed`)
  return same(before.function_signature.input.examples, after.function_signature.input.examples)
    ? changed
    : [...changed, 'examples changed']
}

function same(left: unknown, right: unknown): boolean {
  return canonicalJson(left) === canonicalJson(right)
}
