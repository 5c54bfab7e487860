import type { Tool } from '@surehand/core'
import { travelTools } from '../src/pack.ts'
import { INPUT_RULES } from './document-rules.ts'

/** The seventeen tools of document 000, in its order. */
export const DOCUMENTED_TOOLS =
  'webSearch crawlUrl crawlSite weather searchFlights geocode distanceMatrix searchAccommodations bookAccommodation addConversationMemory searchUserMemories lookupPoiContext createTravelPlan updateTravelPlan combineSearchResults saveTravelPlan deleteTravelPlan'
    .split(' ')
    .map((name) => `travel.${name}`)

export function toolNamed(id: string): Tool {
  const tool = travelTools.find((one) => one.id === id)
  if (tool === undefined) throw new Error(`There is no tool ${id}.`)
  return tool
}

/** A page that says, from the tools themselves, how each does what the document demands. */
export function renderConformance(): string {
  const tools = DOCUMENTED_TOOLS.map(toolNamed)
  return `# Travel: the document and the tools

Generated from the tools and from the cases that the tests try (\`node packs/travel/testing/write-conformance.ts\`); a test compares this page with them.

## Contracts

| tool | class | approval | limits | cache | timeout |
| --- | --- | --- | --- | --- | --- |
${tools.map(contractRow).join('\n')}

## Inputs

| tool | rule | accepted | refused | defaults |
| --- | --- | --- | --- | --- |
${INPUT_RULES.map(inputRow).join('\n')}

## Fields

Every input field of these tools, from their schemas.

| tool | field | bounds | default |
| --- | --- | --- | --- |
${tools.flatMap(fieldRows).join('\n')}

## Errors

| source_code | when |
| --- | --- |
| \`plan_not_found\` | the plan does not exist, has expired, or belongs to another person |
| \`invalid_updates\` | an update changes nothing, or would end a trip before it starts |
| \`rate_limited_plan_create\` | more than 20 plans in a day |
| \`rate_limited_plan_update\` | more than 60 changes of a plan in a minute |
| \`price_changed\` | the total at the booking is not the one that was approved; nothing is booked |
| \`listing_unavailable\`, \`not_bookable\` | the stay is gone, or its provider only searches |
| \`booking_not_found\`, \`already_cancelled\` | cancelling |
| \`guest_required\` | the provider books only with the data of the guest |
| \`share_not_found\` | revoking a link |
| \`airport_not_found\` | a flight search with a code that no airport has |
| \`robots_disallowed\` | the site asks robots not to read the page |
| \`not_configured\` | no provider can do it without a vendor's key |
| \`too_many_edits\` | a trip was edited three times |

\`unauthorized\` of the document is the envelope's \`TOOL_CAPABILITY_MISSING\` or \`TOOL_ROLE_NOT_AUTHORIZED\`; a plan of another person is \`plan_not_found\`, so that ids cannot be probed.
`
}

type FieldSchema = {
  readonly properties?: Readonly<Record<string, FieldSchema>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly items?: FieldSchema
  readonly anyOf?: readonly FieldSchema[]
  readonly [keyword: string]: unknown
}

const BOUNDS =
  'minLength maxLength minimum maximum exclusiveMinimum minItems maxItems pattern format const'.split(
    ' ',
  )

function fieldRows({ id, input }: Tool): readonly string[] {
  const { properties = {}, required = [] } = input.toJson('input') as FieldSchema
  return Object.entries(properties).map(([name, field]) => {
    const isRequired = required.includes(name)
    const value = field.default === undefined ? '' : `\`${JSON.stringify(field.default)}\``
    return `| \`${id}\` | \`${name}\` | ${describeField(field)}${isRequired ? ', required' : ''} | ${value} |`
  })
}

function describeField(field: FieldSchema): string {
  if (field.anyOf !== undefined) return field.anyOf.map(describeField).join(' or ')
  if (Array.isArray(field.enum)) return field.enum.map(String).join(', ')
  const bounds = BOUNDS.filter((keyword) => field[keyword] !== undefined).map(
    (keyword) => `${keyword} \`${String(field[keyword]).replaceAll('|', '\\|')}\``,
  )
  const items = field.items === undefined ? [] : [`each ${describeField(field.items)}`]
  return [String(field.type ?? 'any'), ...bounds, ...items].join(', ')
}

function contractRow({ id, contract, kind }: Tool): string {
  const limits = contract.limits.map(({ calls, windowMs }) => `${calls} per ${seconds(windowMs)}`)
  const approval = contract.approval === undefined ? '' : seconds(contract.approval.expiresMs)
  const cells = [
    `\`${id}\``,
    `${contract.effect}${contract.isWrite && !contract.reversible ? ', irreversible' : ''}${kind === 'async' ? ', job' : ''}`,
    approval,
    limits.join(', '),
    describeCache({ id, contract } as Tool),
    seconds(contract.timeoutMs),
  ]
  return `| ${cells.join(' | ')} |`
}

function describeCache({ id, contract: { cache } }: Tool): string {
  if (cache === undefined) return ''
  if (id !== 'travel.webSearch') return seconds(cache.ttlMs({}))
  const ttl = (query: string): string => seconds(cache.ttlMs({ query }))
  return `now, today, weather ${ttl('now')}; news ${ttl('news')}; price, fare, flight ${ttl('fare')}; menu, hours ${ttl('menu')}; else ${ttl('tiles')}`
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}

function inputRow(row: (typeof INPUT_RULES)[number]): string {
  const { tool, rule, accepts = [], refuses = [], defaults = {} } = row
  const code = (value: unknown): string => `\`${shorten(value)}\``
  return `| \`${tool}\` | ${rule} | ${accepts.map(code).join(' ')} | ${refuses.map(code).join(' ')} | ${Object.keys(defaults).length === 0 ? '' : code(defaults)} |`
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value, (_, inner: unknown) =>
    inner === undefined ? '(none)' : inner,
  )
  return text.replace(/x{10,}/g, (long) => `x × ${long.length}`)
}
