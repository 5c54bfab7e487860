import { type Html, html } from '../web/html.ts'

type Field = {
  readonly name: string
  readonly label: string
  readonly action: string
  readonly type?: string
  readonly autocomplete?: string
  readonly value?: string | undefined
  readonly optional?: true
  readonly maxlength?: number
  readonly hint?: string
  readonly pattern?: string
  readonly inputmode?: string
}

/** A labelled input. */
export function field(form: Field): Html {
  const { name, label, action, type = 'text', autocomplete = 'off', value, optional } = form
  const hintId = form.hint === undefined ? undefined : `${name}-hint`
  return html`<div class="field"><label for="${name}">${label}${optional && html` <span class="small">(optional)</span>`}</label>
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" maxlength="${form.maxlength ?? 254}" data-action="${action}"${value !== undefined && html` value="${value}"`}${!optional && html` required`}${form.pattern !== undefined && html` pattern="${form.pattern}"`}${form.inputmode !== undefined && html` inputmode="${form.inputmode}"`}${hintId !== undefined && html` aria-describedby="${hintId}"`}>
${form.hint !== undefined && html`<p class="small" id="${hintId}">${form.hint}</p>`}</div>`
}

/** Name, e-mail and phone of a person. */
export function contactFields(value: {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
}): Html {
  return html`${field({ name: 'name', label: 'Name', action: 'contact.name', autocomplete: 'name', value: value.name, maxlength: 120 })}
${field({ name: 'email', label: 'E-mail', action: 'contact.email', type: 'email', autocomplete: 'email', value: value.email })}
${field({ name: 'phone', label: 'Phone', action: 'contact.phone', type: 'tel', autocomplete: 'tel', value: value.phone, optional: true, maxlength: 16, pattern: '\\+[1-9][0-9]{6,14}', hint: 'With the country code: +43…' })}`
}
