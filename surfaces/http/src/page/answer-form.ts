import { visibleText } from '@surehand/core/host'
import type { Control, Field } from './answer-field.ts'
import { FORMAT_EXAMPLES } from './answer-formats.ts'
import { isSamePath } from './answer-problems.ts'
import { type Html, html } from './html.ts'
import { type FieldProblem, typedText } from './read-answer.ts'
import { renderText } from './render-value.ts'

/** A submitted form that was not valid, with its problems. */
export type RejectedForm = {
  readonly form: URLSearchParams
  readonly problems: readonly FieldProblem[]
}

const FEW_CHOICES = 5
const KEYBOARDS: Readonly<Record<string, string>> = { email: 'email', uri: 'url' }

/** The controls of the form, with what was typed before, else with the suggested answer. */
export function renderAnswerForm(field: Field, rejected: RejectedForm | undefined): Html {
  const { control } = field
  if (control.kind !== 'group') return renderLeaf(field, control, rejected)
  const members = control.fields.map((member) => renderAnswerForm(member, rejected))
  if (field.path.length === 0) return html`${members}`
  return html`<fieldset id="${field.name}"><legend>${labelOf(field)}</legend>${hintNote(field)}${problemNote(field, rejected)}${members}</fieldset>`
}

function renderLeaf(field: Field, control: Leaf, rejected: RejectedForm | undefined): Html {
  const text = rejected === undefined ? field.text : typedText(field, rejected.form)
  const notes = html`${hintNote(field)}${problemNote(field, rejected)}`
  if (control.kind === 'choice' && control.choices.length <= FEW_CHOICES) {
    const all =
      field.isOptional || field.isNullable ? [...control.choices, LEAVE_OUT] : control.choices
    const radios = all.map((choice, index) =>
      radio(field, choice, { text, id: index === 0 ? field.name : `${field.name}.${index}` }),
    )
    return html`<fieldset class="choices"${describedBy(field, rejected)}><legend>${labelOf(field)}</legend>${notes}${radios}</fieldset>`
  }
  return html`<label for="${field.name}">${labelOf(field)}</label>${notes}${renderInput(field, control, { text, rejected })}`
}

type Leaf = Exclude<Control, { kind: 'group' }>
type Typed = { readonly text: string; readonly rejected: RejectedForm | undefined }

const LEAVE_OUT = { text: '', label: 'None' }

function radio(
  { name }: Field,
  choice: { readonly text: string; readonly label: string },
  { text, id }: { text: string; id: string },
): Html {
  const checked = choice.text === text ? html` checked` : undefined
  return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="${name}" value="${choice.text}"${checked}>${renderText(choice.label)}</label>`
}

function renderInput(field: Field, control: Leaf, { text, rejected }: Typed): Html {
  const common = html`id="${field.name}" name="${field.name}"${describedBy(field, rejected)}`
  if (field.isSecret)
    return html`<input type="password" ${common} autocomplete="off" value="${text}">`
  switch (control.kind) {
    case 'text':
      return textInput(control, common, text)
    case 'number': {
      const keyboard = control.isSigned
        ? undefined
        : html` inputmode="${control.isInteger ? 'numeric' : 'decimal'}"`
      return html`<input type="text" ${common}${keyboard} autocomplete="off" value="${text}">`
    }
    case 'choice': {
      const none = html`<option value="">${field.isOptional || field.isNullable ? 'None' : 'Choose …'}</option>`
      const options = control.choices.map(
        (choice) =>
          html`<option value="${choice.text}"${choice.text === text ? html` selected` : undefined}>${choice.label}</option>`,
      )
      return html`<select ${common}>${none}${options}</select>`
    }
    case 'lines':
      return textarea(common, text, 4)
    case 'json':
      return textarea(html`${common} class="code" spellcheck="false"`, text, 6)
  }
}

function textInput(
  { format = '', rows }: Extract<Control, { kind: 'text' }>,
  common: Html,
  text: string,
): Html {
  if (rows !== undefined) return textarea(common, text, rows)
  // A browser clears a date that it cannot parse.
  if (format === 'date' && /^(?:\d{4}-\d\d-\d\d)?$/.test(text))
    return html`<input type="date" ${common} value="${text}">`
  const keyboard = KEYBOARDS[format]
  return html`<input type="text" ${common}${keyboard === undefined ? undefined : html` inputmode="${keyboard}"`} value="${text}">`
}

// Browsers drop the first line break in a textarea.
function textarea(attributes: Html, text: string, rows: number): Html {
  return html`<textarea ${attributes} rows="${rows}">
${text}</textarea>`
}

function labelOf({ label, isOptional, isNullable, path }: Field): Html {
  const optional =
    (isOptional || isNullable) && path.length > 0
      ? html` <span class="small">(optional)</span>`
      : undefined
  return html`${renderText(visibleText(label))}${optional}`
}

function hintNote(field: Field): Html | undefined {
  const { control } = field
  const format =
    control.kind === 'text' && control.format !== undefined && control.format !== 'date'
      ? FORMAT_EXAMPLES[control.format]
      : undefined
  const words = [
    ...field.hints,
    ...(format === undefined ? [] : [`Format: ${format}.`]),
    ...(control.kind === 'lines' ? ['One per line.'] : []),
    ...(control.kind === 'json' ? ['As JSON.'] : []),
    ...(field.isSecret ? ['The suggested value is secret. Leave the field empty to keep it.'] : []),
  ]
  return words.length === 0
    ? undefined
    : html`<p class="hint" id="${field.name}.hint">${renderText(visibleText(words.join(' ')))}</p>`
}

function describedBy(field: Field, rejected: RejectedForm | undefined): Html {
  const isWrong = problemsAt(field, rejected).length > 0
  const ids = [
    ...(hintNote(field) === undefined ? [] : [`${field.name}.hint`]),
    ...(isWrong ? [`${field.name}.wrong`] : []),
  ]
  return html`${ids.length === 0 ? undefined : html` aria-describedby="${ids.join(' ')}"`}${isWrong ? html` aria-invalid="true"` : undefined}`
}

function problemNote(field: Field, rejected: RejectedForm | undefined): Html | undefined {
  const errors = problemsAt(field, rejected)
  if (errors.length === 0) return undefined
  return html`<p class="wrong" id="${field.name}.wrong">${errors.map((error) => html`${renderText(visibleText(error))}. `)}</p>`
}

export function problemsAt(field: Field, rejected: RejectedForm | undefined): readonly string[] {
  return (rejected?.problems ?? [])
    .filter(({ path }) => isSamePath(path, field.path))
    .map(({ error }) => error)
}
