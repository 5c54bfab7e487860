import { Parser } from 'htmlparser2'

/** What a page shows to programs: landmarks, actions, forms, hints for the browser. */
export type HtmlScan = {
  readonly language: string | undefined
  readonly title: string
  readonly description: string
  readonly landmarks: readonly {
    readonly role: string
    readonly name: string | undefined
    readonly selector: string
  }[]
  readonly actions: readonly string[]
  /** Buttons, and those of them that have a `data-action`. */
  readonly buttons: number
  readonly buttonsWithAction: number
  readonly fields: number
  readonly fieldsWithLabel: number
  readonly forms: readonly { readonly selector: string; readonly method: string }[]
  readonly hasSpeculationRules: boolean
  readonly hasSearchForm: boolean
}

const LANDMARK_TAGS: Readonly<Record<string, string>> = {
  main: 'main',
  nav: 'navigation',
  header: 'banner',
  footer: 'contentinfo',
  aside: 'complementary',
  search: 'search',
}
const LANDMARK_ROLES = new Set([
  'main',
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'search',
  'region',
])
const WITHOUT_LABEL = new Set(['hidden', 'submit', 'button', 'image', 'reset'])
const MOST = 200

type Attributes = Readonly<Record<string, string>>

/** Scans a page without building a tree. */
export function scanHtml(html: string): HtmlScan {
  const landmarks: { role: string; name: string | undefined; selector: string }[] = []
  const actions = new Set<string>()
  const forms: { selector: string; method: string }[] = []
  const fields = countFields()
  const found = { language: undefined as string | undefined, title: '', description: '' }
  const counts = { buttons: 0, buttonsWithAction: 0 }
  const has = { speculation: false, search: false }
  let inTitle = false

  const parser = new Parser({
    onopentag(tag, attributes) {
      const role = attributes.role ?? LANDMARK_TAGS[tag]
      if (role !== undefined && LANDMARK_ROLES.has(role) && landmarks.length < MOST)
        landmarks.push({
          role,
          name: attributes['aria-label'],
          selector: selectorOf(tag, attributes),
        })
      if (role === 'search' || attributes.type === 'search') has.search = true
      const action = attributes['data-action']
      if (hasText(action) && actions.size < MOST) actions.add(action)
      if (tag === 'html') found.language = attributes.lang
      if (tag === 'title') inTitle = found.title === ''
      if (tag === 'meta' && attributes.name === 'description')
        found.description = attributes.content ?? ''
      fields.onOpen(tag, attributes)
      if (tag === 'button') {
        counts.buttons++
        if (hasText(action)) counts.buttonsWithAction++
      }
      if (tag === 'form' && forms.length < MOST)
        forms.push({
          selector: selectorOf(tag, attributes),
          method: (attributes.method ?? 'get').toLowerCase(),
        })
      if (tag === 'script' && attributes.type === 'speculationrules') has.speculation = true
    },
    ontext(text) {
      if (inTitle) found.title += text
    },
    onclosetag(tag) {
      if (tag === 'title') inTitle = false
      fields.onClose(tag)
    },
  })
  parser.end(html)
  return {
    ...found,
    title: found.title.trim(),
    landmarks,
    actions: [...actions],
    ...counts,
    ...fields.counts(),
    forms,
    hasSpeculationRules: has.speculation,
    hasSearchForm: has.search,
  }
}

/** Counts fields, and those that a label names: around it, by its id, or as an attribute. */
function countFields() {
  const labelled = new Set<string>()
  const ids: (string | undefined)[] = []
  let inLabel = 0
  let named = 0
  return {
    onOpen(tag: string, attributes: Attributes): void {
      if (tag === 'label') {
        inLabel++
        if (hasText(attributes.for)) labelled.add(attributes.for)
      }
      if (tag !== 'input' && tag !== 'select' && tag !== 'textarea') return
      if (WITHOUT_LABEL.has(attributes.type ?? '')) return
      const isNamed =
        inLabel > 0 || hasText(attributes['aria-label']) || hasText(attributes['aria-labelledby'])
      if (isNamed) named++
      else ids.push(attributes.id)
    },
    onClose(tag: string): void {
      if (tag === 'label') inLabel = Math.max(0, inLabel - 1)
    },
    counts() {
      const byId = ids.filter((id) => id !== undefined && labelled.has(id)).length
      return { fields: named + ids.length, fieldsWithLabel: named + byId }
    },
  }
}

function hasText(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== ''
}

const PLAIN_ID = /^[A-Za-z][\w-]*$/

function selectorOf(tag: string, { id, role, 'data-action': action, ...rest }: Attributes): string {
  if (id !== undefined && PLAIN_ID.test(id)) return `#${id}`
  if (hasText(action) && !action.includes('"')) return `${tag}[data-action="${action}"]`
  const label = rest['aria-label']
  if (hasText(label) && !/["\\]/.test(label)) return `${tag}[aria-label="${label}"]`
  return role === undefined ? tag : `${tag}[role="${role}"]`
}
