import { visibleText } from '@surehand/core/host'
import { fieldName } from '@surehand/core/internal'
import type { Field } from './answer-field.ts'
import { FORMAT_EXAMPLES } from './answer-formats.ts'
import { type Html, html } from './html.ts'
import type { FieldProblem } from './read-answer.ts'
import { renderText } from './render-value.ts'

/** All problems of a form in one list, each with a link to its field. */
export function renderProblems(field: Field, problems: readonly FieldProblem[]): Html {
  const rows = problems.map(({ path, error }) => {
    const { name, label } = fieldFor(field, path)
    return html`<li><a href="#${name}">${renderText(visibleText(label))}</a> ${renderText(visibleText(error))}</li>`
  })
  return html`<div class="danger" role="alert"><p>The answer was not sent, because these fields need to be corrected. What you typed is still in the form.</p><ul>${rows}</ul></div>`
}

function fieldFor(field: Field, path: readonly string[]): Field {
  const { control } = field
  const inner =
    control.kind === 'group'
      ? control.fields.find((member) => isSamePath(member.path, path.slice(0, member.path.length)))
      : undefined
  return inner === undefined ? field : fieldFor(inner, path)
}

/** The problems that the runtime reports by field name, with the paths of the form's fields. */
export function locateProblems(
  field: Field,
  reported: readonly { readonly field: string; readonly error: string }[],
): readonly FieldProblem[] {
  return reported.map(({ field: name, error }) => {
    const found = findField(field, name)
    const rest = name.slice(visibleName(found).length).replace(/^\./, '')
    return { path: found.path, error: `${rest} ${explainError(error, found)}`.trim() }
  })
}

// A person cannot read the pattern behind a format.
function explainError(error: string, { control }: Field): string {
  const format =
    control.kind === 'text' && control.format !== undefined
      ? FORMAT_EXAMPLES[control.format]
      : undefined
  return format !== undefined && error.startsWith('must match the pattern')
    ? `must be ${format}`
    : error
}

function findField(field: Field, name: string): Field {
  const { control } = field
  const inner =
    control.kind === 'group'
      ? control.fields.find((member) => isWithin(name, visibleName(member)))
      : undefined
  return inner === undefined ? field : findField(inner, name)
}

function isWithin(name: string, outer: string): boolean {
  return name === outer || name.startsWith(`${outer}.`) || name.startsWith(`${outer}[`)
}

function visibleName({ path }: Field): string {
  return visibleText(fieldName(path))
}

export function isSamePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index])
}
