import { visibleText } from '@surehand/core/host'
import type { Adopting, InspectedServer } from './prepare-adoption.ts'
import type { Proposal } from './propose-contract.ts'

const GROUPS: readonly (readonly [Proposal, string])[] = [
  ['read', 'open'],
  ['write', 'ask a person'],
  ['delete', 'ask an administrator'],
]
const MOST_NAMES = 12

/** What an adoption would do, for a person. */
export function formatAdoption({ file, servers, left, surehand, tokens }: Adopting): string {
  const changes =
    servers.length === 0
      ? ['None of its servers can be adopted.', '']
      : [
          `${visibleText(file)} will start Surehand instead of ${servers.length === 1 ? 'this server' : `these ${servers.length} servers`}:`,
          `  ${visibleText([surehand.command, ...surehand.args].join(' '))}`,
          ...(surehand.args.includes('--compact')
            ? [
                `  Their tools are about ${tokens.toLocaleString('en-US')} tokens: with --compact a model searches instead of reading the whole list.`,
              ]
            : []),
          'A backup that only you can read is kept beside it; --undo restores it.',
          '',
        ]
  return [
    ...servers.flatMap(formatServer),
    ...(left.length === 0 ? [] : ['Left as they are:']),
    ...left.map(({ name, reason }) => `  ${visibleText(name)}: ${visibleText(reason)}`),
    ...(left.length === 0 ? [] : ['']),
    ...changes,
  ].join('\n')
}

function formatServer({ plan, listing, proposals }: InspectedServer): readonly string[] {
  const { name, mount, credentials, packages } = plan
  const place =
    plan.kind === 'http' ? plan.url : [plan.address.command, ...(plan.address.args ?? [])].join(' ')
  const secrets = credentials.flatMap(({ names }) => names)
  const hidden = listing.tools.length - proposals.size
  return [
    `${visibleText(name)}${mount === name ? '' : `, as "${mount}"`}: ${visibleText(place)}`,
    ...(packages.length === 0 ? [] : [`  pinned: ${packages.join(', ')}`]),
    ...(secrets.length === 0
      ? []
      : [`  secrets that go into the vault: ${visibleText(secrets.join(', '))}`]),
    ...(plan.kind === 'http' && plan.privateHost !== undefined
      ? [`  opens ${plan.privateHost}, a host of this network, to its tools`]
      : []),
    ...GROUPS.flatMap(([proposal, says]) => formatGroup(proposals, proposal, says)),
    ...(hidden === 0 ? [] : [`  ${hidden} left out, as its client does`]),
    ...listing.refused.map(
      (one) => `  left out: ${visibleText(one.name)} ${visibleText(one.reason)}`,
    ),
    '',
  ]
}

function formatGroup(
  proposals: InspectedServer['proposals'],
  wanted: Proposal,
  says: string,
): readonly string[] {
  const names = [...proposals].flatMap(([name, proposal]) => (proposal === wanted ? [name] : []))
  if (names.length === 0) return []
  const shown = names.slice(0, MOST_NAMES).map(visibleText).join(', ')
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : ''
  return [`  ${String(names.length).padStart(3)} ${says}: ${shown}${more}`]
}

/** The same for programs: no values of secrets, and no texts of the client's file. */
export function adoptionData({ file, servers, left, surehand }: Adopting): object {
  return {
    file,
    servers: servers.map(({ plan, proposals }) => ({
      name: plan.name,
      mount: plan.mount,
      pinned: plan.packages,
      secrets: plan.credentials.flatMap(({ names }) => names),
      tools: Object.fromEntries(proposals),
    })),
    left,
    surehand,
  }
}
