import { nameOf } from './candidates.ts'
import { attribute, FIELD, type Field, isMatch } from './natives.ts'
import { refuse } from './reply.ts'

const SECRET_TYPES = ['password', 'hidden', 'file']
const SECRET_PURPOSE = /(?:^|\s)(?:cc-|one-time-code|(?:current|new)-password)/i
const PAYMENT =
  /card.?(?:num|no\b|holder|exp|code)|(?:^|[^a-z])cc.?(?:num|exp|csc|name)|cvc|cvv|csc\b|security.?code|iban|t(?:en|o)nummer|fziffer|pass(?:w|phr)|(?:^|[^a-z])pin(?:$|[^a-z])/i

/** Fields that the visitor fills in themselves: passwords, payment, and what the page hides. */
export function isSecret(field: Field): boolean {
  const described = ['name', 'id', 'placeholder'].map((name) => attribute(field, name)).join(' ')
  return (
    SECRET_TYPES.includes(field.type) ||
    SECRET_PURPOSE.test(attribute(field, 'autocomplete') ?? '') ||
    PAYMENT.test(`${described} ${nameOf(field)}`) ||
    !['', 'none'].includes(getComputedStyle(field).getPropertyValue('-webkit-text-security'))
  )
}

/** Types a value as the visitor would, so that scripts of the page notice it. */
export function fill(target: HTMLElement, value: string): void {
  if (!isMatch(target, FIELD)) refuse('not_allowed', 'Not a field.')
  const field = target as Field
  if (isSecret(field)) refuse('not_allowed', 'Left to the visitor.')
  if (isMatch(field, ':disabled,[readonly]')) refuse('not_allowed', 'Not changeable.')
  if (field.type === 'checkbox' || field.type === 'radio')
    setChecked(field as HTMLInputElement, value)
  else setValue(field, value)
}

function setValue(field: Field, value: string): void {
  const next = field.localName === 'select' ? optionValue(field as HTMLSelectElement, value) : value
  // Frameworks watch the property on the element; the prototype's setter leaves it to the event.
  Reflect.set(Object.getPrototypeOf(field), 'value', next, field)
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}

function setChecked(field: HTMLInputElement, value: string): void {
  const wanted = !/^(?:|false|off|no|0)$/i.test(value)
  if (field.checked !== wanted) field.click()
}

function optionValue(field: HTMLSelectElement, value: string): string {
  const wanted = value.trim().toLowerCase()
  const found = [...field.options].find(
    (option) => option.value === value || option.text.trim().toLowerCase() === wanted,
  )
  if (found && !found.disabled) return found.value
  const choices = [...field.options].map(({ text }) => text.trim()).join(', ')
  refuse('invalid', choices)
}
