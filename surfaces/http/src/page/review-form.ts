import { mapLink, type ReviewForm, reviewText, valueAtPath, visibleText } from '@surehand/core/host'
import type { Control, Field } from './answer-field.ts'
import { problemsAt, type RejectedForm, renderAnswerForm } from './answer-form.ts'
import { type Html, html } from './html.ts'
import { typedText } from './read-answer.ts'
import { renderText } from './render-value.ts'

/**
 * The proposed answer as a summary, whose lines open to change one field, and a button for each
 * choice. Fields of a closed line are sent all the same, so it works without scripts.
 */
export function renderReview(
  field: Field,
  review: ReviewForm,
  rejected: RejectedForm | undefined,
): Html {
  const leaves = leavesOf(field)
  const at = (path: string): Field | undefined =>
    leaves.find((leaf) => leaf.path.join('.') === path)
  const choice = at(review.choice)
  const lines = Object.entries(review.fields).flatMap(([path, label]) => {
    const leaf = at(path)
    return leaf === undefined || !hasText(leaf, rejected) ? [] : [{ ...leaf, label }]
  })
  const shown = new Set([choice?.name, ...lines.map(({ name }) => name)])
  const rest = leaves
    .filter(({ name }) => !shown.has(name))
    .map((leaf) => ({ ...leaf, label: review.fields[leaf.path.join('.')] ?? leaf.label }))
  return html`${renderPicture(field, review)}
${lines.map((line) => renderLine(line, rejected))}
${renderMap(field, review)}
${rest.length === 0 ? undefined : renderRest(rest, rejected)}
<div class="decide"><div class="answers">${choice === undefined ? undefined : buttonsOf(choice)}</div></div>`
}

function leavesOf(field: Field): readonly Field[] {
  return field.control.kind === 'group' ? field.control.fields.flatMap(leavesOf) : [field]
}

function hasText(leaf: Field, rejected: RejectedForm | undefined): boolean {
  if (leaf.isSecret) return false
  return (rejected === undefined ? leaf.text : typedText(leaf, rejected.form)) !== ''
}

function renderLine(leaf: Field, rejected: RejectedForm | undefined): Html {
  const text =
    rejected === undefined ? reviewText(leaf.filled) : reviewText(typedText(leaf, rejected.form))
  const open = problemsAt(leaf, rejected).length > 0 ? html` open` : undefined
  return html`<details${open}><summary><span>${leaf.label}</span><b>${renderText(visibleText(text))}</b><i>Change</i></summary><div>${renderAnswerForm(leaf, rejected)}</div></details>`
}

function renderRest(rest: readonly Field[], rejected: RejectedForm | undefined): Html {
  const isWrong = rest.some((leaf) => problemsAt(leaf, rejected).length > 0)
  const fields = rest.map((leaf) => renderAnswerForm(leaf, rejected))
  return html`<details${isWrong ? html` open` : undefined}><summary><span>More</span><span>What is not in the summary</span><i>Open</i></summary><div>${fields}</div></details>`
}

/** The proposed choice comes first: it is the one that Enter in a field sends. */
function buttonsOf({ name, control, text }: Field): readonly Html[] {
  const { choices } = control as Extract<Control, { kind: 'choice' }>
  const isProposed = (one: (typeof choices)[number]): boolean => one.text === text
  return [...choices.filter(isProposed), ...choices.filter((one) => !isProposed(one))].map(
    (one) =>
      html`<button${isProposed(one) ? html` class="yes"` : undefined} name="${name}" value="${one.text}">${capitalize(one.label)}</button>`,
  )
}

function capitalize(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

// By its path alone: a picture of another site would tell that site who looks at the page.
const ARTIFACT = /^https?:\/\/[^/]+(\/artifacts\/[\w.%~-]+\/[0-9a-f]{32}\.(?:png|jpg))$/

function renderPicture(field: Field, { picture }: ReviewForm): Html | undefined {
  const address = picture === undefined ? undefined : valueAtPath(field.filled, picture)
  const [, path] = ARTIFACT.exec(String(address)) ?? []
  return path === undefined
    ? undefined
    : html`<figure><img src="${path}" alt="The picture that this was read from"></figure>`
}

function renderMap(field: Field, { map }: ReviewForm): Html | undefined {
  const link = map === undefined ? undefined : mapLink(valueAtPath(field.filled, map))
  return link === undefined
    ? undefined
    : html`<p class="map"><a href="${link}" target="_blank" rel="noreferrer noopener">See the place on a map</a></p>`
}
