import { nameOf } from './candidates.ts'
import { isSecret } from './fields.ts'
import {
  attribute,
  buttonsOf,
  type Field,
  fieldsOf,
  isMatch,
  isUnhandled,
  SUBMITTER,
} from './natives.ts'
import { type FormView, refuse } from './reply.ts'
import { findTarget } from './targets.ts'

type Meant = { readonly form: HTMLFormElement; readonly button: HTMLButtonElement | undefined }

/** The form of a form element or of a button that submits one. */
export function formOf(target: HTMLElement): Meant | undefined {
  if (isMatch(target, SUBMITTER)) {
    const button = target as HTMLButtonElement
    return button.form ? { form: button.form, button } : undefined
  }
  if (!isMatch(target, 'form')) return undefined
  const form = target as HTMLFormElement
  return { form, button: buttonsOf(form).find((one) => !isMatch(one, ':disabled')) }
}

/** The form that is meant, by itself or by its button, and the button that would be pressed. */
export function findForm(selector: string): Meant {
  const meant = formOf(findTarget(selector))
  if (meant) return meant
  refuse('not_found', 'Not a form.')
}

const setting = ({ form, button }: Meant, name: string): string =>
  (button && attribute(button, `form${name}`)) || attribute(form, name) || ''

/** What would be sent and where to. The button's own settings count before the form's. */
export function describeForm(meant: Meant): FormView {
  const { form } = meant
  const method = setting(meant, 'method').toLowerCase()
  const fields = fieldsOf(form).filter((field) => !isMatch(field, ':disabled'))
  return {
    method: ['post', 'dialog'].includes(method) ? method : 'get',
    enctype: setting(meant, 'enctype'),
    action: new URL(setting(meant, 'action') || location.href, document.baseURI).href,
    fields: fields.filter((field) => isSent(field) && !isSecret(field)).map(viewField),
    problems: fields
      .filter(({ willValidate, validity }) => willValidate && !validity.valid)
      .map((field) => ({
        field: fieldName(field),
        message: field.validationMessage,
      })),
  }
}

const isSent = (field: Field): boolean =>
  !!field.name && (!/^(?:checkbox|radio)$/.test(field.type) || (field as HTMLInputElement).checked)
const fieldName = (field: Field): string => field.name || field.id

function viewField(field: Field): FormView['fields'][number] {
  const label = nameOf(field)
  const { selectedOptions } = field as HTMLSelectElement
  const value = selectedOptions
    ? [...selectedOptions].map((one) => one.text).join(', ')
    : field.value
  return { name: fieldName(field), ...(label && { label }), value }
}

/**
 * Submits as the visitor would by pressing the button: validation, `submit` handlers, method,
 * encoding and hidden tokens of the page apply. Tells whether the browser leaves the page for it.
 */
export function submitForm(meant: Meant, validate: boolean): boolean {
  const { form, button } = meant
  const view = describeForm(meant)
  const { origin, protocol } = new URL(view.action)
  if (view.method !== 'dialog' && (origin !== location.origin || !protocol.startsWith('http')))
    refuse('not_allowed', 'Another site.')
  if (fieldsOf(form).some((field) => field.type !== 'hidden' && isSecret(field)))
    refuse('not_allowed', 'Left to the visitor.')
  const skips = !validate || button?.formNoValidate || attribute(form, 'novalidate') !== null
  if (!skips && !HTMLFormElement.prototype.checkValidity.call(form))
    refuse('invalid', 'Not valid.', { form: view })
  return send(meant, skips, view)
}

function send({ form, button }: Meant, skips: boolean, { method }: FormView): boolean {
  const { setAttribute, removeAttribute } = Element.prototype
  const before = attribute(form, 'novalidate')
  if (skips) setAttribute.call(form, 'novalidate', '')
  const isSent = isUnhandled('submit', () =>
    HTMLFormElement.prototype.requestSubmit.call(form, button),
  )
  if (before === null) removeAttribute.call(form, 'novalidate')
  const staysHere = /^(?:|_self|_top|_parent)$/.test(setting({ form, button }, 'target'))
  return isSent && staysHere && method !== 'dialog'
}
