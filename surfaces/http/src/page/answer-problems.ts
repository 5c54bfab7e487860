import { visibleText } from '@surehand/core/host'
import { fieldName } from '@surehand/core/internal'
import type { Field } from './answer-field.ts'
import { AS_IN } from './answer-formats.ts'
import type { FieldProblem } from './answer-read.ts'
import { type Html, html } from './html.ts'
import { shownText } from './shown-value.ts'

/** What is wrong, all in one place, each with the way to its field. */
export function problemList(field: Field, problems: readonly FieldProblem[]): Html {
  const rows = problems.map(({ path, error }) => {
    const { name, label } = fieldFor(field, path)
    return html`<li><a href="#${name}">${shownText(visibleText(label))}</a> ${shownText(visibleText(error))}</li>`
  })
  return html`<div class="danger" role="alert"><p>Nothing was answered yet: something has to be put right. What you typed is still here.</p><ul>${rows}</ul></div>`
}

function fieldFor(field: Field, path: readonly string[]): Field {
  const { control } = field
  const inner =
    control.kind === 'group'
      ? control.fields.find((member) => isSame(member.path, path.slice(0, member.path.length)))
      : undefined
  return inner === undefined ? field : fieldFor(inner, path)
}

/** Problems by the names the desk tells them under, at the fields they belong to. */
export function problemsFor(
  field: Field,
  told: readonly { readonly field: string; readonly error: string }[],
): readonly FieldProblem[] {
  return told.map(({ field: name, error }) => {
    const found = named(field, name)
    const rest = name.slice(visibleName(found).length).replace(/^\./, '')
    return { path: found.path, error: `${rest} ${inWords(error, found)}`.trim() }
  })
}

// a format's own pattern says nothing to a person
function inWords(error: string, { control }: Field): string {
  const format =
    control.kind === 'text' && control.format !== undefined ? AS_IN[control.format] : undefined
  return format !== undefined && error.startsWith('must match the pattern')
    ? `must be ${format}`
    : error
}

function named(field: Field, name: string): Field {
  const { control } = field
  const inner =
    control.kind === 'group'
      ? control.fields.find((member) => isWithin(name, visibleName(member)))
      : undefined
  return inner === undefined ? field : named(inner, name)
}

function isWithin(name: string, outer: string): boolean {
  return name === outer || name.startsWith(`${outer}.`) || name.startsWith(`${outer}[`)
}

function visibleName({ path }: Field): string {
  return visibleText(fieldName(path))
}

export function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((step, index) => step === other[index])
}
