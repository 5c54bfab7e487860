import { ToolError } from '@surehand/core'
import { type Path, parsePath, valuesAt } from './dot-path.ts'
import { ambiguous } from './field-mapping.ts'
import { setField } from './move-fields.ts'
import { type FromContext, isFromContext } from './rule-form.ts'
import type { Fields, MigrationContext, MigrationStep } from './step.ts'

/** Adds what v1 did not know. A constant, the time and the zone fill a gap; who calls is never taken from the arguments. */
export function enrichStep(values: Readonly<Record<string, unknown>>): MigrationStep {
  const additions = Object.entries(values).map(([path, value]) => ({
    path: parsePath(path),
    value,
  }))
  return {
    forward: (fields, context) =>
      additions.reduce(
        (enriched, { path, value }) => enrich(enriched, { path, value }, context),
        fields,
      ),
    backward: (data) => data,
  }
}

function enrich(
  fields: Fields,
  { path, value }: { readonly path: Path; readonly value: unknown },
  context: MigrationContext,
): Fields {
  const isIdentity = value === '$principal' || value === '$tenant'
  const isGiven = valuesAt(fields, path).some(
    (found) => found.value !== undefined && found.value !== null,
  )
  if (isGiven && !isIdentity) return fields
  const added = isFromContext(value) ? contextValue(value, context) : structuredClone(value)
  if (added === undefined) return fields
  const enriched = setField(fields, path, added)
  if (!enriched.ok) throw ambiguous(context, enriched.field)
  return enriched.value as Fields // the path begins with a key, so an object stays one
}

function contextValue(
  name: FromContext,
  { caller, nowMs, tool }: MigrationContext,
): string | undefined {
  switch (name) {
    case '$now':
      return new Date(nowMs).toISOString()
    case '$timeZone':
      return caller?.timeZone
    case '$principal':
    case '$tenant':
      if (caller === undefined)
        throw new ToolError(
          'TOOL_CONFIGURATION_ERROR',
          `${tool} needs to know who calls: hand in the caller.`,
        )
      return name === '$principal' ? caller.principal : caller.tenant
  }
}
