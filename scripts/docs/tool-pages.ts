import type { Pack, Tool } from '@surehand/core'
import { packManifest } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { fieldTable, jsonText } from '../../surfaces/http/src/fixtures/api-reference.ts'

/** A generated page: its place on the site and its Markdown. */
export type SitePage = { readonly path: string; readonly title: string; readonly text: string }

/** A pack as the site shows it: a page of its own, and one for each namespace of its tools. */
export function renderPack(pack: Pack, intro: string): SitePage[] {
  const groups = Map.groupBy(pack.tools, ({ id }) => id.slice(0, id.indexOf('.')))
  const pages = [...groups].map(([name, tools]) => renderGroup(pack.name, name, tools))
  return [
    {
      path: `tools/${pack.name}/index.md`,
      title: pack.name,
      text: renderIndex(pack, intro, groups),
    },
    ...pages,
  ]
}

function renderIndex(
  pack: Pack,
  intro: string,
  groups: ReadonlyMap<string, readonly Tool[]>,
): string {
  const { ports, secrets, settings, hosts, routes, schedules, commands } = packManifest(pack)
  const needs = [
    ...Object.entries(settings).map(([name, need]) => ['setting', name, need.for] as const),
    ...Object.entries(secrets).map(([name, need]) => ['secret', name, need.for] as const),
    ...hosts.map((host) => ['host', host, 'reached over HTTPS'] as const),
  ]
  const list = (label: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`- ${label}: ${items.map((item) => `\`${item}\``).join(', ')}`]
  return lines(
    `# The pack ${pack.name}`,
    intro,
    `Load it with \`SUREHAND_BUILT_IN=${pack.name}\`, or as \`packs\` of an app of your own. It has ${pack.tools.length} tools.`,
    [
      ...list('Ports that its tools need', ports),
      ...list('Routes', routes),
      ...list('Schedules', schedules),
      ...list(
        'Commands',
        commands.map((name) => `surehand ${name}`),
      ),
    ].join('\n'),
    ...(needs.length === 0
      ? []
      : [
          '## What it can be given',
          table(
            ['kind', 'name', 'for'],
            needs.map(([kind, name, use]) => [kind, `\`${name}\``, use]),
          ),
        ]),
    ...[...groups].flatMap(([name, tools]) => [
      `## ${name}`,
      table(
        ['tool', 'effect', 'approval', 'what it does'],
        tools.map((tool) => [
          `[\`${tool.id}\`](/tools/${pack.name}/${name}#${anchor(tool)})`,
          effectText(tool),
          tool.contract.approval?.kind ?? '',
          firstSentence(tool.description),
        ]),
      ),
    ]),
  )
}

function renderGroup(pack: string, name: string, tools: readonly Tool[]): SitePage {
  const text = lines(
    `# ${name}`,
    `Tools of the [pack ${pack}](/tools/${pack}/), as their definitions say. A tool \`${name}.…\` is called over [HTTP](/http-api), MCP (as \`${name}__…\`), with \`surehand call\`, or inside a framework.`,
    ...tools.map(renderTool),
  )
  return { path: `tools/${pack}/${name}.md`, title: name, text }
}

/** One tool: what it does, its contract, its fields and its examples. */
export function renderTool(tool: Tool): string {
  const { contract } = tool
  return lines(
    `## ${tool.id}`,
    tool.description,
    ...(tool.detailedDescription === undefined ? [] : [tool.detailedDescription]),
    ...(contract.audience === 'steps'
      ? ['A step of other tools: callers do not see it and cannot call it.']
      : []),
    table(['contract', 'value'], contractRows(tool)),
    '**Input**',
    renderFields(tool.input.toJson('input')),
    '**Output**',
    renderFields(tool.output.toJson('output')),
    ...tool.examples.flatMap(({ name, description, input }) => [
      `Example: ${description ?? name}`,
      `\`\`\`json\n${jsonText(input, '')}\n\`\`\``,
    ]),
  )
}

// A table whose column has no heading is not announced by screen readers.
function renderFields(schema: JsonSchema): string {
  return fieldTable(withoutReferences(schema)).replaceAll('| type | |', '| type | meaning |')
}

function contractRows(tool: Tool): string[][] {
  const { contract } = tool
  const { approval, cache, limits } = contract
  const rows: (readonly [string, string | undefined])[] = [
    [
      'effect',
      `${effectText(tool)}${contract.isWrite ? `, ${contract.reversible ? 'can be undone' : 'cannot be undone'}` : ''}`,
    ],
    ['version', tool.version],
    [
      'kind',
      tool.kind === 'sync'
        ? undefined
        : `${tool.kind}${tool.isDeferred ? ', run by a worker' : ''}`,
    ],
    ['idempotency', contract.isWrite ? keyText(contract.idempotency) : undefined],
    [
      'approval',
      approval === undefined
        ? undefined
        : `${APPROVERS[approval.kind] ?? approval.kind}; the request is open for ${timeText(approval.expiresMs)}`,
    ],
    ['roles', listNames(contract.roles)],
    ['capabilities', listNames(contract.capabilityNames)],
    ['timeout', timeText(contract.timeoutMs)],
    ['latency budget', timeText(contract.latencyBudgetMs)],
    ['retries', contract.retries === 0 ? undefined : String(contract.retries)],
    [
      'limits',
      limits.length === 0
        ? undefined
        : limits.map(({ calls, windowMs }) => `${calls} in ${timeText(windowMs)}`).join(', '),
    ],
    [
      'cache',
      cache === undefined ? undefined : cache.shared ? 'shared by callers' : 'for each caller',
    ],
    ['ports', listNames([...tool.ports.values()].map(({ name }) => name))],
  ]
  return rows.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
}

const APPROVERS: Readonly<Record<string, string>> = {
  confirm: 'the person whose call it is, or who may decide for them',
  consent: 'only the person whose call it is',
  admin: 'an administrator, or a person with `approvals.decide`',
}

function keyText(idempotency: Tool['contract']['idempotency']): string {
  if (idempotency === 'caller') return 'by the key of the caller'
  return idempotency === 'none' ? 'none' : 'by a key that is derived from the input'
}

function effectText({ contract }: Tool): string {
  return `\`${contract.effect}\``
}

function listNames(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : names.map((name) => `\`${name}\``).join(', ')
}

/** A schema with what it refers to in place of the references; what contains itself is cut. */
export function withoutReferences(schema: JsonSchema): JsonSchema {
  const definitions = (schema.$defs ?? {}) as Readonly<Record<string, unknown>>
  const replace = (part: unknown, inside: readonly string[]): unknown => {
    if (Array.isArray(part)) return part.map((one) => replace(one, inside))
    if (typeof part !== 'object' || part === null) return part
    const reference = (part as JsonSchema).$ref
    if (typeof reference === 'string') {
      const name = reference.replace('#/$defs/', '')
      if (reference === '#' || inside.includes(name)) return { type: 'object' }
      return replace(definitions[name] ?? {}, [...inside, name])
    }
    return Object.fromEntries(
      Object.entries(part)
        .filter(([key]) => key !== '$defs')
        .map(([key, value]) => [key, replace(value, inside)]),
    )
  }
  return replace(schema, []) as JsonSchema
}

/** A time in its largest whole unit. */
export function timeText(ms: number): string {
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const
  const unit = units.find(([size]) => ms >= size && ms % size === 0)
  return unit === undefined ? `${ms} ms` : `${ms / unit[0]} ${unit[1]}`
}

function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
}

function anchor({ id }: Tool): string {
  return id.toLowerCase().replaceAll(/[^\w-]/g, '')
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n')
}

/** Paragraphs of Markdown. */
export function lines(...parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}
