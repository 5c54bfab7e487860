import { ToolError } from '@surehand/core'
import type { SelectedField, Selection } from '../answer/selection.ts'

const SHOWN_PATHS = 100

/** A selection with nothing but what some paths name; what they do not name can't be asked for. */
export function narrow(
  selection: Selection,
  paths: readonly string[],
  argument: string,
): Selection {
  const wanted = paths.map((path) => path.split('.'))
  const unknown = paths.filter((_, index) => !leadsSomewhere(selection, wanted[index] ?? []))
  if (unknown.length > 0) throw noSuchPath(unknown, selection, argument)
  return kept(selection, wanted)
}

function leadsSomewhere(selection: Selection, [first, ...rest]: readonly string[]): boolean {
  return selection.some(
    ({ name, fields }) =>
      name === first &&
      (rest.length === 0 || (fields !== undefined && leadsSomewhere(fields, rest))),
  )
}

// what type a value is of stays: without it the rest can't be read
function kept(selection: Selection, paths: readonly (readonly string[])[]): Selection {
  return selection.flatMap((field): readonly SelectedField[] => {
    if (field.name === '__typename') return [field]
    const own = paths.filter(([first]) => first === field.name).map((path) => path.slice(1))
    if (own.length === 0) return []
    if (field.fields === undefined || own.some((path) => path.length === 0)) return [field]
    const fields = kept(field.fields, own)
    return fields.length === 0 ? [] : [{ ...field, fields }]
  })
}

function noSuchPath(unknown: readonly string[], selection: Selection, argument: string): ToolError {
  const error = 'is no part of the answer'
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${argument} names what is not in the answer: ${unknown.slice(0, 5).join(', ')}.`,
    {
      effect: 'none',
      details: {
        validation_errors: unknown.map((path) => ({
          field: argument,
          error,
          provided_value: path,
        })),
        possible_values: [...new Set(pathsOf(selection, ''))].slice(0, SHOWN_PATHS),
      },
    },
  )
}

function pathsOf(selection: Selection, before: string): readonly string[] {
  return selection.flatMap(({ name, fields }) => [
    `${before}${name}`,
    ...(fields === undefined ? [] : pathsOf(fields, `${before}${name}.`)),
  ])
}
