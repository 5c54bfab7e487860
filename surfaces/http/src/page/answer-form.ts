import { visibleText } from '@surehand/core/host'
import type { Control, Field } from './answer-field.ts'
import { AS_IN } from './answer-formats.ts'
import { isSame } from './answer-problems.ts'
import { type FieldProblem, typed } from './answer-read.ts'
import { type Html, html } from './html.ts'
import { shownText } from './shown-value.ts'

/** A form that came back: what was typed, and what is wrong with it. */
export type Returned = {
  readonly form: URLSearchParams
  readonly problems: readonly FieldProblem[]
}

const FEW_CHOICES = 5
const KEYBOARDS: Readonly<Record<string, string>> = { email: 'email', uri: 'url' }

/** Every control of the form, with what was typed last, else with what it is filled in with. */
export function answerForm(field: Field, returned: Returned | undefined): Html {
  return drawn(field, returned)
}

function drawn(field: Field, returned: Returned | undefined): Html {
  const { control } = field
  if (control.kind !== 'group') return drawnLeaf(field, control, returned)
  const members = control.fields.map((member) => drawn(member, returned))
  if (field.path.length === 0) return html`${members}`
  return html`<fieldset id="${field.name}"><legend>${labelOf(field)}</legend>${hints(field)}${complaints(field, returned)}${members}</fieldset>`
}

function drawnLeaf(field: Field, control: Leaf, returned: Returned | undefined): Html {
  const text = returned === undefined ? field.text : typed(field, returned.form)
  const around = html`${hints(field)}${complaints(field, returned)}`
  if (control.kind === 'choice' && control.choices.length <= FEW_CHOICES) {
    const all =
      field.isOptional || field.isNullable ? [...control.choices, LEAVE_OUT] : control.choices
    const radios = all.map((choice, index) =>
      radio(field, choice, { text, id: index === 0 ? field.name : `${field.name}.${index}` }),
    )
    return html`<fieldset class="choices"${described(field, returned)}><legend>${labelOf(field)}</legend>${around}${radios}</fieldset>`
  }
  return html`<label for="${field.name}">${labelOf(field)}</label>${around}${inputOf(field, control, { text, returned })}`
}

type Leaf = Exclude<Control, { kind: 'group' }>
type Typed = { readonly text: string; readonly returned: Returned | undefined }

const LEAVE_OUT = { text: '', label: 'Leave it out' }

function radio(
  { name }: Field,
  choice: { readonly text: string; readonly label: string },
  { text, id }: { text: string; id: string },
): Html {
  const checked = choice.text === text ? html` checked` : undefined
  return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="${name}" value="${choice.text}"${checked}>${shownText(choice.label)}</label>`
}

function inputOf(field: Field, control: Leaf, { text, returned }: Typed): Html {
  const common = html`id="${field.name}" name="${field.name}"${described(field, returned)}`
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
      const none = html`<option value="">${field.isOptional || field.isNullable ? 'Leave it out' : 'Choose …'}</option>`
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
  // a browser empties a date it can't read
  if (format === 'date' && /^(?:\d{4}-\d\d-\d\d)?$/.test(text))
    return html`<input type="date" ${common} value="${text}">`
  const keyboard = KEYBOARDS[format]
  return html`<input type="text" ${common}${keyboard === undefined ? undefined : html` inputmode="${keyboard}"`} value="${text}">`
}

// the first newline in a textarea is not part of its text
function textarea(attributes: Html, text: string, rows: number): Html {
  return html`<textarea ${attributes} rows="${rows}">
${text}</textarea>`
}

function labelOf({ label, isOptional, isNullable, path }: Field): Html {
  const mayBeEmpty =
    (isOptional || isNullable) && path.length > 0
      ? html` <span class="small">(may be empty)</span>`
      : undefined
  return html`${shownText(visibleText(label))}${mayBeEmpty}`
}

function hints(field: Field): Html | undefined {
  const { control } = field
  const format =
    control.kind === 'text' && control.format !== undefined && control.format !== 'date'
      ? AS_IN[control.format]
      : undefined
  const words = [
    ...field.hints,
    ...(format === undefined ? [] : [`As ${format}.`]),
    ...(control.kind === 'lines' ? ['One a line.'] : []),
    ...(control.kind === 'json' ? ['As JSON.'] : []),
    ...(field.isSecret
      ? ['What it is filled in with is secret. Left empty, it stays as it is.']
      : []),
  ]
  return words.length === 0
    ? undefined
    : html`<p class="hint" id="${field.name}.hint">${shownText(visibleText(words.join(' ')))}</p>`
}

function described(field: Field, returned: Returned | undefined): Html {
  const isWrong = problemsAt(field, returned).length > 0
  const ids = [
    ...(hints(field) === undefined ? [] : [`${field.name}.hint`]),
    ...(isWrong ? [`${field.name}.wrong`] : []),
  ]
  return html`${ids.length === 0 ? undefined : html` aria-describedby="${ids.join(' ')}"`}${isWrong ? html` aria-invalid="true"` : undefined}`
}

function complaints(field: Field, returned: Returned | undefined): Html | undefined {
  const errors = problemsAt(field, returned)
  if (errors.length === 0) return undefined
  return html`<p class="wrong" id="${field.name}.wrong">${errors.map((error) => html`${shownText(visibleText(error))}. `)}</p>`
}

function problemsAt(field: Field, returned: Returned | undefined): readonly string[] {
  return (returned?.problems ?? [])
    .filter(({ path }) => isSame(path, field.path))
    .map(({ error }) => error)
}
